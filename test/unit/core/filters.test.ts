// The catalogue: every preset keeps or removes brightness as it says, has the shape of its source, and starts usable.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Filter, FilterParameters } from '../../../core/document';
import { denseOf, filterForm, isOneGrid, kernelsOf, longPairs, thumbnailKernel } from '../../../core/filterForm';
import { filterSchema, stackSchema } from '../../../core/filterSchema';
import { catalogue, catalogueEntry, filterGroups, type ParameterValue, parameterValue } from '../../../core/filters';
import { kernelSum, maximumKernelLength, maximumKernelSize, resolveDivisor, sumOf } from '../../../core/kernel';
import {
  binomialVector,
  diskGrid,
  gaussianLostShare,
  gaussianRadius,
  gaussianVector,
  laplacianOfGaussianVectors,
  largestCurvatureSigma,
  largestSigma,
  motionGrid,
} from '../../../core/kernelShapes';
import { decompose, rankOf } from '../../../core/separability';
import { applyFilter, at, correlate, picture } from './directSum';

const filterOf = (parameters: FilterParameters): Filter => ({
  ...catalogueEntry(parameters.kind).create('f1', 'u8'),
  ...parameters,
});

/** Each kind at the ends and the middle of its parameters' ranges, with sizes that a test can afford. */
const variants: readonly FilterParameters[] = [
  ...[0.1, 0.3, 0.5, 1, 3, 7.3].flatMap((sigma): FilterParameters[] => [
    { kind: 'gaussian', sigma },
    { kind: 'unsharp', sigma, amount: 1.7 },
    { kind: 'localContrast', sigma, amount: 0.4 },
    { kind: 'highPass', sigma },
    { kind: 'differenceOfGaussians', sigma, ratio: 1.6 },
  ]),
  ...[0.3, 0.7, 1.4, 5].map((sigma): FilterParameters => ({ kind: 'laplacianOfGaussian', sigma })),
  ...[1, 2, 3, 4, 9, 31].flatMap((width): FilterParameters[] => [
    { kind: 'box', width },
    { kind: 'binomial', width },
  ]),
  ...[0.5, 1, 3.5, 10.3].map((radius): FilterParameters => ({ kind: 'lens', radius })),
  ...[0, 30, 45, 90, 137].map((angle): FilterParameters => ({ kind: 'motion', length: 12.5, angle })),
  ...([4, 8] as const).flatMap((neighbours): FilterParameters[] => [
    { kind: 'sharpen', neighbours, amount: 1 },
    { kind: 'sharpen', neighbours, amount: 10 },
    { kind: 'laplacian', neighbours },
  ]),
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((direction): FilterParameters[] => [
    { kind: 'kirsch', direction },
    { kind: 'emboss', direction },
  ]),
  { kind: 'sobel' },
  { kind: 'scharr' },
  { kind: 'prewitt' },
  { kind: 'roberts' },
];

describe('the catalogue', () => {
  it('has each kind once, in the order of the groups, with a source', () => {
    const kinds = catalogue.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    const groups = catalogue.map(({ group }) => filterGroups.indexOf(group));
    expect(groups).toEqual([...groups].sort((a, b) => a - b));
    for (const { source } of catalogue) expect(source.length).toBeGreaterThan(20);
  });

  it('starts every filter with values that its own parameters and the document accept', () => {
    for (const { kind, parameters, create } of catalogue) {
      const filter = create('f1', 'u8');
      expect(filterSchema.parse(filter), kind).toEqual(filter);
      for (const spec of parameters) expect(parameterValue(filter, spec.key), `${kind} ${spec.key}`).toBe(spec.default);
    }
    expect(stackSchema.parse(catalogue.map(({ create }, index) => create(`f${index}`, 'u16')))).toHaveLength(
      catalogue.length,
    );
  });

  it('offers no value that the document refuses, and refuses the values beyond', () => {
    for (const { kind, parameters, create } of catalogue)
      for (const spec of parameters) {
        const ends: readonly ParameterValue[] = spec.kind === 'choice' ? spec.options : [spec.minimum, spec.maximum];
        const beyond: readonly ParameterValue[] = spec.kind === 'choice' ? [3] : [spec.minimum - 0.5, spec.maximum + 1];
        const parse = (value: ParameterValue) =>
          filterSchema.safeParse({ ...create('f1', 'u8'), [spec.key]: value }).success;
        for (const value of ends) expect(parse(value), `${kind} ${spec.key} ${value}`).toBe(true);
        if (spec.key === 'direction') continue;
        for (const value of beyond) expect(parse(value), `${kind} ${spec.key} ${value}`).toBe(false);
      }
  });

  it('clamps integer pictures and keeps float ones, and starts at a border without streaks', () => {
    const sobel = catalogueEntry('sobel');
    expect(sobel.create('a', 'u8').range).toBe('clamp');
    expect(sobel.create('a', 'u16').range).toBe('clamp');
    expect(sobel.create('a', 'f32').range).toBe('float');
    expect(sobel.create('a', 'u8')).toMatchObject({ border: { kind: 'mirror' }, alpha: 'weighted', light: 'encoded' });
  });
});

