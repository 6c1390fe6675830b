// Example passes and pictures for the addon's tests, and the failure that a refused call carries.

import { ConvolveError, type Failure } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { DenseWeights, Pass, PassWork, Samples } from '../../core/pass';
import type { Engine } from '../../main/engine';

/** Dense weights with the default anchor and divisor 1. */
export function weightsOf(width: number, height: number, weights: readonly number[]): DenseWeights {
  return {
    width,
    height,
    anchorX: Math.floor(width / 2),
    anchorY: Math.floor(height / 2),
    weights: Float64Array.from(weights),
    divisor: 1,
  };
}

export function boxWeights(side: number): DenseWeights {
  return { ...weightsOf(side, side, Array<number>(side * side).fill(1)), divisor: side * side };
}

/** One filter: mirror border, everything else as a new filter has it. */
export function passOf(work: PassWork, rest: Partial<Omit<Pass, 'work'>> = {}): Pass {
  return {
    work,
    border: { kind: 'mirror' },
    size: 'same',
    alpha: 'weighted',
    light: 'encoded',
    epilogue: { result: 1, input: 0, offset: 0 },
    range: { kind: 'clamp' },
    ...rest,
  };
}

export function densePass(weights: DenseWeights, rest: Partial<Omit<Pass, 'work'>> = {}): Pass {
  return passOf({ kind: 'dense', weights }, rest);
}

export const boxPass = (side: number, rest: Partial<Omit<Pass, 'work'>> = {}): Pass =>
  densePass(boxWeights(side), rest);

/** Adds `share` of full scale to every sample: the smallest pass whose result tells which pass it was. */
export const offsetPass = (share: number): Pass =>
  densePass(weightsOf(1, 1, [1]), { epilogue: { result: 1, input: 0, offset: share } });

/** The same pseudo-random samples every time (Lehmer's generator), 0…fullScale of the array's type or of `scale`. */
export function fillWithNoise<T extends Samples>(samples: T, scale = 1): T {
  const full = samples instanceof Uint8Array ? 255 : samples instanceof Uint16Array ? 65535 : scale;
  let state = 20_240_229;
  for (let i = 0; i < samples.length; i++) {
    state = (state * 48271) % 2147483647;
    const share = state / 2147483647;
    samples[i] = samples instanceof Float32Array || samples instanceof Float64Array ? share * full : share * (full + 1);
  }
  return samples;
}

export const wholeOf = ({ width, height }: Size) => ({ region: { x: 0, y: 0, width, height }, level: 0 });

/** The one sample of a black pixel after offsetPass: tells which run it was, in no time. */
export async function runPixel(engine: Engine, share: number, signal?: AbortSignal): Promise<number> {
  const image = await engine.createImage(new Uint8Array(1), { width: 1, height: 1 }, 1, false);
  const result = new Uint8Array(1);
  await engine.run('reference', [offsetPass(share)], image, wholeOf(image), result, signal);
  return result[0]!;
}

/** The failure of a call that must be refused, thrown or rejected alike. */
export async function failureFrom(call: () => unknown): Promise<Failure> {
  try {
    await call();
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('the call was expected to be refused, but it succeeded');
}

/** One turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
