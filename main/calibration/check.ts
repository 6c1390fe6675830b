// Compares what a table predicts with fresh measurements, on kernels that it was not made from: the error of each
// prediction, and for each kernel how much longer the plan's choice takes than the best path.

import { type CostKind, type CostTable, type PictureKind, predictMilliseconds } from '../../core/costs';
import type { Filter, FilterParameters } from '../../core/document';
import { filterForm } from '../../core/filterForm';
import { catalogueEntry } from '../../core/filters';
import type { Size } from '../../core/geometry';
import { createKernel } from '../../core/kernel';
import { gaussianVector } from '../../core/kernelShapes';
import type { Epilogue, PassWork } from '../../core/pass';
import { choosePath, type PathContext, pathsOf, type TimedPath } from '../../core/paths';
import { pathOf, workWithoutChoice } from '../../core/plan';
import { pathText } from '../../core/planText';
import type { BackendName, Engine } from '../engine';
import { pictureKindOf } from './measure';
import { type Effort, Stopwatch, type StopwatchOptions, Subject } from './stopwatch';

export interface CheckedPath {
  readonly path: string;
  readonly predicted: number;
  readonly measured: number;
  /** predicted / measured − 1. */
  readonly error: number;
}

/** One kernel on one kind of picture. */
export interface CheckedKernel {
  readonly picture: string;
  readonly kernel: string;
  /** Every path that could be the fastest, in milliseconds; the plan's choice first. */
  readonly paths: readonly CheckedPath[];
  readonly chosen: string;
  readonly best: string;
  /** Time of the choice over time of the best path, − 1. */
  readonly regret: number;
}

export interface CheckOptions extends StopwatchOptions {
  /** Pixels of the pictures in millions; where null, 12 of all kernels, and 24 of the kernels that pictures differ in most. */
  readonly megapixels: number | null;
  readonly kinds: readonly CostKind[];
  readonly progress?: (share: number) => void;
}

/** Kinds of pictures that people have. */
export const usualKinds: readonly CostKind[] = ['u8x4', 'u8x3', 'u8x1', 'u16x4', 'f32x4', 'f32x1'];

/** Paths predicted to take this many times as long as the best are not measured: they cannot be the best by mistake. */
const hopeless = 3;
/** How often all paths of a kernel are measured in turn, and what each turn takes. */
const rounds = 4;
/** Milliseconds of two rounds from which on there are no more: what disturbs them is a small part of them. */
const longRounds = 1500;
const effort: Effort = { runs: 1, milliseconds: 5 };
/** Milliseconds that a path may be expected to take and still be measured beside the choice. */
const longestPath = 4000;

/** Weights without a pattern: no rows and columns to find. */
function patternless(side: number): FilterParameters {
  let state = side;
  const weights = Array.from({ length: side * side }, () => {
    state = (state * 16807) % 2147483647;
    return 0.1 + state / 2147483647;
  });
  return { kind: 'custom', name: '', kernel: createKernel(side, side, weights) };
}

function gaussianOf(side: number): FilterParameters {
  const vector = [...gaussianVector(side / 6, side)];
  return { kind: 'custom', name: '', kernel: createKernel(side, side, vector.flatMap((y) => vector.map((x) => x * y))) }; // biome-ignore format: one kernel
}

type Kernels = readonly (readonly [string, FilterParameters])[];

/** Two of different widths. */
function twoGaussians(side: number): FilterParameters {
  const [narrow, wide] = [gaussianVector(side / 12, side), gaussianVector(side / 5, side)];
  const weights = Array.from({ length: side * side }, (_, cell) => {
    const [x, y] = [cell % side, Math.floor(cell / side)];
    return (narrow[x] ?? 0) * (narrow[y] ?? 0) + (wide[x] ?? 0) * (wide[y] ?? 0);
  });
  return { kind: 'custom', name: '', kernel: createKernel(side, side, weights) };
}

/** A row times a column without a pattern. */
function unevenProduct(side: number): FilterParameters {
  const taps = Array.from({ length: side }, (_, index) => 1 + Math.sin(index * index));
  return { kind: 'custom', name: '', kernel: createKernel(side, side, taps.flatMap((y) => taps.map((x) => x * y))) }; // biome-ignore format: one kernel
}

