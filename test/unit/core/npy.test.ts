// NumPy files: read in every order and byte order, written so that NumPy reads them, refused by name where they do not fit.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { isNpy, type NpyArray, parseNpy, serialiseNpy } from '../../../core/npy';
import { randomSource } from './randomNumbers';

/** A file as NumPy writes it, with any header text. */
function file(dictionary: string, data: Uint8Array, version = 1): Uint8Array {
  const lengthBytes = version === 1 ? 2 : 4;
  const text = `${dictionary}\n`;
  const bytes = new Uint8Array(8 + lengthBytes + text.length + data.length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  new DataView(bytes.buffer).setUint16(8, text.length, true);
  bytes.set(new TextEncoder().encode(text), 8 + lengthBytes);
  bytes.set(data, 8 + lengthBytes + text.length);
  return bytes;
}
const header = (descr: string, shape: string, fortran = false) =>
  `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${shape}, }`;
const bytesOf = (values: ArrayBufferView) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const joined = (array: NpyArray) => new Uint8Array(Buffer.concat(serialiseNpy(array)));

function refusal(bytes: Uint8Array): Failure {
  try {
    parseNpy(bytes, 'a.npy');
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('not refused');
}

describe('reading', () => {
  it('takes C and Fortran order to the same values', () => {
    const c = file(header('<f4', '(2, 3)'), bytesOf(Float32Array.of(1, 2, 3, 4, 5, 6)));
    const fortran = file(header('<f4', '(2, 3)', true), bytesOf(Float32Array.of(1, 4, 2, 5, 3, 6)));
    expect(parseNpy(c, 'a').values).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
    expect(parseNpy(fortran, 'a')).toEqual(parseNpy(c, 'a'));
    const cube = Uint8Array.from({ length: 24 }, (_, i) => i);
    const turned = parseNpy(file(header('|u1', '(2, 3, 4)', true), cube), 'a');
    expect(turned.values[(1 * 3 + 2) * 4 + 3], 'index (1, 2, 3)').toBe(1 + 2 * 2 + 3 * 6);
    expect(turned.values[(0 * 3 + 1) * 4 + 2], 'index (0, 1, 2)').toBe(0 + 1 * 2 + 2 * 6);
  });

  it('takes both byte orders', () => {
    const big = new Uint8Array(16);
    new DataView(big.buffer).setFloat64(0, 1.5);
    new DataView(big.buffer).setFloat64(8, -2);
    expect(parseNpy(file(header('>f8', '(1, 2)'), big), 'a').values).toEqual(Float64Array.of(1.5, -2));
    expect(parseNpy(file(header('>u2', '(2,)'), Uint8Array.of(1, 0, 0, 2)), 'a')).toMatchObject({
      shape: [2],
      values: Uint16Array.of(256, 2),
    });
  });

  it('takes halves, truth values and 64-bit integers as wider numbers, unless it is told not to', () => {
    // numpy.array([1, -2, 65504, 2**-24, 0.1, inf, nan], numpy.float16)
    const halves = Uint8Array.of(0, 0x3c, 0, 0xc0, 0xff, 0x7b, 1, 0, 0x66, 0x2e, 0, 0x7c, 0, 0x7e);
    expect([...parseNpy(file(header('<f2', '(7,)'), halves), 'a').values]).toEqual([
      ...[1, -2, 65504, 2 ** -24, 0.0999755859375],
      ...[Number.POSITIVE_INFINITY, Number.NaN],
    ]);
    expect(parseNpy(file(header('>f2', '(1,)'), Uint8Array.of(0x3c, 0)), 'a').values).toEqual(Float32Array.of(1));
    const truths = file(header('|b1', '(2, 1)'), Uint8Array.of(0, 1));
    expect(parseNpy(truths, 'a')).toEqual({ item: 'u1', shape: [2, 1], values: Uint8Array.of(0, 1) });
    const whole = file(header('<i8', '(2, 2)', true), bytesOf(BigInt64Array.of(1n, -3n, 2n, 4n)));
    expect(parseNpy(whole, 'a').values).toEqual(Float64Array.of(1, 2, -3, 4));
    expect(parseNpy(file(header('>u8', '(1,)'), Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2)), 'a').values).toEqual(
      Float64Array.of(258),
    );
    expect(() => parseNpy(truths, 'a', ['f2'])).toThrow(/b1/);
  });

  it('takes versions 2 and 3, whose header length has four bytes', () => {
    for (const version of [2, 3])
      expect(parseNpy(file(header('|u1', '(1, 3)'), Uint8Array.of(7, 8, 9), version), 'a').values).toEqual(
        Uint8Array.of(7, 8, 9),
      );
  });

  it('reads from the middle of a larger buffer and from an unaligned place', () => {
    const plain = file(header('<f8', '(1, 2)'), bytesOf(Float64Array.of(3, 4)));
    const larger = new Uint8Array(plain.length + 13);
    larger.set(plain, 5);
    expect(parseNpy(larger.subarray(5, 5 + plain.length), 'a').values).toEqual(Float64Array.of(3, 4));
    expect(parseNpy(Buffer.from(plain), 'a').values).toEqual(Float64Array.of(3, 4));
  });

  it('keeps what is not a number', () => {
    const odd = Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, -0);
    expect(parseNpy(file(header('<f4', '(1, 3)'), bytesOf(odd)), 'a').values).toEqual(odd);
  });
});

