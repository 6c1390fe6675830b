// What rows and columns say of the time that their sums take, beside their length.

import { areSmallWhole, isWhole } from './gridWeights';
import type { Epilogue, SeparableWeights } from './pass';
import type { PassPath } from './planText';

export type SeparablePath = Extract<PassPath, { kind: 'separable' }>;

const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0);

/** Whether taps are the same from either end, or opposite: two samples are then added, or subtracted, before they are multiplied. */
function areMirrored(taps: Float64Array): boolean {
  const other = taps.toReversed();
  return taps.every((tap, index) => tap === other[index]) || taps.every((tap, index) => tap === -(other[index] ?? 0));
}

/**
 * Whether bytes may be summed in whole numbers (native/cpu/byte_pairs.cpp): one pair, of small whole numbers, or of an odd
 * number of taps that leave flat areas as whole numbers; and nothing of the pixel itself is added.
 */
function areByteSums({ width, height, pairs, divisor }: SeparableWeights, epilogue: Epilogue | undefined): boolean {
  const { result, input, offset } = epilogue ?? { result: 1, input: 0, offset: 0 };
  const [pair] = pairs;
  if (pairs.length !== 1 || pair === undefined || input !== 0) return false;
  if (areSmallWhole(pair.column) && areSmallWhole(pair.row)) return true;
  const gain = (sum(pair.column) * sum(pair.row) * result) / divisor;
  return width % 2 === 1 && height % 2 === 1 && isWhole(gain) && Math.abs(gain) < 1.5 && isWhole(offset * 255);
}

/** Rows and columns as a path. `epilogue`: what is done to their sums. */
export function separablePath(weights: SeparableWeights, epilogue?: Epilogue): SeparablePath {
  const { width, height, pairs } = weights;
  const mirrored = pairs.every(({ column, row }) => areMirrored(column) && areMirrored(row));
  return {
    ...{ kind: 'separable', width, height, pairs: pairs.length },
    ...(mirrored ? {} : { uneven: true }),
    ...(pairs.length > 1 || areByteSums(weights, epilogue) ? {} : { floats: true }),
  };
}
