// Edges through the addon: the golden pictures of OpenCV and scikit-image, an image that later passes run from, and refusals
// by the field's name.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseNpy } from '../../core/npy';
import { createSamples, type EdgeFilter, type LinearWork, type Pass, type Samples } from '../../core/pass';
import { type BackendName, type EngineImage, loadEngine } from '../../main/engine';
import { boxPass, densePass, failureFrom, fillWithNoise, passOf, weightsOf, wholeOf } from './examples';
import { longPasses, longPicture } from './longRun';

const folder = path.join(import.meta.dirname, '..', 'golden');
const engine = loadEngine();
const backends: readonly BackendName[] = engine
  .backends()
  .filter(({ available }) => available)
  .map(({ name }) => name);

interface EdgeCase {
  readonly id: string;
  readonly input: string;
  readonly border: 'replicate';
  readonly smooth: { readonly size: number; readonly sigma: number } | null;
  readonly fullScale?: number;
  readonly low: number;
  readonly high: number;
  readonly norm: EdgeFilter['norm'];
  readonly expected: string;
  readonly edgeShare: number;
  readonly agreement: { readonly equal: number; readonly f1: number; readonly shareSlack: number };
}

const sobel = (weights: readonly number[]): LinearWork => ({ kind: 'dense', weights: weightsOf(3, 3, weights) });
const canny = (change: Partial<EdgeFilter> = {}): EdgeFilter => ({
  x: sobel([-1, 0, 1, -2, 0, 2, -1, 0, 1]),
  y: sobel([-1, -2, -1, 0, 0, 0, 1, 2, 1]),
  border: { kind: 'replicate' },
  size: 'same',
  alpha: 'weighted',
  light: 'encoded',
  low: 0.2,
  high: 0.6,
  norm: 'l2',
  ...change,
});

function arrayIn(file: string) {
  const { shape, values } = parseNpy(readFileSync(path.join(folder, file)), file);
  const [height = 0, width = 0] = shape;
  return { width, height, values: values as Uint8Array | Uint16Array | Float32Array };
}

function smoothing({ smooth, border }: EdgeCase): readonly Pass[] {
  if (smooth === null) return [];
  const { size, sigma } = smooth;
  const line = Float64Array.from({ length: size }, (_, i) => Math.exp(-((i - (size - 1) / 2) ** 2) / (2 * sigma ** 2)));
  const sum = line.reduce((total, value) => total + value, 0);
  const anchor = (size - 1) / 2;
  const weights = { width: size, height: size, anchorX: anchor, anchorY: anchor, divisor: sum ** 2 };
  const pairs = [{ column: line, row: line }];
  return [
    passOf(
      { kind: 'separable', weights: { ...weights, pairs } },
      { border: { kind: border }, range: { kind: 'float' } },
    ),
  ];
}

/** Of an image of one channel of any depth: 255 where it is not 0. */
async function shownEdges(image: EngineImage): Promise<Uint8Array> {
  const result = createSamples(image.sampleType, image.width * image.height);
  await engine.run('reference', [], image, wholeOf(image), result);
  return Uint8Array.from(result, (value) => (value === 0 ? 0 : 255));
}

async function pixelsOf(image: EngineImage, backend: BackendName = 'reference'): Promise<Uint8Array> {
  const result = new Uint8Array(image.width * image.height * image.channels);
  await engine.run(backend, [], image, wholeOf(image), result);
  return result;
}

/** How many edges of `a` have one of `b` in their 3 × 3 neighbourhood, as a share. */
function matchedShare(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  let matched = 0;
  let all = 0;
  a.forEach((value, index) => {
    if (value === 0) return;
    all += 1;
    const x = index % width;
    const y = (index - x) / width;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++)
        if (b[v * width + u] !== 0) {
          matched += 1;
          return;
        }
  });
  return matched / all;
}

