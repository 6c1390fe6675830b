// Plans: which path runs and why, what the passes hold, sizes after valid filters, and ranges that wait to be measured.

import { describe, expect, it } from 'vitest';
import { pathCosts } from '../../../core/costs';
import type { Filter, FilterParameters, FilterSettings } from '../../../core/document';
import { ConvolveError, type Failure } from '../../../core/errors';
import { denseOf } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { createKernel, type Kernel } from '../../../core/kernel';
import type { PassWork } from '../../../core/pass';
import { type PathChoice, parsePathChoice } from '../../../core/paths';
import { passesToMeasure, planStack, withMeasured } from '../../../core/plan';
import { pathText, reasonText } from '../../../core/planText';
import { sumOfPairs } from '../../../core/separability';
import { randomSource } from './randomNumbers';

const image = { width: 100, height: 80 };

function filter(parameters: FilterParameters, settings: Partial<FilterSettings> = {}): Filter {
  return { ...catalogueEntry(parameters.kind).create('f1', 'u8'), ...parameters, ...settings };
}
const custom = (kernel: Kernel, settings: Partial<FilterSettings> = {}) =>
  filter({ kind: 'custom', name: '', kernel }, settings);

function planOne(one: Filter, path?: PathChoice, backend: keyof typeof pathCosts = 'cpu') {
  const plan = planStack([one], image, path ? { path } : {}, pathCosts[backend]);
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
    expect(plan.resultSize).toEqual(image);
  });

  it('may be empty', () => {
    expect(planStack([], image)).toEqual({ passes: [], explanations: [], needsMeasure: [], resultSize: image });
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
  it('is separable where that is less work: Gaussian, box, binomial', () => {
    const { pass, explanation } = planOne(filter({ kind: 'gaussian', sigma: 3 }));
    expect(pass.work.kind).toBe('separable');
    expect(explanation).toMatchObject({
      path: { kind: 'separable', width: 25, height: 25, pairs: 1 },
      multiplyAddsPerPixel: 50,
    });
    expect(pathText(planOne(filter({ kind: 'box', width: 31 })).explanation.path)).toBe('separable 31 + 31');
  });

  it('is dense where that is less work', () => {
    expect(pathText(planOne(filter({ kind: 'box', width: 3 })).explanation.path)).toBe('dense 3×3');
    expect(planOne(custom(randomKernel(7, 7))).explanation).toMatchObject({
      path: { kind: 'dense', width: 7, height: 7, pairs: 1 },
      multiplyAddsPerPixel: 49,
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
    for (const backend of ['cpu', 'cuda', 'reference'] as const)
      for (const kernel of [
        outerKernel(5),
        outerKernel(21),
        randomKernel(11, 4),
        randomKernel(63, 63),
        randomKernel(2, 90),
      ]) {
        const { pass } = planOne(custom(kernel), undefined, backend);
        const total = kernel.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
        const worst = gridOf(pass.work).reduce(
          (sum, weight, index) => sum + Math.abs(weight - (kernel.weights[index] ?? 0)),
          0,
        );
        expect(worst / total, backend).toBeLessThanOrEqual(pathCosts[backend].exactness);
      }
  });

  it('of a kernel above 63 × 63 is separable where a low rank is found, and dense otherwise', () => {
    expect(pathText(planOne(custom(outerKernel(151))).explanation.path)).toBe('separable 151 + 151');
    expect(pathText(planOne(custom(randomKernel(301, 301))).explanation.path)).toBe('dense 301×301');
  });

  it('carries its reason', () => {
    expect(reasonText(planOne(filter({ kind: 'gaussian', sigma: 3 })).explanation.reason)).toBe(
      'rank 1: 50 multiply-adds instead of 625, same result',
    );
    expect(reasonText(planOne(filter({ kind: 'laplacian', neighbours: 4 })).explanation.reason)).toMatch(
      /9 multiply-adds/,
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

  it('rank:N is exact from the exact rank on', () => {
    const form = planOne(filter({ kind: 'laplacianOfGaussian', sigma: 1.4 }), { kind: 'rank', rank: 7 });
    expect(pathText(form.explanation.path)).toBe('rank 2: 2 × (15 + 15)');
    expect(reasonText(planOne(gaussian, { kind: 'rank', rank: 1 }).explanation.reason)).toMatch(/exact rank is 1/);
  });

  it('sparse and fft are refused by name, also for gradients', () => {
    for (const kind of ['sparse', 'fft'] as const)
      for (const one of [gaussian, filter({ kind: 'sobel' })])
        expect(refusal(() => planOne(one, { kind }))).toMatchObject({
          code: 'unsupported',
          subject: kind,
          actual: 'not built yet',
        });
  });

  it('is read from text', () => {
    expect(parsePathChoice('auto')).toEqual({ kind: 'auto' });
    expect(parsePathChoice('rank:12')).toEqual({ kind: 'rank', rank: 12 });
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
  });
});
