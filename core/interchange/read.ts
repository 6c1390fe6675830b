// The one way in for kernels: what a file, a paste, a drop or the command line gives, told apart by its content and read by
// the grammar of its format. Nothing is evaluated, and no other file is opened.

import { ConvolveError } from '../errors';
import { type KernelTextOptions, parseKernelText, plainKernelText } from '../formats';
import { createKernel, type Kernel, validateKernel } from '../kernel';
import { isNpy, parseNpy } from '../npy';
import { checkKernel } from '../placedNumbers';
import { readAcf } from './acf';
import { looksLikeAseprite, readAseprite } from './aseprite';
import { looksLikeGegl, readGegl } from './gegl';
import { looksLikeMagickCommand, readMagickCommand } from './magickCommand';
import { looksLikeMagick, readMagickList } from './magickList';
import { isZip, npzMembers } from './npz';
import { looksLikePillow, readPillow } from './pillow';
import { looksLikePixInsight, readPixInsight } from './pixInsight';
import { looksLikeProgram, readProgram } from './program';
import { type KernelReading, plainReading, type ReadKernel } from './reading';
import { isSvg, readSvg } from './svg';
import { looksLikeImKernel, looksLikeLatex, looksLikeMarkdown, readImKernel, readLatex, readMarkdown } from './tables';
import { looksLikeVips, readVips, refuseMatlab, vipsInstead } from './vips';

/** Endings of files that hold kernels and never pictures, without their points. */
export const kernelEndings = [
  ...['acf', 'mat', 'npy', 'npz', 'csv', 'tsv', 'txt', 'json', 'def', 'krn', 'svg', 'm', 'py', 'tex', 'md'],
  ...['frag', 'glsl', 'cu', 'cpp', 'h'],
];
/** Largest file of a kernel, in bytes. */
export const largestKernelFile = 16 * 2 ** 20;

/** Whether a file is one to read as a kernel, by its name. */
export function isKernelFileName(name: string): boolean {
  return kernelEndings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
}

/** Longest text that is read, in characters: a kernel of 511 × 511 as a program. */
const maximumTextLength = 16 * 2 ** 20;

interface Grammar {
  readonly matches: (text: string) => boolean;
  readonly read: (text: string) => KernelReading;
}

/** In the order in which they are asked: the surest signs first. */
const grammars: readonly Grammar[] = [
  { matches: isSvg, read: readSvg },
  { matches: looksLikeImKernel, read: readImKernel },
  { matches: looksLikePixInsight, read: readPixInsight },
  { matches: looksLikeLatex, read: readLatex },
  { matches: looksLikePillow, read: readPillow },
  { matches: looksLikeMagickCommand, read: readMagickCommand },
  { matches: looksLikeAseprite, read: readAseprite },
  { matches: looksLikeGegl, read: readGegl },
  { matches: looksLikeMagick, read: readMagickList },
  { matches: looksLikeMarkdown, read: readMarkdown },
  { matches: looksLikeProgram, read: readProgram },
];

/**
 * One comma between digits in every line, or on one line between semicolons, and nothing else that parts cells: two columns,
 * or one number each with a decimal comma.
 */
function hasPairsOfDigits(text: string): boolean {
  const separator = /[\r\n]/.test(text.trim()) ? /\r\n|\r|\n/ : /;/;
  const lines = text.split(separator).filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /^\s*[+-]?\d+,\d+\s*$/.test(line));
}

function otherReading(text: string, options: KernelTextOptions): KernelReading['other'] {
  if (!options.decimalComma && hasPairsOfDigits(text)) {
    const { kernel } = parseKernelText(text, { ...options, decimalComma: true });
    return { kind: 'decimalComma', kernels: [{ name: '', kernel }] };
  }
  const kernels = vipsInstead(text);
  return kernels && { kind: 'sizeLine', kernels };
}

