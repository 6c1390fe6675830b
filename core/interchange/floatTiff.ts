// A kernel as a picture for other programs: one grey channel of 32-bit floats in a TIFF, little-endian and in one strip (Adobe,
// TIFF 6.0, sections 3 and 19). A bright point becomes that picture, so the weights stand as a convolution; what reads pictures as
// kernels takes them back with values below 0 as negative weights.

import { ConvolveError } from '../errors';
import { absentCells, defaultAnchor, type Kernel, resolveDivisor, rewriteAs, validateKernel } from '../kernel';
import type { FormatLoss } from './write';

/** Tags and types of TIFF 6.0. Fields stand in the order of their tags. */
const short = 3;
const long = 4;
const rational = 5;
const headerBytes = 8;
const fieldBytes = 12;
const fieldCount = 13;
/** One pixel per unit, as two numbers, behind the fields; both resolutions point to it. */
const resolutionOffset = headerBytes + 2 + fieldBytes * fieldCount + 4;
const dataOffset = resolutionOffset + 8;

export interface KernelPictureFile {
  readonly content: Uint8Array;
  readonly ending: '.tif';
  readonly losses: readonly FormatLoss[];
}

/** Weights row by row as a grey TIFF of floats. */
function floatTiff(width: number, height: number, weights: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(dataOffset + 4 * weights.length);
  const view = new DataView(bytes.buffer);
  const fields: readonly (readonly [tag: number, type: number, value: number])[] = [
    [256, long, width],
    [257, long, height],
    [258, short, 32], // bits of a sample
    [259, short, 1], // no compression
    [262, short, 1], // 0 is black
    [273, long, dataOffset],
    [277, short, 1], // samples of a pixel
    [278, long, height], // rows of a strip
    [279, long, 4 * weights.length],
    [282, rational, resolutionOffset],
    [283, rational, resolutionOffset],
    [296, short, 1], // the resolution has no unit
    [339, short, 3], // samples are floats
  ];
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, headerBytes, true);
  view.setUint16(headerBytes, fields.length, true);
  fields.forEach(([tag, type, value], index) => {
    const at = headerBytes + 2 + fieldBytes * index;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    view.setUint32(at + 8, value, true);
  });
  view.setUint32(resolutionOffset, 1, true);
  view.setUint32(resolutionOffset + 4, 1, true);
  weights.forEach((weight, index) => {
    view.setFloat32(dataOffset + 4 * index, weight, true);
  });
  return bytes;
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
  return { content: floatTiff(width, height, weights), ending: '.tif', losses };
}
