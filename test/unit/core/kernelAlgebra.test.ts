// Kernels as one kernel: against the same filters applied one after the other, with every border, and turned, split, mixed.

import { describe, expect, it } from 'vitest';
import type { Filter, FilterParameters, FilterSettings } from '../../../core/document';
import { filterForm } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { fullConvolution } from '../../../core/fullConvolution';
import { createKernel, isZeroSum, type Kernel, kernelSum, resolveDivisor } from '../../../core/kernel';
import {
  blendIdentity,
  mergeKernels,
  repeatKernel,
  rotateKernel,
  splitSeparable,
  subtractFromIdentity,
} from '../../../core/kernelAlgebra';
import { normalise } from '../../../core/kernelEdits';
import { gaussianVector } from '../../../core/kernelShapes';
import { hasSymmetry, symmetricCells, symmetries, symmetrise } from '../../../core/kernelSymmetry';
import { isMergeable, mergeFilters, repeatFilter } from '../../../core/mergeFilters';
import { borderKinds } from '../../../core/pass';
import { applyFilter, type GreyPicture, picture } from './directSum';
import { randomSource } from './randomNumbers';

const custom = (kernel: Kernel): FilterParameters => ({ kind: 'custom', name: '', kernel });
const sobel = createKernel(3, 3, [-1, 0, 1, -2, 0, 2, -1, 0, 1], { divisor: 1 });
const binomial = createKernel(3, 3, [1, 2, 1, 2, 4, 2, 1, 2, 1]);
const emboss = createKernel(3, 3, [-2, -1, 0, -1, 1, 1, 0, 1, 2]);
const scene = picture(19, 17, (x, y) => ((x * 7 + y * 13 + x * y) % 29) / 29);

function someKernel(seed: number, width: number, height: number): Kernel {
  const random = randomSource(seed);
  return createKernel(
    width,
    height,
    Array.from({ length: width * height }, () => random.whole(-4, 5)),
    {
      anchorX: random.whole(0, width - 1),
      anchorY: random.whole(0, height - 1),
      divisor: 3,
      bias: 0.25,
      orientation: random.pick(['correlation', 'convolution'] as const),
    },
  );
}

function largestDifference(a: GreyPicture, b: GreyPicture, keep: (x: number, y: number) => boolean): number {
  return a.values.reduce((most, value, index) => {
    const inside = keep(index % a.width, Math.floor(index / a.width));
    return inside ? Math.max(most, Math.abs(value - (b.values[index] ?? Number.NaN))) : most;
  }, 0);
}

describe('two kernels as one', () => {
  it('are whole numbers where both are, with anchors added and divisors multiplied', () => {
    expect(mergeKernels(createKernel(3, 1, [1, 2, 1]), createKernel(1, 3, [1, 2, 1]))).toEqual({
      ...binomial,
      divisor: 16,
    });
    const twice = mergeKernels(binomial, binomial);
    expect(twice).toMatchObject({ width: 5, height: 5, anchorX: 2, anchorY: 2, divisor: 256 });
    expect(twice.weights.slice(10, 15)).toEqual([6, 24, 36, 24, 6]);
  });

  it('do the same to a picture that wraps, for any sizes, anchors, orientations and biases', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const [a, b] = [someKernel(seed, 1 + (seed % 4), 3), someKernel(seed + 50, 3, 1 + (seed % 5))];
      const merged = applyFilter(scene, custom(mergeKernels(a, b)), 'wrap');
      const stepwise = applyFilter(applyFilter(scene, custom(a), 'wrap'), custom(b), 'wrap');
      expect(
        largestDifference(merged, stepwise, () => true),
        `${seed}`,
      ).toBeLessThan(1e-11);
      expect(mergeKernels(a, b).orientation).toBe(a.orientation);
    }
  });

  it('are refused beyond 511 a side', () => {
    const wide = createKernel(300, 1, new Array<number>(300).fill(1));
    expect(() => mergeKernels(wide, wide)).toThrow(/width.*1…511.*599/);
    expect(() => repeatKernel(binomial, 300)).toThrow(/width.*1…511.*601/);
  });

  it('of many cells go through a transform and keep whole numbers', () => {
    const random = randomSource(8);
    const grid = (width: number, height: number) => ({
      width,
      height,
      weights: Float64Array.from({ length: width * height }, () => random.whole(-3, 3)),
    });
    const [a, b] = [grid(120, 101), grid(103, 110)];
    const result = fullConvolution(a, b);
    expect(result).toMatchObject({ width: 222, height: 210 });
    for (const [x, y] of [
      [0, 0],
      [221, 209],
      [100, 90],
      [7, 203],
    ] as const) {
      let sum = 0;
      for (let j = 0; j < a.height; j++)
        for (let i = 0; i < a.width; i++)
          if (x - i >= 0 && x - i < b.width && y - j >= 0 && y - j < b.height)
            sum += (a.weights[j * a.width + i] ?? 0) * (b.weights[(y - j) * b.width + x - i] ?? 0);
      expect(result.weights[y * 222 + x]).toBe(sum);
    }
  });

  it('n times is n merges, and n of one cell is a power', () => {
    const five = [1, 2, 3, 4].reduce((kernel) => mergeKernels(kernel, emboss), emboss);
    const repeated = repeatKernel(emboss, 5);
    expect(repeated.weights).toEqual(five.weights);
    expect(repeated).toMatchObject({ anchorX: 5, width: 11, divisor: 1 });
    expect(repeatKernel(createKernel(1, 1, [0.5], { divisor: 1 }), 10).weights).toEqual([2 ** -10]);
    expect(repeatKernel(emboss, 1)).toBe(emboss);
    for (const times of [0, -1, 1.5]) expect(() => repeatKernel(emboss, times)).toThrow(/times/);
  });
});

