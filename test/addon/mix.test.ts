// What a mix does to pixels, computed here once more from the formulas of W3C, "Compositing and Blending Level 1" (sections
// 5.1, 9.1 and 9.2), and compared with the engine: every blend mode, channels, alpha and depth.

import { describe, expect, it } from 'vitest';
import { type BlendMode, blendModes, type MixChannels, type PassMix } from '../../core/mix';
import { createSamples, fullScale, type Pass, type SampleType } from '../../core/pass';
import { loadEngine } from '../../main/engine';
import { densePass, failureFrom, fillWithNoise, weightsOf, wholeOf } from './examples';

const engine = loadEngine();
const size = { width: 24, height: 10 };
const pixels = size.width * size.height;

type Colour = readonly [number, number, number];
type Mode = (backdrop: number, source: number) => number;

const hardLight: Mode = (b, s) => (s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1));
const dark = (x: number) => (x <= 0.25 ? ((16 * x - 12) * x + 4) * x : Math.sqrt(x));
const separable: Readonly<Record<Exclude<BlendMode, 'luminosity'>, Mode>> = {
  normal: (_b, s) => s,
  multiply: (b, s) => b * s,
  screen: (b, s) => 1 - (1 - b) * (1 - s),
  overlay: (b, s) => hardLight(s, b),
  softLight: (b, s) => (s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (dark(b) - b)),
  lighten: Math.max,
  darken: Math.min,
  difference: (b, s) => Math.abs(b - s),
  addition: (b, s) => Math.min(1, b + s),
};

const lum = ([red, green, blue]: Colour) => 0.3 * red + 0.59 * green + 0.11 * blue;

function clip(colour: Colour): Colour {
  const l = lum(colour);
  const [least, most] = [Math.min(...colour), Math.max(...colour)];
  const low = colour.map((c) => (least < 0 ? l + ((c - l) * l) / (l - least) : c));
  return low.map((c) => (most > 1 ? l + ((c - l) * (1 - l)) / (most - l) : c)) as unknown as Colour;
}

const setLum = (colour: Colour, l: number): Colour => clip(colour.map((c) => c + l - lum(colour)) as unknown as Colour);

function blended(mode: BlendMode, channels: MixChannels, b: Colour, s: Colour): Colour {
  const colour =
    mode === 'luminosity' ? setLum(b, lum(s)) : (b.map((c, i) => separable[mode](c, s[i]!)) as unknown as Colour);
  return channels === 'luminance' ? setLum(b, lum(colour)) : colour;
}

interface Pixel {
  readonly colour: Colour;
  readonly alpha: number;
}

/** Premultiplied: what each of the two contributes, over what both do. */
function mixed(below: Pixel, filtered: Pixel, { blend, channels }: PassMix, m: number): Pixel {
  if (m === 0) return below;
  const blend3 = blended(blend, channels, below.colour, filtered.colour);
  const alpha = below.alpha * (1 - m) + filtered.alpha * m;
  const colour = below.colour.map((c, i) => {
    if (Array.isArray(channels) && !channels.includes((['red', 'green', 'blue'] as const)[i])) return c;
    if (alpha === 0) return 0;
    const seen = (1 - below.alpha) * filtered.colour[i]! + below.alpha * blend3[i]!;
    return (below.alpha * (1 - m) * c + filtered.alpha * m * seen) / alpha;
  });
  return { colour: colour as unknown as Colour, alpha: channels === 'all' ? alpha : below.alpha };
}

/** A picture with alpha of every kind, and a 3 × 1 blur of it by the engine, which is tested elsewhere. */
async function pictures(sampleType: SampleType, channels: 3 | 4) {
  const samples = fillWithNoise(createSamples(sampleType, pixels * channels));
  const full = fullScale[sampleType];
  for (let i = 3; i < samples.length && channels === 4; i += channels)
    samples[i] = [0, full, samples[i]!, samples[i]!][((i - 3) / 4) % 4]!;
  const image = await engine.createImage(samples, size, channels, channels === 4);
  const blur = densePass({ ...weightsOf(3, 1, [1, 2, 1]), divisor: 4 });
  const filtered = new Float64Array(samples.length);
  await engine.run('reference', [blur], image, wholeOf(size), filtered);
  const pixel = (values: ArrayLike<number>, index: number, scale: number): Pixel => {
    const at = (c: number) => values[index * channels + c]! / scale;
    return { colour: [at(0), at(1), at(2)], alpha: channels === 4 ? at(3) : 1 };
  };
  return {
    image,
    blur,
    below: (index: number) => pixel(samples, index, full),
    filtered: (index: number) => pixel(filtered, index, 1),
  };
}

const everyChannels: readonly MixChannels[] = ['all', 'luminance', ['green'], ['red', 'blue']];

