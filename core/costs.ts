// What a pass costs: measured curves of time against kernel size for each path and kind of picture, and the milliseconds
// that they predict. core/paths.ts chooses by them between paths that give the same result.

import { z } from 'zod';
import { assertNever } from './errors';
import type { Size } from './geometry';
import type { SampleType } from './pass';
import type { PassPath } from './planText';

export const backendNames = ['reference', 'cpu', 'cuda'] as const;

/** What a picture must say of itself for a prediction; sizes in pixels. */
export interface PictureKind extends Size {
  /** 1…4. */
  readonly channels: number;
  readonly sampleType: SampleType;
}

/** Kinds of pictures that are measured: sample type × channels. f64 counts as f32, two channels lie between 1 and 3. */
export const costKinds = ['u8x1', 'u8x3', 'u8x4', 'u16x1', 'u16x3', 'u16x4', 'f32x1', 'f32x3', 'f32x4'] as const;
export type CostKind = (typeof costKinds)[number];

/** Points [size, nanoseconds a pixel], sizes rising and times not falling. What a size is, the path says. */
export type CostCurve = readonly (readonly [size: number, nanoseconds: number])[];

/** The curves of one kind of picture. null: the backend has no such path, so that it never competes. */
export interface PathCurves {
  /** By weights of the grid. */
  readonly dense: CostCurve;
  /** By weights that are not 0. */
  readonly sparse: CostCurve | null;
  /** By width + height, for each measured number of row and column pairs, rising. */
  readonly separable: readonly { readonly pairs: number; readonly curve: CostCurve }[];
  /** By width + height. */
  readonly box: CostCurve | null;
  /** By half of width + height. */
  readonly fft: CostCurve | null;
  /** By weights of one of the two grids. */
  readonly magnitude: CostCurve;
}

/** The costs of one backend on one computer. */
export interface CostTable {
  readonly version: 1;
  readonly backend: (typeof backendNames)[number];
  /** The backend's own description (instruction set and threads, or device), for which alone the table holds. */
  readonly description: string;
  /** Version of the program whose engine was measured. */
  readonly engine: string;
  /** shipped: measured elsewhere. quick: the shipped one scaled by a few measurements here. measured: every curve here. */
  readonly source: 'shipped' | 'quick' | 'measured';
  /** Milliseconds of a pass over a picture of one pixel. */
  readonly start: number;
  readonly curves: Readonly<Record<CostKind, PathCurves>>;
}

export type CostTables = Readonly<Record<CostTable['backend'], CostTable>>;

const curveSchema = z
  .array(z.tuple([z.number().positive(), z.number().min(0)]).readonly())
  .min(1)
  .max(100)
  .readonly()
  .refine(
    (points) =>
      points.every(([size, nanoseconds], index) => {
        const before = points[index - 1];
        return before === undefined || (size > before[0] && nanoseconds >= before[1]);
      }),
    'sizes that rise and times that do not fall',
  );

const curvesSchema = z.object({
  dense: curveSchema,
  sparse: curveSchema.nullable(),
  separable: z
    .array(z.object({ pairs: z.int().min(1), curve: curveSchema }))
    .min(1)
    .max(20)
    .readonly()
    .refine((all) => all.every(({ pairs }, index) => pairs > (all[index - 1]?.pairs ?? 0)), 'pairs that rise'),
  box: curveSchema.nullable(),
  fft: curveSchema.nullable(),
  magnitude: curveSchema,
});

/** Parser of a stored table. */
export const costTableSchema: z.ZodType<CostTable> = z.object({
  version: z.literal(1),
  backend: z.enum(backendNames),
  description: z.string().max(1000),
  engine: z.string().max(100),
  source: z.enum(['shipped', 'quick', 'measured']),
  start: z.number().min(0),
  curves: z.record(z.enum(costKinds), curvesSchema),
});

/**
 * Largest Σ|K − K_r| as a share of Σ|K| at which K_r counts as the same kernel: one rounding of the backend's own
 * arithmetic (2⁻²⁴ for float32 sums, 2⁻⁵⁰ for float64 ones).
 */
