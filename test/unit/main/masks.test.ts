// Masks in main: which image of a mask is made when, from what, and that a picture of another size is refused.

import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { catalogueEntry } from '../../../core/filters';
import { type Mask, wholeMask } from '../../../core/mask';
import { DerivedImages } from '../../../main/derivedImages';
import type { EngineImage } from '../../../main/engine';
import { maskKey } from '../../../main/masks';
import { Renderer } from '../../../main/render';
import { FakeEngine } from './fakeEngine';

const size = { width: 12, height: 8 };
const mask: Mask = {
  ...wholeMask(size),
  shapes: [{ combine: 'add', kind: 'ellipse', x: 6, y: 4, width: 8, height: 6, angle: 0 }],
};
const stackOf = (one: Mask) => [{ ...catalogueEntry('gaussian').create('a', 'u8'), mask: one }];

async function setUp() {
  const engine = new FakeEngine();
  const image = await engine.createImage(new Uint8Array(12 * 8), size, 1, false);
  const levels = new Map<number, Promise<EngineImage>>([[0, Promise.resolve(image)]]);
  const atLevel = (level: number) => {
    const made = levels.get(level) ?? engine.reduce(image, level);
    levels.set(level, made);
    return made;
  };
  const source = { image, light: { kind: 'srgb' } as const, atLevel, derived: new DerivedImages() };
  return { engine, source, renderer: new Renderer(engine, () => 'cpu') };
}

describe('the picture of a mask', () => {
  it('is made once, in one channel, over the whole picture', async () => {
    const { engine, source, renderer } = await setUp();
    const prepared = await renderer.prepareMask(source, stackOf(mask), 0);
    expect(prepared).toMatchObject({ passes: [], size, image: { channels: 1, sampleType: 'u16', ...size } });
    expect((await renderer.prepareMask(source, stackOf({ ...mask }), 0)).image).toBe(prepared.image);
    expect(engine.masks).toEqual([{ mask, region: { x: 0, y: 0, ...size }, picture: null }]);
    expect(engine.applied).toEqual([]);
  });

  it('at a coarser level has its lengths so much shorter, and the picture of that level for brightness', async () => {
    const { engine, source, renderer } = await setUp();
    const bright = { ...mask, feather: 3, luminance: { low: 0.5, high: 1, softness: 0 } };
    await renderer.prepareMask(source, stackOf(bright), 1);
    expect(engine.masks).toMatchObject([
      {
        mask: { feather: 1.5, shapes: [{ x: 3, y: 2, width: 4, height: 3, angle: 0 }] },
        region: { x: 0, y: 0, width: 6, height: 4 },
      },
    ]);
    expect(engine.masks[0]?.picture).toBe(await source.atLevel(1));
  });

  it('is feathered by a Gaussian of the engine with the edge repeated', async () => {
    const { engine, source, renderer } = await setUp();
    await renderer.prepareMask(source, stackOf({ ...mask, feather: 2 }), 0);
    expect(engine.applied).toMatchObject([{ backend: 'cpu', passes: [{ border: { kind: 'replicate' } }] }]);
    expect(engine.applied[0]?.passes).toHaveLength(1);
    await renderer.prepareMask(source, stackOf({ ...mask, feather: 0.05 }), 0);
    expect(engine.applied).toHaveLength(1);
  });

  it('is made from the one before where a stroke was added, and else as a whole', async () => {
    const { engine, source, renderer } = await setUp();
    const painted = (points: readonly number[], feather = 0): Mask => ({
      ...wholeMask(size),
      feather,
      shapes: [
        {
          combine: 'add',
          kind: 'brush',
          strokes: [{ size: 2, hardness: 1, flow: 1, erases: false, points: [...points] }],
        },
      ],
    });
    const steps = [painted([2, 2]), painted([2, 2, 4, 2]), mask, painted([2, 2, 4, 2], 3), painted([2, 2, 6, 2], 3)];
    for (const step of steps) await renderer.prepareMask(source, stackOf(step), 0);
    expect(engine.masks.map(({ change }) => change)).toEqual([
      undefined,
      { x: -1, y: -1, width: 8, height: 6 },
      ...[undefined, undefined, undefined],
    ]);
  });

  it('stops being made when nobody waits for it', async () => {
    const { engine, source, renderer } = await setUp();
    engine.hold();
    const controller = new AbortController();
    const made = renderer.prepareMask(source, stackOf(mask), 0, controller.signal);
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(made).rejects.toThrow('cancelled');
    expect(engine.cancelled).toBe(1);
  });

  it('is another one for another mask, place or level, and for another engine only where it is feathered', () => {
    const place = { x: 0, y: 0, ...size, level: 0 };
    const key = maskKey(mask, place, 'cpu');
    expect(maskKey({ ...mask }, place, 'reference')).toBe(key);
    const others = [
      maskKey({ ...mask, inverted: true }, place, 'cpu'),
      maskKey(mask, { ...place, x: 1 }, 'cpu'),
      maskKey(mask, { ...place, level: 1 }, 'cpu'),
      maskKey({ ...mask, feather: 1 }, place, 'cpu'),
      maskKey({ ...mask, feather: 1 }, place, 'reference'),
    ];
    expect(new Set([key, ...others]).size).toBe(6);
  });
});

describe('a mask that was made on a picture of another size', () => {
  it('is refused with both sizes and the name of its filter', async () => {
    const { engine, source, renderer } = await setUp();
    const image = await engine.createImage(new Uint8Array(12 * 9), { width: 12, height: 9 }, 1, false);
    const other = { ...source, image, atLevel: async () => image };
    const stack = stackOf(mask).map((filter) => ({ ...filter, label: 'Glow' }));
    const failure = await renderer.prepareMask(other, stack, 0).then(() => null, failureOf);
    expect(failure).toEqual({ code: 'maskSize', subject: 'Glow', expected: '12 × 8', actual: '12 × 9' });
  });
});
