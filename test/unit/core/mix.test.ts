// How filters that are mixed with their input are planned: which pass carries the mix, and which picture it is mixed with.

import { describe, expect, it } from 'vitest';
import type { Filter, FilterParameters } from '../../../core/document';
import { planDraft } from '../../../core/draft';
import { replaceByKernel } from '../../../core/edits';
import { stackSchema } from '../../../core/filterSchema';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { mergeFilters, repeatFilter } from '../../../core/mergeFilters';
import { isPlainMix, type Mix, plainMix } from '../../../core/mix';
import { passesToMeasure, planStack } from '../../../core/plan';

const image = { width: 60, height: 40, channels: 3, sampleType: 'u8' as const };
const half: Mix = { opacity: 0.5, blend: 'multiply', channels: ['red', 'blue'] };
const filterOf = (parameters: FilterParameters, more: Partial<Filter> = {}): Filter =>
  ({ ...catalogueEntry(parameters.kind).create('f1', 'u8'), ...parameters, ...more }) as Filter;
const box = (more: Partial<Filter> = {}) => filterOf({ kind: 'box', width: 3 }, more);
const canny = (more: Partial<Filter> = {}) => filterOf({ kind: 'canny', sigma: 1.4, low: 4, high: 10 }, more);

describe('a filter of one pass', () => {
  it('carries its mix there, and is mixed with the pass’s own input', () => {
    const plan = planStack([box(), box({ mix: half }), box()], image);
    expect(plan.steps).toEqual([]);
    expect(plan.passes.map(({ mix }) => mix)).toEqual([undefined, half, undefined]);
  });

  it('has none where the mix changes nothing', () => {
    expect(isPlainMix(plainMix)).toBe(true);
    expect(planStack([box({ mix: plainMix })], image)).toEqual(planStack([box()], image));
  });

  it('is measured for a stretch before it is mixed', () => {
    const plan = planStack([box({ mix: half }), box({ mix: half, range: 'rescale' })], image);
    expect(passesToMeasure(plan, 1).map(({ mix, range }) => [mix, range.kind])).toEqual([
      [half, 'clamp'],
      [undefined, 'float'],
    ]);
  });
});

describe('a filter of several passes', () => {
  it('is mixed at its last pass, with the picture where it is the first', () => {
    const plan = planStack([box({ mix: half, repeat: 4, size: 'valid' })], image);
    expect(plan.steps).toEqual([]);
    expect(plan.passes).toMatchObject([
      { repeat: 3 },
      { mix: { ...half, input: { image: { kind: 'picture', steps: 0 }, x: 4, y: 4 } } },
    ]);
    expect(plan.passes[1]?.repeat).toBeUndefined();
    expect(plan.resultSize).toEqual({ width: 52, height: 32 });
  });

  it('has what filters before it leave made into a picture of its own', () => {
    const plan = planStack([box({ range: 'rescale' }), box({ mix: half, repeat: 2 }), box()], image);
    expect(plan.steps).toMatchObject([{ filters: 1, needsMeasure: [0], edges: null }]);
    expect(plan.passes.map(({ mix }) => mix?.input)).toEqual([
      undefined,
      { image: { kind: 'picture', steps: 1 }, x: 0, y: 0 },
      undefined,
    ]);
  });

  it('keeps the stretch of its last time before the mix', () => {
    const { passes } = planStack([box({ mix: half, repeat: 2, range: 'rescale' })], image);
    expect(passes.map(({ range, mix }) => [range.kind, mix !== undefined])).toEqual([
      ['float', false],
      ['rescale', true],
    ]);
  });
});

