// Arithmetic of whole kernels: one after the other as one, n times as one, the difference from the picture, mixing with it,
// the separable part and the rest, turning by any angle. Whole-number weights stay whole where the arithmetic allows it.

import { ConvolveError } from './errors';
import { fullConvolution } from './fullConvolution';
import {
  createKernel,
  type Kernel,
  kernelSum,
  maximumKernelSize,
  resolveDivisor,
  rewriteAs,
  sumOf,
  toCorrelation,
  turn,
  validateKernel,
} from './kernel';
import { rotateQuarter } from './kernelEdits';
import type { RankPair } from './pass';
import { decompose, exactPair, rankOf, rankPairs, sumOfPairs } from './separability';

/** Divisors beyond this lose whole numbers; they are then taken into the weights. */
const largestWholeDivisor = 2 ** 53;

/** Throws `invalidKernel` for a result that would be larger than a kernel may be. */
function refuseSize(width: number, height: number): void {
  for (const [subject, size] of [
    ['width', width],
    ['height', height],
  ] as const)
    if (size > maximumKernelSize)
      throw new ConvolveError({
        code: 'invalidKernel',
        subject,
        expected: `1…${maximumKernelSize}`,
        actual: String(size),
      });
}

function withDivisor(kernel: Kernel, divisor: number): Kernel {
  if (Math.abs(divisor) <= largestWholeDivisor && Math.abs(divisor) >= 1 / largestWholeDivisor)
    return { ...kernel, divisor };
  return { ...kernel, weights: kernel.weights.map((weight) => weight / divisor), divisor: 1 };
}

/**
 * The kernel that does what `first` and then `second` do to a picture without borders, range or rounding between: the full
 * convolution of the two, (w₁ + w₂ − 1) × (h₁ + h₂ − 1), anchors added, divisors multiplied, the first bias through the
 * second's gain. In the first's orientation. Throws `invalidKernel` beyond 511 cells a side. `mergeFilters` says where that is
 * exact in a stack.
 */
export function mergeKernels(first: Kernel, second: Kernel): Kernel {
  const [a, b] = [toCorrelation(first), toCorrelation(second)];
  refuseSize(a.width + b.width - 1, a.height + b.height - 1);
  const { width, height, weights } = fullConvolution(a, b);
  const [one, two] = [resolveDivisor(a).divisor, resolveDivisor(b).divisor];
  const merged = withDivisor(
    createKernel(width, height, Array.from(weights), {
      anchorX: a.anchorX + b.anchorX,
      anchorY: a.anchorY + b.anchorY,
      bias: a.bias * (kernelSum(b) / two) + b.bias,
    }),
    one * two,
  );
  validateKernel(merged);
  return rewriteAs(merged, first.orientation);
}

/** A kernel applied `times` times (1 or more) as one kernel, as `mergeKernels`. */
export function repeatKernel(kernel: Kernel, times: number): Kernel {
  if (!Number.isInteger(times) || times < 1)
    throw new ConvolveError({
      code: 'invalidArgument',
      subject: 'times',
      expected: 'a whole number of at least 1',
      actual: String(times),
    });
  refuseSize((kernel.width - 1) * times + 1, (kernel.height - 1) * times + 1);
  // By squaring; times may be as large as a kernel of one cell allows.
  let result: Kernel | null = null;
  let power = kernel;
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = result ? mergeKernels(result, power) : power;
    if (left > 1) power = mergeKernels(power, power);
  }
  return result ?? kernel;
}

/** `share` of the picture plus (1 − share) of the kernel's result; 0 leaves the kernel, 1 is the picture. Bias with it. */
export function blendIdentity(kernel: Kernel, share: number): Kernel {
  const { divisor } = resolveDivisor(kernel);
  const centre = kernel.anchorY * kernel.width + kernel.anchorX;
  const weights = kernel.weights.map(
    (weight, index) => (1 - share) * weight + (index === centre ? share * divisor : 0) + 0,
  );
  return { ...kernel, weights, divisor, bias: (1 - share) * kernel.bias + 0 };
}

/** The picture minus the kernel's result: what a blur takes away, and back. The bias changes its sign. */
export function subtractFromIdentity(kernel: Kernel): Kernel {
  const { divisor } = resolveDivisor(kernel);
  const centre = kernel.anchorY * kernel.width + kernel.anchorX;
  const weights = kernel.weights.map((weight, index) => (index === centre ? divisor - weight : 0 - weight));
  return { ...kernel, weights, divisor, bias: 0 - kernel.bias };
}

/** A kernel as the sum of two: the nearest separable one, and what it leaves. */
export interface SeparableSplit {
  /** Column and row of the separable part, in the kernel's own orientation. */
  readonly pair: RankPair;
  /** Their outer product, with the kernel's divisor and bias. */
  readonly separable: Kernel;
  /** The kernel minus the separable part, without bias; null where the kernel is separable at the rank tolerance. */
  readonly rest: Kernel | null;
  /** Share of the kernel's energy Σw² in the separable part, 0…1. */
  readonly energy: number;
}

