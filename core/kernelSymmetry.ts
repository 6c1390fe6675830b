// Symmetry locks of the kernel grid: which cells belong together, and the nearest kernel that has the symmetry. All about
// the middle of the grid, which for even sizes lies between cells.

import { type Kernel, sumOf } from './kernel';

/**
 * leftRight, upDown: mirrored in the vertical or the horizontal middle line. fourFold: both. radial: one weight for each
 * distance from the middle.
 */
export const symmetries = ['leftRight', 'upDown', 'fourFold', 'radial'] as const;
export type Symmetry = (typeof symmetries)[number];

/** What tells the groups of equal cells apart: cells with the same number belong together. */
function groupOf({ width, height }: Pick<Kernel, 'width' | 'height'>, symmetry: Symmetry, index: number): number {
  const [x, y] = [index % width, Math.floor(index / width)];
  const column = Math.min(x, width - 1 - x);
  const row = Math.min(y, height - 1 - y);
  switch (symmetry) {
    case 'leftRight':
      return y * width + column;
    case 'upDown':
      return row * width + x;
    case 'fourFold':
      return row * width + column;
    case 'radial':
      // In half cells, so that even sizes have whole squares too.
      return (2 * x - (width - 1)) ** 2 + (2 * y - (height - 1)) ** 2;
  }
}

/** All cells (row-major indices) that a lock keeps equal to cell (x, y), itself among them, in ascending order. */
export function symmetricCells(
  grid: Pick<Kernel, 'width' | 'height'>,
  symmetry: Symmetry,
  x: number,
  y: number,
): readonly number[] {
  const group = groupOf(grid, symmetry, y * grid.width + x);
  const all = Array.from({ length: grid.width * grid.height }, (_, index) => index);
  return all.filter((index) => groupOf(grid, symmetry, index) === group);
}

/** The nearest kernel with the symmetry, in the sense of least squares: every cell the mean of its group. Sums are kept. */
export function symmetrise(kernel: Kernel, symmetry: Symmetry): Kernel {
  const groups = new Map<number, number[]>();
  kernel.weights.forEach((weight, index) => {
    const group = groupOf(kernel, symmetry, index);
    const members = groups.get(group);
    if (members) members.push(weight);
    else groups.set(group, [weight]);
  });
  // Equal members are kept to the last bit: their mean could be rounded.
  const means = new Map(
    Array.from(groups, ([group, members]) => [
      group,
      members.every((weight) => weight === members[0]) ? (members[0] ?? 0) : sumOf(members) / members.length,
    ]),
  );
  return { ...kernel, weights: kernel.weights.map((_, index) => means.get(groupOf(kernel, symmetry, index)) ?? 0) };
}

/** True where every group's weights are equal to the last bit. */
export function hasSymmetry(kernel: Kernel, symmetry: Symmetry): boolean {
  const seen = new Map<number, number>();
  return kernel.weights.every((weight, index) => {
    const group = groupOf(kernel, symmetry, index);
    const first = seen.get(group);
    if (first === undefined) seen.set(group, weight);
    return first === undefined || first === weight;
  });
}

/** Values of cells, row by row, after every cell took the largest of its group. */
export function spreadOverGroups(
  grid: Pick<Kernel, 'width' | 'height'>,
  values: ArrayLike<number>,
  symmetry: Symmetry,
): Float64Array<ArrayBuffer> {
  // A number of a group is at most this: the corner's squared distance from the middle, in half cells.
  const most = new Float64Array(Math.max(grid.width * grid.height, (grid.width - 1) ** 2 + (grid.height - 1) ** 2 + 1));
  const count = grid.width * grid.height;
  for (let index = 0; index < count; index++) {
    const group = groupOf(grid, symmetry, index);
    most[group] = Math.max(most[group] ?? 0, values[index] ?? 0);
  }
  return Float64Array.from({ length: count }, (_, index) => most[groupOf(grid, symmetry, index)] ?? 0);
}

/** The kernel with one cell set, and with it all that a lock keeps equal to it. */
export function setSymmetrically(
  kernel: Kernel,
  symmetry: Symmetry | null,
  x: number,
  y: number,
  weight: number,
): Kernel {
  if (symmetry === null) return { ...kernel, weights: kernel.weights.with(y * kernel.width + x, weight) };
  const weights = [...kernel.weights];
  for (const cell of symmetricCells(kernel, symmetry, x, y)) weights[cell] = weight;
  return { ...kernel, weights };
}
