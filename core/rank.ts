// What running a filter at a rank below its own means: which grid is decomposed, how far the picture can be off, and whether
// a filter that is held to a rank is an approximation at all.

import type { Filter } from './document';
import { denseOf, filterForm, fitsGrid } from './filterForm';
import type { DenseWeights, Epilogue, RankPair } from './pass';
import { crossPairs, defaultRankTolerance, sumOfPairs } from './separability';

/** The one sum of a linear filter as the engine computes it, and what is done with it afterwards. */
export interface FilterSum {
  readonly grid: DenseWeights;
  readonly epilogue: Epilogue;
}

/**
 * The grid whose rows and columns a filter runs as; null for gradients, searches for edges, and kernels beyond 511 × 511.
 * Throws ConvolveError `invalidKernel` for a custom kernel that cannot run.
 */
export function filterSum(filter: Filter): FilterSum | null {
  const form = filterForm(filter);
  if (form.kind !== 'linear' || !fitsGrid(form.weights.weights)) return null;
  return { grid: denseOf(form.weights), epilogue: form.epilogue };
}

/** What K − K_r does to a picture of values in 0…1. */
export interface RankDifference {
  /** K − K_r, row-major. */
  readonly weights: Float64Array;
  /** Largest |K − K_r| of a weight, and the root of their mean square, both divided by the divisor. */
  readonly largest: number;
  readonly rootMeanSquare: number;
  /** The most that a pixel can be off, as a share of full scale, before it is cut to the range. */
  readonly bound: number;
}

export function rankDifference({ grid, epilogue }: FilterSum, pairs: readonly RankPair[]): RankDifference {
  const { width, height, weights, divisor } = grid;
  const rebuilt = sumOfPairs(pairs, width, height);
  let [largest, squares, positive, negative] = [0, 0, 0, 0];
  const difference = weights.map((weight, index) => {
    const off = weight - (rebuilt[index] ?? 0);
    largest = Math.max(largest, Math.abs(off));
    squares += off * off;
    if (off > 0) positive += off;
    else negative -= off;
    return off;
  });
  const scale = Math.abs(divisor);
  return {
    weights: difference,
    largest: largest / scale,
    rootMeanSquare: Math.sqrt(squares / difference.length) / scale,
    bound: (Math.abs(epilogue.result) * Math.max(positive, negative)) / scale,
  };
}

const known = new WeakMap<Filter, boolean>();

/** Whether a filter is held to a rank below its kernel's own, so that its result is not exact. */
export function isApproximate(filter: Filter): boolean {
  if (filter.rank === undefined) return false;
  const remembered = known.get(filter);
  if (remembered !== undefined) return remembered;
  let sum: FilterSum | null = null;
  try {
    sum = filterSum(filter);
  } catch {
    // It cannot run at all, which others say.
  }
  const answer =
    sum !== null && crossPairs(sum.grid, filter.rank, defaultRankTolerance) === null && hasWeights(sum.grid);
  known.set(filter, answer);
  return answer;
}

const hasWeights = ({ weights }: DenseWeights) => weights.some((weight) => weight !== 0);
