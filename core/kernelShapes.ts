// The numbers of the shipped kernels, each by its published formula: Gaussian, binomial, disk, motion line, Laplacian of
// Gaussian and the compass masks. Plain arrays, correlation-oriented, centred; core/filters.ts gives them their meaning.

import { sumOf } from './kernel';

/** A grid of weights with its anchor in the middle (odd sizes) or right of and below it (even sizes). */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly weights: Float64Array;
}

/**
 * Reach of a Gaussian in units of σ: samples beyond 4.06 σ − ½ px hold less than 1e-4 of a 2-D Gaussian's sum,
 * 2 · erfc(4.06 / √2) = 9.8e-5, so that cutting them cannot change an 8-bit picture.
 */
export const gaussianReach = 4.06;
/** Largest σ (px) of a Gaussian: 4061 cells a side, which the longest row and column hold. */
export const largestSigma = 500;
/** Largest inner σ (px) of a difference of Gaussians, and how much larger the outer one may be: `largestSigma` together. */
export const largestInnerSigma = 50;
export const largestSigmaRatio = 10;
/** Reach of the Laplacian of Gaussian, whose rim is stronger by a factor of about (x/σ)². */
const laplacianOfGaussianReach = 5;
/** Largest σ (px) of a Laplacian of Gaussian: 4001 cells a side. */
export const largestCurvatureSigma = 400;

/** Cells from the centre to the rim of a Gaussian kernel that is sized by σ (px). */
export function gaussianRadius(sigma: number): number {
  return Math.max(0, Math.ceil(gaussianReach * sigma - 0.5));
}

/** exp(−x²/2σ²) sampled at the cell centres of `size` cells, before any normalisation. */
function gaussianSamples(sigma: number, size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, index) => {
    const x = index - (size - 1) / 2;
    return Math.exp((-x * x) / (2 * sigma * sigma));
  });
}

function normalised(values: Float64Array): Float64Array {
  const sum = sumOf(values);
  return values.map((value) => value / sum);
}

/**
 * A sampled Gaussian that sums to 1; the 2-D kernel is its outer product. σ > 0 in pixels. Without `size` the length is
 * chosen from σ (odd, less than 1e-4 of the light cut); with `size` the samples lie at −(n−1)/2 … (n−1)/2.
 */
export function gaussianVector(sigma: number, size = 2 * gaussianRadius(sigma) + 1): Float64Array {
  return normalised(gaussianSamples(sigma, size));
}

/** Every cell of `values` spread by the three weights of `spread`: two cells longer. */
function spreadBy(values: Float64Array, spread: readonly [number, number, number]): Float64Array {
  const result = new Float64Array(values.length + 2);
  values.forEach((value, index) => {
    spread.forEach((weight, step) => {
      result[index + step] = (result[index + step] ?? 0) + value * weight;
    });
  });
  return result;
}

/**
 * Sobel's kernels over a picture that a Gaussian of `sigma` has smoothed, as vectors: x is `smooth` as its column and `slope`
 * as its row, y the other way round. Not normalised: a step of 1 has a slope of up to 4.
 */
export function smoothedSobelVectors(sigma: number): { readonly smooth: Float64Array; readonly slope: Float64Array } {
  const gaussian = gaussianVector(sigma);
  return { smooth: spreadBy(gaussian, [1, 2, 1]), slope: spreadBy(gaussian, [-1, 0, 1]) };
}

/** Share (0…1) of a 2-D Gaussian's sum that a window of `size` × `size` cells cuts off before normalisation. */
export function gaussianLostShare(sigma: number, size: number): number {
  const far = 2 * Math.ceil(12 * sigma) + (size % 2 === 0 ? 2 : 1);
  if (size >= far) return 0;
  const kept = sumOf(gaussianSamples(sigma, size)) / sumOf(gaussianSamples(sigma, far));
  return 1 - kept * kept;
}

/** Row n−1 of Pascal's triangle: integers whose sum is 2^(n−1). Exact in float64 to n = 57. */
export function binomialVector(size: number): Float64Array {
  const values = new Float64Array(size);
  values[0] = 1;
  for (let index = 1; index < size; index++)
    values[index] = Math.round(((values[index - 1] ?? 0) * (size - index)) / index);
  return values;
}

/** Area of the part of the disk x² + y² ≤ r² that lies in 0…x by 0…y; x, y ≥ 0. */
function quarterDiskArea(radius: number, x: number, y: number): number {
  if (x * x + y * y <= radius * radius) return x * y;
  const right = Math.min(x, radius);
  const top = Math.min(y, radius);
  const antiderivative = (t: number) =>
    (t * Math.sqrt(Math.max(0, radius * radius - t * t)) + radius * radius * Math.asin(Math.min(1, t / radius))) / 2;
  const corner = Math.sqrt(Math.max(0, radius * radius - top * top));
  return top * corner + antiderivative(right) - antiderivative(corner);
}

