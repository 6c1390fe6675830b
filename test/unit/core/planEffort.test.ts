// Planning is done at each step of a slider: it writes no kernel out that it neither looks at nor runs.

import { expect, it, vi } from 'vitest';
import type { FilterParameters } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
import { planStack } from '../../../core/plan';
import { sumOfPairs } from '../../../core/separability';

vi.mock('../../../core/separability', async (original) => {
  const own = await original<typeof import('../../../core/separability')>();
  return { ...own, sumOfPairs: vi.fn(own.sumOfPairs) };
});

const picture = { width: 4000, height: 3000, channels: 4, sampleType: 'u8' } as const;

function writtenOut(parameters: FilterParameters): number {
  vi.mocked(sumOfPairs).mockClear();
  planStack([{ ...catalogueEntry(parameters.kind).create('f1', 'u8'), ...parameters }], picture);
  return vi.mocked(sumOfPairs).mock.calls.length;
}

it('a large grid is not written out to be timed, a small one is, whose weights may make it quicker', () => {
  expect(writtenOut({ kind: 'gaussian', sigma: 60 })).toBe(0);
  expect(writtenOut({ kind: 'box', width: 501 })).toBe(0);
  expect(writtenOut({ kind: 'gaussian', sigma: 1 })).toBe(1);
});
