// A plan: the passes that a stack becomes, one for each enabled filter, with the reason for each path. It depends on the
// stack, the picture's size and the backend's costs, never on a tile, so that any tiling gives the same bytes.

import { type CostTable, type PictureKind, predictMilliseconds } from './costs';
import type { Filter, Stack } from './document';
import { type EdgeForm, type EdgeStep, passesAfterEdges, planEdges } from './edgePlan';
import { assertNever, ConvolveError } from './errors';
import { type FilterForm, filterForm, repeatOf } from './filterForm';
import type { Size } from './geometry';
import type { PassExplanation } from './ipc';
import { keptResults } from './keptResults';
import type { DenseWeights, Pass, PassWork, Range, RangeMode, SeparableWeights, SizeMode } from './pass';
import {
  type ChosenPath,
  choosePath,
  multiplyAdds,
  type PathChoice,
  type PathContext,
  requirePathOfMagnitude,
} from './paths';
import type { PassPath } from './planText';
import { shippedCosts } from './shippedCosts';

/** What to run, and why. */
export interface Plan {
  /** Searches for edges, in order; each one's passes run from the image that the one before made, the first from the picture. */
  readonly steps: readonly EdgeStep[];
  /** The passes after the last step. */
  readonly passes: readonly Pass[];
  /** One for each enabled filter, in the same order. */
  readonly explanations: readonly PassExplanation[];
  /** Indices of passes whose rescale range waits for the extremes of its picture, in the order to measure them. */
  readonly needsMeasure: readonly number[];
  /** Size of the result at level 0; `valid` passes shrink it. */
  readonly resultSize: Size;
}

export interface PlanOptions {
  /** The path of every linear filter; auto unless said. */
  readonly path?: PathChoice;
  /** The kinds of the paths that filters took another time, by their ids; they take the place of auto. */
  readonly again?: Readonly<Record<string, PassPath['kind']>>;
}

/** The extremes that `engine.measure` gives, as shares of full scale. */
export interface Extremes {
  readonly minimum: number;
  readonly maximum: number;
}

/** Width and height of a pass's kernel. */
export function kernelSize(work: PassWork): Size {
  switch (work.kind) {
    case 'dense':
    case 'sparse':
    case 'fft':
    case 'separable':
    case 'box':
      return { width: work.weights.width, height: work.weights.height };
    case 'magnitude':
      return { width: work.x.width, height: work.x.height };
    default:
      return assertNever(work);
  }
}

/** A range mode before anything is measured: rescale waits with 0…1. */
export function plannedRange(mode: RangeMode): Range {
  return mode === 'rescale' ? { kind: 'rescale', minimum: 0, maximum: 1 } : { kind: mode };
}

/** A gradient magnitude as a pass: one path, whatever was asked for, or a refusal. */
function magnitudePath(
  x: DenseWeights,
  y: DenseWeights,
  choice: PathChoice,
  { costs, picture }: PathContext,
): ChosenPath {
  requirePathOfMagnitude(choice);
  const path: PassPath = { kind: 'magnitude', width: x.width, height: x.height };
  return {
    work: { kind: 'magnitude', x, y },
    path,
    reason: { kind: 'twoSlopes' },
    multiplyAddsPerPixel: multiplyAdds(path),
    milliseconds: predictMilliseconds(costs, picture, path),
  };
}

/** The choice for a filter: what was asked for all of them, else the rank that it is held to. */
export function rankedChoice({ rank }: Pick<Filter, 'rank'>, choice: PathChoice = { kind: 'auto' }): PathChoice {
  return (choice.kind === 'auto' || choice.kind === 'again') && rank !== undefined ? { kind: 'rank', rank } : choice;
}

/** What is asked for of a filter's path. */
function choiceFor({ id }: Filter, { path = { kind: 'auto' }, again = {} }: PlanOptions): PathChoice {
  const kind = again[id];
  return path.kind === 'auto' && kind !== undefined ? { kind: 'again', path: kind } : path;
}

/** One filter as a pass. Throws ConvolveError `unsupported` for a path that it cannot take. */
function planFilter(
  filter: Filter,
  form: Exclude<FilterForm, EdgeForm>,
  choice: PathChoice,
  context: PathContext,
): { passes: readonly Pass[]; explanation: Omit<PassExplanation, 'keptBytes'> } {
  const chosen =
    form.kind === 'linear'
      ? choosePath(form.weights, rankedChoice(filter, choice), context)
      : magnitudePath(form.x, form.y, choice, context);
  const { border, size, alpha, light } = filter;
  const range = plannedRange(filter.range);
  const { path, reason, multiplyAddsPerPixel, milliseconds } = chosen;
  const times = repeatOf(filter);
  return {
    passes: repeated({ work: chosen.work, border, size, alpha, light, epilogue: form.epilogue, range }, times),
    explanation: {
      filterId: filter.id,
      path,
      reason,
      multiplyAddsPerPixel: multiplyAddsPerPixel * times,
      milliseconds: milliseconds === null ? null : milliseconds * times,
    },
  };
}

/** A pass as often as it repeats. A stretch waits for the last time: the extremes of each time before are no one's. */
export function repeated(pass: Pass, times: number): readonly Pass[] {
  if (times === 1) return [pass];
  if (pass.range.kind !== 'rescale') return [{ ...pass, repeat: times }];
  const before: Pass = { ...pass, range: { kind: 'float' } };
  return [times === 2 ? before : { ...before, repeat: times - 1 }, pass];
}

