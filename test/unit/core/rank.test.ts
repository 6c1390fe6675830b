// A filter that is held to a rank: what runs, whether it is an approximation, and how far off the picture can be.

import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { setRank } from '../../../core/edits';
import { stackSchema } from '../../../core/filterSchema';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { planStack } from '../../../core/plan';
import { filterSum, isApproximate, rankDifference } from '../../../core/rank';
import { decompose, rankPairs } from '../../../core/separability';
import { correlate, picture } from './directSum';
import { randomSource } from './randomNumbers';

const photo = { width: 640, height: 480, channels: 3, sampleType: 'u8' } as const;
const lens = { ...catalogueEntry('lens').create('lens', 'u8'), kind: 'lens', radius: 5 } as const;
const planned = (filter: Filter) => planStack([filter], photo);

describe('a filter held to a rank', () => {
  it('runs as that many pairs of a row and a column, and says that it is approximate', () => {
    const plan = planned({ ...lens, rank: 2 });
    const [pass] = plan.passes;
    expect(pass?.work.kind === 'separable' && pass.work.weights.pairs).toHaveLength(2);
    expect(plan.explanations[0]?.reason).toMatchObject({ kind: 'approximate', rank: 2, exact: 5 });
  });
  it('is exact again without it, and where its own rank is not larger', () => {
    const [held] = setRank([lens], 'lens', 2);
    expect(held?.rank).toBe(2);
    const [free] = setRank([held as Filter], 'lens', null);
    expect(free).toEqual(lens);
    expect(planned({ ...lens, rank: 5 }).explanations[0]?.reason).toMatchObject({ kind: 'rankReached', exact: 5 });
  });
  it('leaves gradients and edges exact', () => {
    const sobel = { ...catalogueEntry('sobel').create('sobel', 'u8'), rank: 1 };
    expect(planned(sobel).passes[0]?.work.kind).toBe('magnitude');
    expect(isApproximate(sobel)).toBe(false);
  });
  it('goes through the parser of documents, which refuses ranks that are none', () => {
    expect(stackSchema.parse([{ ...lens, rank: 3 }])[0]).toMatchObject({ rank: 3 });
    expect(stackSchema.parse([lens])[0]).not.toHaveProperty('rank');
    for (const rank of [0, 1.5, 512, 'all']) expect(stackSchema.safeParse([{ ...lens, rank }]).success).toBe(false);
  });
});

describe('whether a held filter is an approximation', () => {
  it.each([
    ['below its rank', { ...lens, rank: 3 }, true],
    ['at its rank', { ...lens, rank: 5 }, false],
    ['not held', lens, false],
    ['a Gaussian, of rank 1', { ...catalogueEntry('gaussian').create('g', 'u8'), rank: 1 }, false],
    [
      'all zeros',
      {
        ...catalogueEntry('custom').create('c', 'u8'),
        kind: 'custom',
        name: '',
        kernel: createKernel(2, 2, [0, 0, 0, 0]),
        rank: 1,
      } as const,
      false,
    ],
  ])('%s', (_, filter, expected) => {
    expect(isApproximate(filter)).toBe(expected);
  });
});

describe('the difference of a rank', () => {
  it('bounds the error of every picture, and a picture reaches the bound', () => {
    const sum = filterSum(lens);
    if (!sum) throw new Error('a lens is one sum');
    const difference = rankDifference(sum, rankPairs(decompose(sum.grid), 2));
    const random = randomSource(5);
    const side = sum.grid.width;
    const off = (value: (x: number, y: number) => number) => {
      const source = picture(side, side, value);
      const error = correlate(source, { ...sum.grid, weights: difference.weights });
      return Math.abs(error.values[(side * side - 1) / 2] ?? 0);
    };
    for (let round = 0; round < 20; round++) expect(off(() => random.next())).toBeLessThanOrEqual(difference.bound);
    const worst = Math.max(
      off((x, y) => ((difference.weights[y * side + x] ?? 0) > 0 ? 1 : 0)),
      off((x, y) => ((difference.weights[y * side + x] ?? 0) < 0 ? 1 : 0)),
    );
    expect(worst).toBeCloseTo(difference.bound, 12);
    expect(difference.rootMeanSquare).toBeLessThan(difference.largest);
  });
});
