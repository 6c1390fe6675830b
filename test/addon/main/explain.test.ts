// The explain card tells the truth to the last digit: each pixel is computed again here from nothing but the numbers of its
// explanation, and must be what the engine made of it, for every alpha mode, light, range, border and depth.

import { beforeAll, describe, expect, it } from 'vitest';
import { type Filter, type FilterParameters, gradientOperators, type Stack } from '../../../core/document';
import type { ConvolveError } from '../../../core/errors';
import type { PixelExplanation, SumExplanation } from '../../../core/explain';
import { createKernel } from '../../../core/kernel';
import { type Mask, type MaskShape, wholeMask } from '../../../core/mask';
import type { Mix } from '../../../core/mix';
import {
  alphaModes,
  type Border,
  borderKinds,
  createSamples,
  fullScale,
  lightModes,
  rangeModes,
  type SampleType,
} from '../../../core/pass';
import type { ToneCurve } from '../../../core/toneCurve';
import { DerivedImages } from '../../../main/derivedImages';
import { type Engine, startEngine } from '../../../main/engine';
import { type ExplainedSource, explainPixel } from '../../../main/explain';
import { Renderer } from '../../../main/render';

let engine: Engine;
let renderer: Renderer;
beforeAll(async () => {
  engine = await startEngine();
  renderer = new Renderer(engine, () => 'reference');
});

const [width, height] = [9, 7];

/** Noise of every brightness with a few pixels that are fully transparent. */
async function picture(sampleType: SampleType, channels = 4): Promise<ExplainedSource> {
  const samples = createSamples(sampleType, width * height * channels);
  let state = 12345;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  for (let at = 0; at < samples.length; at += 1) {
    const isAlpha = channels === 4 && at % 4 === 3;
    const share = isAlpha && next() < 0.2 ? 0 : next() * (sampleType === 'f32' && !isAlpha ? 1.6 : 1) - 0;
    const value = share * fullScale[sampleType];
    samples[at] = sampleType === 'u8' || sampleType === 'u16' ? Math.round(value) : value;
  }
  const image = await engine.createImage(samples, { width, height }, channels, channels === 4);
  return { image, atLevel: async () => image, derived: new DerivedImages(), light: { kind: 'srgb', curve: null } };
}

const skewed = createKernel(4, 3, [1, -2, 0.5, 3, 0, 2.25, -1, 1, 0.125, 4, -3, 2], {
  anchorX: 1,
  anchorY: 2,
  divisor: 3.5,
  bias: 0.03,
});
const kinds: readonly FilterParameters[] = [
  { kind: 'custom', name: 'skewed', kernel: { ...skewed, orientation: 'convolution' } },
  { kind: 'unsharp', sigma: 0.7, amount: 1.5 },
  { kind: 'sobel' },
  { kind: 'box', width: 15 },
  { kind: 'highPass', sigma: 0.6 },
  { kind: 'unsharp', sigma: 0.7, amount: 1.5, threshold: 4 },
  { kind: 'diffusion', iterations: 2, rate: 0.2, stopping: 'exponential', conductance: 20 },
  { kind: 'diffusion', iterations: 1, rate: 0.25, stopping: 'rational', conductance: 5 },
];

const settings = {
  id: 'one',
  enabled: true,
  border: { kind: 'mirror' },
  size: 'same',
  alpha: 'weighted',
  light: 'encoded',
  range: 'clamp',
} as const;

async function explained(source: ExplainedSource, stack: Stack, id: string, x: number, y: number) {
  const found = await explainPixel(renderer, source, stack, id, { x, y });
  if (found === null) throw new Error('there is no explanation');
  return found;
}
function sumOf(found: PixelExplanation): SumExplanation {
  if (found.kind !== 'sum') throw new Error('no sum');
  return found;
}

const toLight = (v: number) =>
  Math.sign(v) * (Math.abs(v) <= 0.04045 ? Math.abs(v) / 12.92 : ((Math.abs(v) + 0.055) / 1.055) ** 2.4);
const toCode = (v: number) =>
  Math.sign(v) * (Math.abs(v) <= 0.0031308 ? Math.abs(v) * 12.92 : 1.055 * Math.abs(v) ** (1 / 2.4) - 0.055);