describe('refusals', () => {
  const data = new Uint8Array(16);

  it('name what the file holds instead', () => {
    for (const type of ['|O', '<f16', '<c16', '<U5', '|S3', '<m8[ns]'])
      expect(refusal(file(header(type, '(2, 2)'), data)), type).toMatchObject({
        code: 'formatUnsupported',
        subject: 'a.npy',
        actual: `numbers of type ${type}`,
      });
    expect(refusal(file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", data)).actual).toMatch(
      /structure/,
    );
    expect(refusal(file(header('|u1', '(4, 4)'), data, 9))).toMatchObject({ actual: '.npy data of version 9' });
  });

  it('come before anything is allocated for a shape that the file cannot hold', () => {
    for (const shape of [
      '(4, 5)',
      '(999999999, 999999999)',
      '(99999999999999999999, 99999999999999999999)',
      '(4294967296, 4294967296)',
    ])
      expect(refusal(file(header('|u1', shape), data)), shape).toMatchObject({ code: 'fileDamaged', subject: 'a.npy' });
  });

  it('meet every cut of a file and every changed byte of its header', () => {
    const whole = file(header('<u2', '(2, 4)'), data);
    for (let length = 0; length < whole.length; length++)
      expect(refusal(whole.subarray(0, length)).code).toBe('fileDamaged');
    const random = randomSource(5);
    for (let round = 0; round < 2000; round++) {
      const changed = whole.slice();
      changed[random.whole(0, whole.length - 17)] = random.whole(0, 255);
      try {
        parseNpy(changed, 'a.npy');
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(ConvolveError);
      }
    }
  });
});

describe('writing', () => {
  it('gives the bytes that NumPy gives: 128 + 72 for a 3 × 3 of float64, header length 0x76', () => {
    const bytes = joined({ item: 'f8', shape: [3, 3], values: new Float64Array(9) });
    expect(bytes.length).toBe(200);
    expect([...bytes.subarray(0, 10)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 0x76, 0]);
    expect(new TextDecoder().decode(bytes.subarray(10, 128))).toBe(
      `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }${' '.repeat(58)}\n`,
    );
  });

  it('comes back the same for every type and shape, data at a multiple of 64', () => {
    const arrays: NpyArray[] = [
      { item: 'u1', shape: [2, 3], values: Uint8Array.of(1, 2, 3, 4, 5, 255) },
      { item: 'u2', shape: [1, 2, 2], values: Uint16Array.of(1, 256, 65535, 0) },
      { item: 'f4', shape: [3], values: Float32Array.of(0.1, -1e30, Number.NaN) },
      { item: 'f8', shape: [1, 1], values: Float64Array.of(Math.PI) },
      { item: 'i4', shape: [123456, 0], values: new Int32Array(0) },
    ];
    for (const array of arrays) {
      const [head] = serialiseNpy(array);
      expect(head.length % 64).toBe(0);
      expect(parseNpy(joined(array), 'a')).toEqual(array);
    }
  });

  it('keeps every golden file byte for byte', () => {
    const folder = path.join(import.meta.dirname, '../../golden/kernels');
    const names = readdirSync(folder).filter((name) => name.endsWith('.npy'));
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      const bytes = new Uint8Array(readFileSync(path.join(folder, name)));
      expect(isNpy(bytes)).toBe(true);
      expect(joined(parseNpy(bytes, name)), name).toEqual(bytes);
    }
  });
});
