// Measures the cost table of a backend on this computer: every curve of every kind of picture, or, quickly, how much faster
// or slower each path is than in the shipped table.

import {
  type CostCurve,
  type CostKind,
  type CostTable,
  costKinds,
  curveOf,
  type PathCurves,
  type PictureKind,
  predictMilliseconds,
} from '../../core/costs';
import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { PassWork } from '../../core/pass';
import type { PassPath } from '../../core/planText';
import { shippedCosts } from '../../core/shippedCosts';
import type { BackendName, Engine } from '../engine';
import { type CostRow, fullRows, quickRows } from './rows';
import { type Effort, Stopwatch, type StopwatchOptions, Subject } from './stopwatch';

export interface MeasureOptions extends StopwatchOptions {
  /** Version of the program, written into the table. */
  readonly version: string;
  /** 0…1. */
  readonly progress?: (share: number) => void;
}

/**
 * From the largest to the smallest. The first is as a photo is: larger than the caches, which quick paths notice, as their
 * time is that of memory. Rows that take long use the others. No width is near a power of two, whose rows would share their
 * places in the caches as no photo's do.
 */
type Sizes = readonly Size[];
const photoSizes: Sizes = [
  { width: 3264, height: 2448 },
  { width: 2010, height: 1508 },
  { width: 1010, height: 508 },
];
/** For plain loops, which would take minutes. */
const plainSizes: Sizes = [
  { width: 384, height: 256 },
  { width: 192, height: 128 },
];
/** Taps of a row or column that may be transformed. */
const longSide = 100;
/** Expected milliseconds on a picture from which the next smaller one is taken. */
const longRow = 40;
const fullEffort: Effort = { runs: 2, milliseconds: 20 };
const quickEffort: Effort = { runs: 3, milliseconds: 25 };
/** A first run of each picture, whose time does not count: memory is touched and threads are started. */
const warming: Effort = { runs: 1, milliseconds: 0 };
/** A row expected to take longer is left to the line through the ones before it. */
const longestRow = 1500;

export const pictureKindOf = (kind: CostKind, size: Size): PictureKind => {
  const [sampleType, channels] = kind.split('x');
  return { ...size, sampleType: sampleType as PictureKind['sampleType'], channels: Number(channels) };
};

function statusOf(engine: Engine, backend: BackendName): string {
  const status = engine.backends().find(({ name }) => name === backend);
  if (status?.available) return status.description;
  const actual = status?.description ?? 'not part of this build';
  throw new ConvolveError({ code: 'backendUnavailable', subject: backend, actual });
}

const onePixel: PassWork = {
  kind: 'dense',
  weights: { width: 1, height: 1, anchorX: 0, anchorY: 0, weights: Float64Array.of(0.5), divisor: 1 },
};

/** Milliseconds that every pass takes, however small its picture. */
async function measureStart(engine: Engine, stopwatch: Stopwatch): Promise<number> {
  const subject = await Subject.create(engine, { width: 1, height: 1, channels: 1, sampleType: 'u8' });
  try {
    return await stopwatch.milliseconds(subject, onePixel, { runs: 20, milliseconds: 0 });
  } finally {
    subject.release();
  }
}

/** The pictures of a kind, the largest first. */
async function withSubjects<T>(
  engine: Engine,
  stopwatch: Stopwatch,
  kind: CostKind,
  sizes: Sizes,
  work: (subjects: readonly Subject[]) => Promise<T>,
): Promise<T> {
  const subjects: Subject[] = [];
  try {
    for (const size of sizes) {
      const subject = await Subject.create(engine, pictureKindOf(kind, size));
      subjects.push(subject);
      await stopwatch.milliseconds(subject, onePixel, warming);
    }
    return await work(subjects);
  } finally {
    for (const subject of subjects) subject.release();
  }
}

/**
 * Of the pictures, those on which a path takes a pixel as long as on a photo: any where its time is that of its multiplications;
 * none but the photo where it is that of whole tiles, of which a smaller picture has a larger part beyond its edge. Long rows
 * and columns are transformed in tiles too.
 */
function usableFor<T>({ kind, width }: PassPath, subjects: readonly T[]): readonly T[] {
  if (kind === 'dense' || kind === 'sparse' || kind === 'magnitude') return subjects;
  return subjects.slice(0, kind === 'fft' || (kind === 'separable' && width > longSide) ? 1 : 2);
}

/** A path and, for pairs, their number: the curve that a row belongs to. */
const curveName = (path: PassPath) => (path.kind === 'separable' ? `separable ${path.pairs}` : path.kind);

type Points = Map<string, [size: number, nanoseconds: number][]>;

interface Measured {
  readonly row: CostRow;
  readonly nanoseconds: number;
}

/** Nanoseconds a pixel of a row; null where it would take too long. */
async function measureRow(
  stopwatch: Stopwatch,
  subjects: readonly Subject[],
  row: CostRow,
  expected: number,
  start: number,
  effort: Effort,
): Promise<number | null> {
  const usable = usableFor(row.path, subjects);
  const pixels = ({ kind }: Subject) => kind.width * kind.height;
  const subject = usable.find((one) => expected * pixels(one) <= longRow * 1e6) ?? usable.at(-1);
  if (!subject) return null;
  const { width, height } = subject.kind;
  if (expected * width * height > longestRow * 1e6) return null;
  const milliseconds = await stopwatch.milliseconds(subject, row.work, effort);
  return (Math.max(0, milliseconds - start) * 1e6) / (width * height);
}

/**
 * What a row is expected to take, in nanoseconds a pixel, from the row before it on its curve: as much more as it is larger,
 * and less where it may be transformed.
 */
