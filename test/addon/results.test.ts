// What a run leaves in JavaScript's memory: the right numbers in the right place, whatever part and depth was asked for.

import { describe, expect, it } from 'vitest';
import { type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import type { Border, Pass, Samples } from '../../core/pass';
import { borderKinds } from '../../core/pass';
import { type BackendName, type EngineImage, loadEngine } from '../../main/engine';
import { boxPass, boxWeights, densePass, fillWithNoise, passOf, weightsOf, wholeOf } from './examples';

const engine = loadEngine();
const backends: readonly BackendName[] = engine
  .backends()
  .filter(({ available }) => available)
  .map(({ name }) => name);

describe.each(backends)('%s', (backend) => {
  it('writes only the part of the buffer that it was given', async () => {
    const image = await engine.createImage(Uint8Array.of(10, 20, 30, 40), { width: 2, height: 2 }, 1, false);
    const buffer = new Uint16Array(9).fill(7);
    // Two samples of each pixel's value · 257, in the middle of a larger buffer.
    await engine.run(
      backend,
      [],
      image,
      { region: { x: 0, y: 1, width: 2, height: 1 }, level: 0 },
      buffer.subarray(3, 5),
    );
    expect([...buffer]).toEqual([7, 7, 7, 30 * 257, 40 * 257, 7, 7, 7, 7]);
  });

  it('writes into shared memory', async () => {
    const image = await engine.createImage(Uint8Array.of(10, 20), { width: 2, height: 1 }, 1, false);
    const shared = new Uint8Array(new SharedArrayBuffer(8), 4, 2);
    await engine.run(backend, [], image, wholeOf(image), shared);
    expect([...shared]).toEqual([10, 20]);
  });

  it('reads samples from the middle of a buffer, and keeps its own copy of them', async () => {
    const samples = Float32Array.of(9, 9, 0.25, 0.5, 9).subarray(2, 4);
    const image = await engine.createImage(samples, { width: 1, height: 2 }, 1, false);
    samples.fill(0);
    const result = new Float32Array(2);
    await engine.run(backend, [], image, wholeOf(image), result);
    expect([...result]).toEqual([0.25, 0.5]);
  });

  it('scales between depths, rounding integers half away from zero', async () => {
    const image = await engine.createImage(Uint16Array.of(0, 32768, 65535), { width: 3, height: 1 }, 1, false);
    const results: readonly Samples[] = [
      new Uint8Array(3),
      new Uint16Array(3),
      new Float32Array(3),
      new Float64Array(3),
    ];
    for (const result of results) await engine.run(backend, [], image, wholeOf(image), result);
    const [u8, u16, f32, f64] = results.map((result) => [...result]);
    expect(u8).toEqual([0, 128, 255]);
    expect(u16).toEqual([0, 32768, 65535]);
    expect(f32).toEqual([0, Math.fround(32768 / 65535), 1]);
    expect(f64?.[1]).toBeCloseTo(32768 / 65535, 6);
  });

  it('correlates: the cell right of the anchor reads the pixel to the right', async () => {
    const image = await engine.createImage(Uint8Array.of(1, 2, 3, 4), { width: 4, height: 1 }, 1, false);
    const result = new Uint8Array(4);
    const right = densePass(weightsOf(3, 1, [0, 0, 1]), { border: { kind: 'constant', value: 1 } });
    await engine.run(backend, [right], image, wholeOf(image), result);
    expect([...result]).toEqual([2, 3, 4, 255]);
  });

  it('runs passes one after the other, with epilogue and range of each', async () => {
    const image = await engine.createImage(Uint8Array.of(100, 200), { width: 2, height: 1 }, 1, false);
    const result = new Uint8Array(2);
    const one = weightsOf(1, 1, [1]);
    const negate = densePass(one, { epilogue: { result: -1, input: 0, offset: 0 }, range: { kind: 'float' } });
    const halfOfAbsolute = densePass(
      { ...one, divisor: 2 },
      { epilogue: { result: 1, input: 0, offset: 0 }, range: { kind: 'absolute' } },
    );
    await engine.run(backend, [negate, halfOfAbsolute], image, wholeOf(image), result);
    expect([...result]).toEqual([50, 100]);
  });

  it('keeps the halves of integers halves in the signed range, so that they all round up', async () => {
    const ramp = Uint8Array.from({ length: 256 }, (_, value) => value);
    const image = await engine.createImage(ramp, { width: 256, height: 1 }, 1, false);
    const result = new Uint8Array(256);
    const signed = densePass(weightsOf(1, 1, [1]), { range: { kind: 'signed' } });
    await engine.run(backend, [signed], image, wholeOf(image), result);
    expect(result).toEqual(ramp.map((value) => Math.floor((255 + value) / 2 + 0.5)));
  });

  it('keeps an infinite pixel infinite', async () => {
    const samples = Float32Array.of(0.5, Number.POSITIVE_INFINITY, 0.25);
    const image = await engine.createImage(samples, { width: 3, height: 1 }, 1, false);
    const result = new Float32Array(3);
    const copy = densePass(weightsOf(1, 1, [1]), { range: { kind: 'float' } });
    await engine.run(backend, [copy], image, wholeOf(image), result);
    expect(result).toEqual(samples);
  });

  it('measures the extremes of the colour before rounding, as shares of full scale', async () => {
    const image = await engine.createImage(Uint8Array.of(0, 51, 255, 10), { width: 2, height: 1 }, 2, true);
    const twice = densePass(weightsOf(1, 1, [2]), { alpha: 'straight', range: { kind: 'float' } });
    const { minimum, maximum } = await engine.measure(backend, [twice], image);
    expect(minimum).toBeCloseTo(0, 6);
    expect(maximum).toBeCloseTo(2, 6);
  });

  it('gives a level as the mean of blocks of the result', async () => {
    const size = { width: 37, height: 29 };
    const image = await engine.createImage(fillWithNoise(new Uint8Array(37 * 29)), size, 1, false);
    const passes = [boxPass(3)];
    const full = new Uint8Array(37 * 29);
    await engine.run(backend, passes, image, wholeOf(size), full);
    const half = sizeAtLevel(size, 2);
    const reduced = new Uint8Array(half.width * half.height);
    await engine.run(backend, passes, image, { ...wholeOf(half), level: 2 }, reduced);
    const expected = reduced.map((_, index) => {
      const [x, y] = [(index % half.width) * 4, Math.floor(index / half.width) * 4];
      const rows = Array.from({ length: Math.min(4, size.height - y) }, (_row, j) =>
        full.subarray((y + j) * size.width + x, (y + j) * size.width + Math.min(x + 4, size.width)),
      );
      const block = rows.flatMap((row) => [...row]);
      return Math.round(block.reduce((sum, value) => sum + value, 0) / block.length);
    });
    expect(reduced).toEqual(expected);
    const smaller = await engine.reduce(image, 2);
    expect(smaller).toMatchObject({
      ...half,
      channels: 1,
      alpha: false,
      sampleType: 'u8',
      bytes: half.width * half.height,
    });
  });

  const asymmetric = { ...weightsOf(4, 3, [1, -2, 3, 0.5, 4, 0, -1, 2, 2, 0.25, 1, -3]), divisor: 3 };
  const border = (kind: Border['kind']): Border => (kind === 'constant' ? { kind, value: 0.25 } : { kind });
  const vector = (...values: number[]) => Float64Array.from(values);
  /** A Gaussian that reaches so far to each side and up and down, dense and as a pair. */
  const reaching = (x: number, y: number): readonly (readonly [name: string, passes: readonly Pass[]])[] => {
    const bell = (radius: number) =>
      Float64Array.from({ length: 2 * radius + 1 }, (_, i) => 2 ** -(((3 * (i - radius)) / Math.max(1, radius)) ** 2));
    const [row, column] = [bell(x), bell(y)];
    const grid = Array.from(column).flatMap((down) => Array.from(row, (across) => across * down));
    const weights = { ...weightsOf(row.length, column.length, grid), divisor: grid.reduce((sum, w) => sum + w, 0) };
    return [
      [`radii ${x} and ${y}`, [densePass(weights)]],
      [
        `radii ${x} and ${y}, separable`,
        [passOf({ kind: 'separable', weights: { ...weights, pairs: [{ row, column }] } })],
      ],
    ];
  };
  const plans: readonly (readonly [name: string, passes: readonly Pass[]])[] = [
    ...[reaching(20, 0), reaching(0, 20), reaching(20, 5)].flat(),
    ...borderKinds.map((kind) => [`border ${kind}`, [densePass(asymmetric, { border: border(kind) })]] as const),
    ['valid', [densePass(asymmetric, { size: 'valid' })]],
    ['straight alpha', [densePass(asymmetric, { alpha: 'straight' })]],
    ['colour only, linear light', [boxPass(5, { alpha: 'colourOnly', light: 'linear' })]],
    [
      'separable, valid, then signed',
      [
        passOf(
          {
            kind: 'separable',
            weights: { ...boxWeights(5), pairs: [{ column: vector(1, 4, 6, 4, 1), row: vector(1, 2, 3, 2, 1) }] },
          },
          { size: 'valid', range: { kind: 'float' } },
        ),
        densePass(asymmetric, { range: { kind: 'signed' }, border: { kind: 'wrap' } }),
      ],
    ],
    [
      'magnitude, rescaled',
      [
        passOf(
          {
            kind: 'magnitude',
            x: weightsOf(3, 3, [-1, 0, 1, -2, 0, 2, -1, 0, 1]),
            y: weightsOf(3, 3, [-1, -2, -1, 0, 0, 0, 1, 2, 1]),
          },
          { range: { kind: 'rescale', minimum: 0, maximum: 2 } },
        ),
      ],
    ],
    ['no pass', []],
  ];

  const size = { width: 61, height: 47 };
  const channels = 4;
  const picture = (): Promise<EngineImage> =>
    engine.createImage(fillWithNoise(new Uint8Array(size.width * size.height * 4)), size, 4, true);

  async function tile(
    passes: readonly Pass[],
    image: EngineImage,
    region: Rectangle,
    level: number,
  ): Promise<Uint8Array> {
    const result = new Uint8Array(region.width * region.height * channels);
    await engine.run(backend, passes, image, { region, level }, result);
    return result;
  }

  function tilesOf(whole: Size, step: Size): readonly Rectangle[] {
    const columns = Array.from({ length: Math.ceil(whole.width / step.width) }, (_, i) => i * step.width);
    const rows = Array.from({ length: Math.ceil(whole.height / step.height) }, (_, i) => i * step.height);
    return rows.flatMap((y) =>
      columns.map((x) => ({
        x,
        y,
        width: Math.min(step.width, whole.width - x),
        height: Math.min(step.height, whole.height - y),
      })),
    );
  }

  describe.each(plans)('tiles equal the whole, byte for byte: %s', (_name, passes) => {
    it.each([0, 1, 3])('level %i', async (level) => {
      const image = await picture();
      const whole = sizeAtLevel(engine.sizeAfter(passes, size), level);
      const expected = await tile(passes, image, wholeOf(whole).region, level);
      const assembled = new Uint8Array(expected.length);
      await Promise.all(
        tilesOf(whole, { width: 17, height: 13 }).map(async (region) => {
          const part = await tile(passes, image, region, level);
          for (let y = 0; y < region.height; y++) {
            const row = part.subarray(y * region.width * channels, (y + 1) * region.width * channels);
            assembled.set(row, ((region.y + y) * whole.width + region.x) * channels);
          }
        }),
      );
      expect(Buffer.compare(assembled, expected)).toBe(0);
      image.release();
    });
  });
});

describe('what is kept of the first passes', () => {
  const first = boxPass(5);
  const second = densePass(weightsOf(3, 1, [-1, 0, 1]), { range: { kind: 'signed' } });

  it.each(backends)('gives the same bytes and extremes on %s, and is refused once released', async (backend) => {
    const size = { width: 300, height: 40 };
    const image = await engine.createImage(fillWithNoise(new Uint8Array(300 * 40 * 3)), size, 3, false);
    const request = { region: { x: 250, y: 3, width: 31, height: 20 }, level: 0 };
    const expected = new Uint8Array(31 * 20 * 3);
    await engine.run(backend, [first, second], image, request, expected);
    const kept = engine.keep([first], image);
    for (let time = 0; time < 2; time++) {
      const result = new Uint8Array(expected.length);
      await engine.run(backend, [second], kept, request, result);
      expect(Buffer.compare(result, expected)).toBe(0);
    }
    expect(await engine.measure(backend, [second], kept)).toEqual(
      await engine.measure(backend, [first, second], image),
    );
    kept.release();
    kept.release();
    await expect(engine.run(backend, [second], kept, request, expected)).rejects.toMatchObject({
      failure: { code: 'invalidArgument', subject: 'image', actual: 'a released result' },
    });
    image.release();
  });

  it('is refused without a pass, or where the image is none', async () => {
    const image = await engine.createImage(new Uint8Array(3), { width: 1, height: 1 }, 3, false);
    expect(() => engine.keep([], image)).toThrow('invalidPlan');
    expect(() => engine.keep([first], {} as EngineImage)).toThrow('invalidArgument');
    image.release();
  });
});