describe.each(['reference', 'cpu'] as const)('a mix on %s', (backend) => {
  it.each([
    ['u8', 3],
    ['u8', 4],
    ['u16', 4],
    ['f32', 4],
  ] as const)('is what the formulas say: %s, %i channels', async (sampleType, channels) => {
    const { image, blur, below, filtered } = await pictures(sampleType, channels);
    const mask = await engine.createImage(fillWithNoise(new Uint16Array(pixels)), size, 1, false);
    const shares = fillWithNoise(new Uint16Array(pixels));
    const full = fullScale[sampleType];
    const most = sampleType === 'f32' ? 1e-5 : 1;
    for (const blend of blendModes)
      for (const which of everyChannels)
        for (const [opacity, masked] of [
          [1, false],
          [0.4, false],
          [0.8, true],
        ] as const) {
          const mix: PassMix = { opacity, blend, channels: which, ...(masked ? { mask } : {}) };
          const result = createSamples(sampleType, pixels * channels);
          await engine.run(backend, [{ ...blur, mix }], image, wholeOf(size), result);
          let worst = 0;
          for (let index = 0; index < pixels; index += 1) {
            const m = opacity * (masked ? shares[index]! / 65535 : 1);
            const { colour, alpha } = mixed(below(index), filtered(index), mix, m);
            const expected = channels === 4 ? [...colour, alpha] : colour;
            expected.forEach((value, c) => {
              // Colour under next to nothing of alpha is a quotient of rests.
              if (c < 3 && alpha > 0 && alpha < 0.02) return;
              worst = Math.max(worst, Math.abs(result[index * channels + c]! - value * full));
            });
          }
          expect(worst, `${blend} ${String(which)} ${opacity}`).toBeLessThanOrEqual(most);
        }
  });

  it('in parts is the same as in one', async () => {
    const { image, blur } = await pictures('u8', 4);
    const passes = [{ ...blur, mix: { opacity: 0.7, blend: 'overlay', channels: 'all' } as const }, blur];
    const whole = new Uint8Array(pixels * 4);
    await engine.run(backend, passes, image, wholeOf(size), whole);
    const part = new Uint8Array(7 * 3 * 4);
    await engine.run(backend, passes, image, { region: { x: 9, y: 4, width: 7, height: 3 }, level: 0 }, part);
    for (let y = 0; y < 3; y += 1)
      expect(part.subarray(y * 28, (y + 1) * 28)).toEqual(
        whole.subarray(((y + 4) * size.width + 9) * 4, ((y + 4) * size.width + 16) * 4),
      );
  });
});

describe('a mix that does not fit', () => {
  const refusal = async (mix: unknown) => {
    const { image, blur } = await pictures('u8', 3);
    const pass = { ...blur, mix } as Pass;
    return failureFrom(() => engine.run('cpu', [pass], image, wholeOf(size), new Uint8Array(pixels * 3)));
  };
  const half: PassMix = { opacity: 0.5, blend: 'normal', channels: 'all' };

  it('is refused with its field', async () => {
    const small = await engine.createImage(new Uint16Array(4), { width: 2, height: 2 }, 1, false);
    const wrong: readonly [unknown, string][] = [
      [{ ...half, opacity: 2 }, 'passes[0].mix.opacity'],
      [{ ...half, opacity: '1' }, 'passes[0].mix.opacity'],
      [{ ...half, blend: 'dissolve' }, 'passes[0].mix.blend'],
      [{ ...half, channels: 'rgb' }, 'passes[0].mix.channels'],
      [{ ...half, channels: [] }, 'passes[0].mix.channels'],
      [{ ...half, channels: ['alpha'] }, 'passes[0].mix.channels[0]'],
      [{ ...half, mask: small }, 'passes[0].mix.mask'],
      [{ ...half, input: { image: small, x: 0, y: 0 } }, 'passes[0].mix.input'],
    ];
    for (const [mix, subject] of wrong) expect(await refusal(mix)).toMatchObject({ code: 'invalidPlan', subject });
  });

  it('is refused where an image is only named, as a plan names it', async () => {
    const named = { kind: 'mask', filterId: 'a', ...size, x: 0, y: 0, level: 0 };
    expect(await refusal({ ...half, mask: named })).toMatchObject({ subject: 'passes[0].mix.mask' });
    expect(await refusal({ ...half, input: { image: { kind: 'picture', steps: 0 }, x: 0, y: 0 } })).toMatchObject({
      subject: 'passes[0].mix.input.image',
    });
  });
});

it('the result of passes as an image is what they give', async () => {
  const { image, blur } = await pictures('u8', 4);
  const made = await engine.apply('cpu', [blur], image, 'f32');
  expect(made).toMatchObject({ ...size, channels: 4, alpha: true, sampleType: 'f32' });
  const [direct, again] = [new Float32Array(pixels * 4), new Float32Array(pixels * 4)];
  await engine.run('cpu', [blur], image, wholeOf(size), direct);
  await engine.run('cpu', [], made, wholeOf(size), again);
  expect(again).toEqual(direct);
});