describe('brightness', () => {
  it.each(variants)('is what the catalogue says for $kind %#', (parameters) => {
    const { flat } = catalogueEntry(parameters.kind);
    const expected = flat === 'kept' ? 0.4 : flat === 'half' ? 0.5 : 0;
    const result = applyFilter(
      picture(3, 3, () => 0.4),
      parameters,
    );
    for (const value of result.values) expect(Math.abs(value - expected)).toBeLessThan(1e-12);
  });

  it('sums to 1 or to 0 over the divisor to 1e-12', () => {
    for (const parameters of variants) {
      const { flat } = catalogueEntry(parameters.kind);
      for (const kernel of kernelsOf(parameters)) {
        const gain = kernelSum(kernel) / resolveDivisor(kernel).divisor;
        expect(Math.abs(gain - (flat === 'kept' ? 1 : 0)), JSON.stringify(parameters)).toBeLessThan(1e-12);
        expect(kernel.bias).toBe(flat === 'half' ? 0.5 : 0);
      }
    }
  });

  it('keeps flat 255 at 255 for every σ of 0.3…50, rounded to float32 as the engine does', () => {
    for (let sigma = 0.3; sigma <= 50; sigma *= 1.07) {
      const vector = Float32Array.from(gaussianVector(sigma));
      const row = vector.reduce((sum, weight) => Math.fround(sum + Math.fround(weight * 255)), 0);
      const value = vector.reduce((sum, weight) => Math.fround(sum + Math.fround(weight * row)), 0);
      expect(Math.round(value), `σ ${sigma}`).toBe(255);
      expect(Math.abs(value - 255)).toBeLessThan(0.01);
    }
  });
});

describe('Gaussian', () => {
  it('matches independently computed kernels', () => {
    const file = path.join(import.meta.dirname, '../../golden/kernelgen.json');
    const golden = JSON.parse(readFileSync(file, 'utf8')) as {
      kernels: { kind: string; size: number; sigma: number; values: number[] }[];
    };
    const cases = golden.kernels.filter(({ kind }) => kind === 'gaussian');
    expect(cases.length).toBeGreaterThanOrEqual(10);
    for (const { size, sigma, values } of cases) {
      const vector = gaussianVector(sigma, size);
      expect(vector.length).toBe(size);
      values.forEach((value, index) => {
        expect(Math.abs((vector[index] ?? 0) - value), `${size} ${sigma}`).toBeLessThan(1e-12);
      });
    }
  });

  it('loses less than 1e-4 of the light at the size it chooses, for every σ', () => {
    for (let sigma = 0.1; sigma <= largestSigma; sigma += Math.max(0.17, sigma / 50)) {
      const size = 2 * gaussianRadius(sigma) + 1;
      expect(size).toBeLessThanOrEqual(maximumKernelLength);
      expect(gaussianLostShare(sigma, size), `σ ${sigma}`).toBeLessThan(1e-4);
    }
  });

  it('knows the share that a forced size cuts off', () => {
    expect(gaussianLostShare(5, 11)).toBeCloseTo(0.468, 3);
    expect(gaussianLostShare(1, 101)).toBe(0);
  });

  it('spreads a step by σ within 1 %', () => {
    for (const sigma of [1, 2, 5, 20]) {
      const vector = gaussianVector(sigma);
      const centre = (vector.length - 1) / 2;
      const variance = vector.reduce((sum, weight, index) => sum + weight * (index - centre) ** 2, 0);
      expect(Math.abs(Math.sqrt(variance) / sigma - 1)).toBeLessThan(0.01);
    }
  });
});