export const exactness: Readonly<Record<CostTable['backend'], number>> = {
  reference: 2 ** -50,
  cpu: 2 ** -24,
  cuda: 2 ** -24,
};

/** Time at a size: straight lines between points, the last one continued, never below the first point. */
function at(curve: CostCurve, size: number): number {
  const after = curve.findIndex(([pointSize]) => pointSize >= size);
  const right = after < 0 ? curve.length - 1 : after;
  const [rightSize, rightTime] = curve[right] ?? [size, 0];
  const [leftSize, leftTime] = curve[right - 1] ?? [rightSize, rightTime];
  if (rightSize === leftSize)
    return curve.length === 1 && size > rightSize ? (rightTime * size) / rightSize : rightTime;
  return leftTime + ((size - leftSize) / (rightSize - leftSize)) * (rightTime - leftTime);
}

/**
 * The time of r pairs: straight lines between the measured numbers of pairs, beyond the last in proportion. Beyond its
 * largest size a curve grows as the one of the fewest pairs does, which is measured furthest.
 */
function ofPairs(curves: PathCurves['separable'], pairs: number, size: number): number {
  const single = curves[0]?.curve ?? [];
  let most = 0;
  const points = curves.map(({ pairs: measured, curve }) => {
    const last = Math.min(size, curve.at(-1)?.[0] ?? size);
    const growth = last < size ? at(single, size) / at(single, last) : 1;
    // More pairs never take less.
    most = Math.max(most, at(curve, last) * growth);
    return [measured, most] as const;
  });
  const [lastPairs, lastTime] = points.at(-1) ?? [1, 0];
  return pairs > lastPairs ? (lastTime * pairs) / lastPairs : at(points, pairs);
}

function nanoseconds(curves: PathCurves, path: PassPath): number | null {
  const { width, height } = path;
  switch (path.kind) {
    case 'dense':
      return at(curves.dense, width * height);
    case 'sparse':
      return curves.sparse && at(curves.sparse, path.taps);
    case 'separable':
      return ofPairs(curves.separable, path.pairs, width + height);
    case 'box':
      return curves.box && at(curves.box, width + height);
    case 'fft':
      return curves.fft && at(curves.fft, (width + height) / 2);
    case 'magnitude':
      return at(curves.magnitude, width * height);
    case 'diffusion':
      // Not part of the measured curves.
      return null;
    default:
      return assertNever(path);
  }
}

/** The measured kinds that stand for a picture: one, or two whose mean is taken. */
function kindsOf({ channels, sampleType }: PictureKind): readonly CostKind[] {
  const type = sampleType === 'f64' ? 'f32' : sampleType;
  if (channels === 2) return [`${type}x1`, `${type}x3`];
  return [`${type}x${channels === 1 || channels === 3 ? channels : 4}`];
}

/**
 * Predicted milliseconds of one pass over the whole picture; null where the backend has no such path. Never negative, and
 * it does not fall where the kernel, the number of pairs or the picture grows.
 */
export function predictMilliseconds(table: CostTable, picture: PictureKind, path: PassPath): number | null {
  const kinds = kindsOf(picture);
  let sum = 0;
  for (const kind of kinds) {
    const time = nanoseconds(table.curves[kind], path);
    if (time === null) return null;
    sum += time;
  }
  return table.start + ((sum / kinds.length) * picture.width * picture.height) / 1e6;
}

/**
 * Measured points as a curve, sorted by size. Whatever else a computer does only adds to a time, so that no size takes
 * longer than a larger one did; of points of one size the least counts.
 */
export function curveOf(points: readonly (readonly [size: number, nanoseconds: number])[]): CostCurve {
  const curve: (readonly [number, number])[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const [size, time] of points.toSorted((a, b) => b[0] - a[0])) {
    least = Math.min(least, time);
    if (curve.at(-1)?.[0] === size) curve.pop();
    curve.push([size, least]);
  }
  return curve.reverse();
}
