// Masks through the addon: every kind of shape arrives, bad ones are refused by the field's name, and a feather is the
// engine's own Gaussian.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intersect, type Rectangle } from '../../core/geometry';
import { type BrushStroke, type Mask, type MaskShape, wholeMask } from '../../core/mask';
import { maskChange } from '../../core/maskChange';
import { type EngineImage, loadEngine } from '../../main/engine';
import { failureFrom, passOf, weightsOf } from './examples';
import { untyped } from './refusals';

const engine = loadEngine();
const size = { width: 40, height: 30 };
const region: Rectangle = { x: 0, y: 0, ...size };
const box = { x: 20, y: 15, width: 20, height: 10, angle: 0 };
const rectangle: MaskShape = { combine: 'add', kind: 'rectangle', ...box };
const maskOf = (...shapes: readonly MaskShape[]): Mask => ({ ...wholeMask(size), shapes });

let picture: EngineImage;
beforeAll(async () => {
  const samples = Uint8Array.from({ length: 40 * 30 }, (_, at) => (at % 40 < 20 ? 255 : 0));
  picture = await engine.createImage(samples, size, 1, false);
});
afterAll(() => picture.release());

async function valuesOf(image: EngineImage): Promise<Uint16Array> {
  const values = new Uint16Array(image.width * image.height);
  const whole = { region: { x: 0, y: 0, width: image.width, height: image.height }, level: 0 };
  await engine.run('reference', [], image, whole, values);
  return values;
}

const raster = async (mask: Mask, part: Rectangle = region) =>
  valuesOf(await engine.rasteriseMask(mask, part, mask.luminance === undefined ? null : picture));

