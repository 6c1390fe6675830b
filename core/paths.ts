// The choice of how one linear filter runs: as a grid, as its weights that are not 0, as rows and columns, as running sums
// or by the Fourier transform. Only paths that give the same result compete, by their predicted time; an approximation is
// taken when it was asked for by its rank, never by itself.

import { type CostTable, exactness, lineInstructions, type PictureKind, predictMilliseconds } from './costs';
import { assertNever, ConvolveError } from './errors';
import { denseOf, fitsGrid, type LinearWeights, pairsOf } from './filterForm';
import { densePath, isLookedAt, sparsePath } from './gridWeights';
import { maximumKernelSize } from './kernel';
import { separablePath } from './pairWeights';
import {
  type BoxWeights,
  type DenseWeights,
  type Epilogue,
  type PassWork,
  type RankPair,
  type VariantName,
  variantNames,
} from './pass';
import type { PassPath, PassReason } from './planText';
import { crossPairs, type Decomposition, decompose, exactPair, pairsError, rankOf, rankPairs } from './separability';

/** Which path to run. rank: the best approximation of that rank, or the exact kernel where its rank is not larger. */
export type PathChoice =
  | { readonly kind: 'auto' | 'dense' | 'separable' | 'box' | 'sparse' | 'fft' }
  | { readonly kind: 'rank'; readonly rank: number }
  /** Of the paths with the kernel's result the one of this kind, whatever they cost; auto where there is none. */
  | { readonly kind: 'again'; readonly path: PassPath['kind'] }
  /** A teaching variant of the cuda backend, by name. */
  | { readonly kind: 'variant'; readonly name: VariantName };

const pathWords = ['auto', 'dense', 'separable', 'box', 'sparse', 'fft'] as const;
/** What `--plan` takes. */
export const pathChoices = 'auto | dense | separable | rank:N | box | sparse | fft | variant:NAME';

/** Reads a word of `pathChoices`. Throws ConvolveError `usage` for anything else. */
export function parsePathChoice(text: string): PathChoice {
  const rank = /^rank:(\d{1,3})$/.exec(text);
  if (rank && Number(rank[1]) >= 1) return { kind: 'rank', rank: Number(rank[1]) };
  const word = pathWords.find((known) => known === text);
  if (word) return { kind: word };
  const [kind, name] = text.split(':', 2);
  if (kind === 'variant') {
    const variant = variantNames.find((known) => text === `variant:${known}`);
    if (variant) return { kind, name: variant };
    const names = variantNames.join(' | ');
    throw new ConvolveError({ code: 'usage', subject: '--plan variant:', expected: names, actual: name ?? '' });
  }
  throw new ConvolveError({ code: 'usage', subject: '--plan', expected: pathChoices, actual: text });
}

/** A path with the reason for it (core/planText says both). */
export interface ChosenPath {
  readonly work: PassWork;
  readonly path: PassPath;
  readonly reason: PassReason;
  /** Sums of products a pixel and channel; of running sums the additions. */
  readonly multiplyAddsPerPixel: number;
  /** Predicted, over the whole picture; null for a path that the backend computes as another. */
  readonly milliseconds: number | null;
}

