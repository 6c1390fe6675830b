// What a pass costs: measured curves of time against kernel size for each path and kind of picture, the time of an
// instruction of its transforms, and the milliseconds that they predict. core/paths.ts chooses by them between paths that give
// the same result.

import { z } from 'zod';
import { assertNever } from './errors';
import type { Size } from './geometry';
import type { SampleType } from './pass';
import type { PassPath } from './planText';
import { gridTransform, lineTransforms, type TransformedPicture } from './transformTiles';

export const backendNames = ['reference', 'cpu', 'cuda'] as const;

/** What a picture must say of itself for a prediction; sizes in pixels. */
export interface PictureKind extends Size {
  /** 1…4. */
  readonly channels: number;
  readonly sampleType: SampleType;
  /** Whether the last channel is alpha; unless said, of two and of four. Alpha is taken to be opaque. */
  readonly alpha?: boolean;
}

/** Kinds of pictures that are measured: sample type × channels. f64 counts as f32, two channels lie between 1 and 3. */
export const costKinds = ['u8x1', 'u8x3', 'u8x4', 'u16x1', 'u16x3', 'u16x4', 'f32x1', 'f32x3', 'f32x4'] as const;
export type CostKind = (typeof costKinds)[number];

/** Points [size, nanoseconds a pixel], sizes rising and times, mostly, not falling. What a size is, the path says. */
export type CostCurve = readonly (readonly [size: number, nanoseconds: number])[];

/**
 * What transforms take whose tiles core/transformTiles.ts counts: nanoseconds of one instruction. grid: of tiles whose planes
 * lie in the second-level cache, about there, and beyond. lines: of rows and columns.
 */
export interface TransformCosts {
  readonly grid: readonly [near: number, about: number, beyond: number];
  readonly lines: number;
}

/** The curves of one kind of picture. null: the backend has no such path, so that it never competes. */
export interface PathCurves {
  /** By weights of the grid that are summed. */
  readonly dense: CostCurve;
  /** By weights of a grid of small whole numbers (core/gridWeights.ts), where more of them are multiplied at a time. */
  readonly whole: CostCurve | null;
  /** By weights that are not 0. */
  readonly sparse: CostCurve | null;
  /** Nanoseconds a pixel that a grid takes longer where its sums are divided by something else than a power of two. */
  readonly division: number;
  /** Rows and columns that are summed, by width + height, for each measured number of pairs, rising. */
  readonly separable: readonly { readonly pairs: number; readonly curve: CostCurve }[];
  /** How many times as long pairs take whose taps do not mirror each other. */
  readonly uneven: number;
  /** By width + height. */
  readonly box: CostCurve | null;
  /** By half of width + height; of transforms whose tiles are not counted. */
  readonly fft: CostCurve | null;
  /** Of those that are counted; rows and columns are transformed only then. */
  readonly transforms: TransformCosts | null;
  /** By weights of one of the two grids. It may fall: a gradient along rows and columns is quicker than one along diagonals. */
  readonly magnitude: CostCurve;
}

/** Of the form of a table. */
export const costVersion = 3;

