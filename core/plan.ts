// A plan: the passes that a stack becomes, one for each enabled filter, with the reason for each path. It depends on the
// stack, the picture's size and the backend's costs, never on a tile, so that any tiling gives the same bytes.

import { type CostTable, type PictureKind, predictMilliseconds } from './costs';
import type { Filter, Stack } from './document';
import { type EdgeForm, planEdges } from './edgePlan';
import { assertNever, ConvolveError } from './errors';
import { type FilterForm, filterForm, repeatOf } from './filterForm';
import type { Size } from './geometry';
import { densePath, sparsePath } from './gridWeights';
import type { PassExplanation } from './ipc';
import { keptResults } from './keptResults';
import { plainMix } from './mix';
import { separablePath } from './pairWeights';
import type { Epilogue, Pass, PassWork, Range, RangeMode, SeparableWeights } from './pass';
import {
  type ChosenPath,
  choosePath,
  multiplyAdds,
  type PathChoice,
  type PathContext,
  requireNoOtherPath,
} from './paths';
import { addEdges, addPasses, noParts, type PlanParts, waitingRanges } from './planParts';
import type { PassPath } from './planText';
import { shippedCosts } from './shippedCosts';

/** What to run, and why. */
export interface Plan extends PlanParts {
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
    case 'diffusion':
      return { width: 3, height: 3 };
    default:
      return assertNever(work);
  }
}

/** The path by which a pass runs its work. */
export function pathOf(work: PassWork, epilogue?: Epilogue): PassPath {
  const size = kernelSize(work);
  switch (work.kind) {
    case 'dense':
      return densePath(work.weights);
    case 'separable':
      return separablePath(work.weights, epilogue);
    case 'sparse':
      return sparsePath(work.weights);
    default:
      return { kind: work.kind, ...size };
  }
}

/** A range mode before anything is measured: rescale waits with 0…1. */
export function plannedRange(mode: RangeMode): Range {
  return mode === 'rescale' ? { kind: 'rescale', minimum: 0, maximum: 1 } : { kind: mode };
}

type FormWithoutChoice = Extract<FilterForm, { kind: 'magnitude' | 'diffusion' }>;

/** The work of a form that runs in one way only. */
export function workWithoutChoice(form: FormWithoutChoice): Extract<PassWork, { kind: 'magnitude' | 'diffusion' }> {
  if (form.kind === 'magnitude') return { kind: 'magnitude', x: form.x, y: form.y };
  const { stopping, conductance, rate } = form;
  return { kind: 'diffusion', stopping, conductance, rate };
}

