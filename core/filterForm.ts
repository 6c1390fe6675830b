// What each filter computes: its weights in correlation orientation (dense, or the row and column vectors that its
// formula gives), and the epilogue around them. Plans, drafts, thumbnails and the kernel editor all start from here.

import type { Filter, FilterKind, FilterParameters, GradientOperator } from './document';
import { assertNever, ConvolveError } from './errors';
import { catalogueEntry, standardConductance } from './filters';
import type { Size } from './geometry';
import {
  createKernel,
  defaultAnchor,
  type Kernel,
  maximumKernelSize,
  resolveDivisor,
  sumOf,
  toCorrelation,
  validateKernel,
} from './kernel';
import {
  binomialVector,
  compassGrid,
  diskGrid,
  type Grid,
  gaussianVector,
  laplacianOfGaussianVectors,
  motionGrid,
  neighbourGrid,
  smoothedSobelVectors,
} from './kernelShapes';
import type { BoxWeights, DenseWeights, DiffusionStep, Epilogue, RankPair, SeparableWeights } from './pass';
import { sumOfPairs } from './separability';

/**
 * Weights as a filter knows them: a plain grid, a sum of outer products that is exact by its formula, or equal weights. Only
 * a grid is at most 511 × 511; the others have up to 4095 a side and are not written out (`fitsGrid`).
 */
export type LinearWeights =
  | { readonly kind: 'dense'; readonly weights: DenseWeights }
  | { readonly kind: 'box'; readonly weights: BoxWeights }
  | { readonly kind: 'separable'; readonly weights: SeparableWeights };

/**
 * What a filter computes, before any choice of how. linear and magnitude: value = result · (Σ / divisor) + input · pixel + offset.
 * `threshold`, a share of full scale: where the value differs from the pixel by less, the pixel stays.
 */
export type FilterForm =
  | {
      readonly kind: 'linear';
      readonly weights: LinearWeights;
      readonly epilogue: Epilogue;
      readonly threshold?: number;
    }
  | { readonly kind: 'magnitude'; readonly x: DenseWeights; readonly y: DenseWeights; readonly epilogue: Epilogue }
  /** One step of it. */
  | ({ readonly kind: 'diffusion'; readonly epilogue: Epilogue } & DiffusionStep)
  /**
   * 1 where there is an edge, else 0: `x` and `y` are the gradient's kernels, `low` and `high` lengths of it. Or the gradient's
   * direction, a share of a full turn.
   */
  | {
      readonly kind: 'edges';
      readonly use?: 'direction';
      readonly x: SeparableWeights;
      readonly y: SeparableWeights;
      readonly low: number;
      readonly high: number;
    };

const plain: Epilogue = { result: 1, input: 0, offset: 0 };

function denseGrid(grid: Grid, divisor = 1): DenseWeights {
  return { ...grid, anchorX: defaultAnchor(grid.width), anchorY: defaultAnchor(grid.height), divisor };
}

function dense(grid: Grid, divisor = 1, epilogue = plain): FilterForm {
  return { kind: 'linear', weights: { kind: 'dense', weights: denseGrid(grid, divisor) }, epilogue };
}

/** Column and row of the same length, as all symmetric separable filters of the catalogue are. */
function separable(pairs: readonly RankPair[], divisor = 1, epilogue = plain): Extract<FilterForm, { kind: 'linear' }> {
  const size = pairs[0]?.row.length ?? 1;
  const anchor = defaultAnchor(size);
  const weights = { width: size, height: size, anchorX: anchor, anchorY: anchor, pairs, divisor };
  return { kind: 'linear', weights: { kind: 'separable', weights }, epilogue };
}

/** Sobel's slope of a step from 0 to 1: what 100 % of a threshold is. */
const steepest = 4;

/** The slope across, smoothed down, and the slope down, smoothed across. */
function gradient(smooth: Float64Array, slope: Float64Array) {
  const size = smooth.length;
  const anchor = defaultAnchor(size);
  const geometry = { width: size, height: size, anchorX: anchor, anchorY: anchor, divisor: 1 };
  return {
    x: { ...geometry, pairs: [{ column: smooth, row: slope }] },
    y: { ...geometry, pairs: [{ column: slope, row: smooth }] },
  };
}

