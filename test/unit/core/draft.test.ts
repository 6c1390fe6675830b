// Drafts: the passes for a reduced picture keep each filter's gain and displacement and come close to the exact result.

import { describe, expect, it } from 'vitest';
import type { Filter, FilterParameters, FilterSettings } from '../../../core/document';
import { draftForm, planDraft } from '../../../core/draft';
import { denseOf, filterForm } from '../../../core/filterForm';
import { catalogue, catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import type { DenseWeights } from '../../../core/pass';
import { planStack } from '../../../core/plan';
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

function linearOf(parameters: FilterParameters, block: number): DenseWeights {
  const form = block === 1 ? filterForm(parameters) : draftForm(parameters, block);
  return form.kind === 'magnitude' ? form.x : denseOf(form.weights);
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
      ...catalogue.map(({ create }) => create('f', 'u8')),
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
      expect(draft.kind === 'magnitude' ? draft.x : denseOf(draft.weights)).toEqual(exact);
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
    expect(pass?.work.kind === 'separable' && pass.work.weights.width).toBe(17);
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