function shrink(filter: Filter, size: Size, work: PassWork): Size {
  if (filter.size === 'same') return size;
  const one = kernelSize(work);
  const times = repeatOf(filter);
  const kernel = { width: times * (one.width - 1) + 1, height: times * (one.height - 1) + 1 };
  if (kernel.width > size.width || kernel.height > size.height)
    throw new ConvolveError({
      code: 'invalidPlan',
      subject: filter.kind,
      expected: `${kernel.width} × ${kernel.height}`,
      actual: `${size.width} × ${size.height}`,
    });
  return { width: size.width - kernel.width + 1, height: size.height - kernel.height + 1 };
}

/** Indices of the passes whose range waits to be measured. */
export function waitingRanges(passes: readonly Pass[]): readonly number[] {
  return passes.flatMap((pass, index) => (pass.range.kind === 'rescale' ? [index] : []));
}

/** Where the result's pixel (0, 0) lies in the picture: each `valid` pass starts at its anchor. */
export function resultOrigin({ steps, passes }: Pick<Plan, 'steps' | 'passes'>): {
  readonly x: number;
  readonly y: number;
} {
  let x = 0;
  let y = 0;
  const move = (work: PassWork, size: SizeMode, repeat = 1) => {
    if (size === 'same') return;
    const weights = work.kind === 'magnitude' ? work.x : work.weights;
    x += repeat * weights.anchorX;
    y += repeat * weights.anchorY;
  };
  for (const step of steps) {
    for (const pass of step.passes) move(pass.work, pass.size, pass.repeat);
    move(step.edges.x, step.edges.size);
  }
  for (const pass of passes) move(pass.work, pass.size, pass.repeat);
  return { x, y };
}

/**
 * The plan of a stack over a picture, on the backend of `costs`. Filters that are switched off are left out; an empty plan
 * copies. Preview and export of a document are the same because both plan the whole picture with the same table.
 * Throws ConvolveError: `invalidKernel` (subject: the field), `unsupported` (subject: the path), `invalidPlan` where a
 * `valid` filter has a kernel larger than the picture (expected and actual are those two sizes).
 */
export function planStack(
  stack: Stack,
  image: PictureKind,
  options: PlanOptions = {},
  costs: CostTable = shippedCosts.cpu,
): Plan {
  let resultSize: Size = { width: image.width, height: image.height };
  const steps: EdgeStep[] = [];
  let passes: readonly Pass[] = [];
  const explanations: Omit<PassExplanation, 'keptBytes'>[] = [];
  const results: PictureKind[] = [];
  const filters = stack.filter(({ enabled }) => enabled).map((filter) => ({ filter, form: filterForm(filter) }));
  for (const { filter, form } of filters) {
    const path = choiceFor(filter, options);
    // Between filters values are floats.
    const sampleType = passes.length === 0 ? image.sampleType : 'f32';
    const picture = { ...resultSize, channels: image.channels, sampleType };
    if (form.kind === 'edges') {
      const choose = (weights: SeparableWeights) =>
        choosePath({ kind: 'separable', weights }, path, { costs, picture: { ...picture, sampleType: 'f32' } });
      const { edges, ...explanation } = planEdges(filter, form, choose);
      resultSize = shrink(filter, resultSize, edges.x);
      steps.push({ filters: explanations.length + 1, passes, needsMeasure: waitingRanges(passes), edges });
      passes = passesAfterEdges(filter.range);
      explanations.push({ filterId: filter.id, ...explanation });
      results.push({ ...image, ...resultSize });
      continue;
    }
    const { passes: made, explanation } = planFilter(filter, form, path, { costs, picture });
    for (const { work } of made.slice(-1)) resultSize = shrink(filter, resultSize, work);
    passes = [...passes, ...made];
    explanations.push(explanation);
    results.push({ ...image, ...resultSize });
  }
  const paths = explanations.map(({ path }) => path);
  const kept = costs.backend === 'cpu' ? keptResults(paths, results) : [];
  return {
    steps,
    passes,
    explanations: explanations.map((one, index) => ({ ...one, keptBytes: kept[index] ?? 0 })),
    needsMeasure: waitingRanges(passes),
    resultSize,
  };
}

/** The passes to give to `engine.measure` for the rescale range of pass `index`: all up to it, its own range left open. */
export function passesToMeasure(plan: Pick<Plan, 'passes'>, index: number): readonly Pass[] {
  return plan.passes
    .slice(0, index + 1)
    .map((pass, position) => (position === index ? { ...pass, range: { kind: 'float' } } : pass));
}

/** The plan with the extremes of pass `index` filled in; what is left to measure is in its `needsMeasure`. */
export function withMeasured<P extends Pick<Plan, 'passes' | 'needsMeasure'>>(
  plan: P,
  index: number,
  extremes: Extremes,
): P {
  const { minimum, maximum } = extremes;
  return {
    ...plan,
    passes: plan.passes.map((pass, position) =>
      position === index ? { ...pass, range: { kind: 'rescale', minimum, maximum } } : pass,
    ),
    needsMeasure: plan.needsMeasure.filter((position) => position !== index),
  };
}
