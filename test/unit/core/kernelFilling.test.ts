// Kernels filled from a picture, formulas that reach beyond their grid, and the operations by name.

import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { parseFormula } from '../../../core/formula';
import { shareBeyondGrid } from '../../../core/formulaReach';
import { createKernel, kernelSum, resolveDivisor } from '../../../core/kernel';
import { kernelOperationNames, kernelOperations } from '../../../core/kernelOperations';
import { gaussianLostShare } from '../../../core/kernelShapes';
import { greyValues, type KernelPicture, kernelFromPicture } from '../../../core/pictureKernel';

const picture = (rest: Partial<KernelPicture> & { readonly values: readonly number[] }): KernelPicture => {
  const { values, ...fields } = rest;
  return {
    name: 'star.png',
    width: values.length,
    height: 1,
    channels: 1,
    alpha: false,
    sampleType: 'u8',
    samples: Float32Array.from(values),
    ...fields,
  };
};
const plain = { zero: 0, light: 'encoded', below: 'negative' } as const;

describe('a kernel from a picture', () => {
  it('has grey values as weights, reads as a convolution and keeps brightness', () => {
    const kernel = kernelFromPicture(picture({ values: [0, 51, 255] }), plain);
    expect(kernel).toMatchObject({ width: 3, height: 1, weights: [0, 0.2, 1], orientation: 'convolution' });
    expect(kernelSum(kernel) / resolveDivisor(kernel).divisor).toBeCloseTo(1, 15);
  });
  it('takes a zero level off, and cuts what lies below where asked to', () => {
    const values = [0, 102, 255];
    expect(kernelFromPicture(picture({ values }), { ...plain, zero: 0.4 }).weights).toEqual([-0.4, 0, 0.6]);
    expect(kernelFromPicture(picture({ values }), { ...plain, zero: 0.4, below: 'cut' }).weights).toEqual([0, 0, 0.6]);
  });
  it('goes back through the sRGB curve for 8 and 16 bits, and keeps floats beyond 0…1', () => {
    const linear = { ...plain, light: 'linear' } as const;
    expect(kernelFromPicture(picture({ values: [255, 128, 5] }), linear).weights).toEqual([
      1,
      expect.closeTo(0.2158605, 7),
      expect.closeTo(0.0015176, 7),
    ]);
    const deep = picture({ values: [65535, 1], sampleType: 'u16' });
    expect(kernelFromPicture(deep, plain).weights).toEqual([1, 1 / 65535]);
    const floats = picture({ values: [4.5, -0.25], sampleType: 'f32' });
    expect(kernelFromPicture(floats, linear).weights).toEqual([4.5, -0.25]);
  });
  it('weighs colour by its luminance and nothing that cannot be seen', () => {
    const colour = picture({ values: [255, 0, 0, 255, 255, 255, 255, 0], width: 2, channels: 4, alpha: true });
    expect(greyValues(colour, 'linear')).toEqual([expect.closeTo(0.2126, 12), 0]);
    const greyAlpha = picture({ values: [255, 51], width: 1, channels: 2, alpha: true });
    expect(greyValues(greyAlpha, 'encoded')).toEqual([expect.closeTo(0.2, 12)]);
  });
  it('refuses a picture larger than a kernel may be, by name', () => {
    const large = { ...picture({ values: [] }), width: 512, height: 4 };
    expect(() => kernelFromPicture(large, plain)).toThrow();
    try {
      kernelFromPicture(large, plain);
    } catch (thrown) {
      expect(failureOf(thrown)).toMatchObject({ code: 'imageTooLarge', subject: 'star.png', actual: '512 × 4 pixels' });
    }
  });
});

describe('a formula beyond its grid', () => {
  const gaussian = parseFormula('exp(-r^2/(2*sigma^2))');
  const grid = (size: number) => ({ width: size, height: size, anchorX: size >> 1, anchorY: size >> 1 });
  it('is measured: a Gaussian of σ 5 loses 47 % on 11 × 11, one sized by its σ nothing', () => {
    expect(shareBeyondGrid(gaussian, grid(11), { sigma: 3 })).toBeCloseTo(gaussianLostShare(3, 11), 3);
    expect(shareBeyondGrid(gaussian, grid(21), { sigma: 5 })).toBeCloseTo(gaussianLostShare(5, 21), 3);
    expect(shareBeyondGrid(gaussian, grid(41), { sigma: 5 })).toBeLessThan(1e-3);
    // A σ that nobody set starts so that it fills the grid; w is the grid's own width.
    expect(shareBeyondGrid(gaussian, grid(15), {})).toBeLessThan(1e-3);
    expect(shareBeyondGrid(parseFormula('exp(-r^2/(w/2)^2)'), grid(9), {})).toBeGreaterThan(0.05);
  });
  it('is not measured where it does not fade out, is no number, or the grid is large', () => {
    expect(shareBeyondGrid(parseFormula('1 + x'), grid(9), {})).toBeNull();
    expect(shareBeyondGrid(parseFormula('1/(x - 6)'), grid(9), {})).toBeNull();
    expect(shareBeyondGrid(gaussian, grid(65), { sigma: 2 })).toBeNull();
  });
});

describe('an operation', () => {
  const kernel = createKernel(3, 2, [1, 2, 3, 4, 5, 6], { anchorX: 0, anchorY: 1 });
  it('and its opposite give the kernel back', () => {
    const { rotateLeft, rotateRight, rotateHalf, mirrorHorizontally, mirrorVertically, transpose, negate, rewrite } =
      kernelOperations;
    expect(rotateRight(rotateLeft(kernel))).toEqual(kernel);
    for (const twice of [rotateHalf, mirrorHorizontally, mirrorVertically, transpose, negate, rewrite])
      expect(twice(twice(kernel))).toEqual(kernel);
  });
  it('that adds the picture raises the gain by one, also where the divisor was automatic', () => {
    const added = kernelOperations.addIdentity(kernel);
    expect(kernelSum(added) / resolveDivisor(added).divisor).toBeCloseTo(2, 12);
    const edges = createKernel(3, 1, [-1, 0, 1]);
    expect(kernelOperations.addIdentity(edges)).toMatchObject({ weights: [-1, 1, 1], divisor: 1 });
  });
  it('never leaves a kernel that cannot run', () => {
    for (const name of kernelOperationNames) {
      const { width, height, weights, anchorX, anchorY } = kernelOperations[name](kernel);
      expect(weights.length, name).toBe(width * height);
      expect(weights.every(Number.isFinite) && anchorX < width && anchorY < height, name).toBe(true);
    }
  });
});