/** A gradient magnitude or a diffusion as a pass: one path, whatever was asked for, or a refusal. */
function onePath(form: FormWithoutChoice, choice: PathChoice, { costs, picture }: PathContext): ChosenPath {
  requireNoOtherPath(
    choice,
    form.kind === 'magnitude' ? 'two kernels, a gradient' : 'weights that every pixel has its own of',
  );
  const work = workWithoutChoice(form);
  const path: PassPath = { kind: work.kind, ...kernelSize(work) };
  return {
    work,
    path,
    reason: { kind: work.kind === 'magnitude' ? 'twoSlopes' : 'ownWeights' },
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
      ? choosePath(form.weights, rankedChoice(filter, choice), { ...context, epilogue: form.epilogue })
      : onePath(form, choice, context);
  const { border, size, alpha, light } = filter;
  const range = plannedRange(filter.range);
  const { path, reason, multiplyAddsPerPixel, milliseconds } = chosen;
  const times = repeatOf(filter);
  const pass: Pass = { work: chosen.work, border, size, alpha, light, epilogue: form.epilogue, range };
  return {
    passes: repeated(pass, times, form.kind === 'linear' ? form.threshold : undefined),
    explanation: {
      filterId: filter.id,
      path,
      reason,
      multiplyAddsPerPixel: multiplyAddsPerPixel * times,
      milliseconds: milliseconds === null ? null : milliseconds * times,
    },
  };
}

/**
 * A pass as often as it repeats. A stretch waits for the last time: the extremes of each time before are no one's. With a
 * threshold, a share of full scale, each time is a pass that holds its result against its own input.
 */
export function repeated(pass: Pass, times: number, threshold?: number): readonly Pass[] {
  if (threshold !== undefined) {
    const mixed: Pass = { ...pass, mix: { ...plainMix, threshold } };
    const before: Pass = pass.range.kind === 'rescale' ? { ...mixed, range: { kind: 'float' } } : mixed;
    return Array.from({ length: times }, (_, index) => (index === times - 1 ? mixed : before));
  }
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

/**
 * The samples at whose costs a filter runs that reads or leaves values in between: floats. The CPU filters 16-bit pictures in
 * float64 all through, and bytes by whole numbers only where a filter goes from picture to picture.
 */
export function typeBetween({ sampleType }: PictureKind, { backend }: CostTable): PictureKind['sampleType'] {
  return backend === 'cpu' && sampleType === 'u16' ? 'u16' : 'f32';
}

/** What costs look at: an image of the engine has it behind its prototype, where it cannot be spread. */
function kindOf({ width, height, channels, sampleType, alpha }: PictureKind): PictureKind {
  const kind = { width, height, channels, sampleType };
  return alpha === undefined ? kind : { ...kind, alpha };
}

/** The picture at whose costs filter `index` of `count` enabled ones runs; `isFiltered`: something was filtered before it. */
export function costPicture<P extends PictureKind>(
  image: P,
  { index, count, isFiltered }: { readonly index: number; readonly count: number; readonly isFiltered: boolean },
  costs: CostTable,
): P {
  const between = isFiltered || (costs.backend === 'cpu' && index + 1 < count);
  return between ? { ...image, sampleType: typeBetween(image, costs) } : image;
}

/**
 * The plan of a stack over a picture, on the backend of `costs`. Filters that are switched off are left out; an empty plan
 * copies. Preview and export of a document are the same because both plan the whole picture with the same table.
 * Throws ConvolveError: `invalidKernel` (subject: the field), `unsupported` (subject: the path), `invalidPlan` where a
 * `valid` filter has a kernel larger than the picture (expected and actual are those two sizes).
 */
export function planStack(
  stack: Stack,
  picture: PictureKind,
  options: PlanOptions = {},
  costs: CostTable = shippedCosts.cpu,
): Plan {
  const image = kindOf(picture);
  let resultSize: Size = { width: image.width, height: image.height };
  let parts = noParts;
  const explanations: Omit<PassExplanation, 'keptBytes'>[] = [];
  const results: PictureKind[] = [];
  const filters = stack.filter(({ enabled }) => enabled).map((filter) => ({ filter, form: filterForm(filter) }));
  for (const [index, { filter, form }] of filters.entries()) {
    const path = choiceFor(filter, options);
    const isFiltered = parts.passes.length > 0 || parts.steps.at(-1)?.edges === null;
    const read = { ...costPicture(image, { index, count: filters.length, isFiltered }, costs), ...resultSize };
    const input = { ...resultSize, level: 0 };
    if (form.kind === 'edges') {
      const choose = (weights: SeparableWeights) =>
        choosePath({ kind: 'separable', weights }, path, { costs, picture: { ...read, sampleType: 'f32' } });
      const { edges, ...explanation } = planEdges(filter, form, choose);
      resultSize = shrink(filter, resultSize, edges.x);
      parts = addEdges(parts, index, filter, edges, input);
      explanations.push({ filterId: filter.id, ...explanation });
    } else {
      const { passes, explanation } = planFilter(filter, form, path, { costs, picture: read });
      for (const { work } of passes.slice(-1)) resultSize = shrink(filter, resultSize, work);
      parts = addPasses(parts, index, filter, passes, input);
      explanations.push(explanation);
    }
    results.push({ ...image, ...resultSize });
  }
  const paths = explanations.map(({ path }) => path);
  const kept = costs.backend === 'cpu' ? keptResults(paths, results) : [];
  return {
    ...parts,
    explanations: explanations.map((one, index) => ({ ...one, keptBytes: kept[index] ?? 0 })),
    needsMeasure: waitingRanges(parts.passes),
    resultSize,
  };
}

/** The passes to give to `engine.measure` for the rescale range of pass `index`: all up to it, its own range left open. */
export function passesToMeasure(plan: Pick<Plan, 'passes'>, index: number): readonly Pass[] {
  return plan.passes.slice(0, index + 1).map((pass, position) => {
    if (position !== index) return pass;
    const { mix: _after, ...filtered } = pass;
    return { ...filtered, range: { kind: 'float' } };
  });
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
