// The matrix files of libvips and nip, .mat: a line with width, height, scale and offset, then the rows. A correlation
// with its anchor at floor(w / 2), floor(h / 2). MATLAB's own files have the same ending and are told apart.
// Source: the libvips manual, "Matrix images".

import { ConvolveError } from '../errors';
import { createKernel, type Kernel, maximumKernelSize } from '../kernel';
import { type KernelReading, plainReading, type ReadKernel } from './reading';
import { Scanner } from './scanner';

/** What the manual lets part numbers within a line; the program itself takes blanks and tabs. */
const gap = /[ \t,"']*/y;
const lineEnd = /[^\r\n]*(?:\r\n|\r|\n|$)/y;

/** Refuses MATLAB's binary files, which share the ending. */
export function refuseMatlab(bytes: Uint8Array, name: string): void {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 24));
  const kind = head.startsWith('MATLAB 5.0 MAT-file')
    ? 'MATLAB 5'
    : head.startsWith('\x89HDF')
      ? 'MATLAB 7.3 (HDF5)'
      : null;
  if (kind !== null)
    throw new ConvolveError({
      code: 'formatUnsupported',
      subject: name,
      expected: '.csv or .npy',
      actual: `${kind} data`,
    });
}

/** How many words each line has, and the first two of the first line as sizes; null where they could be none. */
function headOf(text: string): { counts: readonly number[]; width: number; height: number } | null {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.split(/[ \t,"']+/).filter((word) => word !== ''));
  const [width = 0, height = 0] = (lines[0] ?? []).map(Number);
  const isSize = (size: number) => Number.isInteger(size) && size >= 1 && size <= 100_000;
  const counts = lines.map((words) => words.length);
  const [count = 0] = counts;
  return count < 2 || count > 4 || !isSize(width) || !isSize(height) ? null : { counts, width, height };
}

/** Whether the first line could be sizes for the lines after it. */
function fitsHead({ counts, width, height }: { counts: readonly number[]; width: number; height: number }): boolean {
  return counts.length > height && counts.slice(1, 1 + height).every((count) => count >= width);
}

/** Whether the text of a .mat file has a head, whether or not its rows fit it, and is not bare rows of equal length. */
export function looksLikeVips(text: string): boolean {
  const head = headOf(text);
  if (head === null) return false;
  const filled = head.counts.filter((count) => count > 0);
  return fitsHead(head) || filled.length === 1 || filled.some((count) => count !== filled[0]);
}

/** Reads the text of a .mat file. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readVips(text: string, name: string): KernelReading {
  const head = new Scanner(text, gap);
  const size = () => head.whole(1, maximumKernelSize);
  const [width, height] = [size(), size()];
  const optional = (): number | undefined => (head.atEnd || head.see(/[\r\n]/y) ? undefined : head.number());
  const place = head.offset;
  const scale = optional() ?? 1;
  if (scale === 0) throw head.refuse('a scale other than 0', place);
  const offset = optional() ?? 0;
  const weights: number[] = [];
  let start = head.offset;
  for (let row = 0; row <= height; row++) {
    // The rest of the header's line, and of each row's, is left out.
    lineEnd.lastIndex = start;
    const line = lineEnd.exec(text)?.[0] ?? '';
    const scanner = new Scanner(text, gap, start, start + line.replace(/[\r\n]+$/, '').length);
    if (row > 0) weights.push(...scanner.numbers(width));
    start += line.length;
  }
  const kernel = createKernel(width, height, weights, {
    divisor: scale,
    // In the picture's own code values, of which 8-bit pictures have 255.
    bias: offset / 255,
  });
  const notes = offset === 0 ? [] : [{ kind: 'codeValues' } as const];
  return plainReading('vips', [{ name: name.replace(/\.mat$/i, ''), kernel }], { notes });
}

/** A kernel, already a correlation, as a .mat file; its bias in code values of 8-bit pictures. */
export function writeVips(kernel: Kernel, divisor: number): string {
  const { width, height, weights, bias } = kernel;
  const rows = Array.from({ length: height }, (_, y) => weights.slice(y * width, (y + 1) * width).join(' '));
  return `${width} ${height} ${divisor} ${bias * 255}\n${rows.join('\n')}\n`;
}

/** A second reading of rows whose first line could be sizes; null where it could not. */
export function vipsInstead(text: string): readonly ReadKernel[] | null {
  const head = headOf(text);
  if (head === null || !fitsHead(head)) return null;
  try {
    return readVips(text, '').kernels;
  } catch {
    return null;
  }
}
