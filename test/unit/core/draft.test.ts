// Drafts: the passes for a reduced picture keep each filter's gain and displacement and come close to the exact result.

import { describe, expect, it } from 'vitest';
import type { Filter, FilterParameters, FilterSettings } from '../../../core/document';
import { draftForm, planDraft } from '../../../core/draft';
import { denseOf, type FilterForm, filterForm } from '../../../core/filterForm';
import { catalogue, catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import type { DenseWeights } from '../../../core/pass';
import { kernelSize, planStack } from '../../../core/plan';
import { at, correlate, type GreyPicture, picture } from './directSum';

const filter = (parameters: FilterParameters, settings: Partial<FilterSettings> = {}): Filter => ({
  ...catalogueEntry(parameters.kind).create('f1', 'u8'),
  ...parameters,
  ...settings,
});

function moments(weights: DenseWeights) {
  let [sum, x, y] = [0, 0, 0];
  weights.weights.forEach((weight, index) => {
    sum += weight / weights.divisor;
    x += (weight / weights.divisor) * ((index % weights.width) - weights.anchorX);
    y += (weight / weights.divisor) * (Math.floor(index / weights.width) - weights.anchorY);
  });
  return { sum, x, y };
}

/** The grid of a form: of a gradient, the one for x. */
function denseOfForm(form: FilterForm): DenseWeights {
  if (form.kind === 'linear') return denseOf(form.weights);
  if (form.kind === 'diffusion') throw new Error('a diffusion has no grid');
  return form.kind === 'magnitude' ? form.x : denseOf({ kind: 'separable', weights: form.x });
}

function linearOf(parameters: FilterParameters, block: number): DenseWeights {
  const form = block === 1 ? filterForm(parameters) : draftForm(parameters, block);
  return denseOfForm(form);
}

/** The mean of each block of `block` × `block` pixels. */
function reduce(source: GreyPicture, block: number): GreyPicture {
  return picture(source.width / block, source.height / block, (x, y) => {
    let sum = 0;
    for (let j = 0; j < block; j++) for (let i = 0; i < block; i++) sum += at(source, x * block + i, y * block + j);
    return sum / block ** 2;
  });
}

const skew = createKernel(4, 3, [1, 2, 0, -1, 3, 1, 4, 1, 0, 2, 5, -3], { anchorX: 3, anchorY: 0, divisor: 5 });

describe('a draft filter', () => {
  it('keeps the sum of every kernel, and its displacement in shorter pixels', () => {
    const all: FilterParameters[] = [
      // The slopes of smoothed edges have a test of their own: thresholds move with them. A direction is the same at any slope.
      ...catalogue
        .filter(({ kind }) => kind !== 'canny' && kind !== 'gradientDirection')
        .map(({ create }) => create('f', 'u8')),
      { kind: 'custom', name: '', kernel: skew },
    ];
    for (const parameters of all)
      for (const block of [2, 4, 16]) {
        const exact = moments(linearOf(parameters, 1));
        const draft = moments(linearOf(parameters, block));
        expect(draft.sum, `${parameters.kind} ${block}`).toBeCloseTo(exact.sum, 10);
        expect(draft.x * block, `${parameters.kind} ${block}`).toBeCloseTo(exact.x, 9);
        expect(draft.y * block, `${parameters.kind} ${block}`).toBeCloseTo(exact.y, 9);
      }
  });

  it('is the exact filter at level 0', () => {
    for (const { create } of catalogue) {
      const one = create('f', 'u8');
      const exact = linearOf(one, 1);
      const draft = draftForm(one, 1);
      expect(denseOfForm(draft)).toEqual(exact);
    }
  });

  it('of a blur comes within 2 % of full scale of the mean of the exact result', () => {
    const source = picture(96, 64, (x, y) => 0.5 + 0.3 * Math.sin(x / 7) * Math.cos(y / 5) + (x > 48 ? 0.2 : 0));
    for (const parameters of [
      { kind: 'gaussian', sigma: 6 },
      { kind: 'box', width: 13 },
      { kind: 'lens', radius: 7 },
      { kind: 'motion', length: 15, angle: 30 },
    ] as const) {
      const exact = reduce(correlate(source, linearOf(parameters, 1), 'reflect'), 4);
      const draft = correlate(reduce(source, 4), linearOf(parameters, 4), 'reflect');
      draft.values.forEach((value, index) => {
        expect(Math.abs(value - (exact.values[index] ?? Number.NaN)), parameters.kind).toBeLessThan(0.02);
      });
    }
  });
});

describe('a draft of edges', () => {
  const edges = filter({ kind: 'canny', sigma: 4, low: 4, high: 10 });
  const kind = { channels: 3, sampleType: 'u8' } as const;
  const image = { width: 160, height: 120, ...kind };
  const half = { width: 80, height: 60, ...kind };

  it('has thresholds that a step exceeds as it does in the picture itself', () => {
    const step = picture(64, 1, (x) => (x < 32 ? 0 : 1));
    const slope = (block: number) => {
      const form = draftForm(edges, block);
      if (form.kind !== 'edges') throw new Error('edges expected');
      const steepest = Math.max(...correlate(reduceRow(step, block), denseOfForm(form), 'replicate').values);
      return [form.low / steepest, form.high / steepest];
    };
    const reduceRow = (source: GreyPicture, block: number) =>
      picture(source.width / block, 1, (x) => at(source, x * block, 0));
    const exact = slope(1);
    expect(exact[1]).toBeGreaterThan(0.1);
    for (const block of [2, 4, 16]) {
      expect(slope(block)[0]).toBeCloseTo(exact[0] ?? 0, 6);
      expect(slope(block)[1]).toBeCloseTo(exact[1] ?? 0, 6);
    }
  });

  it('is searched in the reduced picture, and is as bright as the mean of a line', () => {
    const stack = [filter({ kind: 'gaussian', sigma: 8 }), edges, filter({ kind: 'box', width: 9 })];
    const draft = planDraft(stack, planStack(stack, image), 2, half);
    expect(draft.steps).toHaveLength(1);
    const [step] = draft.steps;
    expect(step?.passes).toHaveLength(1);
    expect(step?.edges?.x.weights.width).toBe(2 * 4 + 1 + 2);
    expect(draft.passes.map(({ epilogue }) => epilogue.result)).toEqual([0.25, 1]);
    expect(planDraft(stack, planStack(stack, image), 0, image).passes).toHaveLength(1);
  });

  it('starts where the exact one does when only whole windows count', () => {
    const stack = [{ ...edges, size: 'valid' as const }];
    const exact = planStack(stack, image);
    const reach = exact.steps[0]?.edges?.x.weights.anchorX ?? 0;
    expect(exact.resultSize).toEqual({ width: 160 - 2 * reach, height: 120 - 2 * reach });
    const draft = planDraft(stack, exact, 1, half);
    expect(draft.steps[0]?.edges?.size).toBe('same');
    expect(draft.origin).toEqual({ x: Math.round(reach / 2), y: Math.round(reach / 2) });
  });
});

describe('a draft plan', () => {
  const kind = { channels: 3, sampleType: 'u8' } as const;
  const image = { width: 101, height: 70, ...kind };
  const quarter = { width: 26, height: 18, ...kind };

  it('has one pass for each filter that is on and fits the level’s size', () => {
    const stack = [filter({ kind: 'gaussian', sigma: 8 }), filter({ kind: 'sobel' }, { enabled: false })];
    const draft = planDraft(stack, planStack(stack, image), 2, quarter);
    expect(draft.passes).toHaveLength(1);
    expect(draft).toMatchObject({ level: 2, origin: { x: 0, y: 0 }, resultSize: { width: 26, height: 18 } });
    const [pass] = draft.passes;
    expect(pass && kernelSize(pass.work).width).toBe(17);
  });

  it('keeps the picture’s size for valid filters and says which part is the result', () => {
    const stack = [filter({ kind: 'box', width: 17 }, { size: 'valid' })];
    const draft = planDraft(stack, planStack(stack, image), 2, quarter);
    expect(draft.passes[0]?.size).toBe('same');
    expect(draft).toMatchObject({ origin: { x: 2, y: 2 }, resultSize: { width: 22, height: 14 } });
  });

  it('waits for extremes like the exact plan', () => {
    const stack = [filter({ kind: 'laplacian', neighbours: 4 }, { range: 'rescale' })];
    expect(planDraft(stack, planStack(stack, image), 1, { width: 51, height: 35, ...kind }).needsMeasure).toEqual([0]);
  });

  it('of the largest kernels stays rows and columns, as long as the picture is reduced', () => {
    for (const parameters of [
      { kind: 'gaussian', sigma: 500 },
      { kind: 'unsharp', sigma: 500, amount: 1 },
      { kind: 'box', width: 4095 },
      { kind: 'laplacianOfGaussian', sigma: 400 },
    ] as const) {
      const stack = [filter(parameters)];
      const [pass] = planDraft(stack, planStack(stack, image), 2, quarter).passes;
      if (pass?.work.kind !== 'separable') throw new Error('separable expected');
      expect(pass.work.weights.width).toBeGreaterThan(1000);
      expect(pass.work.weights.width).toBeLessThan(1030);
    }
  });
});
