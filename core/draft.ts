// The draft of a stack: passes for a picture reduced by 2^level, quick and close to the exact result, shown only while the
// exact one is on its way. Lengths shrink with the picture; grids are resampled.

import type { CostTable, PictureKind } from './costs';
import type { Filter, FilterParameters, Stack } from './document';
import { type EdgeForm, planEdges } from './edgePlan';
import { type FilterForm, filterForm, type LinearWeights, pairsOf, repeatOf } from './filterForm';
import { type Size, sizeAtLevel } from './geometry';
import { sumOf } from './kernel';
import type { DenseWeights, Pass, RankPair, SeparableWeights } from './pass';
import { choosePath, type PathContext } from './paths';
import { type Plan, plannedRange, rankedChoice, repeated, workWithoutChoice } from './plan';
import { addEdges, addPasses, noParts, type PlanParts, resultOrigin, waitingRanges } from './planParts';
import { shippedCosts } from './shippedCosts';

/** Passes for the picture at `level`; they keep its size, so `valid` filters are cut by origin and resultSize instead. */
export interface DraftPlan extends PlanParts, Pick<Plan, 'needsMeasure'> {
  readonly level: number;
  /** Where the result's pixel (0, 0) lies in the passes' output, in whole pixels of `level`. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Size of the exact result at `level`. */
  readonly resultSize: Size;
}

/** Spreads weights at offsets divided by `block` onto whole offsets, linearly: the sum and the first moment are kept. */
function resampleVector(values: Float64Array, anchor: number, block: number): { values: Float64Array; anchor: number } {
  const first = Math.floor(-anchor / block);
  const last = Math.ceil((values.length - 1 - anchor) / block);
  const result = new Float64Array(last - first + 1);
  values.forEach((value, index) => {
    const place = (index - anchor) / block - first;
    const cell = Math.floor(place);
    const share = place - cell;
    result[cell] = (result[cell] ?? 0) + value * (1 - share);
    if (share > 0) result[cell + 1] = (result[cell + 1] ?? 0) + value * share;
  });
  return { values: result, anchor: -first };
}

/** The same for a grid: first every row, then every column of what that gives. */
function resampleGrid(weights: DenseWeights, block: number): DenseWeights {
  const rows = Array.from({ length: weights.height }, (_, y) =>
    resampleVector(weights.weights.slice(y * weights.width, (y + 1) * weights.width), weights.anchorX, block),
  );
  const width = rows[0]?.values.length ?? 1;
  const columns = Array.from({ length: width }, (_, x) =>
    resampleVector(
      Float64Array.from(rows, (row) => row.values[x] ?? 0),
      weights.anchorY,
      block,
    ),
  );
  const height = columns[0]?.values.length ?? 1;
  const grid = new Float64Array(width * height);
  columns.forEach((column, x) => {
    column.values.forEach((value, y) => {
      grid[y * width + x] = value;
    });
  });
  const anchorX = rows[0]?.anchor ?? 0;
  const anchorY = columns[0]?.anchor ?? 0;
  return { width, height, anchorX, anchorY, weights: grid, divisor: weights.divisor };
}

function resampleLinear(linear: LinearWeights, block: number): LinearWeights {
  if (linear.kind === 'dense') return { kind: 'dense', weights: resampleGrid(linear.weights, block) };
  const { anchorX, anchorY, divisor } = linear.weights;
  // The rim of a reduced box is a share of a pixel, so that it is a row and a column like any other.
  const pairs: RankPair[] = pairsOf(linear).map(({ column, row }) => ({
    column: resampleVector(column, anchorY, block).values,
    row: resampleVector(row, anchorX, block).values,
  }));
  const width = pairs[0]?.row.length ?? 1;
  const height = pairs[0]?.column.length ?? 1;
  const moved = (anchor: number) => -Math.floor(-anchor / block);
  return {
    kind: 'separable',
    weights: { width, height, anchorX: moved(anchorX), anchorY: moved(anchorY), pairs, divisor },
  };
}

