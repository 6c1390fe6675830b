import { describe, expect, it } from 'vitest';
import type { Filter, ImageInfo } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { wholeMask } from '../../../core/mask';
import {
  canBeSigned,
  originalSubject,
  resultChange,
  resultSubject,
  signedSubject,
  stackKey,
} from '../../../renderer/viewport/subject';
import { spread } from '../../../renderer/viewport/tileBitmap';
import { picture } from './examplePicture';

const image: ImageInfo = { ...picture, id: 3, width: 100, height: 80 };
const make = (kind: Filter['kind'], rest: object = {}): Filter =>
  ({ ...catalogueEntry(kind).create(`id of ${kind}`, 'u8'), ...rest }) as Filter;

describe('the subject of a result', () => {
  it('is the picture itself where no filter is switched on', () => {
    expect(resultSubject(image, [make('sobel', { enabled: false })])).toEqual(originalSubject(image));
  });
  it('has one key for stacks with the same pixels: ids, names and switched-off filters do not count', () => {
    const kernel = createKernel(1, 1, [1]);
    const one = [make('custom', { id: 'a', name: 'mine', kernel }), make('box', { enabled: false })];
    const other = [make('custom', { id: 'b', name: 'yours', kernel })];
    expect(resultSubject(image, one).source).toBe(resultSubject(image, other).source);
    expect(stackKey([make('box')])).not.toBe(stackKey([make('box', { width: 7 })]));
    expect(stackKey([make('box')])).not.toBe(stackKey([make('box', { light: 'linear' })]));
  });
  it('differs from the one before only where a stroke is, where nothing but the last mask has changed', () => {
    const painted = (points: readonly number[], rest: object = {}) => {
      const stroke = { size: 10, hardness: 1, flow: 1, erases: false, points };
      const shapes = [{ combine: 'add', kind: 'brush', strokes: [stroke] }];
      return make('box', { mask: { ...wholeMask(image), shapes }, ...rest });
    };
    const [before, after] = [painted([20, 20]), painted([20, 20, 30, 20])];
    const change = (one: readonly Filter[], other: readonly Filter[], engine = 'auto') =>
      resultChange(resultSubject(image, one, engine), resultSubject(image, other));
    const stroke = { x: 13, y: 13, width: 24, height: 14 };
    expect(change([before], [after])).toEqual(stroke);
    expect(change([make('sobel'), before], [make('sobel'), after, make('lens', { enabled: false })])).toEqual(stroke);
    // What a kernel keeps where it fits begins further in.
    const cut = make('box', { size: 'valid', width: 5 });
    expect(change([cut, before], [cut, after])).toEqual({ ...stroke, x: 11, y: 11 });
    for (const [one, other, engine] of [
      [[before], [painted([20, 20, 30, 20], { width: 9 })]],
      [
        [before, make('sobel')],
        [after, make('sobel')],
      ],
      [[before], [after], 'reference'],
      [[make('box')], [after]],
      [[make('sobel'), before], [after]],
    ] as const)
      expect(change(one, other, engine)).toBeNull();
  });
  it('shrinks and moves by each filter that keeps only where its kernel fits', () => {
    const kernel = createKernel(5, 3, new Array(15).fill(1), { anchorX: 0, anchorY: 2 });
    const stack = [make('box', { width: 7, size: 'valid' }), make('custom', { kernel, size: 'valid' }), make('sobel')];
    expect(resultSubject(image, stack)).toMatchObject({ size: { width: 90, height: 72 }, origin: { x: 3, y: 5 } });
  });
  it('counts the anchor of a convolution from the turned kernel', () => {
    const kernel = createKernel(5, 1, [1, 0, 0, 0, 0], { anchorX: 0, orientation: 'convolution' });
    expect(resultSubject(image, [make('custom', { kernel, size: 'valid' })]).origin).toEqual({ x: 4, y: 0 });
  });
  it('keeps at least a pixel, so that main can refuse it in words', () => {
    expect(resultSubject(image, [make('box', { width: 511, size: 'valid' })]).size).toEqual({ width: 1, height: 1 });
  });
});

describe('tiles spread to RGBA', () => {
  const rgba = (pixels: number[], channels: number) => {
    const out = new Uint8ClampedArray((pixels.length / channels) * 4);
    spread(Uint8Array.from(pixels), 0, channels, out, 0, pixels.length / channels);
    return [...out];
  };
  it('from grey, grey with alpha, colour and colour with alpha', () => {
    expect(rgba([7, 9], 1)).toEqual([7, 7, 7, 255, 9, 9, 9, 255]);
    expect(rgba([7, 128], 2)).toEqual([7, 7, 7, 128]);
    expect(rgba([1, 2, 3, 4, 5, 6], 3)).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
    expect(rgba([1, 2, 3, 4], 4)).toEqual([1, 2, 3, 4]);
  });
});

describe('the subject of signed values', () => {
  it('is there where the range keeps what is below zero, or puts zero in the middle', () => {
    expect(canBeSigned(image, [make('laplacian', { range: 'float' })])).toBe(true);
    expect(canBeSigned(image, [make('laplacian', { range: 'signed' })])).toBe(true);
    expect(canBeSigned(image, [make('laplacian')])).toBe(false);
    expect(canBeSigned(image, [make('laplacian', { range: 'float' }), make('box')])).toBe(false);
    expect(canBeSigned(image, [])).toBe(false);
    expect(canBeSigned({ sampleType: 'f32' }, [])).toBe(true);
  });
  it('keeps the filters, their last range open, and ends with zero at the middle', () => {
    const subject = signedSubject(image, [make('box'), make('laplacian', { range: 'signed' })]);
    expect(subject.stack.map(({ kind, range }) => [kind, range])).toEqual([
      ['box', 'clamp'],
      ['laplacian', 'float'],
      ['custom', 'signed'],
    ]);
    expect(subject.numbers).toBe(true);
  });
});
