// Two neighbouring linear filters of a stack as one kernel, or one repeated, and every reason for which the picture is then
// not exactly the same. No reason means: the same but for rounding.

import type { Filter, ImageInfo } from './document';
import { ConvolveError } from './errors';
import { hasOwnWeights, kernelsOf, repeatOf } from './filterForm';
import { isZeroSum, type Kernel, kernelSum, maximumKernelSize, resolveDivisor, sumOf, toCorrelation } from './kernel';
import { blendIdentity, mergeKernels, repeatKernel } from './kernelAlgebra';
import { isMixed, plainMix } from './mix';
import type { Border } from './pass';

/**
 * Why one kernel differs from the two filters, and where:
 * - border: near the edge of the picture, as many pixels from each side as it says. The second filter read results past the
 *   edge by its border; one kernel reads the picture there.
 * - range: where the first result lies outside 0…1 and was cut; everywhere for signed and rescale.
 * - alpha: where the picture is neither opaque nor fully transparent, or everywhere if the two alpha modes differ.
 * - light: everywhere. One works on linear light, the other on stored values.
 * - size: everywhere. Only one of the two crops the picture.
 */
export type MergeReason =
  | {
      readonly kind: 'border';
      readonly left: number;
      readonly right: number;
      readonly top: number;
      readonly bottom: number;
    }
  | { readonly kind: 'range'; readonly everywhere: boolean }
  | { readonly kind: 'alpha'; readonly everywhere: boolean }
  | { readonly kind: 'light' }
  | { readonly kind: 'size' };

/** One filter in place of others. */
export interface MergedFilter {
  /** A custom filter with the first's id and the last's range. */
  readonly filter: Filter;
  /** Empty where the result is the same but for rounding. */
  readonly reasons: readonly MergeReason[];
}

/** What of the picture decides whether a merge is exact. */
export type MergePicture = Pick<ImageInfo, 'alpha' | 'sampleType'>;

/** Share of Σ|w| below which a gain counts as none in weighted alpha; the engine's own rule. */
const smallestGainShare = 1e-3;

/** True where the filter's mix is a share of its result and the rest of its input: a kernel too. */
function isLinearMix(filter: Filter): boolean {
  return !isMixed({ ...filter, mix: { ...(filter.mix ?? plainMix), opacity: 1 } });
}

/** The kernel with the picture itself, as much as the filter's opacity leaves of it. */
function mixedKernel(filter: Filter, kernel: Kernel): Kernel {
  const { opacity } = filter.mix ?? plainMix;
  return opacity === 1 ? kernel : blendIdentity(kernel, 1 - opacity);
}

/**
 * The one kernel of a linear filter, without its opacity. Throws ConvolveError `unsupported` for gradients, edges, kernels
 * beyond 511, and for mixes that are no sum.
 */
function linearKernel(filter: Filter): Kernel {
  if (!isLinearMix(filter))
    throw new ConvolveError({
      code: 'unsupported',
      subject: filter.kind,
      expected: 'normal blending of all channels, without a mask or a threshold',
      actual: 'another mix',
    });
  const [kernel, second] = kernelsOf(filter);
  if (kernel && !second && repeatOf(filter) === 1) return kernel;
  throw new ConvolveError({
    code: 'unsupported',
    subject: filter.kind,
    expected: `one kernel of at most ${maximumKernelSize} × ${maximumKernelSize} weights`,
    actual: second
      ? 'two kernels, a gradient'
      : hasOwnWeights(filter)
        ? 'weights of its own for every pixel'
        : repeatOf(filter) > 1
          ? 'a repeated kernel'
          : 'a larger kernel',
  });
}

/** Whether a kernel can be merged at all. */
export function isMergeable(filter: Filter): boolean {
  return isLinearMix(filter) && kernelsOf(filter).length === 1 && repeatOf(filter) === 1;
}

type Axis = 'x' | 'y';

