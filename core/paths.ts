// The choice of how one linear filter runs: as a dense grid or as a sum of row and column passes. Only paths that give the
// same result compete; an approximation is taken when it was asked for by its rank, never by itself.

import type { PathCosts } from './costs';
import { ConvolveError } from './errors';
import { denseOf, type LinearWeights } from './filterForm';
import type { DenseWeights, PassWork, RankPair } from './pass';
import type { PassPath, PassReason } from './planText';
import { crossPairs, type Decomposition, decompose, exactPair, pairsError, rankOf, rankPairs } from './separability';

/** Which path to run. rank: the best approximation of that rank, or the exact kernel where its rank is not larger. */
export type PathChoice =
  | { readonly kind: 'auto' | 'dense' | 'separable' | 'sparse' | 'fft' }
  | { readonly kind: 'rank'; readonly rank: number };

/** Reads `auto`, `dense`, `separable`, `rank:N`, `sparse` or `fft`. Throws ConvolveError `usage` for anything else. */
export function parsePathChoice(text: string): PathChoice {
  const rank = /^rank:(\d{1,3})$/.exec(text);
  if (rank && Number(rank[1]) >= 1) return { kind: 'rank', rank: Number(rank[1]) };
  if (text === 'auto' || text === 'dense' || text === 'separable' || text === 'sparse' || text === 'fft')
    return { kind: text };
  throw new ConvolveError({
    code: 'usage',
    subject: '--plan',
    expected: 'auto | dense | separable | rank:N | sparse | fft',
    actual: text,
  });
}

/** A path with the reason for it (core/planText says both). */
export interface ChosenPath {
  readonly work: PassWork;
  readonly path: PassPath;
  readonly reason: PassReason;
  readonly multiplyAddsPerPixel: number;
}

/** Above this width or height a kernel is not decomposed to choose a path; only low ranks are looked for. */
const decompositionLimit = 63;
/** A kernel as narrow as this is cheap to decompose whatever its length. */
const narrowLimit = 8;
/** Ranks that are looked for in kernels above the limit. */
const largeKernelRank = 4;

/** The pairs of a kernel by its decomposition, as few as are exact. */
function decomposedPairs(weights: DenseWeights, exactness: number): readonly RankPair[] | null {
  const decomposition = decompose(weights);
  const limit = exactness * weights.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  const full = decomposition.singularValues.length;
  for (let rank = Math.max(1, rankOf(decomposition, exactness)); rank <= full; rank++) {
    const pairs = rankPairs(decomposition, rank);
    if (pairsError(weights, pairs).sum <= limit) return pairs;
  }
  return null;
}

const remembered = new Map<string, readonly RankPair[] | null>();
const rememberedLimit = 32;

