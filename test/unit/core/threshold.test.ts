// The threshold of an unsharp mask: of the difference before the amount, each time that the filter is applied, and nothing at
// all where it is 0.

import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { isOneGrid, kernelsOf } from '../../../core/filterForm';
import { catalogueEntry } from '../../../core/filters';
import { kernelCode } from '../../../core/kernelCode';
import { isMergeable } from '../../../core/mergeFilters';
import { plainMix } from '../../../core/mix';
import { planStack } from '../../../core/plan';
import { englishWords } from './codeWordsOf';

const image = { width: 40, height: 30, channels: 3, sampleType: 'u8' as const };
const unsharp = (more: object = {}): Filter =>
  ({ ...catalogueEntry('unsharp').create('f1', 'u8'), amount: 1.5, ...more }) as Filter;
const passesOf = (filter: Filter) => planStack([filter], image).passes;

describe('the threshold of an unsharp mask', () => {
  it('is held against the difference after the amount', () => {
    expect(passesOf(unsharp({ threshold: 2 }))).toMatchObject([{ mix: { ...plainMix, threshold: 0.03 } }]);
  });

  it('changes nothing of the plan where it is 0, absent, or of no amount', () => {
    const { threshold: _threshold, ...older } = unsharp() as Extract<Filter, { kind: 'unsharp' }>;
    const plain = passesOf(older);
    expect(plain).toHaveLength(1);
    expect(plain[0]).not.toHaveProperty('mix');
    expect(passesOf(unsharp({ threshold: 0 }))).toEqual(plain);
    expect(passesOf(unsharp({ amount: 0, threshold: 5 }))[0]).not.toHaveProperty('mix');
  });

  it('goes with the mix of one pass', () => {
    const mix = { opacity: 0.5, blend: 'screen', channels: ['red'] } as const;
    expect(passesOf(unsharp({ threshold: 2, mix }))).toMatchObject([{ mix: { ...mix, threshold: 0.03 } }]);
  });

  it('is held against each time’s own input where the filter repeats, and the mix against the first', () => {
    const often = passesOf(unsharp({ threshold: 2, repeat: 3 }));
    expect(often).toEqual(Array.from({ length: 3 }, () => passesOf(unsharp({ threshold: 2 }))[0]));
    const mix = { opacity: 0.5, blend: 'normal', channels: 'all' } as const;
    const mixed = passesOf(unsharp({ threshold: 2, repeat: 3, mix }));
    expect(mixed.slice(0, 3)).toEqual(often);
    expect(mixed[3]).toMatchObject({ work: { kind: 'dense' }, mix: { opacity: 0.5, input: { x: 0, y: 0 } } });
    expect(mixed[3]?.mix).not.toHaveProperty('threshold');
  });

  it('is stretched once, at the end', () => {
    const ranges = passesOf(unsharp({ threshold: 2, repeat: 2, range: 'rescale' })).map(({ range }) => range.kind);
    expect(ranges).toEqual(['float', 'rescale']);
  });

  it('leaves a kernel to look at that is not the whole filter', () => {
    const filter = unsharp({ threshold: 2 });
    expect(kernelsOf(filter)).toHaveLength(1);
    expect(isOneGrid(filter)).toBe(false);
    expect(isMergeable(filter)).toBe(false);
    expect(kernelCode('numpy', kernelsOf(filter)[0]!, filter, englishWords).losses).toContainEqual({ kind: 'mix' });
  });
});