/** How far the window reaches before and after the anchor along an axis, in cells that are not 0. */
function reach(kernel: Kernel, axis: Axis): { readonly before: number; readonly after: number } {
  const { width, anchorX, anchorY, weights } = kernel;
  let [before, after] = [0, 0];
  weights.forEach((weight, index) => {
    if (weight === 0) return;
    const place = axis === 'x' ? (index % width) - anchorX : Math.floor(index / width) - anchorY;
    before = Math.max(before, -place);
    after = Math.max(after, place);
  });
  return { before, after };
}

/** True where the weights mirror about the anchor along an axis. */
function mirrors(kernel: Kernel, axis: Axis): boolean {
  const { width, height, anchorX, anchorY, weights } = kernel;
  return weights.every((weight, index) => {
    const x = axis === 'x' ? 2 * anchorX - (index % width) : index % width;
    const y = axis === 'y' ? 2 * anchorY - Math.floor(index / width) : Math.floor(index / width);
    const inside = x >= 0 && y >= 0 && x < width && y < height;
    return weight === (inside ? weights[y * width + x] : 0);
  });
}

const sameBorder = (a: Border, b: Border) =>
  a.kind === b.kind && (a.kind !== 'constant' || b.kind !== 'constant' || a.value === b.value);

const gainOf = (kernel: Kernel) => (isZeroSum(kernel.weights) ? 0 : kernelSum(kernel) / resolveDivisor(kernel).divisor);

/** What a first kernel makes of a flat picture of `value`. */
const flat = (kernel: Kernel, value: number) => gainOf(kernel) * value + kernel.bias;

/**
 * Whether the first's results, continued past one side of an axis by the second's border, are the continued picture's
 * results. `before` is the left or upper side.
 */
function continues(first: Kernel, border: Border, axis: Axis, side: 'before' | 'after'): boolean {
  const near = reach(first, axis);
  // Past the left side a first window that does not reach to the right sees nothing but the border.
  const apart = (side === 'before' ? near.after : near.before) === 0;
  switch (border.kind) {
    case 'wrap':
      return true;
    case 'reflect':
    case 'mirror':
      return mirrors(first, axis);
    case 'replicate':
      return apart;
    case 'zero':
      return apart && first.bias === 0;
    case 'constant':
      return apart && flat(first, border.value) === border.value;
  }
}

/** Pixels from each side that read the first's results past the edge and find others there. */
function borderReason(first: Kernel, second: Kernel, one: Border, two: Border): readonly MergeReason[] {
  const same = sameBorder(one, two);
  const rim = (axis: Axis, side: 'before' | 'after') =>
    same && continues(first, one, axis, side) ? 0 : reach(second, axis)[side];
  const [left, right, top, bottom] = [rim('x', 'before'), rim('x', 'after'), rim('y', 'before'), rim('y', 'after')];
  return left + right + top + bottom === 0 ? [] : [{ kind: 'border', left, right, top, bottom }];
}

/** True where a picture of 0…1 stays within 0…1 before any range mode acts. */
function staysInRange(kernel: Kernel): boolean {
  const { divisor } = resolveDivisor(kernel);
  const positive = kernel.weights.every((weight) => weight / divisor >= 0);
  return positive && kernel.bias >= 0 && flat(kernel, 1) <= 1 + 1e-12;
}

function rangeReason(first: Filter, kernel: Kernel, picture: MergePicture): readonly MergeReason[] {
  if (first.range === 'float') return [];
  if (first.range === 'signed' || first.range === 'rescale') return [{ kind: 'range', everywhere: true }];
  const whole = picture.sampleType === 'u8' || picture.sampleType === 'u16';
  return whole && staysInRange(kernel) ? [] : [{ kind: 'range', everywhere: false }];
}

function alphaReason(
  first: Filter,
  second: Filter,
  a: Kernel,
  b: Kernel,
  picture: MergePicture,
): readonly MergeReason[] {
  if (!picture.alpha) return [];
  if (first.alpha !== second.alpha) return [{ kind: 'alpha', everywhere: true }];
  const inexact: MergeReason = { kind: 'alpha', everywhere: false };
  const hasGain = (kernel: Kernel) =>
    Math.abs(sumOf(kernel.weights)) >= smallestGainShare * sumOf(kernel.weights.map(Math.abs));
  const { divisor } = resolveDivisor(a);
  const keepsSign = a.weights.every((weight) => weight / divisor >= 0);
  switch (first.alpha) {
    case 'colourOnly':
      return [];
    case 'straight':
      // Alpha is cut to 0…1 after every filter whose range is not float.
      return first.range === 'float' || (keepsSign && gainOf(a) <= 1 + 1e-12) ? [] : [inexact];
    case 'weighted':
      return hasGain(a) && hasGain(b) && keepsSign ? [] : [inexact];
  }
}