describe('a mask', () => {
  it('becomes an image of one channel in 16 bits', async () => {
    const image = await engine.rasteriseMask(maskOf(rectangle), region, null);
    expect(image).toMatchObject({ ...size, channels: 1, alpha: false, sampleType: 'u16', bytes: 2 * 40 * 30 });
    const values = await valuesOf(image);
    values.forEach((value, at) => {
      const inside = at % 40 >= 10 && at % 40 < 30 && at >= 40 * 10 && at < 40 * 20;
      expect(value).toBe(inside ? 65535 : 0);
    });
    const part = { x: 25, y: 18, width: 9, height: 4 };
    expect([...(await raster(maskOf(rectangle), part))].slice(0, 9)).toEqual([...Array(5).fill(65535), 0, 0, 0, 0]);
  });

  it('takes shapes of every kind, the range of brightness, and is inverted', async () => {
    const at = (values: Uint16Array, x: number, y: number) => values[y * 40 + x];
    const shapes: readonly (readonly [MaskShape, number, number])[] = [
      [{ combine: 'add', kind: 'ellipse', ...box }, 20, 11],
      [{ combine: 'add', kind: 'radial', ...box, inner: 1 }, 20, 11],
      [{ combine: 'add', kind: 'linear', fromX: 25, fromY: 0, toX: 20, toY: 0 }, 30, 3],
      [
        {
          combine: 'add',
          kind: 'brush',
          strokes: [{ size: 6, hardness: 1, flow: 1, erases: false, points: [5, 5, 20, 11] }],
        },
        20,
        12,
      ],
    ];
    for (const [shape, x, y] of shapes) {
      const values = await raster(maskOf(shape));
      expect([shape.kind, at(values, x, y), at(values, 1, 28)]).toEqual([shape.kind, 65535, 0]);
      const inverted = await raster({ ...maskOf(shape), inverted: true });
      inverted.forEach((value, place) => {
        expect(value).toBe(65535 - (values[place] ?? 0));
      });
    }
    const bright = await raster({ ...maskOf(rectangle), luminance: { low: 0.5, high: 1, softness: 0 } });
    expect([at(bright, 19, 15), at(bright, 20, 15), at(bright, 5, 15)]).toEqual([65535, 0, 0]);
  });

  it('is feathered by a pass of the engine, the same as by the reference within rounding', async () => {
    const image = await engine.rasteriseMask(maskOf(rectangle), region, null);
    const weights = Array.from({ length: 49 }, (_, at) => {
      const [x, y] = [(at % 7) - 3, Math.floor(at / 7) - 3];
      return Math.exp(-(x * x + y * y) / 4);
    });
    const divisor = weights.reduce((sum, weight) => sum + weight, 0);
    const passes = [
      passOf({ kind: 'dense', weights: { ...weightsOf(7, 7, weights), divisor } }, { border: { kind: 'replicate' } }),
    ];
    const feathered = await engine.apply('reference', passes, image, 'u16');
    expect(feathered).toMatchObject({ ...size, channels: 1, sampleType: 'u16' });
    const values = await valuesOf(feathered);
    const source = await valuesOf(image);
    for (const [x, y] of [
      [10, 15],
      [9, 9],
      [29, 20],
      [0, 0],
    ] as const) {
      let sum = 0;
      for (let j = -3; j <= 3; j += 1)
        for (let i = -3; i <= 3; i += 1) {
          const from = Math.min(29, Math.max(0, y + j)) * 40 + Math.min(39, Math.max(0, x + i));
          sum += (weights[(j + 3) * 7 + i + 3] ?? 0) * (source[from] ?? 0);
        }
      expect(Math.abs((values[y * 40 + x] ?? 0) - sum / divisor)).toBeLessThanOrEqual(0.5);
    }
  });

  it('is refused with the path of what does not fit', async () => {
    const refusals: readonly (readonly [unknown, string])[] = [
      [maskOf(untyped({ ...rectangle, kind: 'star' })), 'mask.shapes[0].kind'],
      [maskOf(rectangle, untyped({ ...rectangle, combine: 'xor' })), 'mask.shapes[1].combine'],
      [maskOf({ ...rectangle, width: Number.NaN }), 'mask.shapes[0].width'],
      [maskOf({ ...rectangle, x: 1e300 }), 'mask.shapes[0].x'],
      [
        maskOf({
          combine: 'add',
          kind: 'brush',
          strokes: [{ size: 6, hardness: 2, flow: 1, erases: false, points: [1, 2] }],
        }),
        'mask.shapes[0].strokes[0].hardness',
      ],
      [
        maskOf({
          combine: 'add',
          kind: 'brush',
          strokes: [{ size: 6, hardness: 1, flow: 1, erases: false, points: [1, 2, 3] }],
        }),
        'mask.shapes[0].strokes[0].points',
      ],
      [{ ...maskOf(), inverted: 'no' }, 'mask.inverted'],
    ];
    for (const [mask, subject] of refusals)
      expect(await failureFrom(() => engine.rasteriseMask(untyped(mask), region, null))).toMatchObject({
        code: 'invalidArgument',
        subject,
      });
    const bright = { ...maskOf(), luminance: { low: 0, high: 1, softness: 0 } };
    expect(await failureFrom(() => engine.rasteriseMask(bright, region, null))).toMatchObject({ subject: 'picture' });
  });

  it('is made from one before, of which it computes what changed', async () => {
    const wider = maskOf({ ...rectangle, width: 30 });
    const image = await engine.rasteriseMask(maskOf(rectangle), region, null);
    const change = { x: 30, y: 0, width: 10, height: 30 };
    const made = await engine.rasteriseMask(wider, region, null, undefined, { image, change });
    const [whole, before] = [await raster(wider), await valuesOf(image)];
    (await valuesOf(made)).forEach((value, at) => {
      expect(value).toBe((at % 40 >= 30 ? whole : before)[at]);
    });
    const small = { x: 0, y: 0, width: 8, height: 8 };
    expect(
      await failureFrom(() => engine.rasteriseMask(wider, small, null, undefined, { image, change })),
    ).toMatchObject({ code: 'invalidArgument', subject: 'before' });
  });

  it('is not made when nobody waits any more', async () => {
    const controller = new AbortController();
    const large = { x: 0, y: 0, width: 4000, height: 4000 };
    const made = failureFrom(() => engine.rasteriseMask(maskOf(rectangle), large, null, controller.signal));
    controller.abort();
    expect(await made).toMatchObject({ code: 'cancelled' });
  });
});