/** The pixel from the numbers of its explanation, as shares of full scale: samples, weights, and the settings it names. */
function computedAgain({ arithmetic, kernels, own, times: _ }: SumExplanation): readonly number[] {
  const { channels, hasAlpha, fullScale: full, alpha, light, range, epilogue, gain, threshold } = arithmetic;
  const weighs = hasAlpha && alpha === 'weighted';
  const seen = (pixel: ArrayLike<number>, at: number, channel: number) => {
    const share = (pixel[at + channel] ?? 0) / full;
    if (hasAlpha && channel === channels - 1) return share;
    const lit = light === 'linear' ? toLight(share) : share;
    return weighs ? (lit * (pixel[at + channels - 1] ?? 0)) / full : lit;
  };
  const filtered = (channel: number) => {
    const sums = kernels.map(({ weights, samples, divisor, rest }) => {
      let sum = (rest.sums[channel] ?? 0) / full;
      for (const [cell, weight] of weights.entries()) sum += weight * seen(samples, cell * channels, channel);
      return sum / divisor;
    });
    const length = Math.sqrt(sums.reduce((total, sum) => total + sum * sum, 0));
    const one = sums.length > 1 ? length : (sums[0] ?? 0);
    return epilogue.result * one + epilogue.input * seen(own, 0, channel);
  };
  const ownAlpha = (own[channels - 1] ?? 0) / full;
  let share = 1;
  if (hasAlpha) {
    const plain = filtered(channels - 1);
    if (alpha === 'weighted') share = gain === 0 ? ownAlpha : plain / gain;
    else share = alpha === 'straight' && kernels.length === 1 ? plain : ownAlpha;
  }
  const hidden = weighs && Math.abs(share) < 1e-6;
  const result: number[] = [];
  for (let channel = 0; channel < (hasAlpha ? channels - 1 : channels); channel += 1) {
    let value = hidden ? 0 : filtered(channel) / (weighs ? share : 1) + epilogue.offset;
    const stored = (own[channel] ?? 0) / full;
    const before = light === 'linear' ? toLight(stored) : stored;
    if (Math.abs(value - before) < threshold / full && !(weighs && Math.abs(ownAlpha) < 1e-6)) {
      result.push(stored);
      continue;
    }
    if (range.kind === 'clamp') value = Math.min(1, Math.max(0, value));
    if (range.kind === 'absolute') value = Math.min(1, Math.abs(value));
    if (range.kind === 'signed') value = Math.min(1, Math.max(0, 0.5 + value / 2));
    if (range.kind === 'rescale') value = (value - range.minimum) / (range.maximum - range.minimum);
    result.push(light === 'linear' ? toCode(value) : value);
  }
  if (hasAlpha && Math.abs(share - ownAlpha) < threshold / full) result.push(ownAlpha);
  else if (hasAlpha) result.push(range.kind === 'float' ? share : Math.min(1, Math.max(0, share)));
  return result;
}

/** Whether an explanation, what is computed from it, and the engine agree. */
function expectTrue(found: SumExplanation, name: string) {
  const again = computedAgain(found);
  const { sampleType, fullScale: full } = found.arithmetic;
  for (const [channel, share] of again.entries()) {
    const step = found.steps[channel];
    const value = share * full;
    const close = Math.abs((step?.value ?? Number.NaN) - value) <= 1e-9 * Math.max(full, Math.abs(value));
    expect([name, channel, close], `${step?.value} is not ${value}`).toEqual([name, channel, true]);
    const made = found.engine[channel] ?? Number.NaN;
    // The law and this are both float64, so that only a value on the very middle between two may round to the other.
    const whole = sampleType === 'u8' || sampleType === 'u16';
    const halfway = whole && Math.abs(value - Math.floor(value) - 0.5) < 1e-9;
    if (whole && found.isLast && !halfway) expect([name, channel, made]).toEqual([name, channel, step?.code]);
    else
      expect(Math.abs(made - value), name).toBeLessThanOrEqual(
        halfway ? 0.5001 : 1e-5 * Math.max(full, Math.abs(value)),
      );
  }
}

