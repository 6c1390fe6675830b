// Rank, factors and errors of kernels, against values of an independent program and on cases made to mislead.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseNpy } from '../../../core/npy';
import {
  crossPairs,
  decompose,
  exactPair,
  pairsError,
  rankError,
  rankOf,
  rankPairs,
  sumOfPairs,
  type WeightGrid,
} from '../../../core/separability';
import { randomSource } from './randomNumbers';

interface GoldenKernel {
  readonly kernel: string;
  readonly shape: readonly [number, number];
  readonly singularValues: readonly number[];
  readonly rank: number;
  readonly rankBorderline: boolean;
  readonly approx: readonly { rank: number; frobenius: number; maxAbs: number | null; ambiguous: boolean }[];
}

const golden = path.join(import.meta.dirname, '../../golden');
const cases = (
  JSON.parse(readFileSync(path.join(golden, 'separability.json'), 'utf8')) as { kernels: readonly GoldenKernel[] }
).kernels;

function goldenGrid({ kernel, shape: [height, width] }: GoldenKernel): WeightGrid {
  return { width, height, weights: parseNpy(readFileSync(path.join(golden, kernel)), kernel).values };
}

describe('independently computed decompositions', () => {
  it('are all there', () => {
    expect(cases.length).toBe(33);
  });

  it.each(cases)('$kernel has the same singular values, rank and errors', (expected) => {
    const decomposition = decompose(goldenGrid(expected));
    const largest = expected.singularValues[0] ?? 0;
    expect(decomposition.singularValues).toHaveLength(expected.singularValues.length);
    expected.singularValues.forEach((value, index) => {
      expect(Math.abs((decomposition.singularValues[index] ?? 0) - value)).toBeLessThanOrEqual(1e-9 * largest);
    });
    if (!expected.rankBorderline) expect(rankOf(decomposition)).toBe(expected.rank);
    for (const { rank, frobenius, maxAbs, ambiguous } of expected.approx) {
      const error = rankError(decomposition, rank);
      expect(Math.abs(error.frobenius - frobenius), `rank ${rank}`).toBeLessThanOrEqual(1e-9 * largest + 1e-15);
      if (!ambiguous && maxAbs !== null)
        expect(Math.abs(error.maximum - maxAbs), `rank ${rank}`).toBeLessThanOrEqual(1e-8 * largest + 1e-15);
    }
  });
});

const outer = (column: readonly number[], row: readonly number[]): WeightGrid => ({
  width: row.length,
  height: column.length,
  weights: column.flatMap((c) => row.map((r) => c * r)),
});
const sobel = outer([1, 2, 1], [-1, 0, 1]);
const kernel273 = [1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1];

describe('rank', () => {
  it('does not depend on the scale of a kernel', () => {
    for (const scale of [1e-9, 1, 1e9, 1e-200, 1e200])
      expect(rankOf(decompose({ ...sobel, weights: Array.from(sobel.weights, (w) => w * scale) })), `× ${scale}`).toBe(
        1,
      );
  });

  it('of the 273 kernel is 3 at one millionth and 1 at 2 %', () => {
    const decomposition = decompose({ width: 5, height: 5, weights: kernel273 });
    expect(rankOf(decomposition)).toBe(3);
    expect(rankOf(decomposition, 0.02)).toBe(1);
  });

  it('of an all-zero kernel is 0, with nothing lost', () => {
    const decomposition = decompose({ width: 3, height: 2, weights: new Float64Array(6) });
    expect(rankOf(decomposition)).toBe(0);
    expect(rankError(decomposition, 1)).toEqual({ maximum: 0, frobenius: 0, sum: 0, energy: 1 });
  });

  it('of a rank-1 kernel with one cell moved by a thousandth is 2', () => {
    const weights = Array.from(outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]).weights);
    weights[7] = (weights[7] ?? 0) + 1e-3 * 36;
    expect(rankOf(decompose({ width: 5, height: 5, weights }))).toBe(2);
  });

  it('works for one row, one column and one cell', () => {
    expect(rankOf(decompose({ width: 7, height: 1, weights: [1, 2, 3, 0, 1, 5, 9] }))).toBe(1);
    expect(rankOf(decompose({ width: 1, height: 7, weights: [1, 2, 3, 0, 1, 5, 9] }))).toBe(1);
    expect(rankOf(decompose({ width: 1, height: 1, weights: [-3] }))).toBe(1);
  });
});

