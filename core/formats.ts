// Kernels as text, read and written: what a person pastes or gives to --kernel. Accepted are bare rows of numbers
// (core/rowText.ts), NumPy, MATLAB, JSON and C literals (core/matrixGrammar.ts), ImageMagick strings (core/magickText.ts)
// and JSON objects. Every refusal names line, column and token; nothing is ever evaluated as code.
//
// Decimal commas are read where tabs or semicolons part the cells, or where `decimalComma` says so; a text in which a
// comma could be either is refused. Everywhere else the decimal sign is a point, whatever the locale.

import { ConvolveError } from './errors';
import { readJsonKernel } from './jsonKernel';
import { absentCells, createKernel, type Kernel, type Orientation } from './kernel';
import type { Language } from './language';
import { isMagickText, readMagick } from './magickText';
import { cut, readMatrix } from './matrixGrammar';
import { checkKernel, checkRows, type PlacedNumber, valuesOf } from './placedNumbers';
import { readRows } from './rowText';
import { quoted, unreadable } from './textPlace';

/** What was noticed while reading that a person should know. */
export type KernelNote =
  /** All numbers stand in one row of more than one number. */
  | { readonly kind: 'singleRow'; readonly cells: number }
  /** A flat list was cut into rows because its lines are equally long. */
  | { readonly kind: 'rowsByLines' }
  /** Empty cells were taken as 0. */
  | { readonly kind: 'emptyCells'; readonly cells: number }
  /** ImageMagick's `nan` and `-` were taken as 0. */
  | { readonly kind: 'absentCells'; readonly cells: number }
  | { readonly kind: 'decimalComma' }
  /** Bytes behind the end of the file's format. */
  | { readonly kind: 'extraBytes'; readonly count: number }
  /** The numbers were in the other byte order than their format says. */
  | { readonly kind: 'littleEndian' }
  /** A scale of 0 was taken as 1. */
  | { readonly kind: 'scaleZero' }
  /** The source works on linear light. */
  | { readonly kind: 'linearLight' }
  /** A bias in code values was taken as those of an 8-bit picture. */
  | { readonly kind: 'codeValues' }
  /** The source does not say its orientation; this one was taken. */
  | { readonly kind: 'orientation'; readonly orientation: Orientation }
  /** Weights are the grey values of a picture above `zero`, a share of full scale in linear light. */
  | { readonly kind: 'picture'; readonly zero: number };

export interface ParsedKernel {
  readonly kernel: Kernel;
  readonly notes: readonly KernelNote[];
}

export interface KernelTextOptions {
  /** Divisor of a text that names none; 1, the numbers as they stand, unless said. */
  readonly divisor?: number | 'auto';
  /** Orientation of a text that names none; correlation unless said. */
  readonly orientation?: Orientation;
  /** Read every comma between digits as a decimal comma. */
  readonly decimalComma?: boolean;
}

/** Longest text that is read, in characters: 261 121 cells of 30 characters. */
const maximumTextLength = 8 * 2 ** 20;

function kernelOfRows(
  text: string,
  rows: readonly (readonly PlacedNumber[])[],
  rest: Partial<Kernel>,
  factor = 1,
): Kernel {
  checkRows(text, rows, factor);
  const weights = valuesOf(rows.flat());
  const scaled = factor === 1 ? weights : weights.map((weight) => weight * factor);
  return createKernel(rows[0]?.length ?? 0, rows.length, scaled, rest);
}

/** `float k[3][3] = `, `K = `, `const kernel: number[] = `: where it ends, and the sizes it declares. */
function declaration(text: string): { readonly end: number; readonly sizes: readonly number[] } {
  const found = /^\s*[A-Za-z_][\w\s*&:<>,.]{0,200}((?:\[\d{0,6}\]){0,3})\s{0,20}=(?!=)/.exec(text);
  if (!found) return { end: 0, sizes: [] };
  return { end: found[0].length, sizes: [...(found[1] ?? '').matchAll(/\d+/g)].map(([size]) => Number(size)) };
}

/** ImageMagick's built-in kernels: a name, perhaps a colon and numbers. */
const namedKernel = /^\s*'?(?!nan\b|inf\b)([A-Za-z]{2,20})(?::[\d.,x+-]*)?\s*(?:'\s*)?$/i;

function readLiteral(text: string, defaults: Pick<Kernel, 'divisor' | 'orientation'>): ParsedKernel {
  const { end, sizes } = declaration(text);
  const literal = readMatrix(text, end);
  const cells = literal.rows.flat();
  const [height, width] = sizes;
  const declared =
    literal.rows.length === 1 && sizes.length === 2 && height && width && height * width === cells.length;
  const rows = declared ? cut(cells, width) : literal.rows;
  const divisor = literal.denominator === 1 ? defaults.divisor : literal.denominator;
  const kernel = kernelOfRows(text, rows, { ...defaults, divisor }, literal.numerator);
  return { kernel, notes: literal.rowsByLines ? [{ kind: 'rowsByLines' }] : [] };
}