/** Words in the first line, and numbers in all others: a head, of which the name is kept and the place left empty. */
function withoutHead(text: string): { readonly text: string; readonly name: string } {
  const found = /^\s*([^\r\n]{1,400})(?:\r\n|\r|\n)(?=[\s\S]*\d)/.exec(text);
  const line = found?.[1] ?? '';
  const isHead =
    /^["']?[A-Za-z\u0080-\uFFFF]/.test(line) && !/[[\](){}=:/]/.test(line) && !/^(?:nan|inf)\b/i.test(line);
  if (!found || !isHead) return { text, name: '' };
  const [name = ''] = line.split(/[,;\t]/);
  return {
    text: line.replace(/./g, ' ') + text.slice(text.indexOf(line) + line.length),
    name: name.replace(/["']/g, '').trim(),
  };
}

function readPlain(source: string, options: KernelTextOptions): KernelReading {
  const isJson = /^\s*\{\s*"/.test(source);
  const isLiteral = isJson || /[[{(]/.test(source);
  const { text, name } = isLiteral ? { text: source, name: '' } : withoutHead(source);
  const { kernel, notes } = parseKernelText(text, options);
  const format = isJson ? 'json' : isLiteral ? 'literal' : 'rows';
  return plainReading(format, [{ name, kernel }], {
    notes,
    orientationSaid: isJson && /"orientation"\s*:/.test(source),
    other: format === 'rows' ? otherReading(text, options) : null,
  });
}

/**
 * Reads kernels from text; `name` is the file's, or ''. Throws ConvolveError: `invalidKernel` that names line,
 * column and token; never anything else.
 */
export function readKernelText(source: string, name = '', options: KernelTextOptions = {}): KernelReading {
  const text = plainKernelText(source, maximumTextLength);
  const isVips = /\.mat$/i.test(name) && looksLikeVips(text);
  const grammar = grammars.find(({ matches }) => matches(text));
  const reading = isVips ? readVips(text, name) : grammar ? grammar.read(text) : readPlain(text, options);
  for (const { kernel } of reading.kernels) checkKernel(text, kernel);
  return oriented(reading, options);
}

/** A reading with what the options say of kernels that say nothing themselves. */
function oriented(reading: KernelReading, options: KernelTextOptions): KernelReading {
  const { orientation } = options;
  if (reading.orientationSaid || orientation === undefined) return reading;
  return { ...reading, kernels: reading.kernels.map((read) => ({ ...read, kernel: { ...read.kernel, orientation } })) };
}

function kernelOfArray(bytes: Uint8Array, name: string): Kernel {
  const { shape, values } = parseNpy(bytes, name);
  const [height = 0, width = 0] = shape.length === 1 ? [1, shape[0]] : shape;
  if (shape.length > 2 || shape.length === 0)
    throw new ConvolveError({
      code: 'formatUnsupported',
      subject: name,
      expected: 'the shape (height, width)',
      actual: `an array of shape (${shape.join(', ')})`,
    });
  return createKernel(width, height, Array.from(values), { divisor: 1 });
}

const stem = (name: string): string => name.replace(/\.[^.]{1,8}$/, '');

/** As `oriented`, of a reading whose every kernel can run. */
function checked(reading: KernelReading, options: KernelTextOptions): KernelReading {
  for (const { kernel } of reading.kernels) validateKernel(kernel);
  return oriented(reading, options);
}

/**
 * Reads kernels from the bytes of a file. Throws ConvolveError: `fileDamaged`, `formatUnsupported` (subject: the file),
 * and what `readKernelText` throws. A picture is none of these: its pixels are the caller's to decode.
 */
export function readKernelFile(bytes: Uint8Array, name: string, options: KernelTextOptions = {}): KernelReading {
  if (bytes.length === 0) throw new ConvolveError({ code: 'fileEmpty', subject: name });
  refuseMatlab(bytes, name);
  const arrays = (format: 'npy' | 'npz', kernels: readonly ReadKernel[]) =>
    checked(plainReading(format, kernels, { orientationSaid: false }), options);
  if (isNpy(bytes)) return arrays('npy', [{ name: stem(name), kernel: kernelOfArray(bytes, name) }]);
  if (isZip(bytes)) {
    const members = npzMembers(bytes, name);
    return arrays(
      'npz',
      members.map((member) => ({ name: member.name, kernel: kernelOfArray(member.bytes, name) })),
    );
  }
  // No text has bytes of 0; of the formats here only Photoshop's does.
  if (/\.acf$/i.test(name) || bytes.subarray(0, 64).includes(0)) return checked(readAcf(bytes, name), options);
  const reading = readKernelText(new TextDecoder().decode(bytes), name, options);
  return { ...reading, kernels: reading.kernels.map((read) => ({ ...read, name: read.name || stem(name) })) };
}
