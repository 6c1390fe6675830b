// Planning is done at each step of a slider: it writes no kernel out that it neither looks at nor runs.

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { FilterParameters } from '../../../core/document';

const sumOfPairs = vi.fn();
let catalogueEntry: typeof import('../../../core/filters').catalogueEntry;
let planStack: typeof import('../../../core/plan').planStack;

beforeAll(async () => {
  // Other files may have imported the modules already.
  vi.resetModules();
  vi.doMock('../../../core/separability', async (original) => {
    const own = await original<typeof import('../../../core/separability')>();
    return { ...own, sumOfPairs: sumOfPairs.mockImplementation(own.sumOfPairs) };
  });
  ({ catalogueEntry } = await import('../../../core/filters'));
  ({ planStack } = await import('../../../core/plan'));
});

afterAll(() => {
  vi.doUnmock('../../../core/separability');
  vi.resetModules();
});

const picture = { width: 4000, height: 3000, channels: 4, sampleType: 'u8' } as const;

function writtenOut(parameters: FilterParameters): number {
  sumOfPairs.mockClear();
  planStack([{ ...catalogueEntry(parameters.kind).create('f1', 'u8'), ...parameters }], picture);
  return sumOfPairs.mock.calls.length;
}

it('a large grid is not written out to be timed, a small one is, whose weights may make it quicker', () => {
  expect(writtenOut({ kind: 'gaussian', sigma: 60 })).toBe(0);
  expect(writtenOut({ kind: 'box', width: 501 })).toBe(0);
  expect(writtenOut({ kind: 'gaussian', sigma: 1 })).toBe(1);
});
