// A stack on its way to main or to a thread: the weights of large kernels as buffers. Copied number by number, those of
// 511 × 511 hold up the sender for 40 ms, and the receiver as long.

import type { Filter, Stack } from './document';
import { type Kernel, maximumKernelSize } from './kernel';

/** Fewer weights are copied as quickly as they are packed. */
const fewWeights = 1024;
const mostWeights = maximumKernelSize * maximumKernelSize;

type CustomFilter = Extract<Filter, { kind: 'custom' }>;
type Weights = Float64Array<ArrayBuffer>;
type PackedFilter =
  | Filter
  | (Omit<CustomFilter, 'kernel'> & { readonly kernel: Omit<Kernel, 'weights'> & { readonly weights: Weights } });
export type PackedStack = readonly PackedFilter[];

/** `pack`: the weights as a buffer. */
export function packStack(
  stack: Stack,
  pack: (weights: readonly number[]) => Weights = (weights) => Float64Array.from(weights),
): PackedStack {
  return stack.map((filter) =>
    filter.kind === 'custom' && filter.kernel.weights.length > fewWeights
      ? { ...filter, kernel: { ...filter.kernel, weights: pack(filter.kernel.weights) } }
      : filter,
  );
}

/** What may be handed over with it. */
export const buffersOf = (packed: PackedStack): ArrayBuffer[] =>
  packed.flatMap((filter) =>
    filter.kind === 'custom' && filter.kernel.weights instanceof Float64Array ? [filter.kernel.weights.buffer] : [],
  );

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Ten times as fast as Array.from. */
function listOf(weights: Float64Array): number[] {
  const list = new Array<number>(weights.length);
  for (let index = 0; index < weights.length; index += 1) list[index] = weights[index] ?? 0;
  return list;
}

/** Unpacks every buffer once: a message in which thousands of filters share one must not become thousands of lists. */
function unpackFilters(filters: readonly unknown[]): unknown[] {
  const lists = new Map<ArrayBufferLike, number[]>();
  return filters.map((filter) => {
    if (!isRecord(filter) || !isRecord(filter.kernel)) return filter;
    const { weights } = filter.kernel;
    if (!(weights instanceof Float64Array) || weights.length > mostWeights) return filter;
    if (weights.byteLength !== weights.buffer.byteLength) return filter;
    const list = lists.get(weights.buffer) ?? listOf(weights);
    lists.set(weights.buffer, list);
    return { ...filter, kernel: { ...filter.kernel, weights: list } };
  });
}

export const unpackStack = (packed: PackedStack): Stack => unpackFilters(packed) as Stack;

/** Whatever a page sent, with the stack in it unpacked where there is one; nothing else is looked at. */
export function unpackMessage(message: unknown): unknown {
  return isRecord(message) && Array.isArray(message.stack)
    ? { ...message, stack: unpackFilters(message.stack) }
    : message;
}
