// Filters that are applied again and again: as passes, as a draft, at their borders, and diffusion against the blur it is.

import { describe, expect, it } from 'vitest';
import type { Filter, FilterParameters } from '../../../core/document';
import { planDraft } from '../../../core/draft';
import { replaceByKernel } from '../../../core/edits';
import { kernelsOf, repeatOf } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { repeatKernel } from '../../../core/kernelAlgebra';
import { isMergeable } from '../../../core/mergeFilters';
import { passesToMeasure, planStack } from '../../../core/plan';
import { resultOrigin } from '../../../core/planParts';

const image = { width: 40, height: 30, channels: 3, sampleType: 'u8' as const };
const filterOf = (parameters: FilterParameters, more: Partial<Filter> = {}): Filter =>
  ({ ...catalogueEntry(parameters.kind).create('f1', 'u8'), ...parameters, ...more }) as Filter;
const box = (more: Partial<Filter>) => filterOf({ kind: 'box', width: 3 }, more);

describe('a repeated filter', () => {
  it('is one pass that says how often, and costs as much', () => {
    const once = planStack([box({})], image);
    const often = planStack([box({ repeat: 8 })], image);
    expect(often.passes).toEqual([{ ...once.passes[0], repeat: 8 }]);
    expect(often.explanations[0]?.multiplyAddsPerPixel).toBe(8 * (once.explanations[0]?.multiplyAddsPerPixel ?? 0));
  });

  it('loses its rim each time where only whole windows count', () => {
    const plan = planStack([box({ repeat: 4, size: 'valid' })], image);
    expect(plan.resultSize).toEqual({ width: 32, height: 22 });
    expect(resultOrigin(plan)).toEqual({ x: 4, y: 4 });
    expect(() => planStack([box({ repeat: 15, size: 'valid' })], image)).toThrow(/invalidPlan/);
  });

  it('is stretched once, at the end', () => {
    const plan = planStack([box({ repeat: 5, range: 'rescale' })], image);
    expect(plan.passes.map(({ range, repeat = 1 }) => [range.kind, repeat])).toEqual([
      ['float', 4],
      ['rescale', 1],
    ]);
    expect(plan.needsMeasure).toEqual([1]);
    expect(passesToMeasure(plan, 1)).toHaveLength(2);
  });

  it('is no single kernel to merge with, and stays repeated as a kernel of one’s own', () => {
    expect(isMergeable(box({ repeat: 2 }))).toBe(false);
    const [kernel] = kernelsOf(box({}));
    const [own] = replaceByKernel([box({ repeat: 3 })], 'f1', 'mine', kernel!);
    expect(own).toMatchObject({ kind: 'custom', repeat: 3 });
    const diffusion = filterOf({ kind: 'diffusion', iterations: 12, rate: 0.1 });
    expect(replaceByKernel([diffusion], 'f1', 'mine', kernelsOf(diffusion)[0]!)[0]).toMatchObject({ repeat: 12 });
  });

  it('that searches for edges searches once', () => {
    expect(repeatOf(filterOf({ kind: 'canny', sigma: 1, low: 4, high: 10 }, { repeat: 3 }))).toBe(1);
  });
});

describe('diffusion', () => {
  it('is a blur whose variance grows by twice the rate with each step', () => {
    const rate = 0.2;
    const iterations = 12;
    const [stencil] = kernelsOf({ kind: 'diffusion', iterations, rate });
    const whole = repeatKernel(stencil!, iterations);
    const middle = (whole.width - 1) / 2;
    let sum = 0;
    let variance = 0;
    whole.weights.forEach((weight, index) => {
      sum += weight;
      variance += weight * ((index % whole.width) - middle) ** 2;
    });
    expect(sum).toBeCloseTo(1, 12);
    expect(variance).toBeCloseTo(2 * rate * iterations, 10);
    expect(Math.min(...whole.weights)).toBeGreaterThanOrEqual(0);
  });

  it('has a draft of the same strength: its time shrinks with the area of a pixel', () => {
    for (const iterations of [1, 7, 20, 200]) {
      const stack = [filterOf({ kind: 'diffusion', iterations, rate: 0.2 })];
      const [pass] = planDraft(stack, planStack(stack, image), 2, image).passes;
      const weights = pass?.work.kind === 'dense' || pass?.work.kind === 'sparse' ? pass.work.weights.weights : [];
      const time = (weights[1] ?? 0) * (pass?.repeat ?? 1);
      expect(time).toBeCloseTo((0.2 * iterations) / 16, 12);
      expect(weights[1]).toBeLessThanOrEqual(0.25);
    }
  });
});
