// A kernel as a picture for other programs: one grey channel of 32-bit floats in a TIFF. A bright point becomes that picture, so
// the weights stand as a convolution; what reads pictures as kernels takes them back with values below 0 as negative weights.

import { ConvolveError } from '../errors';
import { absentCells, defaultAnchor, type Kernel, resolveDivisor, rewriteAs, validateKernel } from '../kernel';
import { createTiffContainer } from '../tiffContainer';
import type { FormatLoss } from './write';

export interface KernelPictureFile {
  readonly content: Uint8Array;
  readonly ending: '.tif';
  readonly losses: readonly FormatLoss[];
}

/** Throws ConvolveError `invalidKernel` for weights beyond single precision. */
export function writeKernelPicture(source: Kernel): KernelPictureFile {
  validateKernel(source);
  const { width, height, weights, anchorX, anchorY, bias } = rewriteAs(source, 'convolution');
  const { divisor } = resolveDivisor(source);
  const beyond = weights.find((weight) => !Number.isFinite(Math.fround(weight)));
  if (beyond !== undefined)
    throw new ConvolveError({
      code: 'invalidKernel',
      subject: 'weights',
      expected: 'a number of at most 3.4e38',
      actual: String(beyond),
    });
  const losses: FormatLoss[] = [];
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight - Math.fround(weight))), 0);
  if (largest > 0) losses.push({ kind: 'rounding', largestError: largest / Math.abs(divisor) });
  if (anchorX !== defaultAnchor(width) || anchorY !== defaultAnchor(height))
    losses.push({ kind: 'anchor', x: source.anchorX, y: source.anchorY });
  // Pictures are read with the divisor that keeps brightness.
  if (divisor !== resolveDivisor({ ...source, divisor: 'auto' }).divisor)
    losses.push({ kind: 'divisor', value: divisor });
  if (bias !== 0) losses.push({ kind: 'bias', value: bias });
  const absent = absentCells(source);
  if (absent > 0) losses.push({ kind: 'absent', count: absent });
  const { bytes, samples } = createTiffContainer({ width, height }, 1, 'f32', { profile: null, resolution: true });
  samples.set(weights);
  return { content: bytes, ending: '.tif', losses };
}
