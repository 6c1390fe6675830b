// Diffusion that edges stop, as a filter: one pass that repeats, each pixel with weights of its own, and no kernel to show,
// merge or export.

import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { planDraft } from '../../../core/draft';
import { hasOwnWeights, isOneGrid, kernelsOf, longPairs } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { isMergeable, mergeFilters } from '../../../core/mergeFilters';
import { planStack } from '../../../core/plan';
import { resultOrigin } from '../../../core/planParts';
import { stepName } from '../../../core/stepNames';

const image = { width: 40, height: 30, channels: 3, sampleType: 'u8' as const };
const stopped = (more: object = {}): Filter =>
  ({ ...catalogueEntry('diffusion').create('f1', 'u8'), stopping: 'exponential', conductance: 10, ...more }) as Filter;

describe('diffusion that edges stop', () => {
  it('is one pass that says how often, by the share of full scale', () => {
    const plan = planStack([stopped({ iterations: 15, rate: 0.25 })], image);
    expect(plan.passes).toMatchObject([
      { work: { kind: 'diffusion', stopping: 'exponential', conductance: 0.1, rate: 0.25 }, repeat: 15 },
    ]);
    expect(plan.explanations[0]).toMatchObject({
      path: { kind: 'diffusion', width: 3, height: 3 },
      reason: { kind: 'ownWeights' },
      milliseconds: null,
    });
  });

  it('is the heat equation where nothing stops it', () => {
    const heat = catalogueEntry('diffusion').create('f1', 'u8');
    const { stopping: _stopping, conductance: _conductance, ...older } = heat as Extract<Filter, { kind: 'diffusion' }>;
    expect(planStack([older], image).passes).toEqual(planStack([heat], image).passes);
    expect(planStack([heat], image).passes[0]?.work.kind).not.toBe('diffusion');
    expect(hasOwnWeights(older)).toBe(false);
  });

  it('loses its rim with each step where only whole windows count', () => {
    const plan = planStack([stopped({ iterations: 6, size: 'valid' })], image);
    expect(plan.resultSize).toEqual({ width: 28, height: 18 });
    expect(resultOrigin(plan)).toEqual({ x: 6, y: 6 });
  });

  it('is mixed with the picture that it began with', () => {
    const mix = { opacity: 0.5, blend: 'normal', channels: 'all' } as const;
    const { passes } = planStack([stopped({ iterations: 4, mix })], image);
    expect(passes.map(({ repeat = 1, mix: mixed }) => [repeat, mixed?.input !== undefined])).toEqual([
      [3, false],
      [1, true],
    ]);
  });

  it('takes fewer steps in a draft, of the same conductance', () => {
    const stack = [stopped({ iterations: 32, rate: 0.2 })];
    const [pass] = planDraft(stack, planStack(stack, image), 2, { ...image, width: 10, height: 8 }).passes;
    expect(pass).toMatchObject({ repeat: 2, work: { kind: 'diffusion', conductance: 0.1, rate: 0.2 } });
  });

  it('has no kernel, so that nothing shows, merges or plans one', () => {
    expect(kernelsOf(stopped())).toEqual([]);
    expect(longPairs(stopped())).toBe(null);
    expect(isOneGrid(stopped())).toBe(false);
    expect(isMergeable(stopped({ iterations: 1 }))).toBe(false);
    const picture = { alpha: false, sampleType: 'u8' } as const;
    expect(() => mergeFilters(stopped(), stopped(), picture, 'both')).toThrow(/weights of its own/);
    expect(() => planStack([stopped()], image, { path: { kind: 'fft' } })).toThrow(/every pixel has its own/);
  });

  it('names the step that a person took', () => {
    expect(stepName([stopped()], [stopped({ stopping: 'rational' })])).toMatchObject({
      ...{ kind: 'parameter', key: 'stopping', from: 'exponential', to: 'rational' },
    });
  });
});