function canny({ sigma, low, high }: Extract<FilterParameters, { kind: 'canny' }>): FilterForm {
  const { smooth, slope } = smoothedSobelVectors(sigma);
  return {
    kind: 'edges',
    ...gradient(smooth, slope),
    low: (Math.min(low, high) / 100) * steepest,
    high: (Math.max(low, high) / 100) * steepest,
  };
}

/**
 * The column that each operator smooths with, across its slope. Roberts' two diagonal differences d1 = a − d and d2 = b − c of
 * (a b / c d) rise across by d2 − d1 and down by −d1 − d2, which is this slope of neighbours.
 */
const smoothing = { sobel: [1, 2, 1], scharr: [3, 10, 3], prewitt: [1, 1, 1], roberts: [1, 1] } as const;
const slopeOf = (operator: GradientOperator) => (operator === 'roberts' ? [-1, 1] : [-1, 0, 1]);

function direction(operator: GradientOperator): FilterForm {
  const kernels = gradient(Float64Array.from(smoothing[operator]), Float64Array.from(slopeOf(operator)));
  return { kind: 'edges', use: 'direction', ...kernels, low: 0, high: 0 };
}

function square(vector: Float64Array): readonly RankPair[] {
  return [{ column: vector, row: vector }];
}

function magnitude(width: number, x: readonly number[], y: readonly number[]): FilterForm {
  const grid = (weights: readonly number[]) =>
    denseGrid({ width, height: weights.length / width, weights: Float64Array.from(weights) });
  return { kind: 'magnitude', x: grid(x), y: grid(y), epilogue: plain };
}

function length(operator: Exclude<GradientOperator, 'roberts'>): FilterForm {
  const smooth = smoothing[operator];
  const slope = slopeOf(operator);
  const across = smooth.flatMap((weight) => slope.map((rise) => weight * rise));
  const down = slope.flatMap((rise) => smooth.map((weight) => rise * weight));
  return magnitude(3, across, down);
}

/** Largest weights beyond 2^±8 are brought to 1…2, so that engines that sum in single precision can hold them. */
const plainExponent = 8;

/** The power of two to multiply weights and divisor by: it changes no digit of the result. */
function scaleOf(largest: number): number {
  const exponent = Math.floor(Math.log2(largest));
  return Math.abs(exponent) <= plainExponent ? 1 : 2 ** -exponent;
}

/** A kernel as the engine wants it: correlation-oriented, the divisor resolved. Throws `invalidKernel`. */
export function denseOfKernel(kernel: Kernel): DenseWeights {
  validateKernel(kernel);
  const { width, height, anchorX, anchorY, weights } = toCorrelation(kernel);
  const scaled = Float64Array.from(weights);
  let largest = 0;
  for (const weight of scaled) largest = Math.max(largest, Math.abs(weight));
  const scale = largest === 0 ? 1 : scaleOf(largest);
  if (scale !== 1) for (let index = 0; index < scaled.length; index++) scaled[index] = (scaled[index] ?? 0) * scale;
  return {
    width,
    height,
    anchorX,
    anchorY,
    weights: scaled,
    // Nothing divided by anything is nothing, also by a divisor that single precision would take for 0.
    divisor: largest === 0 ? 1 : resolveDivisor(kernel).divisor * scale,
  };
}

/** The vector with zeros on both sides, `length` in all. */
function padded(values: Float64Array, length: number): Float64Array {
  const result = new Float64Array(length);
  result.set(values, (length - values.length) / 2);
  return result;
}

