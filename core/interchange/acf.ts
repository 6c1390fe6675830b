// Photoshop's Custom filter, .acf: 27 signed 16-bit numbers, big-endian: 25 weights row by row, the scale, and the offset in
// 8-bit code values. A correlation with its anchor in the middle. Source: Adobe Photoshop File Formats, custom kernels.

import { ConvolveError } from '../errors';
import type { KernelNote } from '../formats';
import { createKernel, type Kernel, resolveDivisor, toCorrelation } from '../kernel';
import { type KernelReading, plainReading, refusedKernel } from './reading';

const bytesOfFile = 54;
const side = 5;
const cells = side * side;
/** Largest weight, scale and offset, either sign. */
const largestWeight = 999;
const largestScale = 9999;
const codeValues = 255;

const numbersOf = (bytes: Uint8Array, littleEndian: boolean): readonly number[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytesOfFile);
  return Array.from({ length: cells + 2 }, (_, index) => view.getInt16(2 * index, littleEndian));
};

const fits = (numbers: readonly number[]) =>
  numbers.every((value, index) => Math.abs(value) <= (index < cells ? largestWeight : largestScale));

/** Where the first number stands that is too large. */
function beyond(numbers: readonly number[]): string {
  const index = numbers.findIndex((value, place) => Math.abs(value) > (place < cells ? largestWeight : largestScale));
  const value = numbers[index] ?? 0;
  if (index >= cells) return `${index === cells ? 'scale' : 'offset'} ${value} at byte ${2 * index}`;
  return `weight ${value} at byte ${2 * index} (row ${Math.floor(index / side) + 1}, column ${(index % side) + 1})`;
}

/** Reads the bytes of an .acf file. Throws ConvolveError `fileDamaged` for a file of fewer than 54 bytes. */
export function readAcf(bytes: Uint8Array, name: string): KernelReading {
  if (bytes.length < bytesOfFile)
    throw new ConvolveError({
      code: 'fileDamaged',
      subject: name,
      actual: `${bytes.length} bytes where an .acf file has ${bytesOfFile}`,
    });
  const notes: KernelNote[] = [];
  if (bytes.length > bytesOfFile) notes.push({ kind: 'extraBytes', count: bytes.length - bytesOfFile });
  let numbers = numbersOf(bytes, false);
  if (!fits(numbers)) {
    const turned = numbersOf(bytes, true);
    if (!fits(turned))
      throw new ConvolveError({
        code: 'fileDamaged',
        subject: name,
        actual: beyond(numbers),
      });
    numbers = turned;
    notes.push({ kind: 'littleEndian' });
  }
  const [scale = 1, offset = 0] = numbers.slice(cells);
  if (scale === 0) notes.push({ kind: 'scaleZero' });
  const kernel = createKernel(side, side, numbers.slice(0, cells), {
    divisor: scale || 1,
    bias: offset / codeValues,
  });
  return plainReading('acf', [{ name: name.replace(/\.acf$/i, ''), kernel }], { notes });
}

/** A kernel as an .acf file, and how far its weights are from the kernel's: 0 where it is exact. */
export interface AcfFile {
  readonly bytes: Uint8Array;
  /** Largest difference of a weight divided by its divisor. */
  readonly largestError: number;
  /** Difference of the bias, as a share of full scale. */
  readonly biasError: number;
}

/** The kernel on 5 × 5 cells with the anchor in the middle. */
function centred(kernel: Kernel): readonly number[] {
  const grid = new Array<number>(cells).fill(0);
  kernel.weights.forEach((weight, index) => {
    if (weight === 0) return;
    const x = (index % kernel.width) - kernel.anchorX + 2;
    const y = Math.floor(index / kernel.width) - kernel.anchorY + 2;
    if (x < 0 || y < 0 || x >= side || y >= side)
      throw refusedKernel('width', 'at most 2 cells on each side of the anchor', `${kernel.width} × ${kernel.height}`);
    grid[y * side + x] = weight;
  });
  return grid;
}

/** Weights times a whole scale, rounded, with the largest error that this makes of a weight. */
function rounded(values: readonly number[], scale: number): { readonly weights: readonly number[]; error: number } {
  const weights = values.map((value) => Math.round(value * scale));
  const error = values.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (weights[index] ?? 0) / scale)),
    0,
  );
  return { weights, error };
}

/** A weight that differs by less than this share of the largest is the same one, printed. */
const sameShare = 1e-12;

/**
 * Writes a kernel of at most 5 × 5 cells round its anchor. Fractions are brought to whole numbers by one scale of 1…9999:
 * the smallest that is exact, else the one with the smallest error. Throws ConvolveError `invalidKernel` where the kernel is
 * too large, or a weight beyond 999.
 */
export function writeAcf(source: Kernel): AcfFile {
  const kernel = toCorrelation(source);
  const { divisor } = resolveDivisor(kernel);
  const grid = centred(kernel);
  const values = grid.map((weight) => weight / divisor);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest > largestWeight + 0.5) throw refusedKernel('weights', `at most ${largestWeight}`, String(largest));
  const asIs = divisor >= 1 && divisor <= largestScale && Number.isInteger(divisor) && grid.every(Number.isInteger);
  let scale = 1;
  let best = rounded(values, 1);
  if (asIs && grid.every((weight) => Math.abs(weight) <= largestWeight)) {
    scale = divisor;
    best = { weights: grid, error: 0 };
  } else
    for (let tried = 2; tried <= largestScale && best.error > sameShare * largest; tried++) {
      if (largest * tried > largestWeight + 0.5) break;
      const found = rounded(values, tried);
      if (found.error < best.error) [scale, best] = [tried, found];
    }
  const offset = Math.round(kernel.bias * codeValues);
  if (Math.abs(offset) > largestScale)
    throw refusedKernel('bias', `at most ${largestScale / codeValues}`, String(kernel.bias));
  const bytes = new Uint8Array(bytesOfFile);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [...best.weights, scale, offset].entries()) view.setInt16(2 * index, value, false);
  const largestError = best.error > sameShare * largest ? best.error : 0;
  return { bytes, largestError, biasError: Math.abs(kernel.bias - offset / codeValues) };
}
