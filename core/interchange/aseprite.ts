// Aseprite's library of matrices, convmatr.def: `name w h cx cy { w·h numbers } divisor bias target`, any number of times.
// `auto` as the divisor is the size of the sum, or 1; as the bias it is 0, 128 or 255 where the sum is positive, 0 or
// negative. The bias is in 8-bit code values.

import { createKernel, type Kernel, maximumKernelSize, sumOf } from '../kernel';
import { type KernelReading, plainReading, type ReadKernel } from './reading';
import { Scanner } from './scanner';

const gap = /(?:\s+|#[^\r\n]*)*/y;
const nameWord = /"([^"\r\n]{0,200})"|([^\s{}#"]{1,200})/y;
const targetWord = /[rgba]{1,4}(?![\w])/y;

export const looksLikeAseprite = (text: string): boolean =>
  /^(?:\s|#[^\r\n]*(?:[\r\n]|$))*(?:"[^"\r\n]{1,200}"|[^\s{}#"]{1,200})(?:\s{1,200}\d{1,3}){4}\s{1,200}\{/.test(text);

function readEntry(scanner: Scanner): ReadKernel {
  const [, quoted, bare] = scanner.need(nameWord, 'a name');
  const [width, height] = [scanner.whole(1, maximumKernelSize), scanner.whole(1, maximumKernelSize)];
  const [anchorX, anchorY] = [scanner.whole(0, width - 1), scanner.whole(0, height - 1)];
  scanner.need(/\{/y, '“{”');
  const weights = scanner.numbers(width * height);
  scanner.need(/\}/y, '“}”');
  const sum = sumOf(weights);
  const place = scanner.offset;
  const divisor = scanner.take(/auto\b/y) ? Math.abs(sum) || 1 : scanner.number('a divisor or “auto”');
  if (divisor === 0) throw scanner.refuse('a divisor other than 0', place);
  const automatic = sum > 0 ? 0 : sum === 0 ? 128 : 255;
  const bias = (scanner.take(/auto\b/y) ? automatic : scanner.number('a bias or “auto”')) / 255;
  scanner.need(targetWord, 'channels such as rgba');
  return {
    name: quoted ?? bare ?? '',
    kernel: createKernel(width, height, weights, { anchorX, anchorY, divisor, bias }),
  };
}

/** Reads a library. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readAseprite(text: string): KernelReading {
  const scanner = new Scanner(text, gap);
  const kernels: ReadKernel[] = [];
  do kernels.push(readEntry(scanner));
  while (!scanner.atEnd);
  return plainReading('aseprite', kernels, { orientationSaid: false });
}

/** One entry of a library; the kernel already a correlation. */
export function writeAseprite(kernel: Kernel, divisor: number, name: string, alpha: boolean): string {
  const { width, height, anchorX, anchorY, weights, bias } = kernel;
  const rows = Array.from({ length: height }, (_, y) => weights.slice(y * width, (y + 1) * width).join(' '));
  const plain =
    name
      .replace(/["\r\n]/g, ' ')
      .trim()
      .slice(0, 200) || 'kernel';
  return `"${plain}" ${width} ${height} ${anchorX} ${anchorY}\n  { ${rows.join('\n    ')} }\n  ${divisor} ${bias * 255} ${alpha ? 'rgba' : 'rgb'}\n`;
}