describe('factors', () => {
  it('rebuild random kernels of every shape and rank, and share the scale between column and row', () => {
    const random = randomSource(7);
    for (let round = 0; round < 60; round++) {
      const width = random.whole(1, 19);
      const height = random.whole(1, 19);
      const rank = random.whole(1, Math.min(width, height));
      const vector = (length: number) => Float64Array.from({ length }, () => random.next() * 2 - 1);
      const pairs = Array.from({ length: rank }, () => ({ column: vector(height), row: vector(width) }));
      const grid = { width, height, weights: sumOfPairs(pairs, width, height) };
      const decomposition = decompose(grid);
      const found = rankPairs(decomposition, rank);
      expect(pairsError(grid, found).maximum).toBeLessThan(1e-12);
      for (const { column, row } of found) {
        const length = (values: Float64Array) => Math.hypot(...values);
        expect(length(column)).toBeCloseTo(length(row), 9);
      }
    }
  });

  it('are the same on every run', () => {
    const grid = { width: 5, height: 5, weights: kernel273 };
    expect(rankPairs(decompose(grid), 3)).toEqual(rankPairs(decompose(grid), 3));
  });

  it('say how much energy is kept', () => {
    const decomposition = decompose({ width: 2, height: 2, weights: [3, 0, 0, 4] });
    expect(decomposition.singularValues).toEqual([4, 3]);
    expect(rankError(decomposition, 1).energy).toBeCloseTo(16 / 25, 12);
    expect(rankError(decomposition, 1).frobenius).toBeCloseTo(3, 12);
  });
});

describe('exact factors', () => {
  it('keep whole numbers whole', () => {
    const pair = exactPair(outer([3, 6, 3], [-2, 0, 2]));
    expect(pair && [...pair.row]).toEqual([-1, 0, 1]);
    expect(pair && [...pair.column]).toEqual([6, 12, 6]);
  });

  it('work whatever the first row is', () => {
    const grid = { width: 3, height: 3, weights: [0, 0, 0, 6, 9, 3, 4, 6, 2] };
    const pair = exactPair(grid);
    expect(pair && [...sumOfPairs([pair], 3, 3)]).toEqual(grid.weights);
    expect(pair?.row.every(Number.isInteger) && pair.column.every(Number.isInteger)).toBe(true);
  });

  it('are refused where the product is off in the last bit', () => {
    expect(exactPair({ width: 2, height: 2, weights: [1, 1, 1, 1 + Number.EPSILON] })).toBeNull();
    expect(exactPair({ width: 2, height: 2, weights: [0, 0, 0, 0] })).toBeNull();
  });
});

describe('factors of very large kernels', () => {
  it('find low ranks without a decomposition', () => {
    const size = 301;
    const wave = (f: number) => Float64Array.from({ length: size }, (_, i) => Math.cos(i * f) + 0.1);
    const pairs = [0.01, 0.3, 0.07].map((f) => ({ column: wave(f), row: wave(f * 1.7) }));
    const grid = { width: size, height: size, weights: sumOfPairs(pairs, size, size) };
    const found = crossPairs(grid, 4, 2 ** -24);
    expect(found).toHaveLength(3);
    expect(pairsError(grid, found ?? []).maximum).toBeLessThan(1e-10);
  });

  it('give up where the rank is high', () => {
    const random = randomSource(3);
    const weights = Float64Array.from({ length: 100 * 100 }, () => random.next());
    expect(crossPairs({ width: 100, height: 100, weights }, 4, 2 ** -24)).toBeNull();
  });
});
