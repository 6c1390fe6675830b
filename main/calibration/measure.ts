// Measures the cost table of a backend on this computer: every curve of every kind of picture, or, quickly, how much faster
// or slower each path is than in the shipped table.

import {
  type CostKind,
  type CostTable,
  costKinds,
  costVersion,
  lineInstructions,
  type PathCurves,
  type PictureKind,
  predictMilliseconds,
} from '../../core/costs';
import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { PassWork } from '../../core/pass';
import type { PassPath } from '../../core/planText';
import { type ScaledPath, scaledCurves } from '../../core/scaledCosts';
import { shippedCosts } from '../../core/shippedCosts';
import type { BackendName, Engine } from '../engine';
import { curvesOf, geometricMean, type Measured, nameOf } from './curves';
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

/** Whether a path is computed by transforms of the tiles that core/transformTiles.ts counts, or line by line. */
function isTransformed(table: CostTable, path: PassPath, picture: PictureKind): boolean {
  if (table.curves.u8x1.transforms === null) return false;
  return path.kind === 'fft' || (path.kind === 'separable' && lineInstructions(path, picture) !== null);
}

/**
 * Of the pictures, those on which a path takes a pixel as long as on a photo: any where its time is that of its multiplications;
 * none but the photo where it is that of transforms, whose tiles are as large as small pictures.
 */
function usableFor<T>(path: PassPath, subjects: readonly T[], transformed: boolean): readonly T[] {
  if (path.kind === 'dense' || path.kind === 'sparse' || path.kind === 'magnitude') return subjects;
  return subjects.slice(0, path.kind === 'fft' || transformed ? 1 : 2);
}

/** null where a row would take too long. `expected`: nanoseconds a pixel. */
async function measureRow(
  stopwatch: Stopwatch,
  subjects: readonly Subject[],
  row: CostRow,
  expected: number,
  { start, shipped, effort }: { readonly start: number; readonly shipped: CostTable; readonly effort: Effort },
): Promise<Measured | null> {
  const photo = subjects[0];
  if (!photo) return null;
  const usable = usableFor(row.path, subjects, isTransformed(shipped, row.path, photo.kind));
  const pixels = ({ kind }: Subject) => kind.width * kind.height;
  const subject = usable.find((one) => expected * pixels(one) <= longRow * 1e6) ?? usable.at(-1) ?? photo;
  if (expected * pixels(subject) > longestRow * 1e6) return null;
  const milliseconds = await stopwatch.milliseconds(subject, row.work, effort);
  const nanoseconds = (Math.max(0, milliseconds - start) * 1e6) / pixels(subject);
  return { row, nanoseconds, picture: subject.kind };
}

/**
 * What a row is expected to take, in nanoseconds a pixel, from the row of its name before it: as much more as it is larger, and
 * less where it may be transformed.
 */
function expectation(before: Measured | undefined, { size, path }: CostRow): number {
  if (!before) return 0;
  const growth = size / before.row.size;
  if (path.kind === 'fft' || (path.kind === 'separable' && path.width > longSide))
    return before.nanoseconds * Math.sqrt(growth);
  return before.nanoseconds * growth;
}

/** Whether the backend has the path, and not as another. */
function isOwn(table: CostTable, kind: CostKind, path: PassPath): boolean {
  const { whole } = table.curves[kind];
  if (path.kind === 'dense' && path.whole) return whole !== null;
  return predictMilliseconds(table, pictureKindOf(kind, { width: 1, height: 1 }), path) !== null;
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
  const how = { start, shipped, effort: fullEffort };
  const rows = costKinds.flatMap((kind) =>
    fullRows().flatMap((row) => (isOwn(shipped, kind, row.path) ? [{ kind, row }] : [])),
  );
  const curves: Partial<Record<CostKind, PathCurves>> = {};
  let done = 0;
  for (const kind of costKinds) {
    const measured: Measured[] = [];
    await withSubjects(engine, stopwatch, kind, sizes, async (subjects) => {
      for (const { row } of rows.filter((one) => one.kind === kind)) {
        const before = measured.findLast((one) => nameOf(one.row) === nameOf(row));
        const found = await measureRow(stopwatch, subjects, row, expectation(before, row), how);
        if (found) measured.push(found);
        done += 1;
        options.progress?.(done / rows.length);
      }
    });
    curves[kind] = curvesOf(measured, shipped.curves[kind]);
  }
  const whole = curves as Record<CostKind, PathCurves>;
  return {
    version: costVersion,
    backend,
    description,
    engine: options.version,
    source: 'measured',
    start,
    curves: whole,
  };
}

/** Kinds of pictures that a quick calibration measures, and those that each stands for. */
const standsFor: ReadonlyMap<CostKind, readonly CostKind[]> = new Map([
  ['u8x4', ['u8x1', 'u8x3', 'u8x4', 'u16x1', 'u16x3', 'u16x4']],
  ['f32x1', ['f32x1', 'f32x3', 'f32x4']],
]);

/** Measures a few rows and scales the shipped curves by them: at most 3 s. Throws as measureFull does. */
export async function measureQuick(engine: Engine, backend: BackendName, options: MeasureOptions): Promise<CostTable> {
  const description = statusOf(engine, backend);
  const shipped = shippedCosts[backend];
  const stopwatch = new Stopwatch(engine, backend, options);
  const start = await measureStart(engine, stopwatch);
  const how = { start, shipped, effort: quickEffort };
  const curves: Partial<Record<CostKind, PathCurves>> = {};
  let done = 0;
  for (const [kind, others] of standsFor) {
    const rows = quickRows().filter(({ path }) => isOwn(shipped, kind, path));
    const ratios = new Map<ScaledPath, number[]>();
    await withSubjects(engine, stopwatch, kind, photoSizes, async (subjects) => {
      for (const row of rows) {
        const million = pictureKindOf(kind, { width: 1000, height: 1000 });
        const found = await measureRow(
          stopwatch,
          subjects,
          row,
          predictMilliseconds(shipped, million, row.path) ?? 0,
          how,
        );
        done += 1;
        options.progress?.(done / (rows.length * standsFor.size));
        if (!found) continue;
        const { nanoseconds, picture } = found;
        const expected = (predictMilliseconds(shipped, picture, row.path) ?? 0) - shipped.start;
        const ratio = Math.max(nanoseconds, 1e-6) / Math.max((expected * 1e6) / (picture.width * picture.height), 1e-6);
        const lines = row.path.kind === 'separable' && isTransformed(shipped, row.path, picture);
        const path = lines ? 'lines' : row.path.kind;
        ratios.set(path, [...(ratios.get(path) ?? []), ratio]);
      }
    });
    const factor = (path: ScaledPath) => geometricMean(ratios.get(path) ?? [1]);
    for (const other of others) curves[other] = scaledCurves(shipped.curves[other], factor);
  }
  const whole = curves as Record<CostKind, PathCurves>;
  return { version: costVersion, backend, description, engine: options.version, source: 'quick', start, curves: whole };
}