/** The costs of one backend on one computer. */
export interface CostTable {
  readonly version: typeof costVersion;
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

const timeSchema = z.number().min(0);

const pointsSchema = z
  .array(z.tuple([z.number().positive(), timeSchema]).readonly())
  .min(1)
  .max(100)
  .readonly()
  .refine((points) => points.every(([size], index) => size > (points[index - 1]?.[0] ?? 0)), 'sizes that rise');

const curveSchema = pointsSchema.refine(
  (points) => points.every(([, nanoseconds], index) => nanoseconds >= (points[index - 1]?.[1] ?? 0)),
  'times that do not fall',
);

const curvesSchema = z.object({
  dense: curveSchema,
  whole: curveSchema.nullable(),
  sparse: curveSchema.nullable(),
  division: timeSchema,
  separable: z
    .array(z.object({ pairs: z.int().min(1), curve: curveSchema }))
    .min(1)
    .max(20)
    .readonly()
    .refine((all) => all.every(({ pairs }, index) => pairs > (all[index - 1]?.pairs ?? 0)), 'pairs that rise'),
  uneven: z.number().min(1),
  box: curveSchema.nullable(),
  fft: curveSchema.nullable(),
  transforms: z
    .object({ grid: z.tuple([timeSchema, timeSchema, timeSchema]).readonly(), lines: timeSchema })
    .nullable(),
  magnitude: pointsSchema,
});

/** Parser of a stored table. */
export const costTableSchema: z.ZodType<CostTable> = z.object({
  version: z.literal(costVersion),
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

/** Time at a size: straight lines between points, the last one continued unless it falls, never below the first point. */
function at(curve: CostCurve, size: number): number {
  const after = curve.findIndex(([pointSize]) => pointSize >= size);
  const right = after < 0 ? curve.length - 1 : after;
  const [rightSize, rightTime] = curve[right] ?? [size, 0];
  const [leftSize, leftTime] = curve[right - 1] ?? [rightSize, rightTime];
  if (rightSize === leftSize)
    return curve.length === 1 && size > rightSize ? (rightTime * size) / rightSize : rightTime;
  const time = leftTime + ((size - leftSize) / (rightSize - leftSize)) * (rightTime - leftTime);
  return size > rightSize ? Math.max(rightTime, time) : time;
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
    const before = at(single, last);
    const growth = last < size && before > 0 ? at(single, size) / before : 1;
    // More pairs never take less.
    most = Math.max(most, at(curve, last) * growth);
    return [measured, most] as const;
  });
  const [lastPairs, lastTime] = points.at(-1) ?? [1, 0];
  return pairs > lastPairs ? (lastTime * pairs) / lastPairs : at(points, pairs);
}

/** Cells of the largest grid whose zeros are looked for, and their least share. */
const [zerosWithin, leastZeros] = [49, 1 / 4] as const;
/** What a weight of 0 counts that is left out: its sample is mostly loaded for the sake of a neighbouring row of results. */
const leftOut = 1 / 4;

/** Weights that a grid sums: all, or, of a small one with many zeros, those that are not 0. */
export function summedWeights({ width, height, zeros = 0 }: Size & { readonly zeros?: number }): number {
  const cells = width * height;
  return cells <= zerosWithin && zeros >= leastZeros * cells ? cells - (1 - leftOut) * zeros : cells;
}

function gridTime(curves: PathCurves, path: Extract<PassPath, { kind: 'dense' }>, leavesOut: boolean): number {
  const division = path.divided ? curves.division : 0;
  const cells = path.width * path.height;
  // Where whole numbers are multiplied several at a time, zeros are multiplied with them.
  if (curves.whole) return at(path.whole ? curves.whole : curves.dense, cells) + division;
  return at(curves.dense, leavesOut ? summedWeights(path) : cells) + division;
}

/** Channels that are filtered, and what in. The CPU filters 16-bit pictures in float64, as those of float64. */
export function transformedPicture({ width, height, channels, sampleType, alpha }: PictureKind): TransformedPicture {
  const filtered = channels - ((alpha ?? channels % 2 === 0) ? 1 : 0);
  return { width, height, channels, filtered, bytes: sampleType === 'u16' || sampleType === 'f64' ? 8 : 4 };
}

/** Instructions of rows and columns that are transformed line by line; null where they are summed. */
export function lineInstructions(path: Extract<PassPath, { kind: 'separable' }>, picture: PictureKind): number | null {
  const lines = lineTransforms(path, {
    ...transformedPicture(picture),
    ofBytes: picture.sampleType === 'u8' && !path.floats,
  });
  return lines?.instructions ?? null;
}

/** Of rows and columns that are summed. One pair of bytes that is summed in floats takes half of two, which always are. */
function sumsTime(
  { separable, uneven }: PathCurves,
  path: Extract<PassPath, { kind: 'separable' }>,
  { sampleType }: PictureKind,
): number {
  const size = path.width + path.height;
  const isOfBytes = sampleType === 'u8' && path.pairs === 1;
  const two = separable.find(({ pairs }) => pairs === 2);
  const time = isOfBytes && path.floats && two ? at(two.curve, size) / 2 : ofPairs(separable, path.pairs, size);
  // Whole numbers are multiplied before they are added.
  return path.uneven && !(isOfBytes && !path.floats) ? time * uneven : time;
}

function nanoseconds(curves: PathCurves, picture: PictureKind, path: PassPath, leavesOut: boolean): number | null {
  const { width, height } = path;
  const pixels = picture.width * picture.height;
  const { transforms } = curves;
  switch (path.kind) {
    case 'dense':
      return gridTime(curves, path, leavesOut);
    case 'sparse':
      return curves.sparse && at(curves.sparse, path.taps) + (path.divided ? curves.division : 0);
    case 'separable': {
      const instructions = transforms && lineInstructions(path, picture);
      if (transforms && instructions !== null) return (transforms.lines * instructions) / pixels;
      return sumsTime(curves, path, picture);
    }
    case 'box':
      return curves.box && at(curves.box, width + height);
    case 'fft': {
      if (!transforms) return curves.fft && at(curves.fft, (width + height) / 2);
      const tiles = gridTransform(path, transformedPicture(picture));
      if (!tiles) return at(curves.dense, width * height);
      return (transforms.grid[tiles.place] * tiles.instructions) / pixels;
    }
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
 * Predicted milliseconds of one pass over the whole picture; null where the backend has no such path. Never negative. It does
 * not fall where the picture grows, nor where kernels do that are summed: transforms of larger ones may fit a picture better.
 */
export function predictMilliseconds(table: CostTable, picture: PictureKind, path: PassPath): number | null {
  const kinds = kindsOf(picture);
  let sum = 0;
  for (const kind of kinds) {
    const time = nanoseconds(table.curves[kind], picture, path, table.backend === 'cpu');
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