/** A row and a column through the middle, without a pattern. */
function crossOf(side: number): FilterParameters {
  const middle = (side - 1) / 2;
  const weights = Array.from({ length: side * side }, (_, cell) => {
    const [x, y] = [cell % side, Math.floor(cell / side)];
    return x === middle || y === middle ? Math.sqrt(cell + 2) : 0;
  });
  return { kind: 'custom', name: '', kernel: createKernel(side, side, weights) };
}

/** The kernels of the bench, and others between the points of the table. */
const kernels: Kernels = [
  ...[3, 5, 7, 11, 15, 31, 63, 127].map((side) => [`dense ${side}`, patternless(side)] as const),
  ...[9, 20].map((side) => [`dense ${side}`, patternless(side)] as const),
  ...[5, 9, 15, 31, 61].map((side) => [`Gaussian ${side}`, gaussianOf(side)] as const),
  ['sum of Gaussians 31', twoGaussians(31)],
  ['Gaussian σ 30', { kind: 'gaussian', sigma: 30 }],
  ['Gaussian σ 40', { kind: 'gaussian', sigma: 40 }],
  ['Gaussian σ 100', { kind: 'gaussian', sigma: 100 }],
  ['Gaussian σ 300', { kind: 'gaussian', sigma: 300 }],
  ['Laplacian of Gaussian σ 50', { kind: 'laplacianOfGaussian', sigma: 50 }],
  ...[5, 31, 101].map((width) => [`box ${width}`, { kind: 'box', width }] as const),
  ['Laplacian', { kind: 'laplacian', neighbours: 4 }],
  ['sharpen', { kind: 'sharpen', neighbours: 4, amount: 1 }],
  ['Sobel', { kind: 'sobel' }],
  ['Roberts', { kind: 'roberts' }],
  ['cross 5', crossOf(5)],
  ['unsharp mask σ 2', { kind: 'unsharp', sigma: 2, amount: 1, threshold: 0 }],
  ['unsharp mask σ 10', { kind: 'unsharp', sigma: 10, amount: 1, threshold: 0 }],
  ['uneven product 15', unevenProduct(15)],
  ['uneven product 61', unevenProduct(61)],
  ['Laplacian of Gaussian σ 3', { kind: 'laplacianOfGaussian', sigma: 3 }],
  ['lens 7', { kind: 'lens', radius: 7 }],
  ['lens 20', { kind: 'lens', radius: 20 }],
  ['motion 31', { kind: 'motion', length: 31, angle: 30 }],
  ['motion 101', { kind: 'motion', length: 101, angle: 45 }],
];

/** Those that larger pictures are checked with. */
const ofLargePictures: Kernels = kernels.filter(([name]) =>
  /^(dense (5|31|127)|Gaussian (9|61)|Gaussian σ 100|Laplacian of Gaussian σ 50|box 31|Sobel)$/.test(name),
);
const largeKinds: readonly CostKind[] = ['u8x4', 'f32x4'];

function filterOf(parameters: FilterParameters): Filter {
  return { ...catalogueEntry(parameters.kind).create('check', 'u8'), ...parameters };
}

interface PlannedPath {
  readonly path: string;
  readonly predicted: number;
  readonly work: PassWork;
  readonly epilogue: Epilogue;
}

/** Every path that could be the fastest, the plan's choice first. */
function pathsToMeasure(parameters: FilterParameters, context: PathContext): readonly PlannedPath[] {
  const form = filterForm(filterOf(parameters));
  if (form.kind === 'magnitude') {
    const work = workWithoutChoice(form);
    const path = pathOf(work);
    const predicted = predictMilliseconds(context.costs, context.picture, path);
    return predicted === null ? [] : [{ path: pathText(path), predicted, work, epilogue: form.epilogue }];
  }
  if (form.kind !== 'linear') return [];
  const own = { ...context, epilogue: form.epilogue };
  const chosen = pathText(choosePath(form.weights, { kind: 'auto' }, own).path);
  const all = pathsOf(form.weights, own, true);
  const least = all[0]?.milliseconds ?? 0;
  const isChosen = ({ path }: TimedPath) => pathText(path) === chosen;
  return all
    .filter((one) => isChosen(one) || (one.milliseconds <= hopeless * least && one.milliseconds <= longestPath))
    .toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
    .map(({ path, milliseconds, work }) => ({
      path: pathText(path),
      predicted: milliseconds,
      work: work(),
      epilogue: form.epilogue,
    }));
}