const settings = (rest: Partial<FilterSettings> = {}): FilterSettings => ({
  ...catalogueEntry('custom').create('one', 'u8'),
  ...rest,
});
const filterOf = (kernel: Kernel, rest: Partial<FilterSettings> = {}): Filter => ({
  ...settings(rest),
  kind: 'custom',
  name: '',
  kernel,
});
const opaque = { alpha: false, sampleType: 'u8' } as const;

describe('two filters as one', () => {
  const horizontal = createKernel(5, 1, [1, 2, 5, 2, 1]);
  const lopsided = createKernel(3, 1, [1, 0, 4], { anchorX: 0 });
  const vertical = createKernel(1, 4, [1, 1, 3, 1]);
  const scaled = createKernel(1, 1, [3], { divisor: 4, bias: 0.125 });

  it('differ only where the border reason says, with every border and kind of kernel', () => {
    const kernels = [horizontal, lopsided, vertical, scaled, binomial, emboss, createKernel(2, 2, [1, 1, 1, 1])];
    let exact = 0;
    for (const kind of borderKinds) {
      const border = kind === 'constant' ? ({ kind, value: 0 } as const) : { kind };
      for (const a of kernels)
        for (const b of kernels) {
          const { filter, reasons } = mergeFilters(
            filterOf(a, { border, range: 'float' }),
            filterOf(b, { border }),
            opaque,
            'both',
          );
          const rim = reasons.find((reason) => reason.kind === 'border') ?? { left: 0, right: 0, top: 0, bottom: 0 };
          const merged = applyFilter(scene, filter, filter.border.kind);
          const stepwise = applyFilter(applyFilter(scene, custom(a), kind), custom(b), kind);
          const keep = (x: number, y: number) =>
            x >= rim.left && y >= rim.top && x < scene.width - rim.right && y < scene.height - rim.bottom;
          expect(largestDifference(merged, stepwise, keep), `${kind} ${a.weights} ${b.weights}`).toBeLessThan(1e-12);
          if (reasons.length === 0) exact += 1;
          else expect(largestDifference(merged, stepwise, () => true)).toBeGreaterThan(1e-6);
        }
    }
    expect(exact).toBeGreaterThan(100);
  });

  it('a column after a row is exact with every border but a constant one', () => {
    for (const kind of borderKinds) {
      const border = kind === 'constant' ? ({ kind, value: 0.5 } as const) : { kind };
      const { reasons } = mergeFilters(filterOf(horizontal, { border }), filterOf(vertical, { border }), opaque, '');
      expect(reasons, kind).toEqual([]);
    }
  });

  it('say what the range between them did', () => {
    const kinds = (first: Kernel, rest: Partial<FilterSettings>, sampleType: 'u8' | 'f32' = 'u8') =>
      mergeFilters(
        filterOf(first, { border: { kind: 'wrap' }, ...rest }),
        filterOf(binomial, { border: { kind: 'wrap' } }),
        { alpha: false, sampleType },
        '',
      ).reasons;
    expect(kinds(binomial, { range: 'clamp' })).toEqual([]);
    expect(kinds(binomial, { range: 'clamp' }, 'f32')).toEqual([{ kind: 'range', everywhere: false }]);
    expect(kinds(sobel, { range: 'clamp' })).toEqual([{ kind: 'range', everywhere: false }]);
    expect(kinds(sobel, { range: 'float' })).toEqual([]);
    expect(kinds(sobel, { range: 'signed' })).toEqual([{ kind: 'range', everywhere: true }]);
    expect(kinds({ ...binomial, bias: 0.5 }, { range: 'clamp' })).toEqual([{ kind: 'range', everywhere: false }]);
  });

  it('say what alpha, light and size make different', () => {
    const wrap = { border: { kind: 'wrap' }, range: 'float' } as const;
    const reasons = (a: Filter, b: Filter) =>
      mergeFilters(a, b, { alpha: true, sampleType: 'u8' }, '').reasons.map((reason) => reason.kind);
    const blur = filterOf(binomial, wrap);
    expect(reasons(blur, blur)).toEqual([]);
    expect(reasons(blur, filterOf(sobel, wrap))).toEqual(['alpha']);
    expect(reasons(filterOf(emboss, wrap), blur)).toEqual(['alpha']);
    expect(reasons(blur, { ...blur, alpha: 'straight' })).toEqual(['alpha']);
    expect(reasons({ ...filterOf(sobel, wrap), alpha: 'colourOnly' }, { ...blur, alpha: 'colourOnly' })).toEqual([]);
    expect(reasons(blur, { ...blur, light: 'linear' })).toEqual(['light']);
    expect(reasons(blur, { ...blur, size: 'valid' })).toEqual(['size']);
    const cropped = { ...blur, size: 'valid', border: { kind: 'replicate' } } as const;
    expect(reasons(cropped, cropped)).toEqual([]);
  });

  it('keep the first’s id and settings and the last’s range, and take any linear filter of the catalogue', () => {
    const gaussian = catalogueEntry('gaussian').create('g', 'u8');
    const { filter } = mergeFilters(
      gaussian,
      { ...catalogueEntry('emboss').create('e', 'u8'), range: 'signed' },
      opaque,
      'n',
    );
    expect(filter).toMatchObject({ id: 'g', kind: 'custom', name: 'n', range: 'signed', border: { kind: 'mirror' } });
    expect(filterForm(filter)).toMatchObject({ epilogue: { offset: 0.5 } });
    const edges = catalogueEntry('sobel').create('s', 'u8');
    expect(isMergeable(edges)).toBe(false);
    expect(() => mergeFilters(gaussian, edges, opaque, '')).toThrow(/unsupported: sobel/);
    const wide = { ...gaussian, sigma: 100 } as Filter;
    expect(isMergeable(wide)).toBe(false);
    expect(() => mergeFilters(wide, gaussian, opaque, '')).toThrow(/a larger kernel/);
  });

  it('repeated, differ no further from the edge than they say', () => {
    const replicate = { kind: 'replicate' } as const;
    const { filter, reasons } = repeatFilter(filterOf(binomial, { border: replicate }), 3, opaque, '');
    expect(reasons).toEqual([{ kind: 'border', left: 2, right: 2, top: 2, bottom: 2 }]);
    let stepwise: GreyPicture = scene;
    for (let time = 0; time < 3; time++) stepwise = applyFilter(stepwise, custom(binomial), 'replicate');
    const merged = applyFilter(scene, filter, 'replicate');
    const inside = (x: number, y: number) => x >= 2 && y >= 2 && x < 17 && y < 15;
    expect(largestDifference(merged, stepwise, inside)).toBeLessThan(1e-14);
    expect(largestDifference(merged, stepwise, () => true)).toBeGreaterThan(1e-6);
    expect(repeatFilter(filterOf(binomial), 3, opaque, '').reasons, 'mirror, symmetric').toEqual([]);
    expect(repeatFilter(filterOf(emboss), 1, opaque, '').reasons).toEqual([]);
  });
});

