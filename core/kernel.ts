// What a kernel is: the stored form a person edits, and the one orientation (correlation) every engine computes.

import { ConvolveError } from './errors';

export type Orientation = 'correlation' | 'convolution';

/** Largest width and height of a kernel, in cells. */
export const maximumKernelSize = 511;

/** Longest row and column, in cells, of a kernel that is known by them and never written out as a grid. */
export const maximumKernelLength = 4095;

/** Largest bias and border value, as a share of full scale. */
export const largestShare = 1e6;

/** Sizes of weights that keep every sum and product of them finite; the largest of a kernel lies between, or is 0. */
const smallestWeight = 1e-100;
export const largestWeight = 1e100;
/** Σ|w| over the divisor: beyond these, single precision ends, and every picture is black or white anyway. */
const smallestGain = 1e-30;
const largestGain = 1e32;

/**
 * A kernel as it is stored and edited: row-major weights (`weights[y * width + x]`), the anchor cell that lies on the
 * output pixel, the divisor (`auto`: the sum of the weights, or 1 where that sum is zero), the bias as a share of full
 * scale, and the orientation in which the numbers are to be read. `absent` marks by 1 cells that a morphological kernel leaves out
 * of its neighbourhood (ImageMagick's `nan`): sums count them as the 0 that they hold; a cell with another weight is there.
 */
export interface Kernel {
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly weights: readonly number[];
  readonly absent?: readonly number[] | undefined;
  readonly divisor: number | 'auto';
  readonly bias: number;
  readonly orientation: Orientation;
}

/** Whether a cell is one that its kernel leaves out. */
export const isAbsent = ({ absent, weights }: Pick<Kernel, 'absent' | 'weights'>, index: number): boolean =>
  absent?.[index] === 1 && weights[index] === 0;

/** How many cells the kernel leaves out. */
export const absentCells = (kernel: Pick<Kernel, 'absent' | 'weights'>): number =>
  kernel.absent === undefined ? 0 : kernel.weights.filter((_, index) => isAbsent(kernel, index)).length;

/** The kernel in another grid: each cell comes from one of the old grid, or from none (−1) and is 0. Its anchor is not moved. */
export function rearranged(kernel: Kernel, width: number, height: number, from: (index: number) => number): Kernel {
  const { weights, absent } = kernel;
  const moved = (values: readonly number[]) =>
    Array.from({ length: width * height }, (_, index) => values[from(index)] ?? 0);
  return { ...kernel, width, height, weights: moved(weights), ...(absent && { absent: moved(absent) }) };
}

/** The words for the fields of a kernel, as a Failure's `subject` names them. */
export type KernelField = 'width' | 'height' | 'anchor' | 'weights' | 'divisor' | 'bias';

function refuse(subject: KernelField, expected: string, actual: string): never {
  throw new ConvolveError({ code: 'invalidKernel', subject, expected, actual });
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maximumKernelSize;
}

function refuseWeight(kernel: Kernel, index: number, expected: string): never {
  const row = Math.floor(index / kernel.width) + 1;
  const column = (index % kernel.width) + 1;
  refuse('weights', expected, `${kernel.weights[index]} (row ${row}, column ${column})`);
}

/** Weights and divisor whose sums no engine could hold. */
function refuseExtremes(kernel: Kernel): void {
  const { weights, divisor } = kernel;
  // Loops, here and below: a quarter of a million weights are looked at each time that the largest kernel is used.
  let place = 0;
  for (let index = 1; index < weights.length; index++)
    if (Math.abs(weights[index] ?? 0) > Math.abs(weights[place] ?? 0)) place = index;
  const largest = Math.abs(weights[place] ?? 0);
  if (largest > largestWeight) refuseWeight(kernel, place, `a number of at most ${largestWeight} in size`);
  if (largest > 0 && largest < smallestWeight)
    refuseWeight(kernel, place, `a number of at least ${smallestWeight} in size`);
  if (divisor === 'auto' || largest === 0) return;
  const sum = sumOfSizes(weights);
  const [least, most] = [sum / largestGain, sum / smallestGain];
  if (Math.abs(divisor) < least || Math.abs(divisor) > most)
    refuse('divisor', `${least.toPrecision(1)} to ${most.toPrecision(1)} in size`, String(divisor));
}

/**
 * Refuses a kernel that no engine could run: sizes of 1…511 cells, width × height finite weights (the largest 1e-100 to
 * 1e100 in size, or 0), an anchor inside, a finite divisor other than 0 with Σ|w| / divisor of 1e-30 to 1e32 in size, a
 * bias of at most 1e6. Throws ConvolveError `invalidKernel`, whose subject is the field.
 */
export function validateKernel(kernel: Kernel): void {
  if (!isSize(kernel.width)) refuse('width', `1…${maximumKernelSize}`, String(kernel.width));
  if (!isSize(kernel.height)) refuse('height', `1…${maximumKernelSize}`, String(kernel.height));
  const cells = kernel.width * kernel.height;
  if (kernel.weights.length !== cells)
    refuse('weights', `${kernel.width} × ${kernel.height} = ${cells}`, String(kernel.weights.length));
  const bad = kernel.weights.findIndex((weight) => !Number.isFinite(weight));
  if (bad >= 0) refuseWeight(kernel, bad, 'a finite number');
  const { anchorX, anchorY } = kernel;
  const inside = (value: number, size: number) => Number.isInteger(value) && value >= 0 && value < size;
  if (!inside(anchorX, kernel.width) || !inside(anchorY, kernel.height))
    refuse('anchor', `0…${kernel.width - 1}, 0…${kernel.height - 1}`, `${anchorX}, ${anchorY}`);
  if (kernel.divisor !== 'auto' && !(Number.isFinite(kernel.divisor) && kernel.divisor !== 0))
    refuse('divisor', 'a finite number other than 0', String(kernel.divisor));
  refuseExtremes(kernel);
  if (!(Math.abs(kernel.bias) <= largestShare)) refuse('bias', `${-largestShare}…${largestShare}`, String(kernel.bias));
}