/** The pairs of the last kernels, by their weights, so that a slider that changes something else decomposes nothing. */
function rememberedPairs(weights: DenseWeights, exactness: number): readonly RankPair[] | null {
  const key = `${exactness} ${weights.width} ${weights.weights.join(' ')}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const pairs = decomposedPairs(weights, exactness);
  const oldest = remembered.keys().next().value;
  if (remembered.size >= rememberedLimit && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, pairs);
  return pairs;
}

/** A kernel as few row and column pairs, or null where that is not known or not worth finding out. */
function exactPairs(weights: DenseWeights, exactness: number): readonly RankPair[] | null {
  const single = exactPair(weights);
  if (single) return [single];
  const { width, height } = weights;
  if (Math.max(width, height) > decompositionLimit && Math.min(width, height) > narrowLimit)
    return crossPairs(weights, largeKernelRank, exactness);
  return rememberedPairs(weights, exactness);
}

const askedFor: PassReason = { kind: 'askedFor' };

function densePath(weights: DenseWeights, reason: PassReason): ChosenPath {
  const { width, height } = weights;
  return {
    work: { kind: 'dense', weights },
    path: { kind: 'dense', width, height, pairs: 1 },
    reason,
    multiplyAddsPerPixel: width * height,
  };
}

function separablePath(
  weights: Omit<DenseWeights, 'weights'>,
  pairs: readonly RankPair[],
  reason: PassReason,
): ChosenPath {
  const { width, height, anchorX, anchorY, divisor } = weights;
  return {
    work: { kind: 'separable', weights: { width, height, anchorX, anchorY, pairs, divisor } },
    path: { kind: 'separable', width, height, pairs: pairs.length },
    reason,
    multiplyAddsPerPixel: pairs.length * (width + height),
  };
}

function pairCost(size: { readonly width: number; readonly height: number }, rank: number, costs: PathCosts): number {
  return rank * ((size.width + size.height) * costs.separable + costs.pair);
}

function automatic(weights: LinearWeights, costs: PathCosts): ChosenPath {
  const size = weights.weights;
  const multiplyAdds = size.width * size.height;
  const denseCost = multiplyAdds * costs.dense;
  const known = weights.kind === 'separable' ? weights.weights.pairs : null;
  if (denseCost <= pairCost(size, known?.length ?? 1, costs))
    return densePath(denseOf(weights), { kind: 'denseIsCheap', dense: multiplyAdds });
  const pairs = known ?? exactPairs(denseOf(weights), costs.exactness);
  if (!pairs) return densePath(denseOf(weights), { kind: 'notSeparable' });
  const rank = pairs.length;
  const work = { rank, inPairs: rank * (size.width + size.height), dense: multiplyAdds };
  if (denseCost <= pairCost(size, rank, costs)) return densePath(denseOf(weights), { kind: 'pairsCostMore', ...work });
  return separablePath(size, pairs, { kind: 'pairsCostLess', ...work });
}

/** The pairs of the decomposition up to `rank`, at least one: an all-zero kernel is one pair of zeros. */
function approximate(weights: LinearWeights, rank: number, decomposition: Decomposition, exact: number): ChosenPath {
  const size = weights.weights;
  if (rank >= exact) {
    const pairs = weights.kind === 'separable' ? weights.weights.pairs : rankPairs(decomposition, Math.max(1, exact));
    return separablePath(size, pairs, { kind: 'rankReached', rank, exact });
  }
  const pairs = rankPairs(decomposition, rank);
  const { maximum } = pairsError(denseOf(weights), pairs);
  return separablePath(size, pairs, { kind: 'approximate', rank, exact, largestError: maximum });
}

/**
 * How a linear filter runs. Throws ConvolveError `unsupported` for a path that is not built, and for `separable` on a
 * kernel whose rank is not 1.
 */
export function choosePath(weights: LinearWeights, choice: PathChoice, costs: PathCosts): ChosenPath {
  switch (choice.kind) {
    case 'auto':
      return automatic(weights, costs);
    case 'dense':
      return densePath(denseOf(weights), askedFor);
    case 'separable': {
      const pairs = weights.kind === 'separable' ? weights.weights.pairs : null;
      if (pairs?.length === 1) return separablePath(weights.weights, pairs, askedFor);
      const grid = denseOf(weights);
      const exact = exactPair(grid);
      if (exact) return separablePath(grid, [exact], askedFor);
      const decomposition = decompose(grid);
      const rank = rankOf(decomposition);
      if (rank > 1)
        throw new ConvolveError({
          code: 'unsupported',
          subject: 'separable',
          expected: 'a kernel of rank 1',
          actual: `rank ${rank}`,
        });
      return separablePath(grid, rankPairs(decomposition, 1), askedFor);
    }
    case 'rank': {
      const decomposition = decompose(denseOf(weights));
      return approximate(weights, choice.rank, decomposition, rankOf(decomposition));
    }
    default:
      throw notBuilt(choice.kind);
  }
}

/** The refusal of a path by its name. */
export function notBuilt(path: 'sparse' | 'fft'): ConvolveError {
  return new ConvolveError({ code: 'unsupported', subject: path, actual: 'not built yet' });
}