describe.each(backends)('%s finds the edges that independent programs find', (backend) => {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'canny_manifest.json'), 'utf8')) as { cases: EdgeCase[] };

  it('in 6 cases', () => expect(manifest.cases.length).toBe(6));

  it.each(manifest.cases)('$id', async (golden) => {
    const { width, height, values } = arrayIn(golden.input);
    const image = await engine.createImage(values, { width, height }, 1, false);
    const { border, low, high, norm, fullScale = 255 } = golden;
    const filter = canny({ border: { kind: border }, low: low / fullScale, high: high / fullScale, norm });
    const edges = await engine.findEdges(backend, smoothing(golden), image, filter);
    expect([edges.width, edges.height, edges.channels, edges.sampleType]).toEqual([width, height, 1, image.sampleType]);
    const got = await shownEdges(edges);
    const expected = arrayIn(golden.expected).values as Uint8Array;
    const { equal, f1, shareSlack } = golden.agreement;
    const equalPixels = got.reduce((count, value, index) => count + (value === expected[index] ? 1 : 0), 0);
    expect(equalPixels).toBeGreaterThanOrEqual(equal * expected.length);
    const precision = matchedShare(got, expected, width, height);
    const recall = matchedShare(expected, got, width, height);
    expect((2 * precision * recall) / (precision + recall)).toBeGreaterThanOrEqual(f1);
    const share = got.filter((value) => value === 255).length / got.length;
    expect(Math.abs(share - golden.edgeShare)).toBeLessThanOrEqual(shareSlack * golden.edgeShare);
  });
});

describe.each(backends)('%s knows which way a gradient rises', (backend) => {
  const run = async (image: EngineImage) => {
    const result = new Float32Array(image.width * image.height * image.channels);
    await engine.run(backend, [], image, wholeOf(image), result);
    return result;
  };
  const directions = (image: EngineImage, change: Partial<EdgeFilter> = {}) =>
    engine.findEdges(backend, [], image, canny({ use: 'direction', low: 0, high: 0, ...change }));

  it.each(['u16', 'f32'])('as NumPy does, from %s', async (depth) => {
    const { width, height, values } = arrayIn(`edges/dark128x96_${depth}.npy`);
    const found = await directions(await engine.createImage(values, { width, height }, 1, false));
    expect([found.width, found.height, found.sampleType]).toEqual([width, height, 'f32']);
    const got = await run(found);
    const expected = arrayIn('edges/dark128x96__direction.npy').values;
    expect(new Set(expected).size).toBeGreaterThan(1000);
    expect(Math.max(...got.map((value, index) => Math.abs(value - (expected[index] ?? 2))))).toBeLessThanOrEqual(1e-7);
  });

  it('counter-clockwise from the right, each colour alone, 0 where it is flat; alpha stays', async () => {
    // One step from dark to bright in each: to the right, up, to the left; alpha is 200 all over.
    const pixels = Array.from({ length: 5 * 5 }, (_, at) => {
      const [x, y] = [at % 5, Math.floor(at / 5)];
      return [x > 1 ? 90 : 10, y < 2 ? 90 : 10, x < 3 ? 90 : 10, 200];
    });
    const image = await engine.createImage(Uint8Array.from(pixels.flat()), { width: 5, height: 5 }, 4, true);
    for (const alpha of ['weighted', 'straight', 'colourOnly'] as const) {
      const got = await run(await directions(image, { alpha }));
      const at = (x: number, y: number) => [...got.subarray((y * 5 + x) * 4, (y * 5 + x) * 4 + 4)];
      const share = Math.fround(200 / 255);
      expect(at(2, 2)).toEqual([0, 0.25, 0.5, share]);
      expect(at(4, 4)).toEqual([0, 0, 0, share]);
      expect(at(0, 1)).toEqual([0, 0.25, 0, share]);
    }
  });
});

