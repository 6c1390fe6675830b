// MATLAB's fspecial kernels by name and numbers, in the form that the toolbox documents. They are used by imfilter, which
// correlates. Source: MATLAB Image Processing Toolbox documentation, fspecial.

import { createKernel, type Kernel, maximumKernelSize, sumOf } from './kernel';
import { diskGrid, type Grid, motionGrid } from './kernelShapes';

export const fspecialNames = [
  'average',
  'disk',
  'gaussian',
  'laplacian',
  'log',
  'motion',
  'prewitt',
  'sobel',
  'unsharp',
] as const;
export type FspecialName = (typeof fspecialNames)[number];

/** An argument: a number, or the two of `[rows columns]`. */
export type FspecialArgument = readonly number[];

const epsilon = 2 ** -52;

const ofGrid = ({ width, height, weights }: Grid): Kernel => {
  const sum = sumOf(weights);
  return createKernel(
    width,
    height,
    Array.from(weights, (weight) => weight / sum),
    { divisor: 1 },
  );
};

function sampled(height: number, width: number, value: (x: number, y: number) => number): number[] {
  const [right, down] = [(width - 1) / 2, (height - 1) / 2];
  return Array.from({ length: width * height }, (_, index) =>
    value((index % width) - right, Math.floor(index / width) - down),
  );
}

function gaussianWeights(height: number, width: number, sigma: number): number[] {
  const values = sampled(height, width, (x, y) => Math.exp(-(x * x + y * y) / (2 * sigma * sigma)));
  const largest = Math.max(...values);
  const kept = values.map((value) => (value < epsilon * largest ? 0 : value));
  const sum = sumOf(kept);
  return kept.map((value) => value / sum);
}

function laplacianWeights(alpha: number): number[] {
  const [corner, side] = [alpha / (alpha + 1), (1 - alpha) / (alpha + 1)];
  return [corner, side, corner, side, -4 / (alpha + 1), side, corner, side, corner];
}

/**
 * The kernel of `fspecial(name, …)`; null where an argument is none that it takes: sizes of 1…511, σ and radius above 0,
 * α of 0…1.
 */
export function fspecial(name: FspecialName, given: readonly FspecialArgument[]): Kernel | null {
  const single = (index: number, standard: number): number => (given[index] ?? [standard])[0] ?? standard;
  const [rows = 0, columns = rows] = given[0] ?? (name === 'log' ? [5] : [3]);
  const isSize = (size: number) => Number.isInteger(size) && size >= 1 && size <= maximumKernelSize;
  const grid = (weights: readonly number[]) => createKernel(columns, rows, weights, { divisor: 1 });
  const small = (weights: readonly number[]) => createKernel(3, 3, weights, { divisor: 1 });
  switch (name) {
    case 'average':
      if (!isSize(rows) || !isSize(columns)) return null;
      return createKernel(columns, rows, new Array<number>(rows * columns).fill(1), { divisor: rows * columns });
    case 'gaussian':
    case 'log': {
      const sigma = single(1, 0.5);
      if (!isSize(rows) || !isSize(columns) || !(sigma > 0)) return null;
      const weights = gaussianWeights(rows, columns, sigma);
      if (!weights.every(Number.isFinite)) return null;
      if (name === 'gaussian') return grid(weights);
      const squares = sampled(rows, columns, (x, y) => x * x + y * y);
      const curved = weights.map((weight, index) => (weight * ((squares[index] ?? 0) - 2 * sigma ** 2)) / sigma ** 4);
      const mean = sumOf(curved) / curved.length;
      return grid(curved.map((value) => value - mean));
    }
    case 'disk': {
      const radius = single(0, 5);
      return radius > 0 && radius <= 250 ? ofGrid(diskGrid(radius)) : null;
    }
    case 'motion': {
      const [length, angle] = [single(0, 9), single(1, 0)];
      return length >= 1 && length <= maximumKernelSize && Math.abs(angle) <= 3600
        ? ofGrid(motionGrid(length, angle))
        : null;
    }
    case 'prewitt':
      return small([1, 1, 1, 0, 0, 0, -1, -1, -1]);
    case 'sobel':
      return small([1, 2, 1, 0, 0, 0, -1, -2, -1]);
    case 'laplacian':
    case 'unsharp': {
      const alpha = single(0, 0.2);
      if (!(alpha >= 0 && alpha <= 1)) return null;
      const weights = laplacianWeights(alpha);
      return small(name === 'laplacian' ? weights : weights.map((weight, index) => (index === 4 ? 1 : 0) - weight));
    }
  }
}
