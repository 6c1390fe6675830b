// What the Separability tab says of a kernel at a rank: numbers and the rows of its table of paths. Pure.

import { type CostTable, type PictureKind, predictMilliseconds } from '../../core/costs';
import type { Stack } from '../../core/document';
import type { NamedPath } from '../../core/filterSchema';
import { densePath, sparsePath } from '../../core/gridWeights';
import type { RankPair } from '../../core/pass';
import { equalWeights, multiplyAdds } from '../../core/paths';
import { costPicture } from '../../core/plan';
import type { PassPath } from '../../core/planText';
import { type FilterSum, type RankDifference, rankDifference } from '../../core/rank';
import { type Decomposition, rankOf, rankPairs } from '../../core/separability';

/** The least and the largest tolerance that can be chosen, relative to σ₁. */
export const toleranceRange = { minimum: 1e-14, maximum: 0.5 } as const;

/** The rank that a slider shows for a rank that is stored or not: never above the exact one, at least 1. */
export function shownRank(exact: number, looked: number | null, stored: number | undefined): number {
  return Math.max(1, Math.min(exact, looked ?? stored ?? exact));
}

export interface RankFacts extends RankDifference {
  readonly rank: number;
  readonly pairs: readonly RankPair[];
  /** Share of Σσ², 0…1. */
  readonly energy: number;
}

/** A kernel, its decomposition, and the rank that is looked at. */
export interface RankQuestion {
  readonly sum: FilterSum;
  readonly decomposition: Decomposition;
  readonly rank: number;
}

export function rankFacts({ sum, decomposition, rank }: RankQuestion): RankFacts {
  const pairs = rankPairs(decomposition, rank);
  const squares = decomposition.singularValues.map((value) => value * value);
  const add = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const all = add(squares);
  return {
    ...rankDifference(sum, pairs),
    rank,
    pairs,
    energy: all === 0 ? 1 : add(squares.slice(0, rank)) / all,
  };
}

/** The rank at a tolerance relative to the largest singular value; 0 for a kernel of zeros. */
export const rankAt = (decomposition: Decomposition, tolerance: number): number => rankOf(decomposition, tolerance);

/** One way to run the kernel. `exact`: with the kernel's own result. */
export interface PathRow {
  readonly kind: 'dense' | 'sparse' | 'box' | 'exactRank' | 'rank' | 'fft';
  readonly choice: NamedPath;
  readonly path: PassPath;
  readonly multiplyAdds: number;
  /** Null where the engine computes it as another. */
  readonly predicted: number | null;
  readonly exact: boolean;
}

/** The picture at whose costs a filter runs within the stack: results between filters are floats. */
export function pictureInStack<P extends PictureKind>(image: P, stack: Stack, filterId: string, costs: CostTable): P {
  const enabled = stack.filter((filter) => filter.enabled);
  const index = enabled.findIndex(({ id }) => id === filterId);
  return index < 0 ? image : costPicture(image, { index, count: enabled.length, isFiltered: index > 0 }, costs);
}

/** Every path of a kernel: whole, by its weights that are not 0, as running sums where they are equal, in pairs, by FFT. */
export function pathRows(
  sum: FilterSum,
  exactRank: number,
  rank: number,
  costs: CostTable,
  picture: PictureKind,
): readonly PathRow[] {
  const { grid } = sum;
  const { width, height } = grid;
  const row = (kind: PathRow['kind'], choice: NamedPath, path: PassPath, exact = true): PathRow => ({
    kind,
    choice,
    path,
    multiplyAdds: multiplyAdds(path),
    predicted: predictMilliseconds(costs, picture, path),
    exact,
  });
  const pairs = (count: number): PassPath => ({ kind: 'separable', width, height, pairs: Math.max(1, count) });
  const rows = [row('dense', { kind: 'dense' }, densePath(grid))];
  if (grid.weights.includes(0)) rows.push(row('sparse', { kind: 'sparse' }, sparsePath(grid)));
  if (equalWeights({ kind: 'dense', weights: grid }))
    rows.push(row('box', { kind: 'box' }, { kind: 'box', width, height }));
  const full = Math.max(1, exactRank);
  rows.push(row('exactRank', { kind: 'rank', rank: full }, pairs(full)));
  if (rank < exactRank) rows.push(row('rank', { kind: 'rank', rank }, pairs(rank), false));
  rows.push(row('fft', { kind: 'fft' }, { kind: 'fft', width, height }));
  return rows;
}

/** Whether a row is how the plan runs the filter. */
export function isPlanned(row: PathRow, planned: PassPath): boolean {
  if (row.path.kind !== planned.kind) return false;
  return row.path.kind !== 'separable' || planned.kind !== 'separable' || row.path.pairs === planned.pairs;
}

/** The factor, 1, 2 or 5 times a power of ten, by which a difference of at most `bound` of full scale fills the greys. */
export function amplification(bound: number): number {
  if (!(bound > 0)) return 1;
  const wanted = 0.5 / bound;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const step = [5, 2, 1].find((factor) => factor * decade <= wanted * (1 + 1e-9)) ?? 1;
  return Math.min(1e9, Math.max(1, step * decade));
}
