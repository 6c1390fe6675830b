// The door, for everything but plans: every argument that does not fit is refused with a code and the path of what was
// wrong.

import { describe, expect, it } from 'vitest';
import type { Failure } from '../../core/errors';
import { boxPass, boxWeights, densePass, failureFrom, wholeOf } from './examples';
import { engine, image, refusesRuns, released, run, samples, size, untyped, withRegion } from './refusals';

describe('run accepts', () => {
  it('the call that every refusal below changes in one place', async () => {
    await run({});
  });
});

describe('run refuses', () => {
  const code = 'invalidArgument';
  refusesRuns([
    [
      'an unknown backend',
      () => ({ backend: untyped('gpu') }),
      { code, subject: 'backend', expected: 'one of reference, cpu, cuda', actual: '"gpu"' },
    ],
    [
      'an image that is none',
      () => ({ image: untyped({ width: 6, height: 5 }) }),
      { code, subject: 'image', expected: 'an image of this engine', actual: 'an object' },
    ],
    [
      'an image that is missing',
      () => ({ image: untyped(undefined) }),
      { code, subject: 'image', actual: 'undefined' },
    ],
    [
      'an image that only inherits from one',
      () => ({ image: untyped(Object.create(image)) }),
      { code, subject: 'image' },
    ],
    ['a released image', () => ({ image: released }), { code, subject: 'image', actual: 'a released image' }],
    [
      'a request without a region',
      () => ({ request: untyped({ level: 0 }) }),
      { code, subject: 'request.region', actual: 'undefined' },
    ],
    [
      'a region that starts between pixels',
      () => withRegion({ x: 0.5 }),
      { code, subject: 'request.region.x', actual: '0.5' },
    ],
    [
      'an empty region',
      () => ({ ...withRegion({ width: 0 }), destination: new Uint8Array(0) }),
      { code, subject: 'request.region.width', expected: 'at least 1', actual: '0' },
    ],
    ['a region that reaches outside', () => withRegion({ y: 1 }), { code, subject: 'region' }],
    ['a region that starts outside', () => withRegion({ x: -1 }), { code, subject: 'region' }],
    [
      'a region past 32 bits',
      () => withRegion({ y: 2 ** 31 }),
      { code, subject: 'request.region.y', expected: 'a whole number' },
    ],
    ['a level below 0', () => ({ request: { ...wholeOf(size), level: -1 } }), { code, subject: 'level' }],
    [
      'a level that is no number',
      () => ({ request: { ...wholeOf(size), level: untyped('0') } }),
      { code, subject: 'request.level', actual: '"0"' },
    ],
    [
      'a destination that is missing',
      () => ({ destination: untyped(undefined) }),
      { code, subject: 'destination', actual: 'undefined' },
    ],
    [
      'a destination that is a bare buffer',
      () => ({ destination: untyped(new ArrayBuffer(120)) }),
      { code, subject: 'destination', actual: 'an ArrayBuffer' },
    ],
    [
      'a destination that is a DataView',
      () => ({ destination: untyped(new DataView(new ArrayBuffer(120))) }),
      { code, subject: 'destination', actual: 'an object' },
    ],
    [
      'a destination of another sample type',
      () => ({ destination: untyped(new Int16Array(120)) }),
      {
        code,
        subject: 'destination',
        expected: 'a Uint8Array, Uint16Array, Float32Array or Float64Array',
        actual: 'an Int16Array of 120',
      },
    ],
    [
      'a destination that is too short',
      () => ({ destination: new Uint8Array(119) }),
      { code, subject: 'destination', expected: '6 × 5 × 4 samples', actual: '119' },
    ],
    [
      'a destination that is too long',
      () => ({ destination: new Uint8Array(121) }),
      { code, subject: 'destination', actual: '121' },
    ],
    [
      'a destination that was transferred away',
      () => {
        const gone = new Uint8Array(120);
        structuredClone(gone.buffer, { transfer: [gone.buffer] });
        return { destination: gone };
      },
      { code, subject: 'destination', actual: 'an array whose buffer was transferred away' },
    ],
    [
      'a destination that could shrink under way',
      () => {
        const Resizable = ArrayBuffer as unknown as new (
          length: number,
          options: { maxByteLength: number },
        ) => ArrayBuffer;
        return { destination: new Uint8Array(new Resizable(120, { maxByteLength: 240 })) };
      },
      { code, subject: 'destination', actual: 'a resizable buffer' },
    ],
  ]);

  it('a backend that cannot run here, with the reason', async () => {
    const cuda = engine.backends().find(({ name }) => name === 'cuda');
    if (cuda?.available) {
      await run({ backend: 'cuda' });
      return;
    }
    expect(await failureFrom(() => run({ backend: 'cuda' }))).toEqual({
      code: 'backendUnavailable',
      subject: 'cuda',
      expected: 'an available backend',
      actual: cuda?.description,
    });
  });
});