/** Splits off the separable part: σ₁·u₁⊗v₁ of the decomposition, or the exact factors where the kernel has rank 1. */
export function splitSeparable(kernel: Kernel): SeparableSplit {
  const { width, height } = kernel;
  const { divisor } = resolveDivisor(kernel);
  const exact = exactPair(kernel);
  const decomposition = exact ? null : decompose(kernel);
  const pair = exact ??
    (decomposition && rankPairs(decomposition, 1)[0]) ?? {
      column: new Float64Array(height),
      row: new Float64Array(width),
    };
  const separable = { ...kernel, weights: Array.from(sumOfPairs([pair], width, height)), divisor };
  const energy = (values: readonly number[]) => sumOf(values.map((value) => value * value));
  const total = energy(kernel.weights);
  const differences = kernel.weights.map((weight, index) => weight - (separable.weights[index] ?? 0));
  const whole = decomposition === null || rankOf(decomposition) <= 1;
  return {
    pair,
    separable,
    rest: whole ? null : { ...kernel, weights: differences, divisor, bias: 0 },
    energy: whole || total === 0 ? 1 : 1 - energy(differences) / total,
  };
}

/** A turned kernel; `exact` is false where weights were interpolated. */
export interface TurnedKernel {
  readonly kernel: Kernel;
  readonly exact: boolean;
}

/** The outer cells of 3 × 3, counter-clockwise from the right. */
const ring = [5, 2, 1, 0, 3, 6, 7, 8] as const;

function turnRing(kernel: Kernel, eighths: number): Kernel {
  const weights = [...kernel.weights];
  ring.forEach((cell, index) => {
    weights[ring[(index + eighths) % 8] ?? 0] = kernel.weights[cell] ?? 0;
  });
  return { ...kernel, weights };
}

/** Distance from a whole cell below which a turned cell lies on it. */
const placeDust = 1e-9;

/** Turned about the anchor by interpolation; positive and negative weights keep their sums, so gain and zero sums stay. */
function turnSmoothly(kernel: Kernel, degrees: number): Kernel {
  const { width, height, anchorX, anchorY, weights } = kernel;
  const radians = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const corners = [-anchorX, width - 1 - anchorX].flatMap((x) =>
    [-anchorY, height - 1 - anchorY].map((y) => [x * cosine + y * sine, y * cosine - x * sine] as const),
  );
  const span = (values: readonly number[]) =>
    [Math.ceil(-Math.min(...values) - placeDust), Math.ceil(Math.max(...values) - placeDust)] as const;
  const [left, right] = span(corners.map(([x]) => x));
  const [up, down] = span(corners.map(([, y]) => y));
  refuseSize(left + right + 1, up + down + 1);
  const cell = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (weights[y * width + x] ?? 0);
  const turned = Array.from({ length: (left + right + 1) * (up + down + 1) }, (_, index) => {
    const x = (index % (left + right + 1)) - left;
    const y = Math.floor(index / (left + right + 1)) - up;
    const fromX = x * cosine - y * sine + anchorX;
    const fromY = y * cosine + x * sine + anchorY;
    const [column, row] = [Math.floor(fromX), Math.floor(fromY)];
    const [a, b] = [fromX - column, fromY - row];
    const upper = cell(column, row) * (1 - a) + cell(column + 1, row) * a;
    const lower = cell(column, row + 1) * (1 - a) + cell(column + 1, row + 1) * a;
    return upper * (1 - b) + lower * b;
  });
  const part = (values: readonly number[], sign: number) => sumOf(values.map((value) => Math.max(0, sign * value)));
  const factor = (sign: number) => {
    const before = part(weights, sign);
    const after = part(turned, sign);
    return after === 0 ? 1 : before / after;
  };
  const [positive, negative] = [factor(1), factor(-1)];
  const { absent: _, ...rest } = kernel;
  return {
    ...rest,
    width: left + right + 1,
    height: up + down + 1,
    anchorX: left,
    anchorY: up,
    weights: turned.map((value) => (value === 0 ? 0 : value * (value > 0 ? positive : negative))),
  };
}

/**
 * The kernel turned about its anchor, `degrees` counter-clockwise. Exact for quarter turns, and for 45° steps of 3 × 3 with
 * the anchor in the middle, whose outer cells move on by one. Any other angle is an approximation: weights are interpolated
 * in straight lines on a grid that grows as it must, and the sums of the positive and the negative weights are restored.
 * Throws `invalidKernel` where the grid would grow beyond 511.
 */
export function rotateKernel(kernel: Kernel, degrees: number): TurnedKernel {
  if (!Number.isFinite(degrees))
    throw new ConvolveError({
      code: 'invalidArgument',
      subject: 'degrees',
      expected: 'a finite number',
      actual: String(degrees),
    });
  const angle = ((degrees % 360) + 360) % 360;
  if (angle % 90 === 0) {
    if (angle === 0) return { kernel, exact: true };
    if (angle === 180) return { kernel: turn(kernel), exact: true };
    return { kernel: rotateQuarter(angle === 90 ? kernel : turn(kernel)), exact: true };
  }
  const isRing = kernel.width === 3 && kernel.height === 3 && kernel.anchorX === 1 && kernel.anchorY === 1;
  if (isRing && angle % 45 === 0) return { kernel: turnRing(kernel, angle / 45), exact: true };
  return { kernel: turnSmoothly(kernel, angle), exact: false };
}