/** What a filter computes. Throws ConvolveError `invalidKernel` for a custom kernel that cannot run. */
export function filterForm(filter: FilterParameters): FilterForm {
  switch (filter.kind) {
    case 'gaussian':
      return separable(square(gaussianVector(filter.sigma)));
    case 'box': {
      const { width } = filter;
      const anchor = defaultAnchor(width);
      const weights = { width, height: width, anchorX: anchor, anchorY: anchor, divisor: width ** 2 };
      return { kind: 'linear', weights: { kind: 'box', weights }, epilogue: plain };
    }
    case 'binomial':
      return separable(square(binomialVector(filter.width)), 4 ** (filter.width - 1));
    case 'lens': {
      const grid = diskGrid(filter.radius);
      return dense(grid, sumOf(grid.weights));
    }
    case 'motion': {
      const grid = motionGrid(filter.length, filter.angle);
      return dense(grid, sumOf(grid.weights));
    }
    case 'diffusion': {
      const { rate, stopping = 'none', conductance = standardConductance } = filter;
      if (stopping === 'none') return dense(neighbourGrid(4, rate, 1 - 4 * rate));
      return { kind: 'diffusion', stopping, conductance: conductance / 100, rate, epilogue: plain };
    }
    case 'sharpen': {
      const { amount, neighbours } = filter;
      return dense(neighbourGrid(neighbours, -amount, 1 + neighbours * amount));
    }
    case 'unsharp':
    case 'localContrast': {
      const epilogue = { result: -filter.amount, input: 1 + filter.amount, offset: 0 };
      const form = separable(square(gaussianVector(filter.sigma)), 1, epilogue);
      // Percent of the difference before the amount, as a share of it after the amount.
      const threshold = filter.kind === 'unsharp' ? ((filter.threshold ?? 0) / 100) * filter.amount : 0;
      return threshold > 0 ? { ...form, threshold } : form;
    }
    case 'highPass':
      return separable(square(gaussianVector(filter.sigma)), 1, { result: -1, input: 1, offset: 0.5 });
    case 'differenceOfGaussians': {
      const wide = gaussianVector(filter.sigma * filter.ratio);
      const narrow = padded(gaussianVector(filter.sigma), wide.length);
      return separable([
        { column: narrow, row: narrow },
        { column: wide.map((value) => -value), row: wide },
      ]);
    }
    case 'laplacianOfGaussian': {
      const { smooth, curvature } = laplacianOfGaussianVectors(filter.sigma);
      return separable([
        { column: smooth, row: curvature },
        { column: curvature, row: smooth },
      ]);
    }
    case 'sobel':
    case 'scharr':
    case 'prewitt':
      return length(filter.kind);
    case 'roberts':
      return magnitude(2, [1, 0, 0, -1], [0, 1, -1, 0]);
    case 'laplacian':
      return dense(neighbourGrid(filter.neighbours, 1, -filter.neighbours));
    case 'kirsch':
      return dense(compassGrid([5, 5, -3, -3, -3, -3, -3, 5], filter.direction));
    case 'canny':
      return canny(filter);
    case 'gradientDirection':
      return direction(filter.operator);
    case 'emboss':
      // The side that the light comes from gets −1: a bright shape's edge facing it is a rise away from the light.
      return dense(compassGrid([-1, -1, 0, 1, 1, 1, 0, -1], filter.direction), 1, { ...plain, offset: 0.5 });
    case 'custom': {
      const weights = denseOfKernel(filter.kernel);
      return {
        kind: 'linear',
        weights: { kind: 'dense', weights },
        epilogue: { result: 1, input: 0, offset: filter.kernel.bias },
      };
    }
    default:
      return assertNever(filter);
  }
}

/** True where the gradient of the whole picture comes first: edges and directions are no sum, and are not repeated. */
export function isWholePicture({ kind }: FilterParameters): boolean {
  return kind === 'canny' || kind === 'gradientDirection';
}

/** How often what filterForm says is applied, one time after another. A search for edges runs once. */
export function repeatOf(filter: FilterParameters & { readonly repeat?: number | undefined }): number {
  if (filter.kind === 'diffusion') return filter.iterations;
  return isWholePicture(filter) ? 1 : (filter.repeat ?? 1);
}

/** True where no kernel is the filter: its weights are each pixel's own. */
export function hasOwnWeights(filter: FilterParameters): boolean {
  return filter.kind === 'diffusion' && (filter.stopping ?? 'none') !== 'none';
}

/** True where a kernel of this size may be written out as a grid. */
export function fitsGrid({ width, height }: Size): boolean {
  return Math.max(width, height) <= maximumKernelSize;
}

/** A box as one row and one column of ones, or the pairs of a sum of outer products; none for a grid. */
export function pairsOf(weights: LinearWeights): readonly RankPair[] {
  switch (weights.kind) {
    case 'dense':
      return [];
    case 'separable':
      return weights.weights.pairs;
    case 'box': {
      const { width, height } = weights.weights;
      return [{ column: new Float64Array(height).fill(1), row: new Float64Array(width).fill(1) }];
    }
    default:
      return assertNever(weights);
  }
}