/** Parameters in pixels of the level, for kinds whose formula knows what a shorter length means; null for the others. */
function scaledParameters(filter: FilterParameters, block: number): FilterParameters | null {
  switch (filter.kind) {
    case 'gaussian':
    case 'unsharp':
    case 'localContrast':
    case 'differenceOfGaussians':
    case 'highPass':
    case 'canny':
      return { ...filter, sigma: filter.sigma / block };
    case 'lens':
      return { ...filter, radius: filter.radius / block };
    case 'motion':
      return { ...filter, length: Math.max(1, filter.length / block) };
    case 'diffusion': {
      // Time shrinks with the area of a pixel.
      const share = filter.iterations / block ** 2;
      const iterations = Math.ceil(share);
      return { ...filter, iterations, rate: filter.rate * (share / iterations) };
    }
    default:
      return null;
  }
}

/** The slope that a search for edges sees in a step of 1: the kernel's weights on one side of it. */
function stepSlope({ x }: EdgeForm): number {
  const { column = new Float64Array(), row = new Float64Array() } = x.pairs[0] ?? {};
  return sumOf(column) * sumOf(row.subarray(Math.ceil(row.length / 2)));
}

/** A reduced picture is less blurred a pixel, so its steps are steeper: the thresholds rise as much. */
function draftEdges(form: EdgeForm, filter: FilterParameters): EdgeForm {
  const exact = filterForm(filter);
  const steeper = exact.kind === 'edges' ? stepSlope(form) / stepSlope(exact) : 1;
  return { ...form, low: form.low * steeper, high: form.high * steeper };
}

/** The form of a filter on a picture reduced by blocks of `block` × `block` pixels. */
export function draftForm(filter: FilterParameters, block: number): FilterForm {
  const scaled = scaledParameters(filter, block);
  const form = filterForm(scaled ?? filter);
  if (form.kind === 'edges') return form.use === 'direction' ? form : draftEdges(form, filter);
  if (scaled || form.kind === 'diffusion') return form;
  if (form.kind === 'linear') return { ...form, weights: resampleLinear(form.weights, block) };
  return { ...form, x: resampleGrid(form.x, block), y: resampleGrid(form.y, block) };
}

function draftPasses(
  filter: Filter,
  form: Exclude<FilterForm, EdgeForm>,
  block: number,
  context: PathContext,
): readonly Pass[] {
  const { border, alpha, light } = filter;
  const work =
    form.kind === 'linear' ? choosePath(form.weights, rankedChoice(filter), context).work : workWithoutChoice(form);
  const range = plannedRange(filter.range);
  const times = repeatOf({ ...filter, ...scaledParameters(filter, block) });
  const pass: Pass = { work, border, size: 'same', alpha, light, epilogue: form.epilogue, range };
  return repeated(pass, times, form.kind === 'linear' ? form.threshold : undefined);
}

/**
 * The draft of a stack for a picture at `level` ≥ 0, where it is `picture`. Rescale ranges wait for extremes as in a plan
 * (core/plan.ts `passesToMeasure` and `withMeasured` take a DraftPlan too). `exact` is the stack's plan at level 0.
 */
export function planDraft(
  stack: Stack,
  exact: PlanParts & Pick<Plan, 'resultSize'>,
  level: number,
  picture: PictureKind,
  costs: CostTable = shippedCosts.cpu,
): DraftPlan {
  const block = 2 ** level;
  let parts = noParts;
  const filters = stack.filter(({ enabled }) => enabled).map((filter) => ({ filter, form: draftForm(filter, block) }));
  for (const [index, { filter, form }] of filters.entries()) {
    const context = { costs, picture };
    const input = { width: picture.width, height: picture.height, level };
    if (form.kind !== 'edges') {
      parts = addPasses(parts, index, filter, draftPasses(filter, form, block, context), input);
      continue;
    }
    const choose = (weights: SeparableWeights) => choosePath({ kind: 'separable', weights }, { kind: 'auto' }, context);
    const { edges } = planEdges({ ...filter, size: 'same' }, form, choose);
    // A line one pixel across takes that share of a block of the exact result.
    parts = addEdges(parts, index, filter, edges, input, edges.use === 'direction' ? 1 : 1 / block);
  }
  const { x, y } = resultOrigin(exact);
  return {
    ...parts,
    needsMeasure: waitingRanges(parts.passes),
    level,
    origin: { x: Math.round(x / block), y: Math.round(y / block) },
    resultSize: sizeAtLevel(exact.resultSize, level),
  };
}
