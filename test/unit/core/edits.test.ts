// Edits of a stack and of a kernel: each gives a new value, leaves the old one as it was, and keeps what it does not name.

import { describe, expect, it } from 'vitest';
import type { Filter, Stack } from '../../../core/document';
import * as edits from '../../../core/edits';
import { ConvolveError } from '../../../core/errors';
import { filterSchema } from '../../../core/filterSchema';
import { catalogue, catalogueEntry } from '../../../core/filters';
import { createKernel, kernelSum } from '../../../core/kernel';
import * as kernelEdits from '../../../core/kernelEdits';

const start = (kind: Filter['kind'], id: string): Filter => catalogueEntry(kind).create(id, 'u8');
const stack: Stack = [start('gaussian', 'a'), start('sobel', 'b'), start('custom', 'c')];
const ids = (value: Stack) => value.map(({ id }) => id).join('');

describe('stack edits', () => {
  it('add at the end or at a place, and remove', () => {
    expect(ids(edits.addFilter(stack, start('box', 'd')))).toBe('abcd');
    expect(ids(edits.addFilter(stack, start('box', 'd'), 1))).toBe('adbc');
    expect(ids(edits.removeFilter(stack, 'b'))).toBe('ac');
    expect(ids(edits.removeFilter(stack, 'z'))).toBe('abc');
    expect(ids(stack)).toBe('abc');
  });

  it('move to a place, cut to the ends', () => {
    expect(ids(edits.moveFilter(stack, 'a', 2))).toBe('bca');
    expect(ids(edits.moveFilter(stack, 'c', 0))).toBe('cab');
    expect(ids(edits.moveFilter(stack, 'a', 99))).toBe('bca');
    expect(ids(edits.moveFilter(stack, 'b', -5))).toBe('bac');
    expect(edits.moveFilter(stack, 'b', 1)).toBe(stack);
    expect(edits.moveFilter(stack, 'z', 1)).toBe(stack);
  });

  it('switch, duplicate, change settings', () => {
    expect(edits.toggleFilter(stack, 'b')[1]).toMatchObject({ enabled: false });
    expect(ids(edits.duplicateFilter(stack, 'a', 'x'))).toBe('axbc');
    expect(edits.duplicateFilter(stack, 'a', 'x')[1]).toEqual({ ...stack[0], id: 'x' });
    expect(edits.changeSettings(stack, 'a', { border: { kind: 'wrap' }, range: 'signed' })[0]).toEqual({
      ...stack[0],
      border: { kind: 'wrap' },
      range: 'signed',
    });
    expect(edits.changeSettings(stack, 'a', { light: 'linear' })[1]).toBe(stack[1]);
  });

  it('refuse more filters than a document holds', () => {
    const full = Array.from({ length: edits.maximumStackLength }, (_, index) => start('box', `f${index}`));
    expect(() => edits.addFilter(full, start('box', 'x'))).toThrow(ConvolveError);
    expect(() => edits.duplicateFilter(full, 'f0', 'x')).toThrow(ConvolveError);
  });

  it('set a parameter to the nearest value that the document accepts', () => {
    expect(edits.setParameter(stack, 'a', 'sigma', 4.25)[0]).toMatchObject({ sigma: 4.25 });
    expect(edits.setParameter(stack, 'a', 'sigma', 1e9)[0]).toMatchObject({ sigma: 500 });
    expect(edits.setParameter(stack, 'a', 'sigma', Number.NaN)[0]).toMatchObject({ sigma: 3 });
    expect(edits.setParameter(stack, 'b', 'sigma', 4)[1]).toBe(stack[1]);
    for (const { kind, parameters, create } of catalogue)
      for (const { key } of parameters)
        for (const value of [-1e9, 0, 0.49, 3.7, 5.2, 1e9, Number.NaN, Number.POSITIVE_INFINITY])
          expect(
            filterSchema.safeParse(edits.withParameter(create('x', 'u8'), key, value)).success,
            `${kind} ${key} ${value}`,
          ).toBe(true);
  });

  it('reset all but place, id, on/off and a custom kernel', () => {
    const changed = edits.toggleFilter(edits.setParameter(stack, 'a', 'sigma', 9), 'a');
    expect(edits.resetFilter(changed, 'a', start('gaussian', 'new'))[0]).toEqual({ ...stack[0], enabled: false });
    expect(edits.resetFilter(stack, 'c', start('custom', 'new'))[2]).toBe(stack[2]);
  });

  it('edit the kernel of a custom filter only', () => {
    const kernel = createKernel(1, 1, [2]);
    expect(edits.editKernel(stack, 'c', () => kernel)[2]).toMatchObject({ kernel });
    expect(edits.editKernel(stack, 'a', () => kernel)[0]).toBe(stack[0]);
    const replaced = edits.replaceByKernel(stack, 'a', 'mine', kernel)[0];
    expect(replaced).toEqual({ ...start('custom', 'a'), name: 'mine', kernel });
  });

  it('a kernel keeps its formula until a cell, the size or the anchor is changed by other means', () => {
    const formula = { text: 'x + k*y', values: { k: 2 } };
    const given = edits.editKernel(
      stack,
      'c',
      (kernel) => ({ ...kernel, weights: [1, 2, 3, 4, 5, 6, 7, 8, 9] }),
      formula,
    );
    expect(given[2]).toMatchObject({ formula });
    const changed = (edit: Parameters<typeof edits.editKernel>[2]) => edits.editKernel(given, 'c', edit)[2];
    expect(changed((kernel) => ({ ...kernel, divisor: 3, bias: 0.5, orientation: 'convolution' }))).toMatchObject({
      formula,
    });
    expect(changed((kernel) => kernelEdits.editKernelCell(kernel, 0, 0, 5))).not.toHaveProperty('formula');
    expect(changed((kernel) => kernelEdits.setAnchor(kernel, 0, 0))).not.toHaveProperty('formula');
    expect(filterSchema.parse(given[2])).toEqual(given[2]);
  });
});

