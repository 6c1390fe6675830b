// Passes that are ready to run are predicted as the plan that they come from predicts its filters.

import { describe, expect, it } from 'vitest';
import type { Filter, FilterSettings } from '../../../core/document';
import { predictPasses } from '../../../core/passTime';
import { planStack } from '../../../core/plan';
import { shippedCosts } from '../../../core/shippedCosts';

const picture = { width: 3000, height: 2000, channels: 3, sampleType: 'u8' } as const;
const settings = (id: string): FilterSettings => ({
  ...{ id, enabled: true, border: { kind: 'replicate' }, size: 'same' },
  ...{ alpha: 'weighted', light: 'encoded', range: 'clamp' },
});
const filters: readonly Filter[] = [
  { ...settings('gaussian'), kind: 'gaussian', sigma: 3 },
  { ...settings('box'), kind: 'box', width: 41 },
  { ...settings('sharpen'), kind: 'sharpen', neighbours: 8, amount: 1, repeat: 5 },
  { ...settings('sobel'), kind: 'sobel', output: 'magnitude' } as Filter,
  { ...settings('lens'), kind: 'lens', radius: 30 },
];

describe('the time of passes', () => {
  it('is that of the plan, filter by filter and of all of them', () => {
    const table = shippedCosts.cpu;
    for (const stack of [...filters.map((filter) => [filter]), filters]) {
      const { passes, explanations } = planStack(stack, picture, {}, table);
      const planned = explanations.reduce((sum, { milliseconds }) => sum + (milliseconds ?? Number.NaN), 0);
      expect(predictPasses(passes, picture, table) / planned, stack.map(({ id }) => id).join()).toBeCloseTo(1, 9);
    }
    expect(predictPasses([], picture, table)).toBe(0);
  });
});