function readBare(
  text: string,
  defaults: Pick<Kernel, 'divisor' | 'orientation'>,
  decimalComma: boolean,
): ParsedKernel {
  const clean = text.replace(/(?:#|%|\/\/)[^\r\n]*/g, (comment) => ' '.repeat(comment.length)).replaceAll('"', ' ');
  if (clean.trim() === '') throw unreadable(text, 0, 'a number');
  const read = readRows(clean, 0, decimalComma);
  const divisor = read.divisor === 1 ? defaults.divisor : read.divisor;
  const notes: KernelNote[] = [];
  if (read.emptyCells > 0) notes.push({ kind: 'emptyCells', cells: read.emptyCells });
  if (read.decimalComma && !decimalComma) notes.push({ kind: 'decimalComma' });
  return { kernel: kernelOfRows(text, read.rows, { ...defaults, divisor }), notes };
}

/**
 * A kernel's text with plain minus signs and spaces, one character for one, so that places in it stay what they are. Throws
 * `invalidKernel` where it is longer than `longest` characters.
 */
export function plainKernelText(source: string, longest: number): string {
  if (source.length > longest)
    throw new ConvolveError({
      code: 'invalidKernel',
      subject: 'its text',
      expected: `at most ${longest} characters`,
      actual: `${source.length} characters`,
    });
  return source
    .replace(/^\uFEFF/, ' ')
    .replace(/[\u2212\uFE63\uFF0D]/g, '-')
    .replaceAll('\u00A0', ' ');
}

/**
 * Reads a kernel from text. Throws ConvolveError `invalidKernel` that names line, column and token; never
 * anything else.
 */
export function parseKernelText(source: string, options: KernelTextOptions = {}): ParsedKernel {
  const text = plainKernelText(source, maximumTextLength);
  if (text.trim() === '') throw unreadable(text, text.length, 'a number', 'an empty text');
  const defaults = { divisor: options.divisor ?? 1, orientation: options.orientation ?? 'correlation' };
  const parsed = readText(text, defaults, options.decimalComma ?? false);
  checkKernel(text, parsed.kernel);
  const { width, height } = parsed.kernel;
  if (height > 1 || width === 1) return parsed;
  return { ...parsed, notes: [...parsed.notes, { kind: 'singleRow', cells: width }] };
}

function readText(
  text: string,
  defaults: Pick<Kernel, 'divisor' | 'orientation'>,
  decimalComma: boolean,
): ParsedKernel {
  if (isMagickText(text)) {
    const kernel = readMagick(text);
    const absent = absentCells(kernel);
    const notes: KernelNote[] = absent > 0 ? [{ kind: 'absentCells', cells: absent }] : [];
    return { kernel: { ...kernel, ...defaults }, notes };
  }
  const named = namedKernel.exec(text);
  if (named?.[1])
    throw unreadable(text, text.indexOf(named[1]), 'a kernel of numbers', `${quoted(named[1])}, the name of a kernel`);
  if (/^\s*\{\s*"/.test(text)) return { kernel: readJsonKernel(text, defaults), notes: [] };
  if (/[[{(]/.test(text) || /^\s*[A-Za-z_]/.test(text)) return readLiteral(text, defaults);
  return readBare(text, defaults, decimalComma);
}

/** The kernel as bare rows, one a line, cells parted by blanks, ` / divisor` at the end where it is a number other than 1. */
export function kernelToText(kernel: Kernel): string {
  const rows = cut(kernel.weights, kernel.width).map((row) => row.map(String).join(' '));
  const divisor = kernel.divisor === 'auto' || kernel.divisor === 1 ? '' : ` / ${kernel.divisor}`;
  return `${rows.join('\n')}${divisor}\n`;
}

/** A sentence about a note, for the command line. */
export function noteText(note: KernelNote, language: Language = 'en'): string {
  return (language === 'en' ? englishNote : chineseNote)(note);
}

function englishNote(note: KernelNote): string {
  switch (note.kind) {
    case 'singleRow':
      return `${note.cells} numbers in one row were read as a kernel of ${note.cells} × 1`;
    case 'rowsByLines':
      return 'a flat list was cut into rows at its line ends';
    case 'emptyCells':
      return `${note.cells} empty cells were read as 0`;
    case 'absentCells':
      return `${note.cells} absent cells were read as 0`;
    case 'decimalComma':
      return 'commas were read as decimal commas';
    case 'extraBytes':
      return `${note.count} bytes behind the end were left out`;
    case 'littleEndian':
      return 'the numbers were read with their bytes in the other order';
    case 'scaleZero':
      return 'a scale of 0 was read as 1';
    case 'linearLight':
      return 'the source filters linear light; choose that too for the same picture';
    case 'orientation':
      return `the numbers were read as a ${note.orientation}, which their source does not say; --orientation chooses`;
    case 'codeValues':
      return 'the offset was read in code values of an 8-bit picture';
    case 'picture':
      return `the grey values of the picture above ${note.zero}, in linear light, are the weights; --kernel-zero chooses`;
  }
}

function chineseNote(note: KernelNote): string {
  switch (note.kind) {
    case 'singleRow':
      return `一行中的 ${note.cells} 个数字读作 ${note.cells} × 1 的核`;
    case 'rowsByLines':
      return '平铺的列表按行尾切分成行';
    case 'emptyCells':
      return `${note.cells} 个空单元格读作 0`;
    case 'absentCells':
      return `${note.cells} 个缺失的单元格读作 0`;
    case 'decimalComma':
      return '逗号读作小数点';
    case 'extraBytes':
      return `末尾之后的 ${note.count} 个字节未读`;
    case 'littleEndian':
      return '数字按相反的字节顺序读取';
    case 'scaleZero':
      return '比例 0 读作 1';
    case 'linearLight':
      return '来源对线性光滤波；要得到相同的图片，也请选择线性光';
    case 'orientation':
      return `来源没有说明方向，数字读作${note.orientation === 'convolution' ? '卷积' : '相关'}；可用 --orientation 选择`;
    case 'codeValues':
      return '偏移按 8 位图片的数值读取';
    case 'picture':
      return `线性光下高于 ${note.zero} 的灰度值作为权重；可用 --kernel-zero 选择`;
  }
}
