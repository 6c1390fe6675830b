// The numbers of the Separability tab.

import { describe, expect, it } from 'vitest';
import { catalogueEntry } from '../../../core/filters';
import { planStack } from '../../../core/plan';
import { filterSum } from '../../../core/rank';
import { decompose } from '../../../core/separability';
import { shippedCosts } from '../../../core/shippedCosts';
import {
  amplification,
  isPlanned,
  pathRows,
  pictureInStack,
  rankAt,
  rankFacts,
  shownRank,
} from '../../../renderer/separability/rankFacts';

const photo = { width: 640, height: 480, channels: 3, sampleType: 'u8' } as const;
const sumOf = (radius: number) => {
  const sum = filterSum({ ...catalogueEntry('lens').create('lens', 'u8'), kind: 'lens', radius });
  if (!sum) throw new Error('a lens is one sum');
  return sum;
};

describe('a kernel at a rank', () => {
  it('keeps more energy and errs less with every pair, and not at all at its own rank', () => {
    const sum = sumOf(5);
    const decomposition = decompose(sum.grid);
    expect(rankAt(decomposition, 1e-6)).toBe(5);
    const all = [1, 2, 3, 4, 5].map((rank) => rankFacts({ sum, decomposition, rank }));
    all.reduce((before, now) => {
      expect(now.energy).toBeGreaterThan(before.energy);
      expect(now.largest).toBeLessThan(before.largest);
      return now;
    });
    expect(all[4]?.bound).toBeLessThan(1e-12);
    expect(rankAt(decomposition, 0.5)).toBe(1);
  });
  it('shows what is looked at, else what is stored, else what is exact', () => {
    expect(shownRank(4, null, undefined)).toBe(4);
    expect(shownRank(4, null, 2)).toBe(2);
    expect(shownRank(4, 3, 2)).toBe(3);
    expect(shownRank(4, null, 9)).toBe(4);
    expect(shownRank(0, null, undefined)).toBe(1);
  });
});

describe('the table of paths', () => {
  it('counts multiply-adds, and marks the approximate row', () => {
    const rows = pathRows(sumOf(15), 10, 3, shippedCosts.cpu, photo);
    const counts = Object.fromEntries(rows.map(({ kind, multiplyAdds }) => [kind, multiplyAdds]));
    expect(counts).toMatchObject({ dense: 31 * 31, exactRank: 10 * 62, rank: 3 * 62 });
    expect(rows.filter(({ exact }) => !exact).map(({ kind }) => kind)).toEqual(['rank']);
    expect(rows.map(({ kind }) => kind)).toContain('sparse');
    const three = rows.find(({ kind }) => kind === 'rank');
    expect(three && isPlanned(three, { kind: 'separable', width: 31, height: 31, pairs: 3 })).toBe(true);
    expect(three && isPlanned(three, { kind: 'separable', width: 31, height: 31, pairs: 10 })).toBe(false);
  });
  it('predicts what the plan does for the filter at its place in the stack', () => {
    const filter = (id: string) => ({ ...catalogueEntry('lens').create(id, 'u8'), kind: 'lens', radius: 7 }) as const;
    const stack = [filter('first'), { ...filter('off'), enabled: false }, filter('second')];
    const image = { ...photo, channels: 4 } as const;
    for (const costs of [shippedCosts.cpu, shippedCosts.reference])
      for (const explanation of planStack(stack, image, {}, costs).explanations) {
        const rows = pathRows(sumOf(7), 6, 6, costs, pictureInStack(image, stack, explanation.filterId, costs));
        const planned = rows.find((row) => explanation.path.kind !== 'edges' && isPlanned(row, explanation.path));
        expect(planned?.predicted).toBe(explanation.milliseconds);
      }
  });
  it('has running sums where all weights are equal', () => {
    const box = filterSum(catalogueEntry('box').create('box', 'u8'));
    expect(box && pathRows(box, 1, 1, shippedCosts.cpu, photo).map(({ kind }) => kind)).toEqual([
      'dense',
      'box',
      'exactRank',
      'fft',
    ]);
  });
});

describe('how a difference is made visible', () => {
  it('by 1, 2 or 5 times a power of ten, so that the largest one still fits', () => {
    for (const [bound, factor] of [
      [0.5, 1],
      [0.3, 1],
      [0.1, 5],
      [0.0009, 500],
      [0.0024, 200],
      [0, 1],
    ] as const) {
      expect(amplification(bound)).toBeCloseTo(factor, 9);
      expect(bound * factor).toBeLessThanOrEqual(0.5);
    }
  });
});
