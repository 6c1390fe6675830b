// Plans: which path runs and why, what the passes hold, sizes after valid filters, and ranges that wait to be measured.

import { describe, expect, it } from 'vitest';
import { backendNames, type CostTable, exactness } from '../../../core/costs';
import type { Filter, FilterParameters, FilterSettings } from '../../../core/document';
import { ConvolveError, type Failure } from '../../../core/errors';
import { denseOf, pairsOf } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { createKernel, type Kernel } from '../../../core/kernel';
import type { PassWork } from '../../../core/pass';
import { type PathChoice, parsePathChoice } from '../../../core/paths';
import { passesToMeasure, planStack, withMeasured } from '../../../core/plan';
import { resultOrigin } from '../../../core/planParts';
import { pathText, reasonText } from '../../../core/planText';
import { filterSum, rankDifference } from '../../../core/rank';
import { sumOfPairs } from '../../../core/separability';
import { shippedCosts } from '../../../core/shippedCosts';
import { modelledCosts } from './modelledCosts';
import { randomSource } from './randomNumbers';

const size = { width: 100, height: 80 };
const image = { ...size, channels: 4, sampleType: 'u8' } as const;
const withoutTransform = modelledCosts('cpu', ['fft']);

function filter(parameters: FilterParameters, settings: Partial<FilterSettings> = {}): Filter {
  return { ...catalogueEntry(parameters.kind).create('f1', 'u8'), ...parameters, ...settings };
}
const custom = (kernel: Kernel, settings: Partial<FilterSettings> = {}) =>
  filter({ kind: 'custom', name: '', kernel }, settings);

function planOne(one: Filter, path?: PathChoice, costs: CostTable = modelledCosts()) {
  const plan = planStack([one], image, path ? { path } : {}, costs);
  const [pass] = plan.passes;
  const [explanation] = plan.explanations;
  if (!pass || !explanation) throw new Error('one pass expected');
  return { plan, pass, explanation };
}

