// Filters of the stack as kernels: what merging, splitting and taking from the picture leave in the stack, each as one edit.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { createKernel, kernelSum, resolveDivisor } from '../../../core/kernel';
import { mergeKernels } from '../../../core/kernelAlgebra';
import { mergeFilters } from '../../../core/mergeFilters';
import { runCommand } from '../../../renderer/commands';
import { editor } from '../../../renderer/editor';
import { startTranslation, translation } from '../../../renderer/i18n/translation';
import { failureOffset } from '../../../renderer/kernel/FormulaPanel';
import { variableScale } from '../../../renderer/kernel/formulaVariables';
import { applyMerge, applySplit, canMerge, mergePair, splitFilter } from '../../../renderer/stackAlgebra';
import { createPageStore, pageStore, selectedFilter, stackOf } from '../../../renderer/store';
import { picture } from './examplePicture';

const stack = () => stackOf(pageStore.getState());
const at = (index: number): Filter => {
  const filter = stack()[index];
  if (filter === undefined) throw new Error('no such filter');
  return filter;
};
const names = () => ({ first: 'one', second: 'two' });

beforeEach(() => {
  if (!translation.isInitialized) startTranslation('en');
  pageStore.setState({ ...createPageStore().getInitialState(), image: picture }, true);
});

describe('two filters', () => {
  it('become one kernel in the place of the first, and undo brings both back', () => {
    runCommand('filter.add.binomial');
    runCommand('filter.add.sharpen');
    editor.select(at(0).id);
    const pair = mergePair(pageStore.getState());
    if (pair === null) throw new Error('a pair expected');
    const { filter } = mergeFilters(...pair, picture, 'both');
    applyMerge(pair, filter);
    expect(stack().map(({ kind }) => kind)).toEqual(['custom']);
    expect(selectedFilter(pageStore.getState())).toMatchObject({ name: 'both', kernel: { width: 7, height: 7 } });
    runCommand('edit.undo');
    expect(stack().map(({ kind }) => kind)).toEqual(['binomial', 'sharpen']);
  });
  it('cannot be merged where there is no next one, or a gradient', () => {
    runCommand('filter.add.binomial');
    expect(canMerge(pageStore.getState())).toBe(false);
    runCommand('filter.add.sobel');
    editor.select(at(0).id);
    expect(canMerge(pageStore.getState())).toBe(false);
    expect(runCommand('filter.merge')).toBe(false);
  });
});

describe('a filter that is split', () => {
  it('into row and column gives the same kernel when merged again', () => {
    runCommand('filter.add.binomial');
    const split = splitFilter(at(0), names);
    if (split === null) throw new Error('a split expected');
    expect(split.kind).toBe('rowAndColumn');
    applySplit(split);
    const [row, column] = stack();
    if (row?.kind !== 'custom' || column?.kind !== 'custom') throw new Error('two kernels expected');
    expect([row.kernel.width, row.kernel.height, column.kernel.width, column.kernel.height]).toEqual([5, 1, 1, 5]);
    expect(row.range).toBe('float');
    const again = mergeKernels(row.kernel, column.kernel);
    const gain = kernelSum(again) / resolveDivisor(again).divisor;
    expect(gain).toBeCloseTo(1, 12);
    expect((again.weights[12] ?? 0) / resolveDivisor(again).divisor).toBeCloseTo(36 / 256, 12);
  });
  it('into its separable part and the rest loses nothing: their sum is the kernel', () => {
    runCommand('filter.add.laplacian');
    const split = splitFilter(at(0), names);
    if (split === null) throw new Error('a split expected');
    expect(split.kind).toBe('partAndRest');
    expect(split.energy).toBeGreaterThan(0.9);
    const [part, rest] = split.filters;
    if (part.kind !== 'custom' || rest.kind !== 'custom') throw new Error('two kernels expected');
    expect(rest.enabled).toBe(false);
    const sums = part.kernel.weights.map((weight, index) => weight + (rest.kernel.weights[index] ?? 0));
    [0, 1, 0, 1, -4, 1, 0, 1, 0].forEach((weight, index) => {
      expect(sums[index]).toBeCloseTo(weight, 12);
    });
  });
});

describe('a blur taken from the picture', () => {
  it('leaves the detail, under a name that says so', () => {
    runCommand('filter.add.box');
    expect(runCommand('filter.subtract')).toBe(true);
    const filter = at(0);
    if (filter.kind !== 'custom') throw new Error('a kernel expected');
    expect(kernelSum(filter.kernel)).toBeCloseTo(0, 12);
    expect(filter.name).toContain('−');
  });
});

describe('the formula', () => {
  it('gives lengths a slider from 0.1, angles one of a full turn, and others one of both signs', () => {
    expect(variableScale('sigma', 31)).toMatchObject({ minimum: 0.1, maximum: 62, scale: 'log' });
    expect(variableScale('a', 31)).toMatchObject({ minimum: -3.15, maximum: 3.15 });
    expect(variableScale('k', 3)).toMatchObject({ minimum: -10, maximum: 10 });
  });
  it('knows where a refusal points', () => {
    expect(failureOffset({ code: 'invalidKernel', subject: 'line 1, column 5' })).toBe(4);
    expect(failureOffset({ code: 'invalidKernel', subject: 'weights' })).toBeNull();
  });
});

describe('operations', () => {
  it('change the selected kernel of one’s own as one undo step each', () => {
    runCommand('filter.add.custom');
    const start = at(0);
    if (start.kind !== 'custom') throw new Error('a kernel expected');
    editor.edit((now) => now.map((filter) => ({ ...filter, kernel: createKernel(3, 1, [1, 2, 3]) }) as Filter));
    expect(runCommand('kernel.rotateLeft')).toBe(true);
    expect(at(0)).toMatchObject({ kernel: { width: 1, height: 3, weights: [3, 2, 1] } });
    runCommand('edit.undo');
    expect(at(0)).toMatchObject({ kernel: { width: 3, height: 1, weights: [1, 2, 3] } });
  });
});
