// The golden set through the addon: the results of independent programs (test/golden/README.md), on the reference backend
// to double precision and on the others to single precision.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { denseOfKernel } from '../../core/filterForm';
import type { Size } from '../../core/geometry';
import { createKernel, type Orientation } from '../../core/kernel';
import { parseNpy } from '../../core/npy';
import type { Border, DenseWeights, Pass, Samples } from '../../core/pass';
import { type BackendName, type EngineImage, loadEngine } from '../../main/engine';
import { densePass, failureFrom, passOf, wholeOf } from './examples';

const folder = path.join(import.meta.dirname, '..', 'golden');
const engine = loadEngine();
const backends: readonly BackendName[] = engine
  .backends()
  .filter(({ available }) => available)
  .map(({ name }) => name);

interface GoldenCase {
  readonly id: string;
  readonly input: string;
  readonly border: Border['kind'] | 'valid';
  readonly borderValue?: number;
  readonly mode: Orientation;
  readonly expected: string | null;
}
interface KernelCase extends GoldenCase {
  readonly kernel: string;
  readonly anchor: readonly [number, number];
}
interface FloatCase extends KernelCase {
  readonly tol: number;
  readonly tolF32: number;
}
type PhotoCase = GoldenCase & { readonly delta: number; readonly maxDiff: number } & (
    | ({ readonly op: 'filter2D' } & Pick<KernelCase, 'kernel' | 'anchor'>)
    | { readonly op: 'gaussian'; readonly size: number; readonly sigma: number }
    | { readonly op: 'separable'; readonly kernelX: readonly number[]; readonly kernelY: readonly number[] }
  );

interface GradientCase {
  readonly id: string;
  readonly input: string;
  readonly op: 'sobel magnitude' | 'scharr magnitude' | 'prewitt magnitude' | 'skimage.filters.sobel';
  readonly border: Exclude<Border['kind'], 'constant'>;
  readonly expected: string;
  /** In code values of the 8-bit picture, or shares of full scale for skimage; for float results. */
  readonly tol?: number;
  /** In levels, for 8-bit results. */
  readonly maxDiff?: number;
}

function casesOf<C>(manifest: string): readonly C[] {
  return (JSON.parse(readFileSync(path.join(folder, manifest), 'utf8')) as { cases: readonly C[] }).cases;
}

/** A NumPy array of the golden set; all of them hold samples that the engine knows. */
function arrayIn(file: string): { readonly shape: readonly number[]; readonly values: Samples } {
  const { item, shape, values } = parseNpy(readFileSync(path.join(folder, file)), file);
  if (!['u1', 'u2', 'f4', 'f8'].includes(item)) throw new Error(`${file} holds ${item}`);
  return { shape, values: values as Samples };
}

/** The weights in correlation orientation: the file's kernel, turned where the case is a convolution. */
function weightsOfCase({ kernel, anchor, mode }: Pick<KernelCase, 'kernel' | 'anchor' | 'mode'>): DenseWeights {
  const { shape, values } = arrayIn(kernel);
  const [height = 0, width = 0] = shape;
  return denseOfKernel(
    createKernel(width, height, [...values], {
      anchorX: anchor[0],
      anchorY: anchor[1],
      divisor: 1,
      orientation: mode,
    }),
  );
}

function surroundings({ border, borderValue }: GoldenCase): Pick<Pass, 'border' | 'size'> {
  if (border === 'valid') return { border: { kind: 'zero' }, size: 'valid' };
  if (border === 'constant') return { border: { kind: border, value: borderValue ?? 0 }, size: 'same' };
  return { border: { kind: border }, size: 'same' };
}

const images = new Map<string, Promise<EngineImage>>();

async function readImage(file: string, alpha: boolean): Promise<EngineImage> {
  const { shape, values } = arrayIn(file);
  const [height = 0, width = 0, channels = 1] = shape;
  return engine.createImage(values, { width, height }, channels, alpha);
}

function imageOf(file: string, alpha = false): Promise<EngineImage> {
  const key = `${file} ${alpha}`;
  const image = images.get(key) ?? readImage(file, alpha);
  images.set(key, image);
  return image;
}

async function resultOf<T extends Samples>(
  backend: BackendName,
  pass: Pass,
  image: EngineImage,
  make: (length: number) => T,
): Promise<T> {
  const size: Size = engine.sizeAfter([pass], image);
  const result = make(size.width * size.height * image.channels);
  await engine.run(backend, [pass], image, wholeOf(size), result);
  return result;
}

function largestDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  expect(actual.length).toBe(expected.length);
  let largest = 0;
  for (let i = 0; i < actual.length; i++) {
    const difference = Math.abs(actual[i]! - expected[i]!);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

const gaussianLine = (size: number, sigma: number): Float64Array => {
  const line = Float64Array.from({ length: size }, (_, i) => Math.exp(-((i - (size - 1) / 2) ** 2) / (2 * sigma ** 2)));
  const sum = line.reduce((total, value) => total + value, 0);
  return line.map((value) => value / sum);
};

function photoPass(golden: PhotoCase, fullScale: number): Pass {
  const rest = { ...surroundings(golden), epilogue: { result: 1, input: 0, offset: golden.delta / fullScale } };
  if (golden.op === 'filter2D') return densePass(weightsOfCase(golden), rest);
  const [column, row] =
    golden.op === 'gaussian'
      ? [gaussianLine(golden.size, golden.sigma), gaussianLine(golden.size, golden.sigma)]
      : [Float64Array.from(golden.kernelY), Float64Array.from(golden.kernelX)];
  const geometry = {
    width: row.length,
    height: column.length,
    anchorX: Math.floor(row.length / 2),
    anchorY: Math.floor(column.length / 2),
  };
  return passOf({ kind: 'separable', weights: { ...geometry, pairs: [{ column, row }], divisor: 1 } }, rest);
}

/** The slope along x of a gradient, from the file's kernel, and along y, which is its transpose. */
function gradientWork({ op }: GradientCase): Pass['work'] {
  const kernel = op === 'skimage.filters.sobel' ? 'sobel' : op.replace(' magnitude', '');
  const { values } = arrayIn(`kernels/${kernel}_x.npy`);
  const weights = Float64Array.from(values);
  const transposed = weights.map((_, i) => weights[(i % 3) * 3 + Math.floor(i / 3)]!);
  // scikit-image divides the kernels by 4, and the sum of the squares by 2.
  const divisor = op === 'skimage.filters.sobel' ? 4 * Math.SQRT2 : 1;
  const geometry = { width: 3, height: 3, anchorX: 1, anchorY: 1, divisor };
  return { kind: 'magnitude', x: { ...geometry, weights }, y: { ...geometry, weights: transposed } };
}

const makeFloats = (length: number) => new Float32Array(length);

describe.each(backends)('%s agrees with independent programs', (backend) => {
  const floatCases = casesOf<FloatCase>('manifest.json');
  const inputs = [...new Set(floatCases.map(({ input }) => input))];

  it('on 1284 float cases', () => expect(floatCases.length).toBe(1284));

  it.each(inputs)('on every case of %s', async (input) => {
    const cases = floatCases.filter((golden) => golden.input === input);
    const image = await imageOf(input);
    const failures: string[] = [];
    for (const golden of cases) {
      const pass = densePass(weightsOfCase(golden), {
        ...surroundings(golden),
        alpha: 'straight',
        range: { kind: 'float' },
      });
      if (golden.expected === null) {
        // Nothing would be left of the picture: refused, not crashed.
        const failure = await failureFrom(() => resultOf(backend, pass, image, makeFloats));
        if (failure.code !== 'invalidPlan') failures.push(`${golden.id}: ${failure.code}`);
        continue;
      }
      const result = await resultOf(backend, pass, image, (length) => new Float64Array(length));
      const difference = largestDifference(result, arrayIn(golden.expected).values);
      const tolerance = backend === 'reference' ? golden.tol : golden.tolF32;
      if (!(difference <= tolerance)) failures.push(`${golden.id}: ${difference} > ${tolerance}`);
    }
    expect(failures).toEqual([]);
    expect(cases.length).toBeGreaterThan(0);
  });

  it.each(casesOf<PhotoCase>('u8_manifest.json'))('on the 8-bit photo: $id', async (golden) => {
    const image = await imageOf(golden.input);
    expect(image.sampleType).toBe('u8');
    const result = await resultOf(backend, photoPass(golden, 255), image, (length) => new Uint8Array(length));
    const { values } = arrayIn(golden.expected ?? '');
    expect(largestDifference(result, values)).toBeLessThanOrEqual(golden.maxDiff);
  });

  it.each(casesOf<PhotoCase>('u16_manifest.json'))('on the 16-bit photo: $id', async (golden) => {
    const image = await imageOf(golden.input);
    expect(image.sampleType).toBe('u16');
    const result = await resultOf(backend, photoPass(golden, 65535), image, (length) => new Uint16Array(length));
    const { values } = arrayIn(golden.expected ?? '');
    expect(largestDifference(result, values)).toBeLessThanOrEqual(golden.maxDiff);
  });

  it.each(casesOf<FloatCase>('alpha_manifest.json'))('on pictures with alpha: $id', async (golden) => {
    const pass = densePass(weightsOfCase(golden), { ...surroundings(golden), range: { kind: 'float' } });
    const result = await resultOf(backend, pass, await imageOf(golden.input, true), makeFloats);
    // The expected values are premultiplied.
    const premultiplied = result.map((value, i) => (i % 4 === 3 ? value : value * result[i - (i % 4) + 3]!));
    const { values } = arrayIn(golden.expected ?? '');
    expect(largestDifference(premultiplied, values)).toBeLessThanOrEqual(golden.tolF32);
  });

  it.each(casesOf<FloatCase>('linear_manifest.json'))('in linear light: $id', async (golden) => {
    const pass = densePass(weightsOfCase(golden), { ...surroundings(golden), light: 'linear' });
    const result = await resultOf(backend, pass, await imageOf(golden.input), makeFloats);
    const { values } = arrayIn(golden.expected ?? '');
    expect(largestDifference(result, values)).toBeLessThanOrEqual(golden.tol);
  });

  const gradientCases = casesOf<GradientCase>('edges_manifest.json');

  it('on 6 gradient cases', () => expect(gradientCases.length).toBe(6));

  it.each(gradientCases)('on the length of the gradient: $id', async (golden) => {
    const image = await imageOf(golden.input);
    const { values } = arrayIn(golden.expected);
    const bytes = golden.maxDiff !== undefined;
    const pass = passOf(gradientWork(golden), {
      border: { kind: golden.border },
      size: 'same',
      range: { kind: bytes ? 'clamp' : 'float' },
    });
    const result = await resultOf<Samples>(backend, pass, image, (length) =>
      bytes ? new Uint8Array(length) : new Float32Array(length),
    );
    // Float results come as shares of full scale.
    const scale = bytes || golden.op === 'skimage.filters.sobel' ? 1 : 255;
    const difference = largestDifference(
      Float64Array.from(result, (value) => value * scale),
      values,
    );
    expect(difference).toBeLessThanOrEqual(golden.maxDiff ?? golden.tol ?? 0);
  });
});