/** Share of the unit cell centred at (x, y) that the disk covers; x, y ≥ 0 whole numbers. */
function diskCoverage(radius: number, x: number, y: number): number {
  const square = radius * radius;
  if ((x + 0.5) ** 2 + (y + 0.5) ** 2 <= square) return 1;
  if (Math.max(0, x - 0.5) ** 2 + Math.max(0, y - 0.5) ** 2 >= square) return 0;
  const area = (px: number, py: number) =>
    Math.sign(px) * Math.sign(py) * quarterDiskArea(radius, Math.abs(px), Math.abs(py));
  const covered = area(x + 0.5, y + 0.5) - area(x - 0.5, y + 0.5) - area(x + 0.5, y - 0.5) + area(x - 0.5, y - 0.5);
  return Math.min(1, Math.max(0, covered));
}

/**
 * A disk ("pillbox") of the given radius in pixels: each weight is the share of its cell that the disk covers, so the rim
 * is antialiased and the sum is π·r². The out-of-focus blur of a thin lens (Goodman, Introduction to Fourier Optics).
 */
export function diskGrid(radius: number): Grid {
  const reach = Math.max(0, Math.ceil(radius - 0.5));
  const size = 2 * reach + 1;
  const weights = new Float64Array(size * size);
  const put = (x: number, y: number, weight: number) => {
    weights[(reach + y) * size + reach + x] = weight;
  };
  // One octant; the others are its mirror images, equal to the last bit.
  for (let y = 0; y <= reach; y++)
    for (let x = y; x <= reach; x++) {
      const weight = diskCoverage(radius, x, y);
      for (const [a, b] of [
        [x, y],
        [y, x],
      ] as const) {
        put(a, b, weight);
        put(-a, b, weight);
        put(a, -b, weight);
        put(-a, -b, weight);
      }
    }
  return { width: size, height: size, weights };
}

/** Weights of a line below this are rounding of a distance that is exactly 1. */
const roundingDust = 1e-12;

/**
 * A straight line of `length` pixels through the centre, `angle` degrees counter-clockwise from the right: each weight is
 * 1 − its distance to the line, where that is positive, as MATLAB's fspecial('motion', length, angle) defines it.
 */
export function motionGrid(length: number, angle: number): Grid {
  const half = Math.max(0, (length - 1) / 2);
  const radians = (angle * Math.PI) / 180;
  // Quarter turns are exact so that a horizontal line is one row and not a smear of rounding dust.
  const exact = (value: number) => (Math.abs(value) < roundingDust ? 0 : value);
  const stepX = exact(Math.cos(radians));
  const stepY = exact(-Math.sin(radians));
  const weight = (x: number, y: number) => {
    const along = Math.max(-half, Math.min(half, x * stepX + y * stepY));
    const value = 1 - Math.hypot(x - along * stepX, y - along * stepY);
    return value > roundingDust ? value : 0;
  };
  const reachX = Math.max(0, Math.ceil(half * Math.abs(stepX) + 1 - 1e-9) - 1);
  const reachY = Math.max(0, Math.ceil(half * Math.abs(stepY) + 1 - 1e-9) - 1);
  const width = 2 * reachX + 1;
  const height = 2 * reachY + 1;
  const weights = Float64Array.from({ length: width * height }, (_, index) =>
    weight((index % width) - reachX, Math.floor(index / width) - reachY),
  );
  return { width, height, weights };
}

/**
 * The Laplacian of a Gaussian as two 1-D vectors: the 2-D kernel is smooth ⊗ curvature + curvature ⊗ smooth. `curvature`
 * is (x²/σ⁴ − 1/σ²) · smooth with its sum taken out, on a grid of 2⁻⁴⁰ of its size (about σ⁻³) so that it sums to 0
 * exactly and a flat picture gives exactly 0. Marr and Hildreth, Theory of Edge Detection, 1980.
 */
export function laplacianOfGaussianVectors(sigma: number): { smooth: Float64Array; curvature: Float64Array } {
  const radius = Math.max(1, Math.ceil(laplacianOfGaussianReach * sigma));
  const smooth = gaussianVector(sigma, 2 * radius + 1);
  const raw = smooth.map((value, index) => ((index - radius) ** 2 / sigma ** 4 - 1 / sigma ** 2) * value);
  const excess = sumOf(raw);
  const fine = 2 ** (40 + 3 * Math.max(0, Math.floor(Math.log2(sigma))));
  const curvature = raw.map((value, index) => Math.round((value - excess * (smooth[index] ?? 0)) * fine) / fine);
  curvature[radius] = 0;
  curvature[radius] = -sumOf(curvature);
  return { smooth, curvature };
}

/** Indices of the eight outer cells of a 3 × 3 grid, counter-clockwise from the right. */
const compassRing = [5, 2, 1, 0, 3, 6, 7, 8] as const;

/** A 3 × 3 mask whose outer cells are `ring`, counter-clockwise, turned so that ring[0] points at `direction` (0…7, 45° steps). */
export function compassGrid(ring: readonly number[], direction: number): Grid {
  const weights = new Float64Array(9);
  compassRing.forEach((_, index) => {
    weights[compassRing[(index + direction) % 8] ?? 0] = ring[index] ?? 0;
  });
  return { width: 3, height: 3, weights };
}

/** A 3 × 3 cross or square around a centre: 4 neighbours share edges with it, 8 also touch its corners. */
export function neighbourGrid(neighbours: 4 | 8, outer: number, centre: number): Grid {
  const corner = neighbours === 8 ? outer : 0;
  const weights = Float64Array.of(corner, outer, corner, outer, centre, outer, corner, outer, corner);
  return { width: 3, height: 3, weights };
}