/** Every way in which a filter may read and write, with a name of each. */
function* everyMode() {
  for (const alpha of alphaModes)
    for (const light of lightModes)
      for (const range of rangeModes)
        for (const kind of borderKinds) {
          const border: Border = kind === 'constant' ? { kind, value: 0.4 } : { kind };
          yield { mode: { alpha, light, range, border }, named: [alpha, light, range, kind].join(' ') };
        }
}

describe('a pixel and its explanation', () => {
  it('agree for every alpha mode, light, range, border and depth', async () => {
    let count = 0;
    for (const depth of ['u8', 'u16', 'f32'] as const) {
      const source = await picture(depth);
      for (const { mode, named } of everyMode()) {
        const parameters = kinds[count % kinds.length];
        if (parameters === undefined) throw new Error('no filter');
        const filter: Filter = { ...settings, ...parameters, ...mode };
        const found = await explained(source, [filter], 'one', (count * 5) % width, (count * 3) % height);
        expectTrue(sumOf(found), [depth, named, parameters.kind].join(' '));
        count += 1;
      }
    }
    expect(count).toBe(3 * 3 * 2 * 5 * 6);
  });

  it('agree in the middle of a stack, where the input is what the filters before it made', async () => {
    const source = await picture('u8');
    const blur: Filter = { ...settings, id: 'blur', kind: 'gaussian', sigma: 1, light: 'linear' };
    const sharpen: Filter = { ...settings, id: 'sharpen', kind: 'sharpen', neighbours: 8, amount: 2, range: 'float' };
    const stretch: Filter = { ...settings, id: 'stretch', kind: 'laplacian', neighbours: 4, range: 'rescale' };
    for (const id of ['blur', 'sharpen', 'stretch']) {
      const found = sumOf(await explained(source, [blur, sharpen, stretch], id, 3, 2));
      expectTrue(found, id);
      expect(found.isLast).toBe(id === 'stretch');
    }
  });

  it('agree where kernels are smaller than the result’s loss: valid filters move the pixel', async () => {
    const source = await picture('u8', 3);
    const valid: Filter = { ...settings, id: 'valid', kind: 'box', width: 3, size: 'valid' };
    const after: Filter = { ...settings, id: 'after', kind: 'sobel', size: 'valid' };
    const found = sumOf(await explained(source, [valid, after], 'after', 4, 3));
    expect([found.x, found.y]).toEqual([3, 2]);
    expectTrue(found, 'valid');
    expect(await explainPixel(renderer, source, [valid, after], 'after', { x: 1, y: 3 })).toBeNull();
    expect(await explainPixel(renderer, source, [{ ...valid, enabled: false }], 'valid', { x: 4, y: 3 })).toBeNull();
  });

  it('agree for the last time of a repeated filter, and for a kernel held to a lower rank', async () => {
    const source = await picture('u8', 3);
    const repeated: Filter = { ...settings, kind: 'sharpen', neighbours: 4, amount: 0.3, repeat: 5 };
    const times = sumOf(await explained(source, [repeated], 'one', 4, 3));
    expect(times.times).toBe(5);
    expectTrue(times, 'repeated');
    const held: Filter = { ...settings, ...(kinds[0] as FilterParameters), rank: 1 };
    const approximate = sumOf(await explained(source, [held], 'one', 4, 3));
    expect(approximate.approximateRank).toBe(1);
    expectTrue(approximate, 'rank 1');
    expect(approximate.kernels[0]?.weights[0]).not.toBeCloseTo(2, 3);
  });

  it('agree in linear light by the picture’s own curve', async () => {
    const curve: ToneCurve = {
      ...{ kind: 'parametric', gamma: 2.2, scale: 1, offset: 0, slope: 0, knee: 0, above: 0, below: 0 },
    };
    const plain = await picture('u8', 3);
    const samples = createSamples('u8', width * height * 3).map((_, index) => (index * 37) % 256);
    const image = await engine.createImage(samples, { width, height }, 3, false, curve);
    const source: ExplainedSource = { ...plain, image, atLevel: async () => image, light: { kind: 'formula', curve } };
    const filter: Filter = { ...settings, kind: 'box', width: 5, light: 'linear' };
    for (let x = 0; x < width; x += 1) {
      const found = sumOf(await explained(source, [filter], 'one', x, 3));
      expect(found.steps.map(({ code }) => code)).toEqual(found.engine);
    }
  });

  it('marks every sample that a border gave, and totals what a large kernel does not list', async () => {
    const source = await picture('u8', 3);
    const mirrored = sumOf(await explained(source, [{ ...settings, kind: 'box', width: 3 }], 'one', 0, 0));
    expect([...(mirrored.kernels[0]?.sources ?? [])]).toEqual([1, 1, 1, 1, 0, 0, 1, 0, 0]);
    const zero: Filter = { ...settings, kind: 'box', width: 61, border: { kind: 'zero' } };
    const large = sumOf(await explained(source, [zero], 'one', 4, 3));
    const kernel = large.kernels[0];
    expect(kernel?.shown).toEqual({ x: 15, y: 15, width: 31, height: 31 });
    expect(kernel?.rest).toEqual({ count: 61 * 61 - 31 * 31, bordered: 61 * 61 - 31 * 31, sums: [0, 0, 0] });
    expect([...(kernel?.sources ?? [])].filter((from) => from === 0).length).toBe(width * height);
    const wrapped = sumOf(
      await explained(source, [{ ...settings, kind: 'box', width: 1001, border: { kind: 'wrap' } }], 'one', 4, 3),
    );
    expectTrue(wrapped, 'a box of 1001');
  });

  it('ends before the mix, and names it: opacity, blend mode, channels and mask lead from its result to the engine’s', async () => {
    const source = await picture('u8', 3);
    const mix: Mix = { opacity: 0.25, blend: 'multiply', channels: ['red', 'blue'] };
    // Columns 0 to 3 are full, the others empty.
    const left: MaskShape = { kind: 'rectangle', combine: 'add', x: 2, y: 3.5, width: 4, height: 7, angle: 0 };
    const mask: Mask = { ...wholeMask({ width, height }), shapes: [left] };
    const filter: Filter = { ...settings, kind: 'box', width: 3 };
    for (const x of [0, 3, 4, 8]) {
      const alone = sumOf(await explained(source, [filter], 'one', x, 2));
      const found = sumOf(await explained(source, [{ ...filter, mix, mask }], 'one', x, 2));
      expect(alone.mixed).toBeNull();
      expect(found.mixed).toEqual({ mix, masked: true });
      expect(found.steps).toEqual(alone.steps);
      expect(found.own).toEqual(alone.own);
      for (const [channel, { value }] of found.steps.entries()) {
        const input = found.own[channel] ?? Number.NaN;
        const share = x < 4 && channel !== 1 ? mix.opacity : 0;
        const expected = input + ((input * value) / 255 - input) * share;
        expect(Math.abs((found.engine[channel] ?? Number.NaN) - expected)).toBeLessThanOrEqual(0.5 + 1e-9);
        if (share === 0) expect(found.engine[channel]).toBe(input);
      }
      if (x < 4) expect(found.engine).not.toEqual(found.own);
    }
  });

  it('says what a search for edges has, which is no sum', async () => {
    const samples = createSamples('u8', 20 * 20);
    for (let at = 0; at < samples.length; at += 1) samples[at] = at % 20 < 10 ? 0 : 255;
    const image = await engine.createImage(samples, { width: 20, height: 20 }, 1, false);
    const source: ExplainedSource = {
      image,
      atLevel: async () => image,
      derived: new DerivedImages(),
      light: { kind: 'srgb', curve: null },
    };
    const canny: Filter = { ...settings, kind: 'canny', sigma: 1, low: 4, high: 10 };
    const verdicts: string[] = [];
    for (let x = 0; x < 20; x += 1) {
      const found = await explained(source, [canny], 'one', x, 10);
      if (found.kind !== 'edges') throw new Error('no edges');
      expect(found.engine[0]).toBe(found.verdict === 'strong' ? 255 : 0);
      expect(found.isEdge).toBe(found.verdict === 'strong');
      expect([found.low, found.high]).toEqual([expect.closeTo(4, 9), expect.closeTo(10, 9)]);
      verdicts.push(found.verdict);
    }
    expect(verdicts.filter((verdict) => verdict === 'strong')).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === 'thinned').length).toBeGreaterThan(1);
    expect(verdicts[0]).toBe('flat');
  });

  it('gives the verdict on an edge by its own numbers, and the engine keeps to it', async () => {
    const seen = new Set<string>();
    for (const depth of ['u8', 'u16', 'f32'] as const) {
      const source = await picture(depth);
      for (const alpha of alphaModes)
        for (const light of lightModes)
          for (const kind of borderKinds) {
            const border: Border = kind === 'constant' ? { kind, value: 0.4 } : { kind };
            const canny: Filter = { ...settings, kind: 'canny', sigma: 0.4, low: 20, high: 45, alpha, light, border };
            for (let x = 0; x < width; x += 1) {
              const found = await explained(source, [canny], 'one', x, (x * 3) % height);
              if (found.kind !== 'edges') throw new Error('no edges');
              const { length, low, high, neighbours, verdict, engine } = found;
              const name = [depth, alpha, light, kind, x].join(' ');
              expect(Math.abs(Math.hypot(found.across, found.down) - length), name).toBeLessThan(1e-9);
              const flat = !(length > low);
              const thinned = length < Math.max(...neighbours);
              // Of two equal ones, which is the longest depends on the side that each lies on.
              if (length === Math.max(...neighbours)) continue;
              expect(verdict, name).toBe(flat ? 'flat' : thinned ? 'thinned' : length > high ? 'strong' : 'weak');
              const hidden = alpha === 'weighted' && engine[3] === 0;
              if (verdict === 'strong' && !hidden) expect(engine[0], name).toBe(found.engine[1]);
              if (verdict !== 'weak' && !hidden) expect(engine[0] !== 0, name).toBe(verdict === 'strong');
              seen.add(verdict);
            }
          }
    }
    expect([...seen].sort()).toEqual(['flat', 'strong', 'thinned', 'weak']);
  });

  it('agree for the direction of a gradient, from its two slopes alone', async () => {
    let count = 0;
    for (const depth of ['u8', 'u16', 'f32'] as const) {
      const source = await picture(depth);
      for (const { mode, named } of everyMode()) {
        const operator = gradientOperators[count % gradientOperators.length] ?? 'sobel';
        const filter: Filter = { ...settings, kind: 'gradientDirection', operator, ...mode };
        const found = await explained(source, [filter], 'one', (count * 5) % width, (count * 3) % height);
        count += 1;
        if (found.kind !== 'direction') throw new Error('no direction');
        if (mode.alpha === 'weighted' && found.engine[3] === 0) continue;
        for (const [channel, across] of found.across.entries()) {
          const turn = Math.atan2(-(found.down[channel] ?? 0), across) / (2 * Math.PI);
          const share = across === 0 && found.down[channel] === 0 ? 0 : (turn + 1) % 1;
          const value = found.fullScale * (found.range === 'signed' ? 0.5 + share / 2 : share);
          const name = [depth, named, operator, channel].join(' ');
          expect(Math.abs((found.values[channel] ?? -1) - value), name).toBeLessThan(1e-9 * found.fullScale);
          const slack = depth === 'f32' ? 1e-6 : 0.5 + 1e-2;
          expect(Math.abs((found.engine[channel] ?? -1) - value), name).toBeLessThanOrEqual(slack);
        }
      }
    }
    expect(count).toBe(3 * 3 * 2 * 5 * 6);
  });

  it('refuses nothing of a stack that does not run but with its own words', async () => {
    const source = await picture('u8', 3);
    const tooLarge: Filter = { ...settings, kind: 'box', width: 21, size: 'valid' };
    const thrown = await explainPixel(renderer, source, [tooLarge], 'one', { x: 1, y: 1 }).catch(
      (error: ConvolveError) => error,
    );
    expect(thrown).toMatchObject({ failure: { code: 'invalidPlan' } });
  });
});