describe('a kernel and the picture', () => {
  it('subtracted from each other give back the picture', () => {
    const rest = subtractFromIdentity(binomial);
    expect(rest).toMatchObject({ divisor: 16, weights: [-1, -2, -1, -2, 12, -2, -1, -2, -1] });
    const blurred = applyFilter(scene, custom(binomial));
    const detail = applyFilter(scene, custom(rest));
    scene.values.forEach((value, index) => {
      expect((blurred.values[index] ?? 0) + (detail.values[index] ?? 0)).toBeCloseTo(value, 14);
    });
    expect(subtractFromIdentity(rest).weights).toEqual(binomial.weights);
    expect(subtractFromIdentity({ ...sobel, bias: 0.5 })).toMatchObject({ bias: -0.5, divisor: 1 });
  });

  it('are mixed by share', () => {
    expect(blendIdentity(binomial, 0)).toEqual({ ...binomial, divisor: 16 });
    expect(blendIdentity(binomial, 1)).toEqual({ ...binomial, divisor: 16, weights: [0, 0, 0, 0, 16, 0, 0, 0, 0] });
    const half = blendIdentity({ ...sobel, bias: 0.5 }, 0.5);
    expect(half).toMatchObject({ bias: 0.25, divisor: 1 });
    expect(half.weights).toEqual([-0.5, 0, 0.5, -1, 0.5, 1, -0.5, 0, 0.5]);
  });

  it('are normalised by sum, positive part, peak and to zero sum', () => {
    expect(resolveDivisor(normalise({ ...binomial, divisor: 3 }, 'sumOne')).divisor).toBe(16);
    expect(normalise(sobel, 'sumOne')).toBe(sobel);
    expect(normalise(sobel, 'positiveOne').divisor).toBe(4);
    const negative = createKernel(1, 1, [-1], { divisor: 1 });
    expect(normalise(negative, 'positiveOne')).toBe(negative);
    expect(Math.max(...normalise(sobel, 'peakOne').weights)).toBe(1);
    expect(isZeroSum(normalise(emboss, 'sumZero').weights)).toBe(true);
    const dust = createKernel(3, 3, [0, -0.04, 0, -0.04, 0.16, -0.04, 0, -0.04, 0]);
    expect(resolveDivisor(normalise(dust, 'sumOne'))).toEqual({ divisor: 1, note: 'zeroSum' });
  });
});

