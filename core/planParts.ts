// A plan as it grows, filter by filter: the steps that make an image of a whole picture, and the passes after the last of
// them. Exact plans and drafts are put together here, so that both mix every filter with the same input.

import type { Filter } from './document';
import { passesAfterEdges } from './edgePlan';
import type { Size } from './geometry';
import { isMixed, type PassMix, type PlannedPicture, plainMix } from './mix';
import type { EdgeFilter, Pass, PassWork, SizeMode } from './pass';

/**
 * An image of its own that later passes read: the edges in what its passes make of their picture or, where there are none to
 * find, what they make itself, with which a filter of several passes is mixed.
 */
export interface PlanStep {
  /** How many of the enabled filters it comes from. */
  readonly filters: number;
  readonly passes: readonly Pass[];
  /** Indices of its passes whose rescale range waits for extremes, as in a plan. */
  readonly needsMeasure: readonly number[];
  readonly edges: EdgeFilter | null;
}

/** The steps in order, each one's passes from the image that the one before made, the first from the picture; and the rest. */
export interface PlanParts {
  readonly steps: readonly PlanStep[];
  readonly passes: readonly Pass[];
}

export const noParts: PlanParts = { steps: [], passes: [] };

/** Indices of the passes whose range waits to be measured. */
export function waitingRanges(passes: readonly Pass[]): readonly number[] {
  return passes.flatMap((pass, index) => (pass.range.kind === 'rescale' ? [index] : []));
}

function anchorOf(work: PassWork): { readonly anchorX: number; readonly anchorY: number } {
  if (work.kind === 'diffusion') return { anchorX: 1, anchorY: 1 };
  return work.kind === 'magnitude' ? work.x : work.weights;
}

/** Where the result's pixel (0, 0) lies in the picture: each `valid` pass starts at its anchor. */
export function resultOrigin({ steps, passes }: PlanParts): { readonly x: number; readonly y: number } {
  let x = 0;
  let y = 0;
  const move = (work: PassWork, size: SizeMode, repeat = 1) => {
    if (size === 'same') return;
    x += repeat * anchorOf(work).anchorX;
    y += repeat * anchorOf(work).anchorY;
  };
  for (const step of steps) {
    for (const pass of step.passes) move(pass.work, pass.size, pass.repeat);
    if (step.edges) move(step.edges.x, step.edges.size);
  }
  for (const pass of passes) move(pass.work, pass.size, pass.repeat);
  return { x, y };
}

/** The filter's input: its size, and the level of the picture that the plan is for. */
export interface FilterInput extends Size {
  readonly level: number;
}

/** How the filter is mixed with an input that begins at this place of the picture; undefined where it takes its place. */
function mixOf(
  { id, mix = plainMix, mask }: Filter,
  parts: PlanParts,
  { width, height, level }: FilterInput,
): PassMix | undefined {
  if (!isMixed({ mix, mask })) return undefined;
  if (mask === undefined) return mix;
  return { ...mix, mask: { kind: 'mask', filterId: id, width, height, level, ...resultOrigin(parts) } };
}

/** The parts with what they make as an image, where it is none yet. `filters`: enabled ones before. */
function asPicture({ steps, passes }: PlanParts, filters: number): PlanParts {
  if (passes.length === 0) return { steps, passes };
  return { steps: [...steps, { filters, passes, needsMeasure: waitingRanges(passes), edges: null }], passes: [] };
}

const pictureAfter = (steps: readonly PlanStep[]): PlannedPicture => ({ kind: 'picture', steps: steps.length });

/** The last pass apart from those before it; of one that repeats, its last time. */
export function lastApart(passes: readonly Pass[]): {
  readonly before: readonly Pass[];
  readonly last: Pass | undefined;
} {
  const last = passes.at(-1);
  if (last?.repeat === undefined) return { before: passes.slice(0, -1), last };
  const { repeat, ...once } = last;
  const others: Pass = repeat === 2 ? once : { ...once, repeat: repeat - 1 };
  return { before: [...passes.slice(0, -1), others], last: once };
}

/** Adds a filter that is these passes. */
export function addPasses(
  parts: PlanParts,
  filters: number,
  filter: Filter,
  passes: readonly Pass[],
  input: FilterInput,
): PlanParts {
  const mix = mixOf(filter, parts, input);
  const { before, last } = lastApart(passes);
  if (!mix || !last) return { ...parts, passes: [...parts.passes, ...passes] };
  // A threshold is the filter's own: it holds its result against what the mix mixes with too.
  if (before.length === 0) return { ...parts, passes: [...parts.passes, { ...last, mix: { ...last.mix, ...mix } }] };
  // Its input is gone by the time of its last pass, unless it is an image.
  const { steps } = asPicture(parts, filters);
  const whole: PassMix = { ...mix, input: { image: pictureAfter(steps), ...resultOrigin({ steps: [], passes }) } };
  // The last time's threshold is for its own input.
  if (last.mix) return { steps, passes: [...passes, mixingPass(filter, whole)] };
  return { steps, passes: [...before, { ...last, mix: whole }] };
}

/** A pass that only mixes what is there. */
function mixingPass({ alpha, light, range }: Filter, mix: PassMix): Pass {
  const weights = { width: 1, height: 1, anchorX: 0, anchorY: 0, weights: Float64Array.of(1), divisor: 1 };
  return {
    work: { kind: 'dense', weights },
    border: { kind: 'replicate' },
    size: 'same',
    alpha,
    light,
    epilogue: { result: 1, input: 0, offset: 0 },
    range: { kind: range === 'float' ? 'float' : 'clamp' },
    mix,
  };
}

/** Adds a search for edges, of which `share` is their brightness. */
export function addEdges(
  parts: PlanParts,
  filters: number,
  filter: Filter,
  edges: EdgeFilter,
  input: FilterInput,
  share = 1,
): PlanParts {
  const mix = mixOf(filter, parts, input);
  const { steps, passes } = mix ? asPicture(parts, filters) : parts;
  const step: PlanStep = { filters: filters + 1, passes, needsMeasure: waitingRanges(passes), edges };
  const after = passesAfterEdges(filter.range, share);
  if (!mix) return { steps: [...steps, step], passes: after };
  const own = resultOrigin({ steps: [{ ...step, passes: [] }], passes: [] });
  const mixing = mixingPass(filter, { ...mix, input: { image: pictureAfter(steps), ...own } });
  return { steps: [...steps, step], passes: [...after, mixing] };
}
