// PixInsight's filter libraries: blocks `KernelFilter { name { … } coefficients { … } }` and `SeparableFilter { name { … }
// row-vector { … } col-vector { … } }`. Numbers are parted by white space, commas or semicolons; the anchor is the middle.

import { createKernel, type Kernel, maximumKernelSize } from '../kernel';
import { valuesOf } from '../placedNumbers';
import { exactPair, sumOfPairs } from '../separability';
import { unreadable } from '../textPlace';
import { type KernelReading, plainReading, type ReadKernel } from './reading';
import { Scanner } from './scanner';

const gap = /(?:\s+|\/\/[^\r\n]*|#[^\r\n]*)*/y;
const numberGap = /[\s,;]*/y;
const block = /(KernelFilter|SeparableFilter)\s*\{/y;
const field = /(name|coefficients|row-vector|col-vector)\s*\{([^{}]*)\}/y;

export const looksLikePixInsight = (text: string): boolean => /\b(?:KernelFilter|SeparableFilter)\s{0,40}\{/.test(text);

/** The numbers of a field, and where it ends. */
interface NumberField {
  readonly numbers: readonly number[];
  readonly end: number;
}

function readBlock(scanner: Scanner): ReadKernel {
  const start = scanner.offset;
  const [, kind = ''] = scanner.need(block, '“KernelFilter {” or “SeparableFilter {”');
  let name = '';
  const lists = new Map<string, NumberField>();
  while (!scanner.take(/\}/y)) {
    const { offset } = scanner;
    const [whole, key = '', content = ''] = scanner.need(field, 'name, coefficients, row-vector or col-vector');
    if (key === 'name') name = content.trim().slice(0, 200);
    else {
      const end = offset + whole.length - 1;
      const numbers = valuesOf(new Scanner(scanner.text, numberGap, end - content.length, end).rest());
      lists.set(key, { numbers, end });
    }
  }
  if (kind === 'SeparableFilter') {
    const vector = (key: 'row-vector' | 'col-vector'): readonly number[] => {
      const { numbers, end } = lists.get(key) ?? { numbers: [], end: start };
      if (numbers.length >= 1 && numbers.length <= maximumKernelSize) return numbers;
      throw unreadable(scanner.text, end, `${key} with 1…${maximumKernelSize} numbers`, `${numbers.length} numbers`);
    };
    const [row, column] = [vector('row-vector'), vector('col-vector')];
    const pair = { row: Float64Array.from(row), column: Float64Array.from(column) };
    const weights = Array.from(sumOfPairs([pair], row.length, column.length));
    return { name, kernel: createKernel(row.length, column.length, weights, { divisor: 'auto' }) };
  }
  const { numbers: weights, end } = lists.get('coefficients') ?? { numbers: [], end: start };
  const side = Math.round(Math.sqrt(weights.length));
  if (side < 1 || side > maximumKernelSize || side * side !== weights.length)
    throw unreadable(scanner.text, end, 'as many coefficients as a square has', `${weights.length} numbers`);
  return { name, kernel: createKernel(side, side, weights, { divisor: 'auto' }) };
}

/** Reads a library. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readPixInsight(text: string): KernelReading {
  const scanner = new Scanner(text, gap);
  const kernels: ReadKernel[] = [];
  do kernels.push(readBlock(scanner));
  while (!scanner.atEnd);
  return plainReading('pixInsight', kernels, { orientationSaid: false });
}

/** One block of a library: separable where the kernel is one row and one column to the last bit. */
export function writePixInsight(kernel: Kernel, name: string): string {
  const { width, height, weights } = kernel;
  const title = name.replace(/[{}\r\n]/g, ' ').trim() || 'kernel';
  const pair = exactPair(kernel);
  if (pair)
    return (
      `SeparableFilter {\n  name { ${title} }\n` +
      `  row-vector { ${pair.row.join(' ')} }\n  col-vector { ${pair.column.join(' ')} }\n}\n`
    );
  const rows = Array.from({ length: height }, (_, y) => weights.slice(y * width, (y + 1) * width).join(' '));
  return `KernelFilter {\n  name { ${title} }\n  coefficients {\n    ${rows.join('\n    ')}\n  }\n}\n`;
}
