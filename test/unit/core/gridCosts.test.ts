// What a grid takes follows from what the engine multiplies: small whole numbers, zeros and divisors count as they do there.

import { describe, expect, it } from 'vitest';
import { type CostKind, type CostTable, costKinds, type PathCurves, predictMilliseconds } from '../../../core/costs';
import type { FilterParameters } from '../../../core/document';
import { denseOf, filterForm } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { densePath, sparsePath } from '../../../core/gridWeights';
import type { DenseWeights } from '../../../core/pass';
import { choosePath } from '../../../core/paths';
import type { PassPath } from '../../../core/planText';
import { modelledCosts } from './modelledCosts';

const grid = (side: number, weights: readonly number[], divisor = 1): DenseWeights => ({
  ...{ width: side, height: side, anchorX: (side - 1) / 2, anchorY: (side - 1) / 2, divisor },
  weights: Float64Array.from(weights),
});
const uneven = (side: number) => Array.from({ length: side * side }, (_, cell) => Math.sqrt(cell + 2));

function gridOf(parameters: FilterParameters): DenseWeights {
  const form = filterForm({ ...catalogueEntry(parameters.kind).create('grid', 'u8'), ...parameters });
  if (form.kind !== 'linear') throw new Error('a linear filter expected');
  return denseOf(form.weights);
}

/** The made-up computer, with whole numbers of bytes at half the time, and divisions of all but floats. */
function costs(): CostTable {
  const { curves, ...rest } = modelledCosts();
  const own = (kind: CostKind): PathCurves => ({
    ...curves[kind],
    whole: kind.startsWith('u8') ? curves[kind].dense.map(([size, time]) => [size, time / 2] as const) : null,
    division: kind.startsWith('f32') ? 0 : 7,
  });
  return { ...rest, curves: Object.fromEntries(costKinds.map((kind) => [kind, own(kind)])) as CostTable['curves'] };
}

const megapixel = { width: 1000, height: 1000, channels: 1 } as const;
const nanoseconds = (path: PassPath, sampleType: 'u8' | 'u16' | 'f32', table = costs()) =>
  predictMilliseconds(table, { ...megapixel, sampleType }, path);

describe('a grid as a path', () => {
  it('says which weights are small whole numbers, how many are 0, and whether sums are divided', () => {
    expect(densePath(gridOf({ kind: 'laplacian', neighbours: 4 }))).toEqual({
      ...{ kind: 'dense', width: 3, height: 3, zeros: 4, whole: true },
    });
    expect(densePath(grid(3, uneven(3)))).toEqual({ kind: 'dense', width: 3, height: 3 });
    expect(densePath(grid(3, [1, 2, 1, 2, 4, 2, 1, 2, 1], 16)).divided).toBeUndefined();
    expect(densePath(grid(3, Array(9).fill(1 / 9), 9))).toMatchObject({ whole: true, divided: true });
    // The largest is 127 times the smallest, or 128 times.
    expect(densePath(grid(1, [0.3])).whole).toBe(true);
    expect(densePath(grid(3, [127, 1, 1, 1, 1, 1, 1, 1, 1])).whole).toBe(true);
    expect(densePath(grid(3, [128, 1, 1, 1, 1, 1, 1, 1, 1])).whole).toBeUndefined();
    expect(sparsePath(grid(3, [1, 0, 0, 0, 1, 0, 0, 0, 1], 3))).toEqual({
      ...{ kind: 'sparse', width: 3, height: 3, taps: 3, divided: true },
    });
  });
});

describe('the time of a grid', () => {
  const dense = (side: number, rest = {}): PassPath => ({ kind: 'dense', width: side, height: side, ...rest });

  it('of small whole numbers is that of whole numbers, of bytes alone, with their zeros', () => {
    expect(nanoseconds(dense(3), 'u8')).toBeCloseTo(10, 9);
    expect(nanoseconds(dense(3, { whole: true }), 'u8')).toBeCloseTo(5, 9);
    expect(nanoseconds(dense(3, { whole: true, zeros: 4 }), 'u8')).toBeCloseTo(5, 9);
    expect(nanoseconds(dense(3, { zeros: 4 }), 'u8')).toBeCloseTo(10, 9);
    expect(nanoseconds(dense(3, { whole: true }), 'f32')).toBeCloseTo(10, 9);
  });

  it('leaves out zeros of floats and 16 bits where they are many in a small grid, but for loading their samples', () => {
    for (const type of ['f32', 'u16'] as const) {
      expect(nanoseconds(dense(3, { zeros: 4 }), type)).toBeCloseTo(1 + 5 + 4 / 4, 9);
      expect(nanoseconds(dense(7, { zeros: 36 }), type)).toBeCloseTo(1 + 13 + 36 / 4, 9);
      // Fewer than a quarter, or of a larger grid.
      expect(nanoseconds(dense(7, { zeros: 12 }), type)).toBeCloseTo(50, 9);
      expect(nanoseconds(dense(9, { zeros: 64 }), type)).toBeCloseTo(82, 9);
    }
  });

  it('has a division where sums are divided, and so has that of single taps', () => {
    expect(nanoseconds(dense(3, { divided: true }), 'u16')).toBeCloseTo(17, 9);
    expect(nanoseconds(dense(3, { divided: true }), 'f32')).toBeCloseTo(10, 9);
    const sparse = { kind: 'sparse', width: 9, height: 9, taps: 9 } as const;
    expect(nanoseconds({ ...sparse, divided: true }, 'u16')).toBeCloseTo(19 + 7, 9);
  });

  it('decides for it: a Laplacian of bytes is a grid, which by all weights would take longer than its taps', () => {
    const weights = { kind: 'dense', weights: gridOf({ kind: 'laplacian', neighbours: 4 }) } as const;
    const table = costs();
    // Sparse: 1 + 2 · 5; the grid 10, or 5 of whole numbers; halved taps would win over all weights alone.
    const quickTaps = Object.fromEntries(
      costKinds.map((kind) => [kind, { ...table.curves[kind], sparse: [[5, 7], [9, 20]] }]), // biome-ignore format: points
    ) as unknown as CostTable['curves'];
    const chosen = (curves: CostTable['curves']) =>
      choosePath(
        weights,
        { kind: 'auto' },
        { costs: { ...table, curves }, picture: { ...megapixel, sampleType: 'u8' } },
      ).path.kind;
    expect(chosen(quickTaps)).toBe('dense');
    const without = Object.fromEntries(
      costKinds.map((kind) => [kind, { ...quickTaps[kind], whole: null, dense: [[1, 9], [9, 10]] }]), // biome-ignore format: points
    ) as unknown as CostTable['curves'];
    expect(chosen(without)).toBe('sparse');
  });
});
