// Every shipped kernel: its sum, symmetry and rank, one row each, and the ranks that the papers' kernels are known for.

import { describe, expect, it } from 'vitest';
import { kernelsOf } from '../../../core/filterForm';
import {
  createKernel,
  defaultAnchor,
  isZeroSum,
  type Kernel,
  kernelSum,
  resolveDivisor,
  turn,
  validateKernel,
} from '../../../core/kernel';
import { mirrorHorizontally, mirrorVertically } from '../../../core/kernelEdits';
import { kernelPresets, presetGroups } from '../../../core/kernelPresets';
import { gaussianVector } from '../../../core/kernelShapes';
import { hasSymmetry } from '../../../core/kernelSymmetry';
import { decompose, rankError, rankOf } from '../../../core/separability';

const equal = (a: readonly number[], b: readonly number[]) => a.every((weight, index) => weight === b[index]);
const opposite = (a: readonly number[], b: readonly number[]) =>
  a.every((weight, index) => weight + (b[index] ?? 0) === 0);

/**
 * l: left and right are equal; L: opposite. u, U: top and bottom. p, P: under a half turn. r: one weight for each distance.
 * To the last bit.
 */
function symmetryOf(kernel: Kernel): string {
  const { weights } = kernel;
  const letter = (name: string, image: Kernel) =>
    equal(weights, image.weights) ? name : opposite(weights, image.weights) ? name.toUpperCase() : '';
  return [
    letter('l', mirrorHorizontally(kernel)),
    letter('u', mirrorVertically(kernel)),
    letter('p', turn(kernel)),
    hasSymmetry(kernel, 'radial') ? 'r' : '',
  ].join('');
}

/** id, rank at 1e-6, second singular value over the first, symmetry. */
const table: readonly (readonly [string, number, number, string])[] = [
  ['identity', 1, 0, 'lupr'],
  ['box3', 1, 0, 'lupr'],
  ['box5', 1, 0, 'lupr'],
  ['box7', 1, 0, 'lupr'],
  ['binomial3', 1, 0, 'lupr'],
  ['binomial5', 1, 0, 'lupr'],
  ['binomial7', 1, 0, 'lupr'],
  ['gaussian0.5', 1, 0, 'lupr'],
  ['gaussian1', 1, 0, 'lupr'],
  // Cells at (5, 0) and (3, 4) are products of other factors: equal but for the last bit.
  ['gaussian2', 1, 0, 'lup'],
  ['gaussian273', 3, 0.0126, 'lupr'],
  ['gaussian159', 3, 0.0155, 'lupr'],
  ['disk5', 5, 0.212, 'lup'],
  ['disk15', 11, 0.2368, 'lup'],
  ['motion9at0', 1, 0, 'lupr'],
  ['motion9at45', 7, 0.8965, 'p'],
  ['motion9at90', 1, 0, 'lupr'],
  ['diagonal9', 9, 1, 'p'],
  ['sharpen4', 2, 0.0693, 'lupr'],
  ['sharpen8', 2, 0.2374, 'lupr'],
  ['unsharp5', 2, 0.0761, 'lupr'],
  ['highPass3', 2, 0.2679, 'lupr'],
  ['laplacian4', 2, 0.101, 'lupr'],
  ['laplacian8', 2, 0.2679, 'lupr'],
  ['laplacian121', 1, 0, 'lupr'],
  ['laplacianOfGaussian5', 3, 0.1482, 'lupr'],
  ['laplacianOfGaussian9', 5, 0.2822, 'lupr'],
  ['laplacianOfGaussian1.4', 2, 0.268, 'lup'],
  ['differenceOfGaussians', 2, 0.2518, 'lup'],
  ...['sobel', 'scharr', 'prewitt', 'freiChen'].flatMap((name) => [
    [`${name}X`, 1, 0, 'LuP'] as const,
    [`${name}Y`, 1, 0, 'lUP'] as const,
  ]),
  ['robertsFalling', 2, 1, 'P'],
  ['robertsRising', 2, 1, 'P'],
  ['roberts3Falling', 2, 1, ''],
  ['roberts3Rising', 2, 1, ''],
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((direction) => {
    const diagonal = direction % 2 === 1;
    const upright = direction % 4 === 2;
    const odd = diagonal ? 'P' : upright ? 'lUP' : 'LuP';
    const even = diagonal ? '' : upright ? 'l' : 'u';
    return [
      [`kirsch${direction}`, diagonal ? 3 : 2, diagonal ? 0.5129 : 0.2158, even],
      [`robinson${direction}`, diagonal ? 2 : 1, diagonal ? 1 : 0, odd],
      [`compass${direction}`, diagonal ? 3 : 2, diagonal ? 0.4906 : 1, even],
      [`emboss${direction}`, diagonal ? 2 : 1, diagonal ? 1 : 0, odd],
    ] as const;
  }),
  ['embossKept', 3, 0.8665, ''],
];

