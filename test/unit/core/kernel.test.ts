// What a kernel means: orientation, anchor, divisor, and what is refused.

import { describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { denseOfKernel } from '../../../core/filterForm';
import {
  createKernel,
  isZeroSum,
  kernelSum,
  resizeKeepingAnchor,
  resolveDivisor,
  rewriteAs,
  sumOf,
  toCorrelation,
  turn,
  validateKernel,
} from '../../../core/kernel';
import { at, correlate, picture } from './directSum';

const ramp = createKernel(3, 3, [1, 2, 3, 4, 5, 6, 7, 8, 9], { divisor: 1 });
const impulse = (width: number, height: number, x: number, y: number) =>
  picture(width, height, (px, py) => (px === x && py === y ? 1 : 0));

function failureOf(run: () => unknown): Failure {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

function around(kernel: typeof ramp): readonly number[] {
  const result = correlate(impulse(5, 5, 2, 2), denseOfKernel(kernel), 'zero');
  return [1, 2, 3].flatMap((y) => [1, 2, 3].map((x) => at(result, x, y)));
}

describe('orientation', () => {
  it('gives the kernel turned by 180° around an impulse as correlation, and as it stands as convolution', () => {
    expect(around(ramp)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(around({ ...ramp, orientation: 'convolution' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('reads [1 2] from a convolving and from a correlating program as mirror images', () => {
    const pair = createKernel(2, 1, [1, 2], { divisor: 1 });
    const row = (kernel: typeof pair) => [...correlate(impulse(5, 1, 2, 0), denseOfKernel(kernel), 'zero').values];
    expect(row(pair)).toEqual([0, 0, 2, 1, 0]);
    expect(row({ ...pair, orientation: 'convolution' })).toEqual([0, 1, 2, 0, 0]);
  });

  it('moves the anchor of an even kernel to w − 1 − x when it is turned', () => {
    const even = createKernel(4, 2, [1, 2, 3, 4, 5, 6, 7, 8], { anchorX: 0, anchorY: 1 });
    const turned = turn(even);
    expect(turned.weights).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect([turned.anchorX, turned.anchorY]).toEqual([3, 0]);
    expect(turn(turned)).toEqual(even);
  });

  it('lands an impulse on the cell that the anchor of a 2 × 2 kernel says', () => {
    for (const [anchor, place] of [
      [0, 4],
      [1, 5],
    ] as const) {
      const kernel = createKernel(2, 2, [1, 0, 0, 0], { anchorX: anchor, anchorY: anchor });
      const result = correlate(impulse(9, 9, 4, 4), denseOfKernel(kernel), 'zero');
      expect(at(result, place, place), `anchor ${anchor}`).toBe(1);
    }
  });

  it('is rewritten without changing what the filter does', () => {
    const skew = createKernel(4, 3, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], { anchorX: 3, anchorY: 0 });
    const rewritten = rewriteAs(skew, 'convolution');
    expect(rewritten.orientation).toBe('convolution');
    expect(toCorrelation(rewritten)).toEqual(skew);
    expect(rewriteAs(skew, 'correlation')).toBe(skew);
  });

  it('moves a picture by the right distance for a single 1 in each corner of 5 × 3 and 3 × 5 kernels', () => {
    const source = picture(11, 8, (x, y) => 100 * y + x);
    for (const [width, height] of [
      [5, 3],
      [3, 5],
    ] as const)
      for (const [cornerX, cornerY] of [
        [0, 0],
        [width - 1, 0],
        [0, height - 1],
        [width - 1, height - 1],
      ] as const) {
        const weights = new Array<number>(width * height).fill(0);
        weights[cornerY * width + cornerX] = 1;
        const result = correlate(source, denseOfKernel(createKernel(width, height, weights)), 'zero');
        const [dx, dy] = [cornerX - Math.floor(width / 2), cornerY - Math.floor(height / 2)];
        expect(at(result, 5, 4), `${width}×${height} ${cornerX},${cornerY}`).toBe(100 * (4 + dy) + 5 + dx);
      }
  });
});

describe('divisor', () => {
  it('auto is the sum of the weights', () => {
    expect(resolveDivisor(createKernel(3, 1, [1, 2, 1]))).toEqual({ divisor: 4, note: 'none' });
    expect(resolveDivisor(createKernel(3, 1, [-1, -2, -1]))).toEqual({ divisor: -4, note: 'none' });
  });

  it('auto is 1, with a note, where the weights cancel: Sobel runs untouched', () => {
    expect(resolveDivisor(createKernel(3, 3, [-1, 0, 1, -2, 0, 2, -1, 0, 1]))).toEqual({ divisor: 1, note: 'zeroSum' });
    expect(resolveDivisor(createKernel(1, 1, [0]))).toEqual({ divisor: 1, note: 'zeroSum' });
  });

  it('auto does not divide a curvature kernel by its rounding dust', () => {
    const curvature = createKernel(3, 3, [0, -0.04, 0, -0.04, 0.16, -0.04, 0, -0.04, 0]);
    expect(resolveDivisor(curvature)).toEqual({ divisor: 1, note: 'zeroSum' });
    const dusty = createKernel(3, 1, [0.1, 0.2, -0.3]);
    expect(kernelSum(dusty), 'the case is only hard where the sum is dust').not.toBe(0);
    expect(resolveDivisor(dusty)).toEqual({ divisor: 1, note: 'zeroSum' });
    const flat = correlate(
      picture(5, 5, () => 100),
      denseOfKernel(curvature),
      'replicate',
    );
    for (const value of flat.values) expect(Math.abs(value)).toBeLessThan(1e-12);
  });

  it('notices cancelling weights whatever their scale, and keeps small true sums', () => {
    for (const scale of [1e-9, 1, 1e9]) expect(isZeroSum([0.1, 0.2, -0.3].map((weight) => weight * scale))).toBe(true);
    expect(isZeroSum([1, -1 + 1e-9])).toBe(false);
  });

  it('keeps the divisor that was given', () => {
    expect(resolveDivisor({ ...ramp, divisor: 256 })).toEqual({ divisor: 256, note: 'none' });
  });

  it('sums 261 121 weights without losing digits', () => {
    const weights = new Array<number>(511 * 511).fill(0.1);
    expect(kernelSum(createKernel(511, 511, weights))).toBeCloseTo(26112.1, 10);
    expect(sumOf([1, 1e100, 1, -1e100])).toBe(2);
  });
});

describe('validation', () => {
  const refusal = (kernel: Partial<typeof ramp>) => failureOf(() => validateKernel({ ...ramp, ...kernel }));

  it('names the field that does not fit', () => {
    expect(refusal({ width: 0 })).toMatchObject({
      code: 'invalidKernel',
      subject: 'width',
      expected: '1…511',
      actual: '0',
    });
    expect(refusal({ height: 2.5 })).toMatchObject({ subject: 'height', actual: '2.5' });
    expect(refusal({ weights: [1, 2] })).toMatchObject({ subject: 'weights', expected: '3 × 3 = 9', actual: '2' });
    expect(refusal({ anchorX: 3 })).toMatchObject({ subject: 'anchor', expected: '0…2, 0…2', actual: '3, 1' });
    expect(refusal({ anchorY: -1 })).toMatchObject({ subject: 'anchor' });
    expect(refusal({ divisor: 0 })).toMatchObject({ subject: 'divisor', actual: '0' });
    expect(refusal({ divisor: Number.NaN })).toMatchObject({ subject: 'divisor' });
    expect(refusal({ bias: Number.POSITIVE_INFINITY })).toMatchObject({ subject: 'bias' });
  });

  it('names the cell that is not a number', () => {
    expect(refusal({ weights: [1, 2, 3, 4, 5, Number.NaN, 7, 8, 9] })).toMatchObject({
      subject: 'weights',
      actual: 'NaN (row 2, column 3)',
    });
  });

  it('takes 63 × 63 and 511 × 511, and says the cap beyond', () => {
    for (const size of [63, 511]) {
      const weights = new Array<number>(size * size).fill(1);
      expect(() => validateKernel(createKernel(size, size, weights))).not.toThrow();
    }
    expect(failureOf(() => validateKernel(createKernel(512, 1, new Array<number>(512).fill(1))))).toMatchObject({
      subject: 'width',
      expected: '1…511',
      actual: '512',
    });
  });
});

describe('resizing', () => {
  it('keeps every cell where it was around the anchor', () => {
    const grown = resizeKeepingAnchor(ramp, 5, 4);
    expect([grown.anchorX, grown.anchorY]).toEqual([2, 2]);
    expect(grown.weights).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 9, 0]);
    expect(resizeKeepingAnchor(grown, 3, 3)).toEqual(ramp);
  });

  it('gives the same picture after growing, also with an anchor off the centre', () => {
    const skew = { ...ramp, anchorX: 0, anchorY: 2, divisor: 'auto' as const };
    const source = picture(9, 9, (x, y) => (x * 31 + y * 17) % 23);
    const [small, large] = [skew, resizeKeepingAnchor(skew, 9, 9)].map((kernel) =>
      correlate(source, denseOfKernel(kernel), 'zero'),
    );
    expect(large).toEqual(small);
  });

  it('refuses a size beyond the cap', () => {
    expect(failureOf(() => resizeKeepingAnchor(ramp, 512, 3))).toMatchObject({ subject: 'width', actual: '512' });
  });
});

describe('numbers that no engine can sum', () => {
  const refusal = (weights: readonly number[], rest: object = {}) =>
    failureOf(() => validateKernel(createKernel(weights.length, 1, weights, rest)));

  it('are refused by the field that is too large or too small', () => {
    expect(refusal([1e308, 1e308, 1e308])).toMatchObject({ subject: 'weights', actual: '1e+308 (row 1, column 1)' });
    expect(refusal([0, 1e-320])).toMatchObject({ subject: 'weights', actual: '1e-320 (row 1, column 2)' });
    expect(refusal([1, 2, 1], { divisor: 1e-320 })).toMatchObject({
      subject: 'divisor',
      expected: '4e-32 to 4e+30 in size',
    });
    expect(refusal([1, 2, 1], { divisor: -1e308 })).toMatchObject({ subject: 'divisor', actual: '-1e+308' });
    expect(refusal([1], { bias: 1e308 })).toMatchObject({ subject: 'bias', expected: '-1000000…1000000' });
    expect(refusal([1], { bias: Number.NaN })).toMatchObject({ subject: 'bias', actual: 'NaN' });
  });

  it('are taken where they only look so: Sobel times 1e-90 and 1e90 is Sobel', () => {
    const sobel = [-1, 0, 1, -2, 0, 2, -1, 0, 1];
    for (const factor of [2 ** -300, 1, 2 ** 300]) {
      const weights = sobel.map((weight) => weight * factor);
      const { weights: run, divisor } = denseOfKernel(createKernel(3, 3, weights, { divisor: 4 * factor }));
      expect([...run].map((weight) => weight / divisor)).toEqual(sobel.map((weight) => weight / 4));
      // Single precision, which engines sum in, holds them.
      for (const value of [...run, divisor]) expect(Math.fround(value)).toBe(value);
    }
  });

  it('do not matter where nothing is divided', () => {
    expect(denseOfKernel(createKernel(1, 1, [0], { divisor: 1e-320 })).divisor).toBe(1);
  });
});