/** Of reasons of one kind, the one that counts in most places. */
function widest(reasons: readonly MergeReason[]): readonly MergeReason[] {
  const everywhere = reasons.find((reason) => 'everywhere' in reason && reason.everywhere);
  return everywhere ? [everywhere] : reasons.slice(0, 1);
}

/** Weighted alpha is divided by each kernel's gain before it is mixed; one kernel has one gain. */
function mixedAlphaReason({ alpha }: Filter, one: Kernel, two: Kernel): readonly MergeReason[] {
  const keeps = (kernel: Kernel) => Math.abs(gainOf(kernel) - 1) < 1e-12 && kernel.bias === 0;
  return alpha === 'weighted' && !(keeps(one) && keeps(two)) ? [{ kind: 'alpha', everywhere: false }] : [];
}

/**
 * `first` and then `second` as one custom filter named `name`. Throws ConvolveError `unsupported` where either is not one
 * kernel, `invalidKernel` where the result would be larger than 511 a side.
 */
export function mergeFilters(first: Filter, second: Filter, picture: MergePicture, name: string): MergedFilter {
  const [plainOne, plainTwo] = [linearKernel(first), linearKernel(second)];
  const [one, two] = [mixedKernel(first, plainOne), mixedKernel(second, plainTwo)];
  const kernel = mergeKernels(one, two);
  const [a, b] = [toCorrelation(one), toCorrelation(two)];
  const still = (['x', 'y'] as const).every((axis) => reach(a, axis).before + reach(a, axis).after === 0);
  // A first kernel of one cell never looks past the edge, so the second's border is the one to keep.
  const border = still ? second.border : first.border;
  const cropped = first.size === 'valid' && second.size === 'valid';
  const reasons: MergeReason[] = [
    ...(first.size === second.size ? [] : [{ kind: 'size' } as const]),
    ...(cropped ? [] : borderReason(a, b, border, second.border)),
    ...widest([
      ...rangeReason(first, plainOne, picture),
      ...(isMixed(second) ? rangeReason(second, plainTwo, picture) : []),
    ]),
    ...widest([
      ...alphaReason(first, second, a, b, picture),
      ...(picture.alpha && (isMixed(first) || isMixed(second)) ? mixedAlphaReason(first, plainOne, plainTwo) : []),
    ]),
    ...(first.light === second.light ? [] : [{ kind: 'light' } as const]),
  ];
  const { id, light, alpha, size } = first;
  const { enabled, range } = second;
  return { filter: { id, enabled, border, size, alpha, light, range, kind: 'custom', name, kernel }, reasons };
}

/** A filter applied `times` times (1 or more) as one custom filter named `name`. Throws as `mergeFilters`. */
export function repeatFilter(filter: Filter, times: number, picture: MergePicture, name: string): MergedFilter {
  const kernel = repeatKernel(mixedKernel(filter, linearKernel(filter)), times);
  const { id, enabled, border, size, alpha, light, range } = filter;
  const merged: Filter = { id, enabled, border, size, alpha, light, range, kind: 'custom', name, kernel };
  if (times === 1 && !isMixed(filter)) return { filter: merged, reasons: [] };
  const reasons = mergeFilters(filter, filter, picture, name).reasons.flatMap((reason): readonly MergeReason[] => {
    if (reason.kind !== 'border') return [reason];
    if (times === 1) return [];
    const { left, right, top, bottom } = reason;
    const more = times - 1;
    return [{ kind: 'border', left: left * more, right: right * more, top: top * more, bottom: bottom * more }];
  });
  return { filter: merged, reasons };
}