/** Default anchor along an axis of `size` cells: the centre, or for even sizes the cell right of (below) it. */
export function defaultAnchor(size: number): number {
  return Math.floor(size / 2);
}

/** A kernel with the default anchor, divisor `auto`, no bias, read as a correlation, unless `rest` says otherwise. */
export function createKernel(
  width: number,
  height: number,
  weights: readonly number[],
  rest: Partial<Omit<Kernel, 'width' | 'height' | 'weights'>> = {},
): Kernel {
  return {
    width,
    height,
    anchorX: defaultAnchor(width),
    anchorY: defaultAnchor(height),
    weights,
    divisor: 'auto',
    bias: 0,
    orientation: 'correlation',
    ...rest,
  };
}

/** The kernel turned by 180° with its anchor: cell (x, y) goes to (w − 1 − x, h − 1 − y). Its orientation word is kept. */
export function turn(kernel: Kernel): Kernel {
  return {
    ...kernel,
    anchorX: kernel.width - 1 - kernel.anchorX,
    anchorY: kernel.height - 1 - kernel.anchorY,
    weights: kernel.weights.toReversed(),
    ...(kernel.absent && { absent: kernel.absent.toReversed() }),
  };
}

/** The same filter written as a correlation. */
export function toCorrelation(kernel: Kernel): Kernel {
  return kernel.orientation === 'correlation' ? kernel : { ...turn(kernel), orientation: 'correlation' };
}

/** The same filter written in the other orientation, or in the same: what it does to a picture does not change. */
export function rewriteAs(kernel: Kernel, orientation: Orientation): Kernel {
  return kernel.orientation === orientation ? kernel : { ...turn(kernel), orientation };
}

/** Sum of weights with a running compensation (Neumaier 1974), so that 261 121 cells lose no digits. */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** Σ|w|, for comparing with: plainly added. */
function sumOfSizes(weights: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) sum += Math.abs(weights[index] ?? 0);
  return sum;
}

/** Sum of the kernel's weights, without the divisor. */
export function kernelSum(kernel: Kernel): number {
  return sumOf(kernel.weights);
}

/** Sum below this share of Σ|w| is rounding dust of a kernel whose sum is zero. */
const zeroSumShare = 1e-12;

/** True where the weights cancel: |Σw| ≤ 1e-12 · Σ|w|. */
export function isZeroSum(weights: Iterable<number> & ArrayLike<number>): boolean {
  return Math.abs(sumOf(weights)) <= zeroSumShare * sumOfSizes(weights);
}

/** A divisor as it is applied. `note` says why `auto` did not give the sum. */
export interface ResolvedDivisor {
  readonly divisor: number;
  readonly note: 'none' | 'zeroSum';
}

/** The number to divide by: the one given, or for `auto` the sum of the weights, or 1 where the weights cancel. */
export function resolveDivisor(kernel: Kernel): ResolvedDivisor {
  if (kernel.divisor !== 'auto') return { divisor: kernel.divisor, note: 'none' };
  if (isZeroSum(kernel.weights)) return { divisor: 1, note: 'zeroSum' };
  return { divisor: kernelSum(kernel), note: 'none' };
}

/**
 * The same filter in a grid whose anchor is its middle, for programs that know no other: rows and columns of 0 are added on
 * the shorter sides, and `square` makes both sides as long as the longer. Throws ConvolveError `invalidKernel` beyond 511.
 */
export function padToCentre(kernel: Kernel, square = false): Kernel {
  const needed = (anchor: number, size: number) => 2 * Math.max(anchor, size - 1 - anchor) + 1;
  const sides = [needed(kernel.anchorX, kernel.width), needed(kernel.anchorY, kernel.height)] as const;
  const [width, height] = square ? [Math.max(...sides), Math.max(...sides)] : sides;
  return resizeKeepingAnchor(kernel, width, height);
}

/**
 * The kernel in a grid of another size: cells keep their place relative to the anchor, cells outside the new grid are
 * dropped, new ones are 0. The new anchor is the default one of the new size.
 */
export function resizeKeepingAnchor(kernel: Kernel, width: number, height: number): Kernel {
  if (!isSize(width)) refuse('width', `1…${maximumKernelSize}`, String(width));
  if (!isSize(height)) refuse('height', `1…${maximumKernelSize}`, String(height));
  const anchorX = defaultAnchor(width);
  const anchorY = defaultAnchor(height);
  const from = (index: number) => {
    const x = (index % width) - anchorX + kernel.anchorX;
    const y = Math.floor(index / width) - anchorY + kernel.anchorY;
    return x >= 0 && x < kernel.width && y >= 0 && y < kernel.height ? y * kernel.width + x : -1;
  };
  return { ...rearranged(kernel, width, height, from), anchorX, anchorY };
}