describe('createImage refuses', () => {
  const code = 'invalidArgument';
  const create = (change: {
    samples?: unknown;
    width?: unknown;
    height?: unknown;
    channels?: unknown;
    alpha?: unknown;
  }) =>
    engine.createImage(
      untyped('samples' in change ? change.samples : samples),
      { width: untyped(change.width ?? 6), height: untyped(change.height ?? 5) },
      untyped(change.channels ?? 4),
      untyped('alpha' in change ? change.alpha : true),
    );
  it.each<readonly [string, Parameters<typeof create>[0], Failure]>([
    ['a width of 0', { width: 0 }, { code, subject: 'width', expected: 'at least 1', actual: '0' }],
    ['a height that is no number', { height: 'tall' }, { code, subject: 'height', actual: '"tall"' }],
    ['no channels', { channels: -1 }, { code, subject: 'channels', actual: '-1' }],
    ['five channels', { channels: 5, samples: new Uint8Array(150) }, { code, subject: 'image channels', actual: '5' }],
    [
      'alpha in a picture of three channels',
      { channels: 3, samples: new Uint8Array(90) },
      { code, subject: 'image channels' },
    ],
    [
      'alpha that is neither true nor false',
      { alpha: 1 },
      { code, subject: 'alpha', expected: 'true or false', actual: '1' },
    ],
    ['samples that are no typed array', { samples: [1, 2, 3] }, { code, subject: 'samples', actual: 'an array of 3' }],
    [
      'samples of another type',
      { samples: new Uint32Array(120) },
      { code, subject: 'samples', actual: 'a Uint32Array of 120' },
    ],
    [
      'samples that do not match the size',
      { width: 7 },
      { code, subject: 'samples', expected: '7 × 5 × 4 samples', actual: '120' },
    ],
    [
      'sizes whose product overflows',
      { width: 2 ** 31 - 1, height: 2 ** 31 - 1, channels: 2 ** 31 - 1 },
      { code, subject: 'samples', actual: '120' },
    ],
  ])('%s', async (_what, change, failure) => {
    expect(await failureFrom(() => create(change))).toMatchObject(failure);
  });

  it('more pixels a side than the engine can address', async () => {
    const side = 2 ** 20 + 1;
    const failure = await failureFrom(() =>
      engine.createImage(new Uint8Array(side), { width: side, height: 1 }, 1, false),
    );
    expect(failure).toMatchObject({ code: 'imageTooLarge', subject: 'image size', actual: `${side} x 1` });
  });
});

describe('the other functions', () => {
  it('reduce refuses a level that does not exist', async () => {
    expect(await failureFrom(() => engine.reduce(image, -1))).toMatchObject({
      code: 'invalidArgument',
      subject: 'level',
    });
    expect(await failureFrom(() => engine.reduce(image, 0.5))).toMatchObject({
      code: 'invalidArgument',
      subject: 'level',
    });
  });

  it('reduce refuses a released image', async () => {
    expect(await failureFrom(() => engine.reduce(released, 1))).toMatchObject({
      code: 'invalidArgument',
      subject: 'image',
    });
  });

  it('measure refuses what run refuses', async () => {
    const bad = densePass({ ...boxWeights(3), divisor: 0 });
    expect(await failureFrom(() => engine.measure('reference', [bad], image))).toMatchObject({
      code: 'invalidKernel',
      subject: 'passes[0].work.weights.divisor',
    });
    expect(await failureFrom(() => engine.measure('reference', [], released))).toMatchObject({ subject: 'image' });
  });

  it('sizeAfter refuses a size and a plan that do not fit', async () => {
    expect(await failureFrom(() => engine.sizeAfter([], { width: 0, height: 5 }))).toMatchObject({
      code: 'invalidArgument',
      subject: 'size.width',
    });
    expect(await failureFrom(() => engine.sizeAfter([boxPass(9, { size: 'valid' })], size))).toMatchObject({
      code: 'invalidPlan',
      subject: 'passes[0].size',
    });
  });

  it('an error thrown by a getter of an argument is reported, not swallowed', async () => {
    const request = {
      get region(): never {
        throw new RangeError('the getter failed');
      },
      level: 0,
    };
    expect(await failureFrom(() => run({ request }))).toMatchObject({ code: 'internal', actual: 'the getter failed' });
  });

  it('an image cannot be made by its class', () => {
    const Class = image.constructor as new (...values: readonly unknown[]) => unknown;
    expect(() => new Class()).toThrow(/createImage/);
    expect(() => new Class({})).toThrow(/createImage/);
  });
});