describe('what a stroke changes', () => {
  const stroke = (points: readonly number[], more: Partial<BrushStroke> = {}): BrushStroke => ({
    ...{ size: 5, hardness: 0.4, flow: 0.8, erases: false, points },
    ...more,
  });
  const brush = (...strokes: readonly BrushStroke[]): MaskShape => ({ combine: 'add', kind: 'brush', strokes });
  const path = [3, 4, 9.5, 6, 14, 11.2];
  const grown = [...path, 17, 13, 16.5, 17];
  const first = stroke([30, 3, 36, 25], { erases: false });
  /** Each with the share of the picture that it may change. */
  const changes: readonly (readonly [string, readonly MaskShape[], readonly MaskShape[], number])[] = [
    ['that grows', [brush(first, stroke(path))], [brush(first, stroke(grown))], 0.2],
    ['that is taken back', [brush(first, stroke(grown))], [brush(first)], 0.5],
    ['that begins', [brush(first)], [brush(first, stroke([12, 20]))], 0.1],
    ['that erases', [brush(first)], [brush(first, stroke([28, 14, 36, 14], { erases: true }))], 0.3],
    ['whose path is made simple', [brush(stroke(grown))], [brush(stroke([3, 4, 14, 11.2, 16.5, 17]))], 0.6],
    [
      'that takes away from a shape',
      [rectangle, { ...brush(stroke(path)), combine: 'subtract' }],
      [rectangle, { ...brush(stroke(grown)), combine: 'subtract' }],
      0.2,
    ],
    [
      'within which a shape shows',
      [rectangle, { ...brush(first), combine: 'intersect' }],
      [rectangle, { ...brush(first, stroke(grown)), combine: 'intersect' }],
      0.5,
    ],
  ];
  for (const [what, before, after, share] of changes)
    it(`lies within its rectangle: one ${what}`, async () => {
      const luminance = { low: 0.2, high: 0.9, softness: 0.2 };
      for (const more of [{}, { inverted: true }, { luminance }]) {
        const [one, other] = [
          { ...maskOf(...before), ...more },
          { ...maskOf(...after), ...more },
        ];
        const change = maskChange(one, other);
        if (change === null) throw new Error('no rectangle');
        const seen = intersect(change, region);
        expect((seen.width * seen.height) / (40 * 30)).toBeLessThan(share);
        const [was, is] = [await raster(one), await raster(other)];
        const differ = [...was.keys()].filter((at) => was[at] !== is[at]);
        for (const at of differ) {
          const inside = intersect({ x: at % 40, y: Math.floor(at / 40), width: 1, height: 1 }, change);
          expect(inside.width * inside.height).toBe(1);
        }
        // A part made alone is that part of the whole, byte for byte.
        const part = await raster(other, seen);
        expect([...part]).toEqual(
          [...part.keys()].map((at) => is[(seen.y + Math.floor(at / seen.width)) * 40 + seen.x + (at % seen.width)]),
        );
        if (!('luminance' in more)) expect(differ.length).toBeGreaterThan(0);
      }
    });

  it('is not said of masks that differ in more, or have a feather', () => {
    const mask = maskOf(brush(first));
    const drawn = maskOf(brush(first, stroke(path)));
    expect(maskChange(mask, { ...mask })).toMatchObject({ width: 0, height: 0 });
    expect(maskChange({ ...mask, feather: 2 }, { ...drawn, feather: 2 })).toBeNull();
    expect(maskChange(mask, { ...drawn, inverted: true })).toBeNull();
    expect(maskChange(mask, maskOf(brush(first), brush(stroke(path))))).toBeNull();
    expect(maskChange(maskOf(rectangle), maskOf({ ...rectangle, x: 3 }))).toBeNull();
    expect(maskChange(mask, maskOf({ ...brush(first, stroke(path)), combine: 'subtract' }))).toBeNull();
  });
});
