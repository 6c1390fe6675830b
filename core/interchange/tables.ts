// Matrices as documents write them: a LaTeX matrix (`\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}`), a Markdown table, and the
// IMKERNEL files of the IM toolkit. A factor before or behind a LaTeX matrix is its divisor, as in \frac{1}{16}.

import { createKernel, type Kernel, maximumKernelSize } from '../kernel';
import { checkRows, type PlacedNumber, valuesOf } from '../placedNumbers';
import { type KernelReading, plainReading } from './reading';
import { Scanner } from './scanner';

const blanks = /\s*/y;

function kernelOf(rows: readonly (readonly PlacedNumber[])[], text: string, divisor: number): Kernel {
  checkRows(text, rows);
  return createKernel(rows[0]?.length ?? 0, rows.length, valuesOf(rows.flat()), { divisor });
}

const fraction = /\\[dt]?frac\s*\{\s*([^{}]{1,30}?)\s*\}\s*\{\s*([^{}]{1,30}?)\s*\}/y;

/** A number, or a fraction of two. */
function latexNumber(scanner: Scanner): { readonly value: number; readonly denominator: number } {
  const sign = scanner.take(/-(?=\s*\\)/y) ? -1 : 1;
  const { offset } = scanner;
  const found = scanner.take(fraction);
  if (found) {
    const [numerator, denominator] = [Number(found[1]), Number(found[2])];
    if (!Number.isFinite(numerator / denominator)) throw scanner.refuse('a fraction of two numbers', offset);
    return { value: (sign * numerator) / denominator, denominator: (sign * denominator) / numerator };
  }
  const value = scanner.number();
  const divisor = scanner.take(/\/\s*(?=[\d.])/y) ? scanner.number() : 1;
  if (divisor === 0) throw scanner.refuse('a divisor other than 0', offset);
  return { value: (sign * value) / divisor, denominator: (sign * divisor) / value };
}

export const looksLikeLatex = (text: string): boolean =>
  /\\begin\s{0,9}\{[bpvBV]?(?:small)?(?:matrix|array)\*?\}/.test(text);

/** Reads a LaTeX matrix. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readLatex(text: string): KernelReading {
  const scanner = new Scanner(text, /(?:\s+|\$+|\\[[\]!,;: ]|\\(?:cdot|times|left|right)\b[([.\])]?|%[^\r\n]*)*/y);
  const begin =
    /(?:[A-Za-z_]\w{0,20}\s*=\s*)?\\begin\s*\{([bpvBV]?(?:small)?(?:matrix|array)\*?)\}(?:\{[lcr|\s]{0,100}\})?/y;
  let divisor = 1;
  scanner.take(/[A-Za-z_]\w{0,20}\s*=/y);
  let factor = scanner.offset;
  if (!scanner.see(begin)) divisor = latexNumber(scanner).denominator;
  const start = scanner.offset;
  const [, kind = ''] = scanner.need(begin, '“\\begin{bmatrix}”');
  const rows: PlacedNumber[][] = [[]];
  for (;;) {
    if (scanner.take(/\\end\s*\{[A-Za-z]{1,20}\*?\}/y)) break;
    if (scanner.take(/\\\\(?:\[[^\]\r\n]{0,20}\])?/y)) rows.push([]);
    else if (scanner.take(/\\hline\b/y)) continue;
    else {
      const { offset } = scanner;
      const { value } = latexNumber(scanner);
      rows.at(-1)?.push({ value, start: offset, end: scanner.passed });
      if (!scanner.take(/&/y) && !scanner.see(/\\\\|\\end/y)) throw scanner.refuse('“&”, “\\\\” or “\\end”');
    }
    if (rows.length > 2 * maximumKernelSize) throw scanner.refuse('fewer cells');
  }
  if (kind === '') throw scanner.refuse('“\\begin{bmatrix}”', start);
  if (scanner.take(/\//y)) {
    factor = scanner.offset;
    divisor *= latexNumber(scanner).value;
  }
  if (!scanner.atEnd) throw scanner.refuse('the end of the text');
  if (!Number.isFinite(divisor) || divisor === 0) throw scanner.refuse('a divisor other than 0', factor);
  const filled = rows.filter((row) => row.length > 0);
  return plainReading('latex', [{ name: '', kernel: kernelOf(filled, text, divisor) }], {
    orientationSaid: false,
  });
}

/** The dashes between a Markdown table's head and body. */
const ruler = /^\s{0,20}\|?(?:\s{0,20}:?-{1,200}:?\s{0,20}\|){1,600}(?:\s{0,20}:?-{1,200}:?)?\s*$/;

export const looksLikeMarkdown = (text: string): boolean => {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => line.includes('|'));
};

/** Reads a Markdown table; a head of words is left out, one of numbers is the first row. */
export function readMarkdown(text: string): KernelReading {
  const rows: PlacedNumber[][] = [];
  let start = 0;
  let head = true;
  for (const line of text.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const offset = start;
    start += line.length;
    if (line.trim() === '') continue;
    if (ruler.test(line)) {
      head = false;
      continue;
    }
    const body = line.replace(/[\r\n]+$/, '');
    const isHead = head && rows.length === 0 && !/\d/.test(body);
    head = false;
    if (isHead) continue;
    const row: PlacedNumber[] = [];
    let place = offset + (/^\s*\|/.exec(body)?.[0].length ?? 0);
    const end = offset + body.length - (/\|\s*$/.exec(body)?.[0].length ?? 0);
    for (const cell of text.slice(place, end).split('|')) {
      const scanner = new Scanner(text, blanks, place, place + cell.length);
      row.push(scanner.placed());
      if (!scanner.atEnd) throw scanner.refuse('“|”');
      place += cell.length + 1;
    }
    rows.push(row);
  }
  return plainReading('markdown', [{ name: '', kernel: kernelOf(rows, text, 1) }], { orientationSaid: false });
}

export const looksLikeImKernel = (text: string): boolean => /^\s*IMKERNEL\b/.test(text);

/** Reads an IMKERNEL file: that word, a line of description, width and height, 0 or 1 for whole or real, the rows. */
export function readImKernel(text: string): KernelReading {
  const opening = new Scanner(text, /[ \t]*/y);
  opening.need(/\s*IMKERNEL[ \t]*(?:\r\n|\r|\n)/y, '“IMKERNEL” and a line end');
  const [, name = ''] = opening.need(/([^\r\n]{0,400})(?:\r\n|\r|\n)/y, 'a line of description');
  const scanner = new Scanner(text, blanks, opening.offset);
  const [width, height] = [scanner.whole(1, maximumKernelSize), scanner.whole(1, maximumKernelSize)];
  scanner.whole(0, 1);
  const weights = scanner.numbers(width * height);
  if (!scanner.atEnd) throw scanner.refuse('the end of the text');
  const kernel = createKernel(width, height, weights, { divisor: 'auto' });
  return plainReading('imKernel', [{ name: name.trim().slice(0, 200), kernel }], { orientationSaid: false });
}

/** A kernel, already a correlation, as a LaTeX matrix with its divisor before it. */
export function writeLatex({ width, height, weights }: Kernel, divisor: number): string {
  const rows = Array.from({ length: height }, (_, y) => weights.slice(y * width, (y + 1) * width).join(' & '));
  const factor = divisor === 1 ? '' : `\\frac{1}{${divisor}} `;
  return `${factor}\\begin{bmatrix}\n  ${rows.join(' \\\\\n  ')}\n\\end{bmatrix}\n`;
}