function refusal(run: () => unknown): Failure {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

/** The grid that a pass computes, whatever path it takes. */
function gridOf(work: PassWork): Float64Array {
  switch (work.kind) {
    case 'dense':
    case 'sparse':
    case 'fft':
      return work.weights.weights;
    case 'box':
      return new Float64Array(work.weights.width * work.weights.height).fill(1);
    case 'separable':
      return sumOfPairs(work.weights.pairs, work.weights.width, work.weights.height);
    case 'magnitude':
      return work.x.weights;
    case 'diffusion':
      throw new Error('a diffusion has no grid');
  }
}

const random = randomSource(11);
const randomKernel = (width: number, height: number) =>
  createKernel(
    width,
    height,
    Array.from({ length: width * height }, () => random.next() - 0.3),
    { divisor: 3 },
  );
const outerKernel = (size: number) => {
  const vector = Array.from({ length: size }, () => random.next() + 0.1);
  return createKernel(
    size,
    size,
    vector.flatMap((column) => vector.map((row) => column * row)),
    { divisor: 2 },
  );
};

describe('edges', () => {
  const canny = (settings: Partial<FilterSettings> = {}) =>
    filter({ kind: 'canny', sigma: 1.4, low: 4, high: 10 }, settings);
  const blur = (settings: Partial<FilterSettings> = {}) => filter({ kind: 'gaussian', sigma: 2 }, settings);

  it('are a step: the passes before it are its own, those after it the plan’s', () => {
    const stack = [blur({ range: 'rescale' }), canny({ border: { kind: 'wrap' } }), blur({ enabled: false }), blur()];
    const plan = planStack(stack, image);
    expect(plan.steps).toHaveLength(1);
    expect(plan.steps[0]).toMatchObject({
      filters: 2,
      needsMeasure: [0],
      edges: { border: { kind: 'wrap' }, size: 'same', alpha: 'weighted', light: 'encoded', norm: 'l2' },
    });
    expect(plan.steps[0]?.passes).toHaveLength(1);
    expect(plan.passes).toHaveLength(1);
    expect(plan.needsMeasure).toEqual([]);
    expect(plan.explanations).toHaveLength(3);
    expect(plan.explanations[1]).toMatchObject({ path: { kind: 'edges' }, reason: { kind: 'wholePicture' } });
  });

  it('may be searched in edges', () => {
    const plan = planStack([canny(), canny()], image);
    expect(plan.steps.map(({ filters, passes }) => [filters, passes.length])).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(plan.passes).toEqual([]);
  });

  it('take no further pass for ranges that keep 0 and 1, and one for the signed', () => {
    for (const range of ['clamp', 'absolute', 'rescale', 'float'] as const)
      expect(planStack([canny({ range })], image), range).toMatchObject({ passes: [], needsMeasure: [] });
    expect(planStack([canny({ range: 'signed' })], image).passes).toMatchObject([
      { range: { kind: 'signed' }, epilogue: { result: 1, input: 0, offset: 0 }, alpha: 'colourOnly' },
    ]);
  });

  it('make the result smaller where only whole windows count, and say where it lies', () => {
    const stack = [filter({ kind: 'box', width: 3 }, { size: 'valid' }), canny({ size: 'valid' }), blur()];
    const plan = planStack(stack, image);
    expect(plan.resultSize).toEqual({ width: 100 - 2 - 14, height: 80 - 2 - 14 });
    expect(resultOrigin(plan)).toEqual({ x: 8, y: 8 });
    expect(refusal(() => planStack([canny({ size: 'valid' })], { ...image, width: 14 }))).toMatchObject({
      code: 'invalidPlan',
      subject: 'canny',
      expected: '15 × 15',
    });
  });

  it('run on the path that was asked for', () => {
    for (const kind of ['dense', 'separable'] as const)
      expect(planStack([canny()], image, { path: { kind } }).steps[0]?.edges?.y.kind).toBe(kind);
  });
});

describe('the stack', () => {
  it('becomes one pass for each filter that is on, in order', () => {
    const stack = [
      { ...filter({ kind: 'gaussian', sigma: 2 }), id: 'a' },
      { ...filter({ kind: 'box', width: 3 }), id: 'b', enabled: false },
      { ...filter({ kind: 'sobel' }), id: 'c' },
    ];
    const plan = planStack(stack, image);
    expect(plan.passes.map(({ work }) => work.kind)).toEqual(['separable', 'magnitude']);
    expect(plan.explanations.map(({ filterId }) => filterId)).toEqual(['a', 'c']);
    expect(plan.resultSize).toEqual(size);
  });

  it('may be empty', () => {
    expect(planStack([], image)).toEqual({
      steps: [],
      passes: [],
      explanations: [],
      needsMeasure: [],
      resultSize: size,
    });
  });

  it('carries border, size, alpha, light and range into the pass, and the bias into its epilogue', () => {
    const kernel = createKernel(3, 3, [1, 2, 3, 4, 5, 6, 7, 8, 9], {
      divisor: 45,
      bias: 0.25,
      orientation: 'convolution',
    });
    const settings = {
      border: { kind: 'constant', value: 0.5 },
      size: 'valid',
      alpha: 'straight',
      light: 'linear',
      range: 'signed',
    } as const;
    const { pass } = planOne(custom(kernel, settings));
    expect(pass).toMatchObject({
      ...settings,
      range: { kind: 'signed' },
      epilogue: { result: 1, input: 0, offset: 0.25 },
    });
    expect([...gridOf(pass.work)]).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('refuses a kernel that cannot run, by its field', () => {
    expect(refusal(() => planOne(custom(createKernel(2, 2, [1, 2, 3, Number.NaN]))))).toMatchObject({
      code: 'invalidKernel',
      subject: 'weights',
    });
  });

  it('is the same plan every time', () => {
    const stack = catalogueEntry('lens').create('f', 'u8');
    expect(planStack([stack], image)).toEqual(planStack([stack], image));
  });
});

describe('the path', () => {
  it('is separable where that is faster: Gaussian, binomial', () => {
    const { pass, explanation } = planOne(filter({ kind: 'gaussian', sigma: 3 }));
    expect(pass.work.kind).toBe('separable');
    expect(explanation).toMatchObject({
      path: { kind: 'separable', width: 25, height: 25, pairs: 1 },
      multiplyAddsPerPixel: 50,
      keptBytes: 0,
      milliseconds: ((5 + 1.5 * 50) * 8000) / 1e6,
    });
    expect(pathText(planOne(filter({ kind: 'binomial', width: 31 })).explanation.path)).toBe('separable 31 + 31');
  });

  it('is dense where that is faster', () => {
    expect(pathText(planOne(filter({ kind: 'box', width: 3 })).explanation.path)).toBe('dense 3×3');
    expect(planOne(custom(randomKernel(7, 7))).explanation).toMatchObject({
      path: { kind: 'dense', width: 7, height: 7 },
      multiplyAddsPerPixel: 49,
      keptBytes: 0,
    });
    expect(pathText(planOne(custom(randomKernel(9, 1))).explanation.path)).toBe('dense 9×1');
  });

  it('finds that a typed kernel is separable, and keeps its whole numbers', () => {
    const binomial = [1, 4, 6, 4, 1].flatMap((column) => [1, 4, 6, 4, 1].map((row) => column * row));
    const { pass } = planOne(custom(createKernel(5, 5, binomial, { divisor: 256 })));
    if (pass.work.kind !== 'separable') throw new Error('separable expected');
    expect([...(pass.work.weights.pairs[0]?.row ?? [])]).toEqual([1, 4, 6, 4, 1]);
    expect(pass.work.weights.divisor).toBe(256);
  });

  it('never takes a kernel for separable that is only nearly so', () => {
    const kernel = outerKernel(9);
    const weights = kernel.weights.with(31, (kernel.weights[31] ?? 0) * 1.001);
    expect(planOne(custom(kernel)).pass.work.kind).toBe('separable');
    const { pass, explanation } = planOne(custom({ ...kernel, weights }));
    expect(gridOf(pass.work)[31]).toBeCloseTo(weights[31] ?? Number.NaN, 10);
    expect(pathText(explanation.path)).not.toBe('separable 9 + 9');
  });

  it('only chooses among equal results: the grid stays the kernel on every backend', () => {
    for (const costs of [...Object.values(shippedCosts), ...backendNames.map((name) => modelledCosts(name, ['fft']))])
      for (const kernel of [
        outerKernel(5),
        outerKernel(21),
        randomKernel(11, 4),
        randomKernel(63, 63),
        randomKernel(2, 90),
      ]) {
        const { pass } = planOne(custom(kernel), undefined, costs);
        const total = kernel.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
        const worst = gridOf(pass.work).reduce(
          (sum, weight, index) => sum + Math.abs(weight - (kernel.weights[index] ?? 0)),
          0,
        );
        expect(worst / total, costs.backend).toBeLessThanOrEqual(exactness[costs.backend]);
      }
  });

  it('of a kernel above 63 × 63 is separable where a low rank is found, else by the transform where there is one', () => {
    const separable = planOne(custom(outerKernel(151)), undefined, withoutTransform);
    expect(pathText(separable.explanation.path)).toBe('separable 151 + 151');
    const large = custom(randomKernel(301, 301));
    expect(pathText(planOne(large, undefined, withoutTransform).explanation.path)).toBe('dense 301×301');
    const { pass, explanation } = planOne(large);
    expect(pathText(explanation.path)).toBe('FFT 301×301');
    expect(pass.work.kind).toBe('fft');
    expect(gridOf(pass.work)).toEqual(gridOf(planOne(large, { kind: 'dense' }).pass.work));
  });

  it('is a running sum for equal weights, the box filter’s and a typed kernel’s', () => {
    const box = planOne(filter({ kind: 'box', width: 31 }));
    expect(box.pass.work).toEqual({
      kind: 'box',
      weights: { width: 31, height: 31, anchorX: 15, anchorY: 15, divisor: 961 },
    });
    expect(pathText(box.explanation.path)).toBe('running sums 31×31');
    expect(pathText(planOne(filter({ kind: 'box', width: 3 })).explanation.path)).toBe('dense 3×3');
    const equal = createKernel(9, 4, new Array(36).fill(0.5), { divisor: 3, anchorX: 1, anchorY: 2 });
    expect(planOne(custom(equal)).pass.work).toEqual({
      kind: 'box',
      weights: { width: 9, height: 4, anchorX: 1, anchorY: 2, divisor: 6 },
    });
    const turned = planOne(custom({ ...equal, orientation: 'convolution' })).pass.work;
    expect(turned).toMatchObject({ kind: 'box', weights: { anchorX: 7, anchorY: 1 } });
    expect(planOne(custom({ ...equal, weights: equal.weights.with(7, 0.25) })).pass.work.kind).not.toBe('box');
    expect(planOne(custom({ ...equal, weights: new Array(36).fill(0) })).pass.work.kind).not.toBe('box');
  });

  it('sums only the weights that are not 0 where they are few', () => {
    const weights = new Array<number>(25 * 25).fill(0);
    for (let index = 0; index < 25; index++) weights[index * 25 + ((index * 7) % 25)] = index + 1;
    const { pass, explanation } = planOne(custom(createKernel(25, 25, weights)));
    expect(pathText(explanation.path)).toBe('sparse 25 of 25×25');
    expect(explanation.multiplyAddsPerPixel).toBe(25);
    expect(pass.work.kind).toBe('sparse');
    expect([...gridOf(pass.work)]).toEqual(weights);
  });

  it('of a kernel larger than a grid is its row and column or a running sum, never written out', () => {
    const explained = (parameters: FilterParameters, width: number, height: number) => {
      const [explanation] = planStack([filter(parameters)], { ...image, width, height }).explanations;
      if (!explanation) throw new Error('one filter expected');
      return explanation;
    };
    const gaussian = explained({ kind: 'gaussian', sigma: 500 }, 4000, 3000);
    expect(pathText(gaussian.path)).toBe('separable 4061 + 4061, transformed line by line');
    expect(gaussian.reason).toEqual({ kind: 'onlyPath' });
    // Two transforms of some 16000 cells, where sums would take 8122.
    expect(gaussian.multiplyAddsPerPixel).toBeLessThan(150);
    // What is in tiles far larger than the picture takes longer than its sums.
    expect(pathText(explained({ kind: 'gaussian', sigma: 500 }, 100, 80).path)).toBe('separable 4061 + 4061');
    expect(pathText(explained({ kind: 'box', width: 4095 }, 4000, 3000).path)).toBe('running sums 4095×4095');
    expect(pathText(explained({ kind: 'laplacianOfGaussian', sigma: 400 }, 4000, 3000).path)).toBe(
      'rank 2: 2 × (4001 + 4001), transformed line by line',
    );
  });

  it('is that of an image whose size and samples lie behind its prototype, as those of the engine do', () => {
    class Behind {
      get width() {
        return 640;
      }
      get height() {
        return 480;
      }
      get channels() {
        return 3;
      }
      get sampleType() {
        return 'u8' as const;
      }
    }
    const stack = [filter({ kind: 'gaussian', sigma: 3 }), { ...filter({ kind: 'sobel' }), id: 'f2' }];
    const plain = { width: 640, height: 480, channels: 3, sampleType: 'u8' } as const;
    for (const count of [1, 2])
      expect(planStack(stack.slice(0, count), new Behind(), {}, shippedCosts.cpu)).toEqual(
        planStack(stack.slice(0, count), plain, {}, shippedCosts.cpu),
      );
  });

  it('is the same for every tile of a picture, and follows the kind of picture', () => {
    const flat = modelledCosts();
    const costs = { ...flat, curves: { ...flat.curves, f32x4: { ...flat.curves.f32x4, box: null } } };
    const box = filter({ kind: 'box', width: 31 });
    const pathOf = (sampleType: 'u8' | 'f32') =>
      planStack([box], { ...image, sampleType }, {}, costs).explanations[0]?.path.kind;
    expect(pathOf('u8')).toBe('box');
    expect(pathOf('f32')).toBe('separable');
    // Between filters values are floats.
    const second = planStack([filter({ kind: 'sobel' }), { ...box, id: 'f2' }], image, {}, costs);
    expect(second.explanations[1]?.path.kind).toBe('separable');
  });

  it('on the CPU predicts filters of a stack by values in between, a filter alone by its samples', () => {
    const one = filter({ kind: 'sobel' });
    const took = (stack: readonly Filter[], sampleType: 'u8' | 'u16' | 'f32', costs: CostTable) =>
      planStack(stack, { ...image, sampleType }, {}, costs).explanations.map(({ milliseconds }) => milliseconds);
    const [u8] = took([one], 'u8', shippedCosts.cpu);
    const [u16] = took([one], 'u16', shippedCosts.cpu);
    const [f32] = took([one], 'f32', shippedCosts.cpu);
    expect(new Set([u8, u16, f32]).size).toBe(3);
    expect(took([one, one], 'u8', shippedCosts.cpu)).toEqual([f32, f32]);
    expect(took([one, one], 'u16', shippedCosts.cpu)).toEqual([u16, u16]);
    const [device] = took([one], 'u8', shippedCosts.cuda);
    expect(took([one, one], 'u8', shippedCosts.cuda)[0]).toBe(device);
  });

  it('is the dense grid where another is predicted faster by less than predictions are worth', () => {
    const costs = modelledCosts();
    const tied = (sums: number): CostTable => {
      const curves = Object.entries(costs.curves).map(([kind, own]) => [
        kind,
        {
          ...own,
          box: [
            [1, sums],
            [9000, sums],
          ] as const,
        },
      ]);
      return { ...costs, curves: Object.fromEntries(curves) as CostTable['curves'] };
    };
    const box = filter({ kind: 'box', width: 3 });
    const near = planOne(box, undefined, tied(9.5)).explanation;
    expect(near.path.kind).toBe('dense');
    expect(near.reason.kind).toBe('asFast');
    expect(planOne(box, undefined, tied(8.5)).explanation.path.kind).toBe('box');
  });

  it('is a transform only where it is predicted faster by more than predictions are worth', () => {
    const costs = modelledCosts();
    const blur = filter({ kind: 'gaussian', sigma: 3 });
    const apart = planOne(blur, undefined, costs).explanation.milliseconds ?? Number.NaN;
    /** As if transforms of every size took this long for the whole picture. */
    const transforms = (share: number): CostTable => {
      const none = planOne(blur, { kind: 'fft' }, costs).explanation.milliseconds ?? Number.NaN;
      const scale = (share * apart) / none;
      const curves = Object.entries(costs.curves).map(([kind, own]) => [
        kind,
        { ...own, fft: own.fft && own.fft.map(([side, time]) => [side, time * scale] as const) },
      ]);
      return { ...costs, curves: Object.fromEntries(curves) as CostTable['curves'] };
    };
    expect(planOne(blur, undefined, transforms(0.95)).explanation.path.kind).toBe('separable');
    expect(planOne(blur, undefined, transforms(0.9)).explanation.path.kind).toBe('fft');
  });

  it('carries its reason', () => {
    expect(reasonText(planOne(filter({ kind: 'gaussian', sigma: 3 })).explanation.reason)).toBe(
      'the fastest way to the same result; FFT 25×25 would take 2.6 ms',
    );
    expect(reasonText(planOne(filter({ kind: 'laplacian', neighbours: 4 })).explanation.reason)).toMatch(
      /sparse 5 of 3×3 would take 0\.088 ms/,
    );
  });
});

describe('a path that was asked for', () => {
  const gaussian = filter({ kind: 'gaussian', sigma: 1 });

  it('dense runs even what is known to be separable, with the same weights', () => {
    const automatic = planOne(gaussian).pass;
    const { pass } = planOne(gaussian, { kind: 'dense' });
    expect(pass.work.kind).toBe('dense');
    expect(gridOf(pass.work)).toEqual(gridOf(automatic.work));
  });

  it('separable is refused on a kernel of a higher rank, by that rank', () => {
    const sharpen = filter({ kind: 'sharpen', neighbours: 4, amount: 1 });
    expect(refusal(() => planOne(sharpen, { kind: 'separable' }))).toEqual({
      code: 'unsupported',
      subject: 'separable',
      expected: 'a kernel of rank 1',
      actual: 'rank 2',
    });
    expect(
      refusal(() => planOne(filter({ kind: 'laplacianOfGaussian', sigma: 1.4 }), { kind: 'separable' })).actual,
    ).toBe('rank 2');
  });

  it('separable runs a 3 × 3 of rank 1 that auto would run densely', () => {
    expect(pathText(planOne(filter({ kind: 'box', width: 3 }), { kind: 'separable' }).explanation.path)).toBe(
      'separable 3 + 3',
    );
    expect(planOne(custom(createKernel(2, 2, [0, 0, 0, 0])), { kind: 'separable' }).pass.work.kind).toBe('separable');
  });

  it('rank:N approximates below the exact rank, and says so', () => {
    const kernel = randomKernel(9, 9);
    const { pass, explanation } = planOne(custom(kernel), { kind: 'rank', rank: 3 });
    if (pass.work.kind !== 'separable') throw new Error('separable expected');
    expect(pass.work.weights.pairs).toHaveLength(3);
    expect(reasonText(explanation.reason)).toMatch(/rank 3 of 9, approximate, largest weight error \d/);
    expect(explanation.multiplyAddsPerPixel).toBe(54);
  });

  it('rank:N names the largest error of a weight by its divisor, as the Separability tab does', () => {
    const approximate = custom(createKernel(9, 9, randomKernel(9, 9).weights, { divisor: 40 }));
    const { pass, explanation } = planOne(approximate, { kind: 'rank', rank: 3 });
    const sum = filterSum(approximate);
    if (pass.work.kind !== 'separable' || sum === null) throw new Error('separable expected');
    const { largest } = rankDifference(sum, pass.work.weights.pairs);
    expect(explanation.reason.kind === 'approximate' && explanation.reason.largestError).toBeCloseTo(largest, 12);
  });

  it('rank:N is exact from the exact rank on', () => {
    const form = planOne(filter({ kind: 'laplacianOfGaussian', sigma: 1.4 }), { kind: 'rank', rank: 7 });
    expect(pathText(form.explanation.path)).toBe('rank 2: 2 × (15 + 15)');
    expect(reasonText(planOne(gaussian, { kind: 'rank', rank: 1 }).explanation.reason)).toMatch(/exact rank is 1/);
  });

  it('sparse, fft and box run with the weights of the kernel', () => {
    for (const kind of ['sparse', 'fft'] as const) {
      const { pass, explanation } = planOne(gaussian, { kind });
      expect(pass.work.kind).toBe(kind);
      expect(gridOf(pass.work)).toEqual(gridOf(planOne(gaussian, { kind: 'dense' }).pass.work));
      expect(explanation.reason).toEqual({ kind: 'askedFor' });
    }
    expect(planOne(filter({ kind: 'box', width: 3 }), { kind: 'box' }).pass.work.kind).toBe('box');
  });

  it('runs also where the backend computes it as another; then its time is not known', () => {
    const { pass, explanation } = planOne(gaussian, { kind: 'fft' }, withoutTransform);
    expect(pass.work.kind).toBe('fft');
    expect(explanation.milliseconds).toBeNull();
  });

  it('is refused by name where it cannot be: a gradient, weights that differ', () => {
    for (const kind of ['sparse', 'fft', 'box'] as const)
      expect(refusal(() => planOne(filter({ kind: 'sobel' }), { kind }))).toEqual({
        code: 'unsupported',
        subject: kind,
        expected: 'one kernel',
        actual: 'two kernels, a gradient',
      });
    expect(planOne(filter({ kind: 'sobel' }), { kind: 'dense' }).pass.work.kind).toBe('magnitude');
    expect(refusal(() => planOne(gaussian, { kind: 'box' }))).toMatchObject({ code: 'unsupported', subject: 'box' });
  });

  it('that needs a grid is refused on a kernel too large for one, and its rows and columns still run', () => {
    const large = filter({ kind: 'gaussian', sigma: 500 });
    for (const choice of ['dense', 'sparse', 'fft'])
      expect(refusal(() => planOne(large, parsePathChoice(choice)))).toEqual({
        code: 'unsupported',
        subject: choice,
        expected: 'at most 511 × 511 weights',
        actual: '4061 × 4061 weights',
      });
    expect(planOne(large, { kind: 'separable' }).pass.work.kind).toBe('separable');
    expect(planOne(large, { kind: 'rank', rank: 3 }).pass.work.kind).toBe('separable');
    const ridge = filter({ kind: 'laplacianOfGaussian', sigma: 300 });
    expect(planOne(ridge, { kind: 'rank', rank: 2 }).pass.work.kind).toBe('separable');
    expect(refusal(() => planOne(ridge, { kind: 'rank', rank: 1 })).subject).toBe('rank:1');
    expect(refusal(() => planOne(ridge, { kind: 'separable' })).actual).toBe('rank 2');
    const mean = filter({ kind: 'box', width: 4095 });
    expect(planOne(mean, { kind: 'separable' }).pass.work.kind).toBe('separable');
    expect(refusal(() => planOne(mean, { kind: 'dense' })).code).toBe('unsupported');
  });

  it('that is a teaching variant keeps the grid and names it', () => {
    const { pass, explanation } = planOne(filter({ kind: 'gaussian', sigma: 1 }), parsePathChoice('variant:winograd'));
    expect(pass.work).toMatchObject({ kind: 'dense', variant: 'winograd' });
    expect(explanation).toMatchObject({ reason: { kind: 'variant', name: 'winograd' }, milliseconds: null });
    expect(refusal(() => planOne(filter({ kind: 'sobel' }), parsePathChoice('variant:naive1d'))).subject).toBe(
      'variant',
    );
  });

  it('is read from text', () => {
    expect(parsePathChoice('auto')).toEqual({ kind: 'auto' });
    expect(parsePathChoice('box')).toEqual({ kind: 'box' });
    expect(parsePathChoice('rank:12')).toEqual({ kind: 'rank', rank: 12 });
    expect(parsePathChoice('variant:shared2d')).toEqual({ kind: 'variant', name: 'shared2d' });
    for (const text of ['variant', 'variant:', 'variant:Shared2d', 'variant:quantum'])
      expect(refusal(() => parsePathChoice(text))).toMatchObject({ code: 'usage', subject: '--plan variant:' });
    for (const text of ['rank', 'rank:0', 'rank:-1', 'rank:1.5', 'Dense', ''])
      expect(
        refusal(() => parsePathChoice(text)),
        text,
      ).toMatchObject({ code: 'usage', subject: '--plan', actual: text });
  });
});

describe('valid filters', () => {
  it('shrink the result by their kernels', () => {
    const valid = { size: 'valid' } as const;
    const plan = planStack([filter({ kind: 'box', width: 5 }, valid), filter({ kind: 'roberts' }, valid)], image);
    expect(plan.resultSize).toEqual({ width: 95, height: 75 });
  });

  it('are refused where nothing would be left', () => {
    const large = custom(randomKernel(9, 81), { size: 'valid' });
    expect(refusal(() => planOne(large))).toEqual({
      code: 'invalidPlan',
      subject: 'custom',
      expected: '9 × 81',
      actual: '100 × 80',
    });
  });
});

describe('rescale', () => {
  const rescale = { range: 'rescale' } as const;
  const stack = [
    filter({ kind: 'gaussian', sigma: 1 }),
    filter({ kind: 'laplacian', neighbours: 4 }, rescale),
    filter({ kind: 'box', width: 3 }),
    filter({ kind: 'sobel' }, rescale),
  ];

  it('waits for the extremes of its own picture, first one first', () => {
    const plan = planStack(stack, image);
    expect(plan.needsMeasure).toEqual([1, 3]);
    const toMeasure = passesToMeasure(plan, 1);
    expect(toMeasure).toHaveLength(2);
    expect(toMeasure[1]?.range).toEqual({ kind: 'float' });
    expect(toMeasure[0]?.range).toEqual({ kind: 'clamp' });
  });

  it('takes them in, and the later measure sees the earlier range', () => {
    const plan = planStack(stack, image);
    const first = withMeasured(plan, 1, { minimum: -0.5, maximum: 2 });
    expect(first.needsMeasure).toEqual([3]);
    expect(passesToMeasure(first, 3)[1]?.range).toEqual({ kind: 'rescale', minimum: -0.5, maximum: 2 });
    const second = withMeasured(first, 3, { minimum: 0, maximum: 1.5 });
    expect(second.needsMeasure).toEqual([]);
    expect(second.passes[3]?.range).toEqual({ kind: 'rescale', minimum: 0, maximum: 1.5 });
    expect(plan.needsMeasure, 'the plan before is unchanged').toEqual([1, 3]);
  });
});

describe('weights', () => {
  it('expand to the same grid from either form', () => {
    const { pass } = planOne(filter({ kind: 'gaussian', sigma: 2 }));
    if (pass.work.kind !== 'separable') throw new Error('separable expected');
    expect(denseOf({ kind: 'separable', weights: pass.work.weights }).weights).toEqual(gridOf(pass.work));
    const box = { width: 3, height: 2, anchorX: 1, anchorY: 1, divisor: 6 };
    expect([...denseOf({ kind: 'box', weights: box }).weights]).toEqual([1, 1, 1, 1, 1, 1]);
    expect(pairsOf({ kind: 'box', weights: box })).toEqual([
      { column: Float64Array.of(1, 1), row: Float64Array.of(1, 1, 1) },
    ]);
  });
});

describe('transforms in a stack', () => {
  const blur = (id: string, sigma: number) => ({ ...filter({ kind: 'gaussian', sigma }), id });
  const kinds = (stack: readonly Filter[], costs: CostTable) =>
    planStack(stack, { ...image, width: 4000, height: 3000 }, {}, costs).passes.map(({ work }) => work.kind);
  /** A computer on which the transform always wins. */
  const eager: CostTable = modelledCosts();
  const free = (costs: CostTable): CostTable => ({
    ...costs,
    curves: Object.fromEntries(
      Object.entries(costs.curves).map(([kind, curves]) => [kind, { ...curves, fft: [[1, 0]] as const }]),
    ) as unknown as CostTable['curves'],
  });

  it('are taken as they are alone, before and after other passes', () => {
    for (const costs of [free(eager), free(modelledCosts('cuda'))]) {
      expect(kinds([blur('a', 20), blur('b', 20)], costs)).toEqual(['fft', 'fft']);
      expect(kinds([blur('a', 20), filter({ kind: 'sobel' })], costs)).toEqual(['fft', 'magnitude']);
    }
  });
});

describe('results that wait for the next filter', () => {
  const kept = (kinds: readonly FilterParameters[], costs: CostTable = modelledCosts()) =>
    planStack(
      kinds.map((kind, index) => ({ ...filter(kind), id: String(index) })),
      { ...image, width: 6000, height: 4000 },
      {},
      costs,
    ).explanations.map(({ keptBytes }) => keptBytes);

  it('are a few rows that need no word', () => {
    expect(kept([{ kind: 'gaussian', sigma: 4 }, { kind: 'sobel' }, { kind: 'gaussian', sigma: 2 }])).toEqual([
      0, 0, 0,
    ]);
  });

  it('are all rows before a kernel as tall as the picture', () => {
    const { width, height, channels } = { ...image, width: 6000, height: 4000 };
    const stack = [{ kind: 'sobel' }, { kind: 'gaussian', sigma: 500 }] as const;
    expect(kept(stack)).toEqual([width * height * channels * 4, 0]);
    expect(kept(stack, modelledCosts('cuda'))).toEqual([0, 0]);
  });
});

describe('a plan that is held to the paths of another', () => {
  const sharp: Kernel = createKernel(
    5,
    5,
    [...Array(25).keys()].map((value) => (value * 7) % 11),
    { divisor: 120 },
  );

  it('takes them by any costs, with the same weights', () => {
    for (const kind of ['fft', 'dense', 'sparse'] as const) {
      const asked = planOne(custom(sharp), { kind }).pass;
      for (const costs of [modelledCosts(), shippedCosts.cpu, shippedCosts.cuda])
        expect(planStack([custom(sharp)], image, { again: { f1: kind } }, costs).passes).toEqual([asked]);
    }
    const pair = filter({ kind: 'gaussian', sigma: 2 });
    const automatic = planStack([pair], image, {}, modelledCosts()).passes;
    expect(automatic[0]?.work.kind).toBe('separable');
    expect(planStack([pair], image, { again: { f1: 'separable' } }, shippedCosts.cpu).passes).toEqual(automatic);
  });

  it('keeps a rank that a filter is held to, and plans anew where there is no such path', () => {
    const ranked = planStack([custom(sharp, { rank: 2 })], image, { again: { f1: 'fft' } });
    expect(ranked.passes[0]?.work).toMatchObject({ kind: 'separable', weights: { pairs: { length: 2 } } });
    const none = planStack([custom(sharp)], image, { again: { f1: 'box' } });
    expect(none.passes).toEqual(planStack([custom(sharp)], image).passes);
  });
});
