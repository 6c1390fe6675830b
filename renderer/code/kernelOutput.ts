// One list of everything a kernel can be written as: programs to run and formats that are read back. Pure.

import type { CodeLoss } from '../../core/codeText';
import type { Filter } from '../../core/document';
import { writeKernelPicture } from '../../core/interchange/floatTiff';
import { type FormatLoss, type WrittenFormat, writeKernel, writtenFormats } from '../../core/interchange/write';
import type { Kernel } from '../../core/kernel';
import { type CodeTarget, codeTargets, kernelCode } from '../../core/kernelCode';
import type { Translate } from '../i18n/useWords';
import { codeWords } from './codeLossText';

export type OutputKind =
  | { readonly kind: 'code'; readonly target: CodeTarget }
  | { readonly kind: 'format'; readonly format: WrittenFormat };

/** Programs first, as `code numpy`, then formats, as `format csv`, and a picture. */
export const outputKeys = [
  ...codeTargets.map((target) => `code ${target}` as const),
  ...writtenFormats.map((format) => `format ${format}` as const),
  'picture tiff' as const,
];
export type OutputKey = (typeof outputKeys)[number];

export interface KernelOutput {
  readonly content: string | Uint8Array;
  /** Usual ending of a file, with its point. */
  readonly ending: string;
  readonly losses: readonly (CodeLoss | FormatLoss)[];
}

const codeEndings: Readonly<Record<CodeTarget, string>> = {
  numpy: '.py',
  scipy: '.py',
  opencvPython: '.py',
  opencvCpp: '.cpp',
  matlab: '.m',
  imageMagick: '.sh',
  glsl: '.frag',
  cuda: '.cu',
};

/** `name`: of the filter. Throws ConvolveError `invalidKernel` for a kernel that a format cannot hold. */
export function kernelOutput(key: OutputKey, kernel: Kernel, filter: Filter, name: string, t: Translate): KernelOutput {
  const target = codeTargets.find((known) => key === `code ${known}`);
  if (target !== undefined) {
    const { text, losses } = kernelCode(target, kernel, filter, codeWords(t));
    return { content: text, ending: codeEndings[target], losses };
  }
  if (key === 'picture tiff') return writeKernelPicture(kernel);
  const format = writtenFormats.find((known) => key === `format ${known}`) ?? 'json';
  return writeKernel(format, kernel, { name, filter });
}

/** Bytes as people read them, sixteen a line; no more than `most` of them. */
export function hexDump(bytes: Uint8Array, most = 512): string {
  const lines: string[] = [];
  for (let start = 0; start < Math.min(bytes.length, most); start += 16)
    lines.push(Array.from(bytes.subarray(start, start + 16), (byte) => byte.toString(16).padStart(2, '0')).join(' '));
  return bytes.length > most ? `${lines.join('\n')}\n…` : lines.join('\n');
}
