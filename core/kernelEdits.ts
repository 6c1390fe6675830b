// Every change a person can make to a kernel, as a function from a kernel to a kernel: cells, anchor, turns, mirrors and
// normalising. Resizing and the two orientations are in core/kernel.ts.

import { ConvolveError } from './errors';
import { isZeroSum, type Kernel, rearranged, sumOf } from './kernel';

function mapWeights(kernel: Kernel, change: (weight: number, index: number) => number): Kernel {
  return { ...kernel, weights: kernel.weights.map(change) };
}

/** The kernel with the weight of column x, row y set. Throws `invalidKernel` for a number that is not finite. */
export function editKernelCell(kernel: Kernel, x: number, y: number, weight: number): Kernel {
  const inside = x >= 0 && x < kernel.width && y >= 0 && y < kernel.height;
  if (!inside) return kernel;
  if (!Number.isFinite(weight))
    throw new ConvolveError({
      code: 'invalidKernel',
      subject: 'weights',
      expected: 'a finite number',
      actual: `${weight} (row ${y + 1}, column ${x + 1})`,
    });
  return { ...kernel, weights: kernel.weights.with(y * kernel.width + x, weight) };
}

/** A block of cells written over the kernel from column x, row y on; what lies outside is dropped. Rows may differ in length. */
export function writeCells(kernel: Kernel, x: number, y: number, rows: readonly (readonly number[])[]): Kernel {
  const weights = [...kernel.weights];
  rows.forEach((row, down) => {
    row.forEach((weight, right) => {
      if (x + right < kernel.width && y + down < kernel.height) weights[(y + down) * kernel.width + x + right] = weight;
    });
  });
  return { ...kernel, weights };
}

/** The anchor moved to a cell, cut to the kernel. */
export function setAnchor(kernel: Kernel, x: number, y: number): Kernel {
  const cut = (value: number, size: number) => Math.max(0, Math.min(size - 1, Math.round(value)));
  return { ...kernel, anchorX: cut(x, kernel.width), anchorY: cut(y, kernel.height) };
}

/** Rebuilds a kernel from where each cell of the new grid comes from; `place` also moves the anchor. */
function rearrange(
  kernel: Kernel,
  width: number,
  height: number,
  source: (x: number, y: number) => readonly [number, number],
  anchor: readonly [number, number],
): Kernel {
  const from = (index: number) => {
    const [x, y] = source(index % width, Math.floor(index / width));
    return y * kernel.width + x;
  };
  return { ...rearranged(kernel, width, height, from), anchorX: anchor[0], anchorY: anchor[1] };
}

/** Turned by 90° counter-clockwise, the anchor with it. */
export function rotateQuarter(kernel: Kernel): Kernel {
  const { width, height, anchorX, anchorY } = kernel;
  return rearrange(kernel, height, width, (x, y) => [width - 1 - y, x], [anchorY, width - 1 - anchorX]);
}

/** Left and right exchanged, the anchor with them. */
export function mirrorHorizontally(kernel: Kernel): Kernel {
  const { width, height, anchorX, anchorY } = kernel;
  return rearrange(kernel, width, height, (x, y) => [width - 1 - x, y], [width - 1 - anchorX, anchorY]);
}

/** Top and bottom exchanged, the anchor with them. */
export function mirrorVertically(kernel: Kernel): Kernel {
  const { width, height, anchorX, anchorY } = kernel;
  return rearrange(kernel, width, height, (x, y) => [x, height - 1 - y], [anchorX, height - 1 - anchorY]);
}

/** Rows and columns exchanged, the anchor with them. */
export function transpose(kernel: Kernel): Kernel {
  const { width, height, anchorX, anchorY } = kernel;
  return rearrange(kernel, height, width, (x, y) => [y, x], [anchorY, anchorX]);
}

export function negate(kernel: Kernel): Kernel {
  return mapWeights(kernel, (weight) => (weight === 0 ? 0 : -weight));
}

/** `amount` added to the cell under the anchor. */
export function addIdentity(kernel: Kernel, amount: number): Kernel {
  const centre = kernel.anchorY * kernel.width + kernel.anchorX;
  return mapWeights(kernel, (weight, index) => (index === centre ? weight + amount : weight));
}

/**
 * sumOne: brightness kept. positiveOne: the positive weights sum to 1, for kernels whose sum is 0. sumZero: a flat picture
 * gives 0. peakOne: the largest weight is 1.
 */
export type Normalisation = 'sumOne' | 'positiveOne' | 'sumZero' | 'peakOne';

/**
 * sumOne sets the divisor to `auto`, so that whole-number weights stay whole; weights that cancel cannot sum to 1 and are
 * kept. positiveOne sets the divisor to the sum of the positive weights; a kernel without any is kept. sumZero takes the
 * mean from every weight. peakOne divides the weights by the largest magnitude, divisor 1.
 */
export function normalise(kernel: Kernel, kind: Normalisation): Kernel {
  switch (kind) {
    case 'sumOne':
      return isZeroSum(kernel.weights) ? kernel : { ...kernel, divisor: 'auto' };
    case 'positiveOne': {
      const positive = sumOf(kernel.weights.filter((weight) => weight > 0));
      return positive === 0 ? kernel : { ...kernel, divisor: positive };
    }
    case 'sumZero': {
      const mean = sumOf(kernel.weights) / kernel.weights.length;
      const divisor = kernel.divisor === 'auto' ? 1 : kernel.divisor;
      return { ...mapWeights(kernel, (weight) => weight - mean), divisor };
    }
    case 'peakOne': {
      const peak = kernel.weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0);
      return peak === 0 ? kernel : { ...mapWeights(kernel, (weight) => weight / peak), divisor: 1 };
    }
  }
}