function expectation(before: readonly [number, number] | undefined, { size, path }: CostRow): number {
  if (!before) return 0;
  const growth = size / before[0];
  if (path.kind === 'separable' && path.width > longSide) return before[1] * Math.sqrt(growth);
  return before[1] * (path.kind === 'fft' ? growth ** 2 : growth);
}

function isOwn(table: CostTable, path: PassPath): boolean {
  return predictMilliseconds(table, { width: 1, height: 1, channels: 1, sampleType: 'u8' }, path) !== null;
}

function curvesOf(points: Points, shipped: PathCurves): PathCurves {
  const curve = (name: string): CostCurve => {
    const found = points.get(name);
    if (!found) throw new ConvolveError({ code: 'internal', subject: 'calibrate', actual: `no ${name} row` });
    return curveOf(found);
  };
  const separable = [...points.keys()]
    .filter((name) => name.startsWith('separable '))
    .map((name) => ({ pairs: Number(name.slice('separable '.length)), curve: curve(name) }));
  return {
    dense: curve('dense'),
    sparse: shipped.sparse && curve('sparse'),
    separable,
    box: shipped.box && curve('box'),
    fft: shipped.fft && curve('fft'),
    magnitude: curve('magnitude'),
  };
}

/**
 * Measures every curve: about half a minute. Throws ConvolveError: `backendUnavailable`, `cancelled`, or what a run throws.
 */
export async function measureFull(engine: Engine, backend: BackendName, options: MeasureOptions): Promise<CostTable> {
  const description = statusOf(engine, backend);
  const shipped = shippedCosts[backend];
  const stopwatch = new Stopwatch(engine, backend, options);
  const start = await measureStart(engine, stopwatch);
  const sizes = backend === 'reference' ? plainSizes : photoSizes;
  const rows = fullRows().filter(({ path }) => isOwn(shipped, path));
  const curves: Partial<Record<CostKind, PathCurves>> = {};
  let done = 0;
  for (const kind of costKinds) {
    const points: Points = new Map();
    await withSubjects(engine, stopwatch, kind, sizes, async (subjects) => {
      for (const row of rows) {
        const name = curveName(row.path);
        const curve = points.get(name) ?? [];
        const expected = expectation(curve.at(-1), row);
        const nanoseconds = await measureRow(stopwatch, subjects, row, expected, start, fullEffort);
        if (nanoseconds !== null) points.set(name, [...curve, [row.size, nanoseconds]]);
        done += 1;
        options.progress?.(done / (rows.length * costKinds.length));
      }
    });
    curves[kind] = curvesOf(points, shipped.curves[kind]);
  }
  const whole = curves as Record<CostKind, PathCurves>;
  return { version: 1, backend, description, engine: options.version, source: 'measured', start, curves: whole };
}

/** Kinds of pictures that a quick calibration measures, and those that each stands for. */
const standsFor: ReadonlyMap<CostKind, readonly CostKind[]> = new Map([
  ['u8x4', ['u8x1', 'u8x3', 'u8x4', 'u16x1', 'u16x3', 'u16x4']],
  ['f32x1', ['f32x1', 'f32x3', 'f32x4']],
]);

const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const scaled = (curve: CostCurve, factor: number): CostCurve =>
  curve.map(([size, nanoseconds]) => [size, nanoseconds * factor] as const);

/** The shipped curves, each path as many times slower as its rows were. */
function scaleCurves(curves: PathCurves, factor: (path: PassPath['kind']) => number): PathCurves {
  return {
    dense: scaled(curves.dense, factor('dense')),
    sparse: curves.sparse && scaled(curves.sparse, factor('sparse')),
    separable: curves.separable.map(({ pairs, curve }) => ({ pairs, curve: scaled(curve, factor('separable')) })),
    box: curves.box && scaled(curves.box, factor('box')),
    fft: curves.fft && scaled(curves.fft, factor('fft')),
    magnitude: scaled(curves.magnitude, factor('magnitude')),
  };
}

/** Measures a few rows and scales the shipped curves by them: at most 3 s. Throws as measureFull does. */
export async function measureQuick(engine: Engine, backend: BackendName, options: MeasureOptions): Promise<CostTable> {
  const description = statusOf(engine, backend);
  const shipped = shippedCosts[backend];
  const stopwatch = new Stopwatch(engine, backend, options);
  const start = await measureStart(engine, stopwatch);
  const rows = quickRows().filter(({ path }) => isOwn(shipped, path));
  const curves: Partial<Record<CostKind, PathCurves>> = {};
  let done = 0;
  for (const [kind, others] of standsFor) {
    const measured: Measured[] = [];
    await withSubjects(engine, stopwatch, kind, photoSizes, async (subjects) => {
      for (const row of rows) {
        const expected =
          predictMilliseconds(shipped, pictureKindOf(kind, { width: 1000, height: 1000 }), row.path) ?? 0;
        const nanoseconds = await measureRow(stopwatch, subjects, row, expected, start, quickEffort);
        if (nanoseconds !== null) measured.push({ row, nanoseconds });
        done += 1;
        options.progress?.(done / (rows.length * standsFor.size));
      }
    });
    const factor = (path: PassPath['kind']) => {
      const ratios = measured
        .filter(({ row }) => row.path.kind === path)
        .map(({ row, nanoseconds }) => {
          const million = pictureKindOf(kind, { width: 1000, height: 1000 });
          const expected = (predictMilliseconds(shipped, million, row.path) ?? 0) - shipped.start;
          return Math.max(nanoseconds, 1e-6) / Math.max(expected, 1e-6);
        });
      return ratios.length === 0 ? 1 : geometricMean(ratios);
    };
    for (const other of others) curves[other] = scaleCurves(shipped.curves[other], factor);
  }
  const whole = curves as Record<CostKind, PathCurves>;
  return { version: 1, backend, description, engine: options.version, source: 'quick', start, curves: whole };
}