describe('a search for edges', () => {
  it('is mixed, in a pass of its own, with the picture that it was made in', () => {
    const plan = planStack([canny({ mix: half, light: 'linear' })], image);
    expect(plan.steps).toHaveLength(1);
    expect(plan.passes).toMatchObject([
      {
        light: 'linear',
        alpha: 'weighted',
        range: { kind: 'clamp' },
        mix: { input: { image: { steps: 0 }, x: 0, y: 0 } },
      },
    ]);
  });

  it('comes after a picture of what filters before it leave', () => {
    const plan = planStack([box(), canny({ mix: half, size: 'valid', range: 'signed' })], image);
    expect(plan.steps.map(({ filters, passes, edges }) => [filters, passes.length, edges !== null])).toEqual([
      [1, 1, false],
      [2, 0, true],
    ]);
    const reach = plan.steps[1]?.edges?.x.weights.anchorX;
    expect(plan.passes).toMatchObject([
      { range: { kind: 'signed' } },
      { mix: { input: { image: { kind: 'picture', steps: 1 }, x: reach, y: reach } } },
    ]);
  });
});

it('a draft is mixed like the exact result', () => {
  const stack = [box({ mix: half }), box({ mix: half, repeat: 3, size: 'valid' })];
  const draft = planDraft(stack, planStack(stack, image), 1, { ...image, width: 30, height: 20 });
  expect(draft.steps).toMatchObject([{ filters: 1, edges: null }]);
  expect(draft.passes.map(({ mix }) => mix?.input)).toEqual([
    undefined,
    { image: { kind: 'picture', steps: 1 }, x: 0, y: 0 },
  ]);
});

describe('a stack from elsewhere', () => {
  const parsed = (mix: unknown) => stackSchema.safeParse([{ ...box(), mix }]);

  it('may have a mix, or none', () => {
    for (const mix of [undefined, plainMix, half, { ...half, channels: 'luminance' }])
      expect(parsed(mix).data?.[0]?.mix).toEqual(mix);
  });

  it('is refused for one that means nothing, at the field that does not fit', () => {
    const wrong: readonly [unknown, string][] = [
      [{ ...half, opacity: 1.5 }, 'opacity'],
      [{ ...half, opacity: Number.NaN }, 'opacity'],
      [{ ...half, blend: 'dissolve' }, 'blend'],
      [{ ...half, channels: [] }, 'channels'],
      [{ ...half, channels: ['red', 'red'] }, 'channels'],
      [{ ...half, channels: ['alpha'] }, 'channels'],
    ];
    for (const [mix, field] of wrong) expect(parsed(mix).error?.issues[0]?.path, field).toContain(field);
  });
});

it('a filter turned into a kernel keeps its mix', () => {
  expect(replaceByKernel([box({ mix: half })], 'f1', 'mine', createKernel(1, 1, [1]))[0]?.mix).toEqual(half);
});

describe('as one kernel', () => {
  const picture = { alpha: false, sampleType: 'f32' } as const;
  const shift = (mix: Partial<Mix>): Filter =>
    filterOf(
      { kind: 'custom', name: '', kernel: createKernel(3, 1, [1, 0, 0], { divisor: 1 }) },
      { range: 'float', border: { kind: 'wrap' }, mix: { ...plainMix, ...mix } },
    );

  it('opacity is the picture’s own share of it', () => {
    const { filter, reasons } = mergeFilters(shift({ opacity: 0.25 }), shift({ opacity: 0.5 }), picture, 'both');
    expect(filter).toMatchObject({ kernel: { weights: [0.125, 0.5, 0.375, 0, 0] } });
    expect(filter.mix).toBeUndefined();
    expect(reasons).toEqual([]);
    expect(repeatFilter(shift({ opacity: 0.5 }), 2, picture, 'twice').filter).toMatchObject({
      kernel: { weights: [0.25, 0.5, 0.25, 0, 0] },
    });
  });

  it('is not exact where a result is cut before it is mixed', () => {
    const sharp = { ...shift({ opacity: 0.5 }), range: 'clamp' } as const;
    const whole = { alpha: false, sampleType: 'u8' } as const;
    const kernel = createKernel(1, 1, [3], { divisor: 1 });
    expect(mergeFilters(shift({}), { ...sharp, kernel } as Filter, whole, '').reasons).toEqual([
      { kind: 'range', everywhere: false },
    ]);
  });

  it('other mixes are refused', () => {
    for (const mix of [{ blend: 'screen' }, { channels: ['red'] }] as const)
      expect(() => mergeFilters(shift(mix), shift({}), picture, '')).toThrow(/unsupported/);
  });
});
