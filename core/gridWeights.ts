// What the weights of a grid say of the time that it takes, beside their number.

import type { Size } from './geometry';
import type { DenseWeights } from './pass';
import type { PassPath } from './planText';

/** Whole numbers up to this have 8 bits: of bytes four are multiplied at a time, else two (native/cpu/byte_sums.cpp). */
const mostWhole = 127;
const nearlyWhole = 1e-9;

/** Whether a number is whole but for what float64 rounds. */
export const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < nearlyWhole;

/** Whether all weights are multiples of one number, none more than 127 times as large. */
export function areSmallWhole(weights: Float64Array): boolean {
  const most = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0);
  if (most === 0) return true;
  for (let times = 1; times <= mostWhole; times++) {
    const scale = times / most;
    if (weights.every((weight) => isWhole(weight * scale))) return true;
  }
  return false;
}

/** Cells of the largest grid that is looked at: larger ones are transformed. */
const mostCells = 4096;

/** Whether the weights of a grid are looked at, which need not be written out for a larger one. */
export const isLookedAt = ({ width, height }: Size): boolean => width * height <= mostCells;

/** Dividing by a power of two changes no digit of a sum, and takes no time of its own. */
function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(Math.abs(value)));
}

export type DensePath = Extract<PassPath, { kind: 'dense' }>;

const dividedBy = (divisor: number) => (isPowerOfTwo(divisor) ? {} : ({ divided: true } as const));

/** The weights of a grid that are not 0 as a path. */
export function sparsePath({ width, height, weights, divisor }: DenseWeights): Extract<PassPath, { kind: 'sparse' }> {
  const taps = weights.reduce((count, weight) => count + Number(weight !== 0), 0);
  return { kind: 'sparse', width, height, taps, ...dividedBy(divisor) };
}

/** A grid as a path. */
export function densePath({ width, height, weights, divisor }: DenseWeights): DensePath {
  if (!isLookedAt({ width, height })) return { kind: 'dense', width, height };
  const zeros = weights.reduce((count, weight) => count + Number(weight === 0), 0);
  return {
    kind: 'dense',
    width,
    height,
    ...(zeros > 0 ? { zeros } : {}),
    ...(areSmallWhole(weights) ? { whole: true } : {}),
    ...dividedBy(divisor),
  };
}
