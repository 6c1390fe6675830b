// Reads the golden set's NumPy arrays: format 1.0, little-endian, C order, unsigned or floating point.

import { readFileSync } from 'node:fs';
import type { Samples } from '../../core/pass';

const arrayTypes = { '|u1': Uint8Array, '<u2': Uint16Array, '<f4': Float32Array, '<f8': Float64Array } as const;

export interface NpyArray {
  readonly shape: readonly number[];
  readonly values: Samples;
}

export function readNpy(file: string): NpyArray {
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, 8) !== '\x93NUMPY\x01\x00') throw new Error(`${file} is no .npy file of version 1.0`);
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', 10, start);
  const shape = [...(/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? '').matchAll(/\d+/g)].map(([digits]) =>
    Number(digits),
  );
  const description = /'descr': '([^']*)'/.exec(header)?.[1] ?? '';
  const Values = Object.entries(arrayTypes).find(([name]) => name === description)?.[1];
  if (!Values || !header.includes("'fortran_order': False")) throw new Error(`${file} holds ${header}`);
  // A copy, because the values of a typed array must start at a multiple of their size.
  const values = new Values(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length));
  return { shape, values };
}