describe('the separable part', () => {
  it('and the rest add up to the kernel', () => {
    for (const kernel of [
      emboss,
      createKernel(
        5,
        4,
        Array.from({ length: 20 }, (_, i) => Math.sin(i * i)),
      ),
    ]) {
      const { separable, rest, energy } = splitSeparable(kernel);
      if (!rest) throw new Error('a rest expected');
      kernel.weights.forEach((weight, index) => {
        expect((separable.weights[index] ?? 0) + (rest.weights[index] ?? 0)).toBeCloseTo(weight, 14);
      });
      expect(energy).toBeGreaterThan(0.3);
      expect(energy).toBeLessThan(1);
      expect(rest).toMatchObject({ bias: 0, divisor: resolveDivisor(kernel).divisor });
    }
  });

  it('is the whole kernel where it has rank 1, in whole numbers', () => {
    const { pair, separable, rest, energy } = splitSeparable(sobel);
    expect([...pair.row]).toEqual([-1, 0, 1]);
    expect([...pair.column]).toEqual([1, 2, 1]);
    expect({ rest, energy }).toEqual({ rest: null, energy: 1 });
    expect(separable.weights.map((weight) => weight + 0)).toEqual(sobel.weights);
    expect(splitSeparable(createKernel(2, 2, [0, 0, 0, 0]))).toMatchObject({ rest: null, energy: 1 });
  });
});