describe('an image of edges', () => {
  it.each(backends)('has the border’s own value outside, on %s', async (backend) => {
    const image = await engine.createImage(new Uint8Array(30 * 20).fill(102), { width: 30, height: 20 }, 1, false);
    const edgesOf = async (value: number) =>
      (
        await pixelsOf(await engine.findEdges(backend, [], image, canny({ border: { kind: 'constant', value } })))
      ).filter((pixel) => pixel === 255).length;
    expect(await edgesOf(0.4)).toBe(0);
    expect(await edgesOf(0)).toBeGreaterThan(50);
    expect(await edgesOf(1)).toBeGreaterThan(50);
  });

  it.each(backends)('is one that passes run from, tile by tile, on %s', async (backend) => {
    const size = { width: 70, height: 50 };
    const image = await engine.createImage(fillWithNoise(new Uint8Array(70 * 50 * 3)), size, 3, false);
    const edges = await engine.findEdges(backend, [boxPass(5, { range: { kind: 'float' } })], image, canny());
    expect(edges.bytes).toBe(70 * 50 * 3);
    const whole = new Uint8Array(70 * 50 * 3);
    await engine.run(backend, [boxPass(3)], edges, wholeOf(size), whole);
    expect(new Set(whole).size).toBeGreaterThan(5);
    const tile = new Uint8Array(20 * 15 * 3);
    await engine.run(backend, [boxPass(3)], edges, { region: { x: 33, y: 21, width: 20, height: 15 }, level: 0 }, tile);
    tile.forEach((value, index) => {
      const row = Math.floor(index / 60);
      expect(value).toBe(whole[(21 + row) * 210 + 33 * 3 + (index % 60)]);
    });
    image.release();
    edges.release();
    expect(edges.bytes).toBe(0);
  });

  it.each(backends)('is the same for 8 bits, 16 bits and floats, thresholds being shares, on %s', async (backend) => {
    const bytes = fillWithNoise(new Uint8Array(64 * 64));
    const depths: readonly Samples[] = [
      bytes,
      Uint16Array.from(bytes, (value) => value * 257),
      Float32Array.from(bytes, (value) => value / 255),
      Float64Array.from(bytes, (value) => value / 255),
    ];
    const found = await Promise.all(
      depths.map(async (samples) => {
        const image = await engine.createImage(samples, { width: 64, height: 64 }, 1, false);
        const edges = await engine.findEdges(backend, [boxPass(3, { range: { kind: 'float' } })], image, canny());
        expect(edges.sampleType).toBe(image.sampleType);
        return pixelsOf(edges);
      }),
    );
    expect(found[0]?.filter((value) => value === 255).length).toBeGreaterThan(100);
    for (const other of found) expect(other).toEqual(found[0]);
  });

  it('that is no longer wanted stops being made', async () => {
    const image = await longPicture(engine);
    for (const backend of backends) {
      const controller = new AbortController();
      const made = engine.findEdges(backend, longPasses, image, canny(), controller.signal);
      controller.abort();
      expect(await failureFrom(() => made)).toMatchObject({ code: 'cancelled' });
    }
    image.release();
  });
});

describe('findEdges refuses', () => {
  const refusals: readonly (readonly [string, Partial<Record<keyof EdgeFilter, unknown>>, object])[] = [
    ['no kernel', { x: undefined }, { code: 'invalidPlan', subject: 'edges.x', actual: 'undefined' }],
    [
      'a kernel without weights',
      { y: { kind: 'dense' } },
      { code: 'invalidKernel', subject: 'edges.y.weights', actual: 'undefined' },
    ],
    [
      'a magnitude',
      { x: { kind: 'magnitude', x: weightsOf(1, 1, [1]), y: weightsOf(1, 1, [1]) } },
      { code: 'invalidKernel', subject: 'edges.x', expected: 'a linear kernel' },
    ],
    [
      'kernels of two sizes',
      { x: { kind: 'dense', weights: weightsOf(5, 1, [1, 0, 0, 0, -1]) } },
      { code: 'invalidKernel', subject: 'edges.y', expected: 'the size and anchor of edges.x' },
    ],
    ['a threshold that is no number', { low: 'much' }, { code: 'invalidPlan', subject: 'edges.low' }],
    ['a threshold below 0', { low: -0.1 }, { code: 'invalidPlan', subject: 'edges.low' }],
    ['thresholds the wrong way round', { low: 0.7 }, { code: 'invalidPlan', subject: 'edges.high' }],
    [
      'an unknown length',
      { norm: 'l3' },
      { code: 'invalidPlan', subject: 'edges.norm', expected: 'one of l1, l2', actual: '"l3"' },
    ],
    [
      'an unknown use',
      { use: 'length' },
      { code: 'invalidPlan', subject: 'edges.use', expected: 'one of edges, direction', actual: '"length"' },
    ],
    ['an unknown border', { border: { kind: 'none' } }, { code: 'invalidPlan', subject: 'edges.border.kind' }],
  ];
  it.each(refusals)('%s', async (_what, change, failure) => {
    const image = await engine.createImage(new Uint8Array(12), { width: 4, height: 3 }, 1, false);
    const filter = { ...canny(), ...change } as EdgeFilter;
    expect(await failureFrom(() => engine.findEdges('reference', [], image, filter))).toMatchObject(failure);
  });

  it('a search on what is no image, or with a plan that does not fit', async () => {
    const image = await engine.createImage(new Uint8Array(12), { width: 4, height: 3 }, 1, false);
    const wide = [densePass(weightsOf(5, 1, [1, 1, 1, 1, 1]), { size: 'valid' })];
    expect(await failureFrom(() => engine.findEdges('cpu', wide, image, canny()))).toMatchObject({
      code: 'invalidPlan',
      subject: 'passes[0].size',
    });
    image.release();
    expect(await failureFrom(() => engine.findEdges('cpu', [], image, canny()))).toMatchObject({
      code: 'invalidArgument',
      subject: 'image',
    });
  });
});