const ramp = createKernel(3, 2, [1, 2, 3, 4, 5, 6], { anchorX: 2, anchorY: 0 });

describe('kernel edits', () => {
  it('set one cell, and refuse what is no number', () => {
    expect(kernelEdits.editKernelCell(ramp, 1, 1, 9).weights).toEqual([1, 2, 3, 4, 9, 6]);
    expect(kernelEdits.editKernelCell(ramp, 3, 0, 9)).toBe(ramp);
    expect(() => kernelEdits.editKernelCell(ramp, 1, 1, Number.NaN)).toThrow(/row 2, column 2/);
  });

  it('write a block, cut at the kernel', () => {
    expect(
      kernelEdits.writeCells(ramp, 1, 1, [
        [7, 8, 9],
        [1, 1, 1],
      ]).weights,
    ).toEqual([1, 2, 3, 4, 7, 8]);
  });

  it('turn and mirror with the anchor; four quarter turns and two mirrors are none', () => {
    expect(kernelEdits.rotateQuarter(ramp)).toMatchObject({
      width: 2,
      height: 3,
      weights: [3, 6, 2, 5, 1, 4],
      anchorX: 0,
      anchorY: 0,
    });
    expect(kernelEdits.mirrorHorizontally(ramp)).toMatchObject({ weights: [3, 2, 1, 6, 5, 4], anchorX: 0 });
    expect(kernelEdits.mirrorVertically(ramp)).toMatchObject({ weights: [4, 5, 6, 1, 2, 3], anchorY: 1 });
    expect(kernelEdits.transpose(ramp)).toMatchObject({
      width: 2,
      height: 3,
      weights: [1, 4, 2, 5, 3, 6],
      anchorX: 0,
      anchorY: 2,
    });
    const { rotateQuarter, mirrorHorizontally, mirrorVertically, transpose } = kernelEdits;
    expect(rotateQuarter(rotateQuarter(rotateQuarter(rotateQuarter(ramp))))).toEqual(ramp);
    for (const twice of [mirrorHorizontally, mirrorVertically, transpose]) expect(twice(twice(ramp))).toEqual(ramp);
    for (const [x, y] of [
      [0, 0],
      [1, 1],
      [2, 0],
    ] as const) {
      const marked = { ...ramp, anchorX: x, anchorY: y };
      for (const move of [rotateQuarter, mirrorHorizontally, mirrorVertically, transpose]) {
        const moved = move(marked);
        expect(moved.weights[moved.anchorY * moved.width + moved.anchorX]).toBe(ramp.weights[y * 3 + x]);
      }
    }
  });

  it('move the anchor, cut to the kernel', () => {
    expect(kernelEdits.setAnchor(ramp, 1, 1)).toMatchObject({ anchorX: 1, anchorY: 1 });
    expect(kernelEdits.setAnchor(ramp, 9, -9)).toMatchObject({ anchorX: 2, anchorY: 0 });
  });

  it('negate without making −0, and add an identity under the anchor', () => {
    expect(kernelEdits.negate(createKernel(2, 1, [0, 3])).weights).toEqual([0, -3]);
    expect(kernelEdits.addIdentity(ramp, 10).weights).toEqual([1, 2, 13, 4, 5, 6]);
  });

  it('normalise to sum 1 by the divisor, to sum 0 by the mean, to peak 1 by the largest', () => {
    expect(kernelEdits.normalise({ ...ramp, divisor: 3 }, 'sumOne')).toEqual({ ...ramp, divisor: 'auto' });
    const cancelling = createKernel(2, 1, [1, -1], { divisor: 2 });
    expect(kernelEdits.normalise(cancelling, 'sumOne')).toBe(cancelling);
    expect(kernelSum(kernelEdits.normalise(ramp, 'sumZero'))).toBeCloseTo(0, 12);
    expect(kernelEdits.normalise(createKernel(2, 1, [2, -8]), 'peakOne')).toMatchObject({
      weights: [0.25, -1],
      divisor: 1,
    });
    const zero = createKernel(2, 1, [0, 0]);
    expect(kernelEdits.normalise(zero, 'peakOne')).toBe(zero);
  });
});