describe('a turn', () => {
  it('by quarters is exact and takes the anchor along, counter-clockwise', () => {
    const kernel = createKernel(3, 2, [1, 2, 3, 4, 5, 6], { anchorX: 0, anchorY: 1 });
    expect(rotateKernel(kernel, 90)).toMatchObject({
      exact: true,
      kernel: { width: 2, height: 3, weights: [3, 6, 2, 5, 1, 4], anchorX: 1, anchorY: 2 },
    });
    expect(rotateKernel(kernel, 180).kernel.weights).toEqual([6, 5, 4, 3, 2, 1]);
    expect(rotateKernel(rotateKernel(kernel, 270).kernel, 90).kernel).toEqual(kernel);
    expect(rotateKernel(kernel, -90)).toEqual(rotateKernel(kernel, 270));
    expect(rotateKernel(kernel, 720).kernel).toBe(kernel);
  });

  it('by eighths moves the ring of 3 × 3, and eight of them come back', () => {
    const { kernel, exact } = rotateKernel(sobel, 45);
    expect(exact).toBe(true);
    expect(kernel.weights).toEqual([0, 1, 2, -1, 0, 1, -2, -1, 0]);
    let turned = emboss;
    for (let step = 0; step < 8; step++) turned = rotateKernel(turned, 45).kernel;
    expect(turned).toEqual(emboss);
    expect(rotateKernel(sobel, 135).kernel).toEqual(rotateKernel(rotateKernel(sobel, 90).kernel, 45).kernel);
  });

  it('by any other angle is said to be approximate, keeps both sums, and turns the right way', () => {
    const line = createKernel(9, 1, new Array<number>(9).fill(1));
    const { kernel, exact } = rotateKernel(line, 30);
    expect(exact).toBe(false);
    expect(kernelSum(kernel)).toBeCloseTo(9, 12);
    const { width, anchorX, anchorY, weights } = kernel;
    const cell = (x: number, y: number) => weights[(anchorY + y) * width + anchorX + x] ?? 0;
    expect(cell(3, -2), 'upper right').toBeGreaterThan(0.3);
    expect(cell(3, 2), 'lower right').toBe(0);
    expect(
      isZeroSum(
        rotateKernel(
          createKernel(
            5,
            5,
            someKernel(4, 5, 5).weights.map((w, i) => w - (i % 2)),
          ),
          17,
        ).kernel.weights,
      ),
    ).toBe(false);
    for (const degrees of [10, 33, 45, 200])
      expect(isZeroSum(rotateKernel(mergeKernels(sobel, binomial), degrees).kernel.weights), `${degrees}`).toBe(true);
  });

  it('of a round kernel changes it little, wherever the grid grows', () => {
    const vector = gaussianVector(2, 17);
    const round = createKernel(
      17,
      17,
      Array.from(vector).flatMap((a) => Array.from(vector, (b) => a * b)),
    );
    const { kernel } = rotateKernel(round, 45);
    expect(kernel.width).toBeGreaterThanOrEqual(23);
    for (let y = -4; y <= 4; y++)
      for (let x = -4; x <= 4; x++) {
        const before = round.weights[(8 + y) * 17 + 8 + x] ?? 0;
        const after = kernel.weights[(kernel.anchorY + y) * kernel.width + kernel.anchorX + x] ?? 0;
        expect(Math.abs(after - before)).toBeLessThan(0.1 * (vector[8] ?? 0) ** 2);
      }
  });

  it('is refused where it would not fit', () => {
    const wide = createKernel(511, 511, new Array<number>(511 * 511).fill(1));
    expect(() => rotateKernel(wide, 45)).toThrow(/width/);
    expect(() => rotateKernel(sobel, Number.NaN)).toThrow(/degrees/);
  });
});

describe('symmetry', () => {
  it('groups cells about the middle, also of even grids', () => {
    const grid = { width: 4, height: 3 };
    expect(symmetricCells(grid, 'leftRight', 0, 0)).toEqual([0, 3]);
    expect(symmetricCells(grid, 'upDown', 1, 2)).toEqual([1, 9]);
    expect(symmetricCells(grid, 'fourFold', 1, 0)).toEqual([1, 2, 9, 10]);
    expect(symmetricCells({ width: 5, height: 5 }, 'radial', 1, 0)).toEqual([1, 3, 5, 9, 15, 19, 21, 23]);
    expect(symmetricCells({ width: 5, height: 5 }, 'radial', 2, 2)).toEqual([12]);
  });

  it('is reached by means, which keep the sum, and is kept once it is there', () => {
    const kernel = someKernel(9, 5, 5);
    for (const symmetry of symmetries) {
      const projected = symmetrise(kernel, symmetry);
      expect(hasSymmetry(projected, symmetry)).toBe(true);
      expect(kernelSum(projected)).toBeCloseTo(kernelSum(kernel), 12);
      expect(symmetrise(projected, symmetry)).toEqual(projected);
    }
    expect(hasSymmetry(emboss, 'leftRight')).toBe(false);
    expect(symmetrise(createKernel(2, 1, [0, 1]), 'leftRight').weights).toEqual([0.5, 0.5]);
  });
});
