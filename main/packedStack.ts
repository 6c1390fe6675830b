// A stack on its way to a thread: weights of large kernels as buffers that are handed over. Copied number by number, those of
// 511 × 511 hold the sender up for 40 ms.

import type { Filter, Stack } from '../core/document';

/** Fewer weights are copied as quickly as they are packed. */
const fewWeights = 1024;

interface PackedFilter {
  readonly filter: Filter;
  /** The weights of its kernel, which `filter` then has not. */
  readonly weights: Float64Array<ArrayBuffer> | null;
}
export type PackedStack = readonly PackedFilter[];

export function packStack(stack: Stack): PackedStack {
  return stack.map((filter) => {
    if (filter.kind !== 'custom' || filter.kernel.weights.length <= fewWeights) return { filter, weights: null };
    return {
      filter: { ...filter, kernel: { ...filter.kernel, weights: [] } },
      weights: Float64Array.from(filter.kernel.weights),
    };
  });
}

/** What is handed over with it. */
export const buffersOf = (packed: PackedStack): ArrayBuffer[] =>
  packed.flatMap(({ weights }) => (weights === null ? [] : [weights.buffer]));

export function unpackStack(packed: PackedStack): Stack {
  return packed.map(({ filter, weights }) =>
    weights === null || filter.kind !== 'custom'
      ? filter
      : { ...filter, kernel: { ...filter.kernel, weights: Array.from(weights) } },
  );
}
