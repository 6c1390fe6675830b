// A small image, a call of run() that is right, and changes to it in one place: what the tests of refusals share.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Failure } from '../../core/errors';
import type { DenseWeights, Pass, Samples } from '../../core/pass';
import { type BackendName, type EngineImage, loadEngine, type RunRequest } from '../../main/engine';
import { boxPass, boxWeights, densePass, failureFrom, fillWithNoise, wholeOf } from './examples';

export const engine = loadEngine();
export const size = { width: 6, height: 5 };
export const samples = fillWithNoise(new Uint8Array(6 * 5 * 4));
export let image: EngineImage;
export let released: EngineImage;
beforeAll(async () => {
  image = await engine.createImage(samples, size, 4, true);
  released = await engine.createImage(samples, size, 4, true);
  released.release();
});
afterAll(() => image.release());

const destination = () => new Uint8Array(6 * 5 * 4);

/** What a caller without a type checker may pass. */
export const untyped = <T>(value: unknown): T => value as T;

export interface RunChange {
  readonly backend?: BackendName;
  readonly passes?: readonly Pass[];
  readonly image?: EngineImage;
  readonly request?: RunRequest;
  readonly destination?: Samples;
}
export const run = (change: RunChange) =>
  engine.run(
    change.backend ?? 'reference',
    'passes' in change ? untyped(change.passes) : [boxPass(3)],
    'image' in change ? untyped(change.image) : image,
    change.request ?? wholeOf(size),
    'destination' in change ? untyped(change.destination) : destination(),
  );
export const withPass = (change: unknown): RunChange => ({
  passes: [boxPass(3), untyped({ ...boxPass(3), ...(change as object) })],
});
export const withWeights = (change: Partial<Record<keyof DenseWeights, unknown>>): RunChange => ({
  passes: [boxPass(3), densePass(untyped({ ...boxWeights(3), ...change }))],
});
export const withRegion = (change: Partial<Record<'x' | 'y' | 'width' | 'height', unknown>>): RunChange => ({
  request: { region: untyped({ ...wholeOf(size).region, ...change }), level: 0 },
});

export type Refusal = readonly [what: string, change: () => RunChange, failure: Failure];
export const refusesRuns = (refusals: readonly Refusal[]) =>
  it.each(refusals)('%s', async (_what, change, failure) => {
    expect(await failureFrom(() => run(change()))).toMatchObject(failure);
  });
