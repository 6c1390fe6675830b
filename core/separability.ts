// Which kernels are sums of few outer products: singular values, rank at a relative tolerance, the rank-r row and column
// vectors, and how far a rank-r kernel is from the true one. The decomposition itself is ml-matrix.

import { SingularValueDecomposition } from 'ml-matrix';
import type { RankPair } from './pass';

/** A grid of weights, row-major. */
export interface WeightGrid {
  readonly width: number;
  readonly height: number;
  readonly weights: ArrayLike<number>;
}

/** Singular values below this share of the largest count as zero. Relative, so that a kernel's scale does not matter. */
export const defaultRankTolerance = 1e-6;

/** K = Σ singularValues[k] · columns[k] ⊗ rows[k], largest first; vectors have length 1, or 0 beside a value of 0. */
export interface Decomposition {
  readonly grid: WeightGrid;
  readonly singularValues: readonly number[];
  /** `height` values each. */
  readonly columns: readonly Float64Array[];
  /** `width` values each. */
  readonly rows: readonly Float64Array[];
}

/** Distance between a kernel and its best rank-r approximation. */
export interface RankError {
  /** Largest absolute difference of one weight. */
  readonly maximum: number;
  /** Square root of the sum of squared differences. */
  readonly frobenius: number;
  /** Sum of absolute differences: a picture of 0…1 differs by at most this, before the divisor. */
  readonly sum: number;
  /** Share of Σσ² that is kept, 0…1; 1 for an all-zero kernel. */
  readonly energy: number;
}

function largestMagnitude(values: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < values.length; index++) largest = Math.max(largest, Math.abs(values[index] ?? 0));
  return largest;
}

/** Equal lines (rows or columns) of a matrix as one: the index of each line's representative, and how many each stands for. */
interface MergedLines {
  readonly lines: readonly (readonly number[])[];
  readonly counts: readonly number[];
  /** For each line of the matrix, its place in `lines`. */
  readonly places: readonly number[];
}

function mergeEqualLines(all: readonly (readonly number[])[]): MergedLines {
  const found = new Map<string, number>();
  const lines: (readonly number[])[] = [];
  const counts: number[] = [];
  const places = all.map((line) => {
    const key = line.join(' ');
    const place = found.get(key) ?? lines.length;
    if (place === lines.length) {
      found.set(key, place);
      lines.push(line);
    }
    counts[place] = (counts[place] ?? 0) + 1;
    return place;
  });
  return { lines, counts, places };
}

const transposed = (rows: readonly (readonly number[])[]) =>
  (rows[0] ?? []).map((_, x) => rows.map((row) => row[x] ?? 0));

/** A vector over merged lines as one over all lines, of the same length. */
function spread(vector: readonly number[], { counts, places }: MergedLines): Float64Array {
  return Float64Array.from(places, (place) => (vector[place] ?? 0) / Math.sqrt(counts[place] ?? 1));
}

/**
 * The singular value decomposition of a kernel with finite weights: min(width, height) terms, O(w·h·min(w, h)).
 *
 * Equal rows and equal columns are merged first: n equal rows act like one that is √n times as long, which changes no
 * singular value. A kernel that mirrors itself is so decomposed at half its size, eight times as fast. Terms that the
 * merged kernel does not have are zero, singular value and vectors.
 */
export function decompose(grid: WeightGrid): Decomposition {
  const { width, height, weights } = grid;
  const count = Math.min(width, height);
  const scale = largestMagnitude(weights) || 1;
  const lines = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (weights[y * width + x] ?? 0) / scale),
  );
  const rowLines = mergeEqualLines(lines);
  const columnLines = mergeEqualLines(transposed(rowLines.lines));
  const matrix = transposed(columnLines.lines).map((row, y) =>
    row.map((weight, x) => weight * Math.sqrt((rowLines.counts[y] ?? 1) * (columnLines.counts[x] ?? 1))),
  );
  const svd = new SingularValueDecomposition(matrix, { autoTranspose: true });
  const order = svd.diagonal
    .map((value, index) => ({ value, index }))
    .sort((a, b) => b.value - a.value)
    .slice(0, Math.min(matrix.length, matrix[0]?.length ?? 0));
  const found = order.map(({ value, index }) => {
    const column = spread(svd.leftSingularVectors.getColumn(index), rowLines);
    const row = spread(svd.rightSingularVectors.getColumn(index), columnLines);
    // Of (u, v) and (−u, −v) take the one whose column vector has its largest entry positive: the same on every run.
    const peak = column.reduce((best, entry) => (Math.abs(entry) > Math.abs(best) + 1e-9 ? entry : best), 0);
    const sign = peak < 0 ? -1 : 1;
    return { value: value * scale, column: column.map((entry) => entry * sign), row: row.map((entry) => entry * sign) };
  });
  const absent = { value: 0, column: new Float64Array(height), row: new Float64Array(width) };
  const terms = [...found, ...new Array<typeof absent>(count - found.length).fill(absent)];
  return {
    grid,
    singularValues: terms.map(({ value }) => value),
    columns: terms.map(({ column }) => column),
    rows: terms.map(({ row }) => row),
  };
}

