// What comes out of reading a kernel from another program: the kernels with their names, in which format they were, what was
// noticed, and what the source does not say and a person has to.

import { ConvolveError } from '../errors';
import type { KernelNote } from '../formats';
import type { Kernel, KernelField } from '../kernel';

export const kernelFormats = [
  'acf',
  'imageMagick',
  'svg',
  'vips',
  'rows',
  'npy',
  'npz',
  'literal',
  'json',
  'latex',
  'markdown',
  'aseprite',
  'pixInsight',
  'gegl',
  'pillow',
  'imKernel',
  'picture',
] as const;
export type KernelFormat = (typeof kernelFormats)[number];

/** A kernel with the name that its source gives it; '' where it gives none. */
export interface ReadKernel {
  readonly name: string;
  readonly kernel: Kernel;
}

export interface KernelReading {
  readonly format: KernelFormat;
  /** At least one. */
  readonly kernels: readonly ReadKernel[];
  readonly notes: readonly KernelNote[];
  /** False where the source does not say in which orientation its numbers are: `kernels` then hold the likelier one. */
  readonly orientationSaid: boolean;
  /**
   * A second way to read the same text, where both are possible. decimalComma: each comma as a decimal one. sizeLine: the
   * first line as the size and scale of a vips matrix.
   */
  readonly other: { readonly kind: 'decimalComma' | 'sizeLine'; readonly kernels: readonly ReadKernel[] } | null;
}

/** A reading without notes or questions. */
export function plainReading(
  format: KernelFormat,
  kernels: readonly ReadKernel[],
  rest: Partial<Omit<KernelReading, 'format' | 'kernels'>> = {},
): KernelReading {
  return { format, kernels, notes: [], orientationSaid: true, other: null, ...rest };
}

/** The refusal of a kernel for one of its fields, to be thrown. */
export function refusedKernel(subject: KernelField, expected: string, actual: string): ConvolveError {
  return new ConvolveError({ code: 'invalidKernel', subject, expected, actual });
}
