// Stacks on their way: large weights travel as buffers, and whoever receives them has the same stack again or refuses it.

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Filter } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
import { createKernel } from '../../../core/kernel';
import { buffersOf, packStack, unpackMessage, unpackStack } from '../../../core/packedStack';
import { answer } from '../../../main/door';
import type { Handlers } from '../../../main/handlers';
import { call } from '../../../renderer/bridge';
import { randomSource } from './randomNumbers';

function rough(side: number): Filter {
  const random = randomSource(side);
  const weights = Array.from({ length: side * side }, () => random.whole(-1000, 1000) / 1000);
  const custom = catalogueEntry('custom').create('f1', 'u8');
  return { ...custom, kind: 'custom', name: '', kernel: createKernel(side, side, weights, { divisor: 1 }) };
}
const stack = [rough(65), rough(3), catalogueEntry('gaussian').create('f2', 'u8')];

describe('a packed stack', () => {
  it('hands over the weights of large kernels, and becomes the same again', () => {
    const packed = packStack(stack);
    expect(buffersOf(packed).map(({ byteLength }) => byteLength)).toEqual([65 * 65 * 8]);
    const sent = structuredClone(packed, { transfer: buffersOf(packed) });
    expect(unpackStack(sent)).toEqual(stack);
  });

  it('is found in a message, and everything else stays as it came', () => {
    const message = { imageId: 1, stack: packStack(stack), other: { stack: packStack(stack) } };
    expect(unpackMessage(message)).toEqual({ ...message, stack });
    for (const strange of [undefined, null, 5, 'stack', [], { stack: 'x' }, { stack: [null, 7, { kernel: null }] }])
      expect(unpackMessage(strange)).toEqual(strange);
  });

  it('comes through the door, and is refused where its numbers are no weights', async () => {
    const got: unknown[] = [];
    const handlers = { 'plan:explain': async (asked: unknown) => got.push(asked) } as unknown as Handlers;
    const ask = (sent: unknown) => answer(handlers, 'plan:explain', { imageId: 1, stack: sent });
    expect(await ask(packStack(stack))).toMatchObject({ ok: true });
    expect(got).toEqual([{ imageId: 1, stack }]);
    const [large] = packStack(stack);
    if (large?.kind !== 'custom') throw new Error('no kernel');
    const { kernel } = large;
    const nan = Float64Array.from(kernel.weights).fill(Number.NaN, 7, 8);
    for (const weights of [nan, new Float64Array(64), new Float64Array(600 * 600), new Float32Array(65 * 65)])
      expect(await ask([{ ...large, kernel: { ...kernel, weights } }])).toMatchObject({
        failure: { code: 'invalidArgument', subject: expect.stringMatching(/^stack\.0\.kernel/) },
      });
    expect(got).toHaveLength(1);
  });
});

describe('a message whose filters share a buffer', () => {
  const [large] = packStack(stack);
  const unpacked = (weights: readonly unknown[]) => {
    const message = { stack: weights.map((own) => ({ ...large, kernel: { weights: own } })) };
    return (unpackMessage(message) as typeof message).stack.map(({ kernel }) => kernel.weights);
  };

  it('is unpacked into one list', () => {
    const weights = new Float64Array(65 * 65).fill(0.5);
    const [first, second] = unpacked([weights, weights]);
    expect(first).toEqual(Array.from(weights));
    expect(second).toBe(first);
  });

  it('is left alone, for the schema to refuse, where they are parts of it', () => {
    const part = new Float64Array(new ArrayBuffer(8 * 4225 + 8), 8);
    expect(unpacked([part])).toEqual([part]);
    expect(unpacked([part])[0]).toBe(part);
  });
});

describe('the page', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('packs a large kernel once for all that it asks of it', async () => {
    const sent: { readonly stack: readonly { readonly kernel: { readonly weights: unknown } }[] }[] = [];
    const bridge = { call: async (_channel: string, argument: (typeof sent)[number]) => sent.push(argument) };
    vi.stubGlobal('window', { bridge });
    for (let time = 0; time < 2; time += 1) await call('plan:explain', { imageId: 1, stack: [...stack] });
    const [first, second] = sent.map((message) => message.stack[0]?.kernel.weights);
    expect(first).toBeInstanceOf(Float64Array);
    expect(second).toBe(first);
    expect(sent[0]?.stack[1]?.kernel.weights).toBeInstanceOf(Array);
    expect(stack[0]).toEqual(rough(65));
  });
});