/** What a choice depends on beside the kernel: the costs of the backend, and the picture. */
export interface PathContext {
  readonly costs: CostTable;
  readonly picture: PictureKind;
  /** What is done to the kernel's sums; nothing where it is not said. */
  readonly epilogue?: Epilogue;
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

/** A way to run a kernel. `work` is made only for the one that is taken: a grid may be large. */
interface Candidate {
  readonly path: PassPath;
  readonly milliseconds: number | null;
  readonly work: () => PassWork;
}

function candidate(path: PassPath, work: () => PassWork, { costs, picture }: PathContext): Candidate {
  return { path, milliseconds: predictMilliseconds(costs, picture, path), work };
}

/** Points of the transform for each point of its result, at the tile sizes that pay: about four times the kernel. */
const transformOverhead = 16 / 9;

/** Of transforms of each row and column: of one tap none. */
function lineMultiplyAdds(width: number, height: number): number {
  const along = (taps: number) => (taps === 1 ? 0 : (4 / 3) * (2.5 * Math.log2(4 * taps) + 3));
  return Math.round(along(width) + along(height));
}

/**
 * Multiply-adds of a path for a pixel and channel. A transform of n points takes about 2.5 n log₂ n; there and back, for
 * tiles of about four times the kernel's side, two channels in one complex transform.
 */
export function multiplyAdds(path: PassPath): number {
  const { width, height } = path;
  switch (path.kind) {
    case 'dense':
      return width * height;
    case 'sparse':
      return path.taps;
    case 'separable':
      return path.lines ? path.pairs * lineMultiplyAdds(width, height) : path.pairs * (width + height);
    case 'box':
      return 4;
    case 'fft': {
      const side = 4 * Math.max(8, width, height);
      return Math.round(transformOverhead * (2.5 * Math.log2(side * side) + 3));
    }
    case 'magnitude':
      return 2 * width * height;
    case 'diffusion':
      // Differences, their squares, the flows and their sum, without the function that stops them.
      return 4 * 4;
    default:
      return assertNever(path);
  }
}

function taken({ path, milliseconds, work }: Candidate, reason: PassReason): ChosenPath {
  return { work: work(), path, reason, multiplyAddsPerPixel: multiplyAdds(path), milliseconds };
}

function gridCandidate(kind: 'dense' | 'fft', weights: LinearWeights, context: PathContext): Candidate {
  const { width, height } = weights.weights;
  const looksAt = kind === 'dense' && isLookedAt({ width, height });
  const path: PassPath = looksAt ? densePath(denseOf(weights)) : { kind, width, height };
  return candidate(path, () => ({ kind, weights: denseOf(weights) }), context);
}

function sparseCandidate(weights: LinearWeights, context: PathContext): Candidate {
  const grid = denseOf(weights);
  return candidate(sparsePath(grid), () => ({ kind: 'sparse', weights: grid }), context);
}

function pairsCandidate(
  { width, height, anchorX, anchorY, divisor }: Omit<DenseWeights, 'weights'>,
  pairs: readonly RankPair[],
  context: PathContext,
): Candidate {
  const separable = { width, height, anchorX, anchorY, pairs, divisor };
  const { costs, picture, epilogue } = context;
  const path = separablePath(separable, epilogue);
  // The engine sums whole numbers over a small divisor whatever their length, and what a stack leaves no memory for.
  const transformed = costs.backend === 'cpu' && lineInstructions(path, picture) !== null;
  return candidate(
    transformed ? { ...path, lines: true } : path,
    () => ({ kind: 'separable', weights: separable }),
    context,
  );
}

/** Equal weights as weights of 1, with the divisor that this takes; null where they differ or are 0. */
export function equalWeights(weights: LinearWeights): BoxWeights | null {
  switch (weights.kind) {
    case 'box':
      return weights.weights;
    case 'separable':
      return null;
    case 'dense': {
      const { width, height, anchorX, anchorY, divisor, weights: grid } = weights.weights;
      const first = grid[0] ?? 0;
      if (first === 0 || grid.some((weight) => weight !== first)) return null;
      return { width, height, anchorX, anchorY, divisor: divisor / first };
    }
    default:
      return assertNever(weights);
  }
}

function boxCandidate(weights: LinearWeights, context: PathContext): Candidate | null {
  const box = equalWeights(weights);
  if (!box) return null;
  const { width, height } = box;
  return candidate({ kind: 'box', width, height }, () => ({ kind: 'box', weights: box }), context);
}

/** The row and column of a kernel that is known to be a sum of few; null for a grid. */
function knownPairs(weights: LinearWeights): readonly RankPair[] | null {
  return weights.kind === 'dense' ? null : pairsOf(weights);
}

/** A path whose time is known, so that it can compete. */
export type TimedPath = Candidate & { readonly milliseconds: number };
const isTimed = (found: Candidate | null): found is TimedPath => found !== null && found.milliseconds !== null;

/**
 * Predictions are no better than this share. Between a dense grid and another path that are closer, the grid is taken: it is
 * the one that special weights (whole numbers, zeros) make faster than its curve. Between a transform and what would be taken
 * without it, the latter: a transform prepares a kernel's spectrum, and computes whole tiles for a view that needs parts of them.
 */
const doubt = 0.08;
const standing = ({ path, milliseconds }: TimedPath) => milliseconds * (path.kind === 'dense' ? 1 - doubt : 1);

/** The one to take first, and the others. */
function inOrder(found: readonly TimedPath[]): readonly TimedPath[] {
  // Sorting keeps the order of equal ones.
  const order = found.toSorted((a, b) => standing(a) - standing(b));
  const transform = order.find(({ path }) => path.kind === 'fft');
  const direct = order.find(({ path }) => path.kind !== 'fft');
  const isWorthIt = transform && direct && transform.milliseconds < direct.milliseconds * (1 - doubt);
  const first = isWorthIt ? transform : (direct ?? transform);
  return first === undefined ? [] : [first, ...order.filter((one) => one !== first)];
}

/** Pairs are looked for where a single one would be faster than what is there, or always. */
function pairsWorthFinding(
  weights: LinearWeights,
  best: number,
  { costs, picture }: PathContext,
): readonly RankPair[] | null {
  const { width, height } = weights.weights;
  const single = predictMilliseconds(costs, picture, { kind: 'separable', width, height, pairs: 1 });
  return single !== null && single < best ? exactPairs(denseOf(weights), exactness[costs.backend]) : null;
}

/**
 * The paths of this backend that give a kernel's result, the one to take first. Rows and
 * columns of a grid are among them where they might be the fastest, or, if `thorough`, wherever they are known.
 */
export function pathsOf(weights: LinearWeights, context: PathContext, thorough = false): readonly TimedPath[] {
  const grid = fitsGrid(weights.weights);
  const known = knownPairs(weights);
  const found = [
    grid ? gridCandidate('dense', weights, context) : null,
    known && pairsCandidate(weights.weights, known, context),
    boxCandidate(weights, context),
    weights.kind === 'dense' ? sparseCandidate(weights, context) : null,
    grid ? gridCandidate('fft', weights, context) : null,
  ].filter(isTimed);
  if (!known) {
    const best = thorough ? Number.POSITIVE_INFINITY : Math.min(...found.map(({ milliseconds }) => milliseconds));
    const pairs = pairsWorthFinding(weights, best, context);
    const inPairs = pairs && pairsCandidate(weights.weights, pairs, context);
    if (isTimed(inPairs)) found.push(inPairs);
  }
  return inOrder(found);
}

function automatic(weights: LinearWeights, context: PathContext): ChosenPath {
  const [best, next] = pathsOf(weights, context);
  if (!best) throw new ConvolveError({ code: 'internal', subject: 'plan', actual: 'no path for a kernel' });
  if (!next) return taken(best, { kind: 'onlyPath' });
  const kind = next.milliseconds < best.milliseconds ? 'asFast' : 'fastest';
  return taken(best, { kind, next: { path: next.path, milliseconds: next.milliseconds } });
}

function refused(subject: string, expected: string, actual: string): ConvolveError {
  return new ConvolveError({ code: 'unsupported', subject, expected, actual });
}

/** Refuses a kernel that is known as rows and columns only. */
function requireGrid(path: string, { width, height }: { readonly width: number; readonly height: number }): void {
  if (fitsGrid({ width, height })) return;
  throw refused(path, `at most ${maximumKernelSize} × ${maximumKernelSize} weights`, `${width} × ${height} weights`);
}

/** Refuses a path that what is not one sum cannot take. `actual`: what it is instead. */
export function requireNoOtherPath(choice: PathChoice, actual: string): void {
  if (choice.kind === 'sparse' || choice.kind === 'fft' || choice.kind === 'box' || choice.kind === 'variant')
    throw refused(choice.kind, 'one kernel', actual);
}

const askedFor: PassReason = { kind: 'askedFor' };

function asPairs(
  size: Omit<DenseWeights, 'weights'>,
  pairs: readonly RankPair[],
  context: PathContext,
  reason: PassReason = askedFor,
): ChosenPath {
  return taken(pairsCandidate(size, pairs, context), reason);
}

function asOnePair(weights: LinearWeights, context: PathContext): ChosenPath {
  const known = knownPairs(weights);
  if (known?.length === 1) return asPairs(weights.weights, known, context);
  if (known) throw refused('separable', 'a kernel of rank 1', `rank ${known.length}`);
  const grid = denseOf(weights);
  const exact = exactPair(grid);
  if (exact) return asPairs(grid, [exact], context);
  const decomposition = decompose(grid);
  const rank = rankOf(decomposition);
  if (rank > 1) throw refused('separable', 'a kernel of rank 1', `rank ${rank}`);
  return asPairs(grid, rankPairs(decomposition, 1), context);
}

/** The decompositions of the last kernels that were held to a rank: those of large ones take long. */
let decompositions: readonly Decomposition[] = [];
const rememberedDecompositions = 4;

function rememberedDecomposition(grid: DenseWeights): Decomposition {
  const same = ({ grid: known }: Decomposition) =>
    known.width === grid.width &&
    known.height === grid.height &&
    grid.weights.every((weight, index) => weight === known.weights[index]);
  const found = decompositions.find(same) ?? decompose(grid);
  decompositions = [found, ...decompositions.filter((other) => other !== found)].slice(0, rememberedDecompositions);
  return found;
}

/** The pairs of the decomposition up to `rank`, at least one: an all-zero kernel is one pair of zeros. */
function asRank(weights: LinearWeights, rank: number, context: PathContext): ChosenPath {
  const known = knownPairs(weights);
  if (known && rank >= known.length)
    return asPairs(weights.weights, known, context, { kind: 'rankReached', rank, exact: known.length });
  requireGrid(`rank:${rank}`, weights.weights);
  const grid = denseOf(weights);
  const decomposition = rememberedDecomposition(grid);
  const exact = rankOf(decomposition);
  if (rank >= exact) {
    const pairs = rankPairs(decomposition, Math.max(1, exact));
    return asPairs(grid, pairs, context, { kind: 'rankReached', rank, exact });
  }
  const pairs = rankPairs(decomposition, rank);
  const { maximum } = pairsError(grid, pairs);
  return asPairs(grid, pairs, context, {
    kind: 'approximate',
    rank,
    exact,
    largestError: maximum / Math.abs(grid.divisor),
  });
}

/**
 * How a linear filter runs. Throws ConvolveError `unsupported` (subject: the path) for `separable` on a kernel whose rank
 * is not 1, for `box` on weights that differ, and for paths that need a grid on a kernel too large for one.
 */
export function choosePath(weights: LinearWeights, choice: PathChoice, context: PathContext): ChosenPath {
  switch (choice.kind) {
    case 'auto':
      return automatic(weights, context);
    case 'again': {
      const found = pathsOf(weights, context, true).find(({ path }) => path.kind === choice.path);
      return found ? taken(found, askedFor) : automatic(weights, context);
    }
    case 'dense':
    case 'fft':
      requireGrid(choice.kind, weights.weights);
      return taken(gridCandidate(choice.kind, weights, context), askedFor);
    case 'sparse':
      requireGrid('sparse', weights.weights);
      return taken(sparseCandidate(weights, context), askedFor);
    case 'box': {
      const box = boxCandidate(weights, context);
      if (!box) throw refused('box', 'equal weights other than 0', 'weights that differ or are 0');
      return taken(box, askedFor);
    }
    case 'separable':
      return asOnePair(weights, context);
    case 'rank':
      return asRank(weights, choice.rank, context);
    case 'variant': {
      requireGrid('variant', weights.weights);
      const dense = taken(gridCandidate('dense', weights, context), { kind: 'variant', name: choice.name });
      const work = { kind: 'dense', weights: denseOf(weights), variant: choice.name } as const;
      return { ...dense, work, milliseconds: null };
    }
    default:
      return assertNever(choice);
  }
}