/** The grid of any form of weights. Throws ConvolveError `unsupported` where it would be larger than 511 × 511. */
export function denseOf(weights: LinearWeights): DenseWeights {
  if (weights.kind === 'dense') return weights.weights;
  const { width, height, anchorX, anchorY, divisor } = weights.weights;
  if (!fitsGrid({ width, height }))
    throw new ConvolveError({
      code: 'unsupported',
      subject: 'kernel',
      expected: `at most ${maximumKernelSize} × ${maximumKernelSize} weights`,
      actual: `${width} × ${height} weights`,
    });
  return { width, height, anchorX, anchorY, weights: sumOfPairs(pairsOf(weights), width, height), divisor };
}

function kernelOfDense(dense: DenseWeights, epilogue: Epilogue): Kernel {
  const { width, height, anchorX, anchorY, divisor } = dense;
  const rest = { anchorX, anchorY, bias: epilogue.offset };
  if (epilogue.result === 1 && epilogue.input === 0)
    return createKernel(width, height, Array.from(dense.weights), { ...rest, divisor });
  const weights = Array.from(dense.weights, (weight) => (epilogue.result * weight) / divisor);
  const centre = anchorY * width + anchorX;
  weights[centre] = (weights[centre] ?? 0) + epilogue.input;
  return createKernel(width, height, weights, { ...rest, divisor: 1 });
}

/**
 * A filter as the kernel that alone does the same (unsharp mask and high-pass with the picture itself folded in), for the
 * kernel editor and the separability panel. A gradient, and what finds edges in one, gives its two kernels, x then y; a
 * kernel larger than 511 × 511, which is known by its rows and columns (`longPairs`), none; nor does a diffusion that edges stop,
 * whose weights are each pixel's own.
 */
export function kernelsOf(filter: FilterParameters): readonly Kernel[] {
  if (filter.kind === 'custom') return [filter.kernel];
  const form = filterForm(filter);
  if (form.kind === 'magnitude') return [kernelOfDense(form.x, form.epilogue), kernelOfDense(form.y, form.epilogue)];
  if (form.kind === 'edges')
    return [form.x, form.y].map((weights) => kernelOfDense(denseOf({ kind: 'separable', weights }), plain));
  if (form.kind === 'diffusion') return [];
  return fitsGrid(form.weights.weights) ? [kernelOfDense(denseOf(form.weights), form.epilogue)] : [];
}

/** True where `kernelsOf` gives exactly one kernel and that alone is the filter, without writing it out. */
export function isOneGrid(filter: FilterParameters): boolean {
  if (filter.kind === 'custom') return true;
  const form = filterForm(filter);
  return form.kind === 'linear' && form.threshold === undefined && fitsGrid(form.weights.weights);
}

/** The rows and columns of a filter whose kernel is larger than 511 × 511; null for all others. */
export function longPairs(filter: FilterParameters): SeparableWeights | null {
  if (filter.kind === 'custom') return null;
  const form = filterForm(filter);
  if (form.kind !== 'linear' || fitsGrid(form.weights.weights)) return null;
  const { width, height, anchorX, anchorY, divisor } = form.weights.weights;
  return { width, height, anchorX, anchorY, pairs: pairsOf(form.weights), divisor };
}

/** Parameters that show a filter's character in at most 15 × 15 cells. */
function thumbnailParameters(start: Filter): FilterParameters {
  switch (start.kind) {
    case 'gaussian':
      return { ...start, sigma: 1.8 };
    case 'box':
      return { ...start, width: 9 };
    case 'lens':
      return { ...start, radius: 5.5 };
    case 'motion':
      return { ...start, length: 17, angle: -45 };
    case 'binomial':
      return { ...start, width: 9 };
    case 'diffusion':
      return { ...start, rate: 0.15 };
    case 'unsharp':
    case 'highPass':
      return { ...start, sigma: 1.4 };
    case 'differenceOfGaussians':
      return { ...start, sigma: 1 };
    case 'localContrast':
      return { ...start, sigma: 1.4, amount: 1 };
    case 'laplacianOfGaussian':
      return { ...start, sigma: 1.4 };
    default:
      return start;
  }
}

/** A small signed picture of a kind's kernel: at most 15 × 15 weights, the largest magnitude 1. */
export function thumbnailKernel(kind: FilterKind): Grid {
  const kernel = kernelsOf(thumbnailParameters(catalogueEntry(kind).create('thumbnail', 'u8')))[0];
  if (!kernel) return { width: 1, height: 1, weights: Float64Array.of(1) };
  const peak = kernel.weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) || 1;
  const { width, height } = kernel;
  return { width, height, weights: Float64Array.from(kernel.weights, (weight) => weight / peak) };
}