/** How many singular values exceed `tolerance` times the largest; 0 for an all-zero kernel. */
export function rankOf(decomposition: Decomposition, tolerance = defaultRankTolerance): number {
  const largest = decomposition.singularValues[0] ?? 0;
  return decomposition.singularValues.filter((value) => value > tolerance * largest).length;
}

/** The first `rank` terms as column and row vectors, each carrying the square root of its singular value. */
export function rankPairs(decomposition: Decomposition, rank: number): readonly RankPair[] {
  return decomposition.singularValues.slice(0, rank).map((value, index) => {
    const factor = Math.sqrt(value);
    return {
      column: (decomposition.columns[index] ?? new Float64Array()).map((entry) => entry * factor),
      row: (decomposition.rows[index] ?? new Float64Array()).map((entry) => entry * factor),
    };
  });
}

/** The grid that a sum of outer products stands for, row-major. */
export function sumOfPairs(pairs: readonly RankPair[], width: number, height: number): Float64Array {
  const grid = new Float64Array(width * height);
  for (const { column, row } of pairs)
    for (let y = 0; y < height; y++) {
      const factor = column[y] ?? 0;
      if (factor === 0) continue;
      for (let x = 0; x < width; x++) grid[y * width + x] = (grid[y * width + x] ?? 0) + factor * (row[x] ?? 0);
    }
  return grid;
}

/** How far a sum of outer products is from the grid it stands for. */
export function pairsError(grid: WeightGrid, pairs: readonly RankPair[]): Omit<RankError, 'energy'> {
  const rebuilt = sumOfPairs(pairs, grid.width, grid.height);
  let maximum = 0;
  let squares = 0;
  let sum = 0;
  for (let index = 0; index < rebuilt.length; index++) {
    const difference = Math.abs((grid.weights[index] ?? 0) - (rebuilt[index] ?? 0));
    maximum = Math.max(maximum, difference);
    squares += difference * difference;
    sum += difference;
  }
  return { maximum, frobenius: Math.sqrt(squares), sum };
}

/** How far the best rank-r kernel is from the true one. */
export function rankError(decomposition: Decomposition, rank: number): RankError {
  const squares = decomposition.singularValues.map((value) => value * value);
  const total = squares.reduce((sum, value) => sum + value, 0);
  const kept = squares.slice(0, rank).reduce((sum, value) => sum + value, 0);
  const error = pairsError(decomposition.grid, rankPairs(decomposition, rank));
  return { ...error, energy: total === 0 ? 1 : kept / total };
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [Math.abs(a), Math.abs(b)];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}

/**
 * The column and row of a kernel that is one outer product to the last bit (box, binomial, Sobel), found without square
 * roots so that whole numbers stay whole numbers and sums of integer pictures stay exact. Null for all others.
 */
export function exactPair(grid: WeightGrid): RankPair | null {
  const { width, height, weights } = grid;
  const pivot = Array.from(weights).findIndex((weight) => weight !== 0);
  if (pivot < 0) return null;
  const pivotRow = Math.floor(pivot / width);
  const pivotColumn = pivot % width;
  let row = Float64Array.from({ length: width }, (_, x) => weights[pivotRow * width + x] ?? 0);
  if (row.every(Number.isSafeInteger)) {
    const common = row.reduce(greatestCommonDivisor, 0);
    row = row.map((value) => value / common);
  }
  const head = row[pivotColumn] ?? 1;
  const column = Float64Array.from({ length: height }, (_, y) => (weights[y * width + pivotColumn] ?? 0) / head);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if ((column[y] ?? 0) * (row[x] ?? 0) !== weights[y * width + x]) return null;
  return { column, row };
}

/**
 * A kernel as at most `maximumRank` outer products by cross approximation with full pivoting (Goreinov, Tyrtyshnikov and
 * Zamarashkin 1997), for kernels too large for the decomposition: O(w·h) for each term. Null where more terms are needed,
 * that is while Σ|difference| > `tolerance` · Σ|weights|.
 */
export function crossPairs(grid: WeightGrid, maximumRank: number, tolerance: number): readonly RankPair[] | null {
  const { width, height } = grid;
  const rest = Float64Array.from(grid.weights);
  const magnitude = (values: Float64Array) => values.reduce((sum, value) => sum + Math.abs(value), 0);
  const limit = tolerance * magnitude(rest);
  const pairs: RankPair[] = [];
  while (magnitude(rest) > limit) {
    if (pairs.length === maximumRank) return null;
    let pivot = 0;
    for (let index = 1; index < rest.length; index++)
      if (Math.abs(rest[index] ?? 0) > Math.abs(rest[pivot] ?? 0)) pivot = index;
    const pivotRow = Math.floor(pivot / width);
    const head = rest[pivot] ?? 1;
    const row = rest.slice(pivotRow * width, pivotRow * width + width);
    const column = Float64Array.from({ length: height }, (_, y) => (rest[y * width + (pivot % width)] ?? 0) / head);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        rest[y * width + x] = (rest[y * width + x] ?? 0) - (column[y] ?? 0) * (row[x] ?? 0);
    pairs.push({ column, row });
  }
  return pairs.length > 0 ? pairs : null;
}