describe('every preset', () => {
  it('is in the table, once, in the order of the groups, with a source', () => {
    expect(kernelPresets.map(({ id }) => id).toSorted()).toEqual(table.map(([id]) => id).toSorted());
    const groups = kernelPresets.map(({ group }) => presetGroups.indexOf(group));
    expect(groups).toEqual(groups.toSorted((a, b) => a - b));
    for (const { source } of kernelPresets) expect(source.length).toBeGreaterThan(15);
  });

  it.each(kernelPresets)('$id has its sum, anchor, symmetry and rank', ({ id, kernel, flat }) => {
    validateKernel(kernel);
    expect([kernel.anchorX, kernel.anchorY]).toEqual([defaultAnchor(kernel.width), defaultAnchor(kernel.height)]);
    if (flat === 'kept') expect(kernelSum(kernel) / resolveDivisor(kernel).divisor).toBeCloseTo(1, 14);
    else expect(isZeroSum(kernel.weights)).toBe(true);
    expect(kernel.bias).toBe(flat === 'half' ? 0.5 : 0);
    const [, rank, ratio, symmetry] = table.find(([name]) => name === id) ?? [];
    const decomposition = decompose(kernel);
    expect(rankOf(decomposition)).toBe(rank);
    const [first = 1, second = 0] = decomposition.singularValues;
    expect(second / first).toBeCloseTo(ratio ?? Number.NaN, 3);
    expect(symmetryOf(kernel)).toBe(symmetry);
  });

  it('of the catalogue’s kinds is the catalogue’s kernel', () => {
    const kernel = (id: string) => kernelPresets.find((preset) => preset.id === id)?.kernel;
    for (let direction = 0; direction < 8; direction++) {
      expect(kernel(`kirsch${direction}`)).toEqual(kernelsOf({ kind: 'kirsch', direction })[0]);
      expect(kernel(`emboss${direction}`)).toEqual(kernelsOf({ kind: 'emboss', direction })[0]);
    }
    expect([kernel('sobelX'), kernel('sobelY')]).toEqual(kernelsOf({ kind: 'sobel' }));
    expect([kernel('scharrX'), kernel('scharrY')]).toEqual(kernelsOf({ kind: 'scharr' }));
    expect([kernel('prewittX'), kernel('prewittY')]).toEqual(kernelsOf({ kind: 'prewitt' }));
    expect([kernel('robertsFalling'), kernel('robertsRising')]).toEqual(kernelsOf({ kind: 'roberts' }));
    expect(kernel('unsharp5')?.weights.slice(10, 15)).toEqual([-6, -24, 476, -24, -6]);
  });
});

describe('known ranks', () => {
  const ranked = (weights: readonly number[]) => {
    const side = Math.sqrt(weights.length);
    const decomposition = decompose(createKernel(side, side, weights));
    const [first = 1, second = 0] = decomposition.singularValues;
    return { rank: rankOf(decomposition), ratio: first === 0 ? 0 : second / first, decomposition };
  };
  const disk = (radius: number) => {
    const side = 2 * radius + 1;
    return Array.from({ length: side * side }, (_, index) =>
      ((index % side) - radius) ** 2 + (Math.floor(index / side) - radius) ** 2 <= radius * radius ? 1 : 0,
    );
  };

  it('of hard disks are 4 and 10, with 709 of 961 weights at radius 15', () => {
    expect(ranked(disk(5)).rank).toBe(4);
    expect(ranked(disk(5)).ratio).toBeCloseTo(0.2, 2);
    expect(ranked(disk(15)).rank).toBe(10);
    expect(ranked(disk(15)).ratio).toBeCloseTo(0.23, 2);
    expect(disk(15).filter((weight) => weight !== 0)).toHaveLength(709);
  });

  it('of a Gaussian rounded to three decimals is 3, and 1 within 0.5 %', () => {
    const vector = gaussianVector(1, 5);
    const rounded = Array.from(vector).flatMap((a) => Array.from(vector, (b) => Math.round(1000 * a * b) / 1000));
    const { rank, ratio, decomposition } = ranked(rounded);
    expect(rank).toBe(3);
    expect(ratio).toBeCloseTo(0.004, 3);
    expect(rankOf(decomposition, 0.005)).toBe(1);
  });

  it('of the rounded Gaussians cost 0.8 % and 1.6 % of the largest weight at rank 1', () => {
    for (const [id, share] of [
      ['gaussian273', 0.008],
      ['gaussian159', 0.016],
    ] as const) {
      const kernel = kernelPresets.find((preset) => preset.id === id)?.kernel;
      if (!kernel) throw new Error(id);
      expect(rankError(decompose(kernel), 1).maximum / Math.max(...kernel.weights)).toBeCloseTo(share, 3);
    }
  });

  it('of the 9 × 9 Laplacian of Gaussian: two of five hold 99.95 % of the energy', () => {
    const kernel = kernelPresets.find(({ id }) => id === 'laplacianOfGaussian9')?.kernel;
    if (!kernel) throw new Error('a kernel expected');
    expect(rankError(decompose(kernel), 2).energy).toBeCloseTo(0.9995, 4);
  });

  it('of zeros is 0', () => {
    expect(ranked(new Array<number>(9).fill(0)).rank).toBe(0);
  });
});