describe('shapes', () => {
  it('binomials are exact integers over 16, 256 and 4096', () => {
    expect([...binomialVector(3)]).toEqual([1, 2, 1]);
    expect([...binomialVector(7)]).toEqual([1, 6, 15, 20, 15, 6, 1]);
    for (const [width, divisor] of [
      [3, 16],
      [5, 256],
      [7, 4096],
    ] as const)
      expect(kernelsOf({ kind: 'binomial', width })[0]?.divisor).toBe(divisor);
    expect(sumOf(binomialVector(31))).toBe(2 ** 30);
  });

  it('the box holds whole numbers', () => {
    const [kernel] = kernelsOf({ kind: 'box', width: 3 });
    expect(kernel?.weights).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(kernel?.divisor).toBe(9);
  });

  it('the disk covers π r² cells, fully inside and by part at the rim, the same in all eight octants', () => {
    for (const radius of [0.5, 1, 3.5, 6, 40.25]) {
      const { width, weights } = diskGrid(radius);
      expect(sumOf(weights)).toBeCloseTo(Math.PI * radius * radius, 8);
      expect(weights.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
      const flipped = weights.toReversed();
      expect(weights).toEqual(flipped);
      const transposed = weights.map((_, index) => weights[(index % width) * width + Math.floor(index / width)] ?? 0);
      expect(weights).toEqual(transposed);
    }
    expect(diskGrid(3.5).weights[24]).toBe(1);
    expect(kernelsOf({ kind: 'lens', radius: 0.5 })[0]).toMatchObject({ width: 1, height: 1 });
  });

  it('a disk cell holds the area that fine sampling finds', () => {
    const { width, weights } = diskGrid(2.3);
    const steps = 400;
    let inside = 0;
    for (let j = 0; j < steps; j++)
      for (let i = 0; i < steps; i++)
        if (Math.hypot(1.5 + (i + 0.5) / steps, 0.5 + (j + 0.5) / steps) <= 2.3) inside += 1;
    expect(weights[3 * width + 4]).toBeCloseTo(inside / steps ** 2, 4);
  });

  it('a level line is one row of equal weights, as fspecial motion of 9 and 0°', () => {
    expect(motionGrid(9, 0)).toEqual({ width: 9, height: 1, weights: new Float64Array(9).fill(1) });
    expect(motionGrid(9, 90)).toMatchObject({ width: 1, height: 9 });
    expect(motionGrid(1, 33)).toEqual({ width: 1, height: 1, weights: Float64Array.of(1) });
  });

  it('an angle turns the line counter-clockwise: 45° rises to the right', () => {
    const { width, height, weights } = motionGrid(9, 45);
    expect(weights[width - 1] ?? 0).toBeGreaterThan(weights[0] ?? 0);
    expect(weights[(height - 1) * width] ?? 0).toBeGreaterThan(0);
    expect(weights).toEqual(weights.toReversed());
  });

  it('the longest line and the largest disk fit the largest kernel', () => {
    for (const angle of [0, 1, 10, 45, 90]) {
      const { width, height } = motionGrid(511, angle);
      expect(Math.max(width, height)).toBeLessThanOrEqual(511);
    }
    expect(diskGrid(250).width).toBe(501);
  });

  it('the Laplacian of Gaussian sums to exactly 0 in both vectors’ products and has rank 2', () => {
    for (const sigma of [0.3, 1.4, 12.7, 50, 51, 190, 399.9, largestCurvatureSigma]) {
      const form = filterForm({ kind: 'laplacianOfGaussian', sigma });
      if (form.kind !== 'linear' || form.weights.kind !== 'separable') throw new Error('separable expected');
      const { pairs, width } = form.weights.weights;
      expect(width).toBeLessThanOrEqual(maximumKernelLength);
      expect(pairs).toHaveLength(2);
      expect(pairs[0]?.row.reduce((sum, weight) => sum + weight, 0)).toBe(0);
    }
    const kernel = denseOf({ kind: 'separable', weights: separableOf({ kind: 'laplacianOfGaussian', sigma: 1.4 }) });
    expect(rankOf(decompose(kernel))).toBe(2);
  });

  it('the Laplacian of Gaussian finds the curvature of a parabola: 4 for x² + y²', () => {
    const parabola = picture(61, 61, (x, y) => (x - 30) ** 2 + (y - 30) ** 2);
    const result = applyFilter(parabola, { kind: 'laplacianOfGaussian', sigma: 2 }, 'zero');
    expect(at(result, 30, 30)).toBeCloseTo(4, 2);
  });

  it('the Laplacian of Gaussian of a wide kernel is as exact as of a narrow one', () => {
    // Half of the second moment of the curvature is 1, whatever σ is, but for what the cut rim holds.
    for (const sigma of [2, 40, largestCurvatureSigma]) {
      const { smooth, curvature } = laplacianOfGaussianVectors(sigma);
      const radius = (smooth.length - 1) / 2;
      const moment = curvature.reduce((sum, weight, index) => sum + (weight * (index - radius) ** 2) / 2, 0);
      expect(moment, `σ ${sigma}`).toBeCloseTo(1, 3);
    }
  });

  function separableOf(parameters: FilterParameters) {
    const form = filterForm(parameters);
    if (form.kind !== 'linear' || form.weights.kind !== 'separable') throw new Error('separable expected');
    return form.weights.weights;
  }
});

describe('sharpening and edges', () => {
  it('sharpen adds to a bright point and takes from its neighbours', () => {
    expect(kernelsOf({ kind: 'sharpen', neighbours: 4, amount: 1 })[0]?.weights).toEqual([
      0, -1, 0, -1, 5, -1, 0, -1, 0,
    ]);
    expect(kernelsOf({ kind: 'sharpen', neighbours: 8, amount: 1 })[0]?.weights[4]).toBe(9);
  });

  it('unsharp mask and high-pass as one kernel do the same as with their epilogue', () => {
    const source = picture(21, 17, (x, y) => ((x * 7 + y * 13) % 29) / 29);
    for (const parameters of [
      { kind: 'unsharp', sigma: 1.3, amount: 2.5 },
      { kind: 'localContrast', sigma: 4, amount: 0.3 },
      { kind: 'highPass', sigma: 2 },
    ] as const) {
      const direct = applyFilter(source, parameters);
      const [kernel] = kernelsOf(parameters);
      if (!kernel) throw new Error('a kernel expected');
      const asKernel = applyFilter(source, { kind: 'custom', name: '', kernel });
      direct.values.forEach((value, index) => {
        expect(asKernel.values[index]).toBeCloseTo(value, 12);
      });
    }
  });

  it('Sobel gives 1020 on both sides of a step of 255 and keeps the sign until the length is taken', () => {
    const step = picture(8, 5, (x) => (x < 4 ? 0 : 255));
    const form = filterForm({ kind: 'sobel' });
    if (form.kind !== 'magnitude') throw new Error('a magnitude expected');
    const row = (values: Float64Array) => [...values.subarray(16, 24)];
    expect(row(correlate(step, form.x).values)).toEqual([0, 0, 0, 1020, 1020, 0, 0, 0]);
    const falling = picture(8, 5, (x) => (x < 4 ? 255 : 0));
    expect(row(correlate(falling, form.x).values)).toEqual([0, 0, 0, -1020, -1020, 0, 0, 0]);
    expect(row(applyFilter(falling, { kind: 'sobel' }).values)).toEqual([0, 0, 0, 1020, 1020, 0, 0, 0]);
  });

  it('both Sobel kernels answer to brighter right and brighter below', () => {
    const form = filterForm({ kind: 'sobel' });
    if (form.kind !== 'magnitude') throw new Error('a magnitude expected');
    expect(
      at(
        correlate(
          picture(5, 5, (x) => x),
          form.x,
        ),
        2,
        2,
      ),
    ).toBe(8);
    expect(
      at(
        correlate(
          picture(5, 5, (_, y) => y),
          form.y,
        ),
        2,
        2,
      ),
    ).toBe(8);
  });

  it('the direction by Roberts is that of his two diagonal differences', () => {
    const weights = (filter: FilterParameters) => kernelsOf(filter).map((kernel) => kernel.weights);
    const [falling = [], rising = []] = weights({ kind: 'roberts' });
    const slopes = weights({ kind: 'gradientDirection', operator: 'roberts' });
    // The one falls to the right and downwards, the other to the left and downwards.
    expect(slopes).toEqual([
      falling.map((weight, index) => (rising[index] ?? 0) - weight),
      falling.map((weight, index) => 0 - weight - (rising[index] ?? 0)),
    ]);
    const [across, down] = kernelsOf({ kind: 'gradientDirection', operator: 'roberts' });
    const [own] = kernelsOf({ kind: 'roberts' });
    for (const kernel of [across, down])
      expect([kernel?.anchorX, kernel?.anchorY]).toEqual([own?.anchorX, own?.anchorY]);
  });

  it('the eight Kirsch masks are turns of one, 5 5 5 towards their direction', () => {
    expect(kernelsOf({ kind: 'kirsch', direction: 0 })[0]?.weights).toEqual([-3, -3, 5, -3, 0, 5, -3, -3, 5]);
    expect(kernelsOf({ kind: 'kirsch', direction: 2 })[0]?.weights).toEqual([5, 5, 5, -3, 0, -3, -3, -3, -3]);
    expect(kernelsOf({ kind: 'kirsch', direction: 3 })[0]?.weights).toEqual([5, 5, -3, 5, 0, -3, -3, -3, -3]);
  });

  it('emboss lights the side that faces the light', () => {
    const raised = picture(9, 9, (x, y) => (x >= 3 && x <= 5 && y >= 3 && y <= 5 ? 0.6 : 0.5));
    const result = applyFilter(raised, { kind: 'emboss', direction: 3 });
    expect(at(result, 2, 2), 'upper left of the block').toBeGreaterThan(0.55);
    expect(at(result, 6, 6), 'lower right of the block').toBeLessThan(0.45);
    expect(at(result, 0, 8), 'flat ground').toBe(0.5);
  });
});

describe('Canny', () => {
  const edgesOf = (parameters: Partial<Extract<FilterParameters, { kind: 'canny' }>> = {}) => {
    const form = filterForm({ kind: 'canny', sigma: 1.4, low: 4, high: 10, ...parameters });
    if (form.kind !== 'edges') throw new Error('edges expected');
    return form;
  };

  it('is Sobel’s gradient of the picture that a Gaussian has smoothed', () => {
    const source = picture(31, 27, (x, y) => ((x * 7 + y * 13) % 29) / 29);
    const smooth = applyFilter(source, { kind: 'gaussian', sigma: 1.4 });
    const sobel = filterForm({ kind: 'sobel' });
    if (sobel.kind !== 'magnitude') throw new Error('a magnitude expected');
    const { x, y } = edgesOf();
    for (const [one, two] of [
      [x, sobel.x],
      [y, sobel.y],
    ] as const) {
      const direct = correlate(source, denseOf({ kind: 'separable', weights: one }));
      correlate(smooth, two).values.forEach((value, index) => {
        expect(direct.values[index]).toBeCloseTo(value, 12);
      });
    }
  });

  it('is Sobel’s own at the smallest σ, and reads at most 511 × 511 at the largest', () => {
    expect(edgesOf({ sigma: 0.1 }).x.pairs).toEqual([
      { column: Float64Array.of(1, 2, 1), row: Float64Array.of(-1, 0, 1) },
    ]);
    expect(edgesOf({ sigma: 50 }).x.width).toBeLessThanOrEqual(511);
  });

  it('takes thresholds as percent of a step’s slope, in either order', () => {
    const { x, low, high } = edgesOf({ sigma: 0.1, low: 25, high: 100 });
    const step = picture(8, 5, (column) => (column < 4 ? 0 : 1));
    expect(Math.max(...correlate(step, denseOf({ kind: 'separable', weights: x })).values)).toBe(high);
    expect(low).toBe(high / 4);
    expect(edgesOf({ sigma: 0.1, low: 100, high: 25 })).toEqual(edgesOf({ sigma: 0.1, low: 25, high: 100 }));
  });
});

describe('thumbnails', () => {
  it('are signed, at most 15 × 15, with a peak of 1', () => {
    for (const { kind } of catalogue) {
      const { width, height, weights } = thumbnailKernel(kind);
      expect(Math.max(width, height), kind).toBeLessThanOrEqual(15);
      expect(weights.length).toBe(width * height);
      expect(Math.max(...weights.map(Math.abs)), kind).toBe(1);
    }
    expect(thumbnailKernel('sobel').weights.some((weight) => weight < 0)).toBe(true);
  });
});

describe('filters from outside', () => {
  const gaussian = filterOf({ kind: 'gaussian', sigma: 3 });

  it('are refused with the path of the field', () => {
    const paths = (value: unknown) => filterSchema.safeParse(value).error?.issues.map((issue) => issue.path.join('.'));
    expect(paths({ ...gaussian, sigma: Number.NaN })).toEqual(['sigma']);
    expect(paths({ ...gaussian, border: { kind: 'constant' } })).toEqual(['border.value']);
    expect(paths({ ...gaussian, kind: 'median' })).toEqual(['kind']);
    const custom = catalogueEntry('custom').create('f1', 'u8');
    expect(paths({ ...custom, kernel: { ...(custom as { kernel: object }).kernel, divisor: 0 } })).toEqual([
      'kernel.divisor',
    ]);
  });

  it('keep what belongs to their kind and lose the rest', () => {
    expect(filterSchema.parse({ ...gaussian, surprise: 1 })).toEqual(gaussian);
  });
});

describe('kernels larger than a grid', () => {
  const largest = catalogue.map((entry): FilterParameters => {
    const start = entry.create('f1', 'u8');
    const ends = entry.parameters.flatMap((spec) =>
      spec.kind === 'choice' ? [] : [[spec.key, spec.maximum] as const],
    );
    return { ...start, ...Object.fromEntries(ends) };
  });

  it('every kind at its largest has a kernel that the engine takes', () => {
    for (const parameters of largest) {
      const form = filterForm(parameters);
      if (form.kind === 'diffusion') throw new Error('nothing stops the diffusion of the catalogue');
      const { width, height } = form.kind === 'linear' ? form.weights.weights : form.x;
      const limit = form.kind === 'linear' && form.weights.kind !== 'dense' ? maximumKernelLength : maximumKernelSize;
      expect(Math.max(width, height), parameters.kind).toBeLessThanOrEqual(limit);
    }
  });

  it('are known as rows and columns, and never written out', () => {
    const long = largest.filter((parameters) => longPairs(parameters) !== null);
    expect(long.map(({ kind }) => kind)).toEqual([
      'gaussian',
      'box',
      'unsharp',
      'localContrast',
      'highPass',
      'laplacianOfGaussian',
      'differenceOfGaussians',
    ]);
    for (const parameters of long) {
      expect(kernelsOf(parameters)).toEqual([]);
      expect(isOneGrid(parameters)).toBe(false);
      const form = filterForm(parameters);
      if (form.kind !== 'linear') throw new Error('one sum expected');
      expect(() => denseOf(form.weights)).toThrow(/at most 511 × 511 weights/);
    }
    for (const parameters of largest.filter((one) => longPairs(one) === null))
      expect(kernelsOf(parameters).length === 1, parameters.kind).toBe(isOneGrid(parameters));
  });
});