async function checkKernel(
  stopwatch: Stopwatch,
  subject: Subject,
  planned: readonly PlannedPath[],
): Promise<Omit<CheckedKernel, 'picture' | 'kernel'>> {
  // In turns, so that what else the computer does meets all of them alike.
  const times = planned.map(() => Number.POSITIVE_INFINITY);
  let spent = 0;
  for (let round = 0; round < rounds && (round < 2 || spent < longRounds); round += 1)
    for (const [index, { work, epilogue }] of planned.entries()) {
      const taken = await stopwatch.milliseconds(subject, work, effort, epilogue);
      times[index] = Math.min(times[index] ?? 0, taken);
      spent += taken;
    }
  const paths = planned.map(({ path, predicted }, index): CheckedPath => {
    const measured = times[index] ?? Number.NaN;
    return { path, predicted, measured, error: predicted / measured - 1 };
  });
  const best = paths.reduce((fastest, one) => (one.measured < fastest.measured ? one : fastest));
  const own = paths[0]?.measured ?? Number.NaN;
  return { paths, chosen: paths[0]?.path ?? '', best: best.path, regret: own / best.measured - 1 };
}

/** Of this many pixels, 4 : 3; of 24 megapixels 3 : 2, as the bench has them. */
function sizeOf(megapixels: number): Size {
  const width = megapixels === 24 ? 6000 : Math.round(Math.sqrt((megapixels * 1e6 * 4) / 3));
  return { width, height: Math.max(1, Math.round((megapixels * 1e6) / width)) };
}

/** Measures every kernel on every kind of picture. Throws what a run throws, and `cancelled`. */
export async function checkCosts(
  engine: Engine,
  backend: BackendName,
  table: CostTable,
  options: CheckOptions,
): Promise<readonly CheckedKernel[]> {
  const stopwatch = new Stopwatch(engine, backend, options);
  const { kinds, megapixels } = options;
  const all = kinds.map((kind) => ({ kind, size: sizeOf(megapixels ?? 12), of: kernels }));
  const large = largeKinds.filter((kind) => megapixels === null && kinds.includes(kind));
  const pictures = [...all, ...large.map((kind) => ({ kind, size: sizeOf(24), of: ofLargePictures }))];
  const count = pictures.reduce((sum, { of }) => sum + of.length, 0);
  const checked: CheckedKernel[] = [];
  let done = 0;
  for (const { kind, size, of } of pictures) {
    const picture: PictureKind = pictureKindOf(kind, size);
    const subject = await Subject.create(engine, picture);
    const name = of === kernels ? kind : `${kind} 24`;
    try {
      for (const [kernel, parameters] of of) {
        const planned = pathsToMeasure(parameters, { costs: table, picture });
        if (planned.length > 0)
          checked.push({ picture: name, kernel, ...(await checkKernel(stopwatch, subject, planned)) });
        done += 1;
        options.progress?.(done / count);
      }
    } finally {
      subject.release();
    }
  }
  return checked;
}

/** Shares of |error| and of regret over all rows: how many lie within the aims. */
export function summaryOf(checked: readonly CheckedKernel[]) {
  const errors = checked.flatMap(({ paths }) => paths.slice(0, 1).map(({ error }) => Math.abs(error)));
  const all = checked.flatMap(({ paths }) => paths.map(({ error }) => Math.abs(error)));
  const regrets = checked.map(({ regret }) => regret);
  const within = (values: readonly number[], limit: number) => values.filter((value) => value <= limit).length;
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? 0;
  return {
    kernels: checked.length,
    paths: all.length,
    /** Of the paths that the plan takes, and of all that were measured. */
    errorsWithin30: within(errors, 0.3),
    allErrorsWithin30: within(all, 0.3),
    medianError: median(all),
    largestError: Math.max(0, ...errors),
    regretsWithin10: within(regrets, 0.1),
    largestRegret: Math.max(0, ...regrets),
  };
}
