// What a search for edges knows of one pixel: its gradient, the thresholds, and its two neighbours across the edge. An edge
// is no sum of its neighbourhood, as its line may begin far away; native/engine/edges.cpp is what finds it.

import type { Filter } from '../core/document';
import { ConvolveError } from '../core/errors';
import { type DirectionExplanation, type EdgeExplanation, gradientAngle } from '../core/explain';
import { filterForm } from '../core/filterForm';
import { fullScale, type SeparableWeights } from '../core/pass';
import { srgbCurve, toLight } from '../core/toneCurve';
import { type ExplainedSource, readerOf } from './explain';
import { readNeighbourhood } from './neighbourhood';
import type { PreparedStack, Renderer } from './render';

/** The picture and its gradient are rounded to this many steps of full scale, as native/engine/edge_picture.h says. */
const steps = 65535;
/** tan 22.5°: below it a gradient counts as level, above 1 / it as upright. */
const tangent = Math.SQRT2 - 1;
/** Slope of a step from black to white by Sobel's weights, which the thresholds are percent of. */
const steepest = 4;

type Found =
  | Omit<EdgeExplanation, 'engine' | 'isLast' | 'mixed' | 'filterId' | 'isEdge'>
  | Omit<DirectionExplanation, 'engine' | 'isLast' | 'mixed' | 'filterId'>;

/** Explains the pixel (x, y) of the opened picture; `before` is what the filters before this one make. */
export async function explainEdges(
  renderer: Renderer,
  source: ExplainedSource,
  before: PreparedStack,
  filter: Filter,
  place: { readonly x: number; readonly y: number },
): Promise<Found> {
  const form = filterForm(filter);
  if (form.kind !== 'edges')
    throw new ConvolveError({ code: 'internal', subject: filter.kind, actual: 'no search for edges' });
  const x = place.x - before.start.x;
  const y = place.y - before.start.y;
  const { channels, alpha: hasAlpha, sampleType } = source.image;
  const colours = hasAlpha ? channels - 1 : channels;
  const full = fullScale[sampleType];
  const curve = source.light.curve ?? srgbCurve;
  const { width, height, anchorX, anchorY } = form.x;

  // The picture in steps under the windows of the pixel and its eight neighbours.
  const [wide, tall] = [width + 2, height + 2];
  const plane = new Float64Array(wide * tall * colours);
  const onBlack = hasAlpha && filter.alpha === 'weighted';
  const stepOf = (pixels: ArrayLike<number>, at: number, colour: number) => {
    const step = whole((pixels[at + colour] ?? 0) / full, steps);
    const lit = filter.light === 'linear' ? Math.fround(steps * toLight(curve, step / steps)) : step;
    const share = () => Math.fround(whole((pixels[at + colours] ?? 0) / full, steps) / steps);
    return onBlack ? Math.fround(lit * share()) : lit;
  };
  const { border } = filter;
  // The gradient's border is of the picture that is already light on black; alpha is no part of it.
  const outside = border.kind === 'constant' ? border.value * steps : 0;
  const window = { left: x - anchorX - 1, top: y - anchorY - 1, width: wide, height: tall };
  plane.fill(outside);
  await readNeighbourhood(readerOf(renderer, before, source), before.size, channels, border, window, (line) => {
    for (const row of line.cellRows)
      for (const [column, at] of line.columns.entries())
        if (at !== null)
          for (let colour = 0; colour < colours; colour += 1)
            plane[(row * wide + column) * colours + colour] = stepOf(line.pixels, at * channels, colour);
  });

  const gradientOf = (colour: number, dx: number, dy: number) => {
    const sample = (i: number, j: number) => plane[((j + dy) * wide + i + dx) * colours + colour] ?? 0;
    return { across: whole(separableSum(form.x, sample)), down: whole(separableSum(form.y, sample)) };
  };
  if (form.use === 'direction') {
    const gradients = Array.from({ length: colours }, (_, colour) => gradientOf(colour, 1, 1));
    const angles = gradients.map(({ across, down }) => gradientAngle(across, down));
    const range = filter.range === 'signed' ? 'signed' : 'plain';
    const values = angles.map((angle) => full * (range === 'signed' ? 0.5 + angle / 720 : angle / 360));
    const across = gradients.map((gradient) => gradient.across);
    const down = gradients.map((gradient) => gradient.down);
    return { ...{ kind: 'direction', x, y, across, down, angles, values, range }, fullScale: full };
  }
  const gradientAt = (dx: number, dy: number) => {
    let found = { length: 0, across: 0, down: 0, channel: 0 };
    for (let colour = 0; colour < colours; colour += 1) {
      const { across, down } = gradientOf(colour, dx, dy);
      const length = Math.hypot(across, down);
      if (length > found.length) found = { length, across, down, channel: colour };
    }
    return found;
  };
  const own = gradientAt(1, 1);
  const { dx, dy, strictBoth } = directionOf(own.across, own.down);
  const inside = (px: number, py: number) => {
    const [left, top, right, bottom] =
      filter.size === 'valid'
        ? [anchorX, anchorY, before.size.width - (width - 1 - anchorX), before.size.height - (height - 1 - anchorY)]
        : [0, 0, before.size.width, before.size.height];
    return px >= left && py >= top && px < right && py < bottom;
  };
  const lengthAt = (sx: number, sy: number) => (inside(x + sx, y + sy) ? gradientAt(1 + sx, 1 + sy).length : 0);
  const from = lengthAt(-dx, -dy);
  const to = lengthAt(dx, dy);
  const [low, high] = [form.low * steps, form.high * steps];
  const isLargest = own.length > from && (strictBoth ? own.length > to : own.length >= to);
  const verdict = !(own.length > low) ? 'flat' : !isLargest ? 'thinned' : own.length > high ? 'strong' : 'weak';
  const percent = (value: number) => (value / steps / steepest) * 100;
  return {
    ...{ kind: 'edges', x, y, channel: own.channel, verdict },
    across: percent(own.across),
    down: percent(own.down),
    length: percent(own.length),
    neighbours: [percent(from), percent(to)],
    low: percent(low),
    high: percent(high),
    kernelSize: width,
  };
}

/** The step to the neighbour across the edge: right, down, or along a diagonal, as the gradient lies. */
function directionOf(
  across: number,
  down: number,
): { readonly dx: number; readonly dy: number; readonly strictBoth: boolean } {
  const [level, upright] = [Math.abs(across), Math.abs(down)];
  const shallow = level * tangent;
  if (upright < shallow) return { dx: 1, dy: 0, strictBoth: false };
  if (upright > shallow + 2 * level) return { dx: 0, dy: 1, strictBoth: false };
  return { dx: across < 0 === down < 0 ? 1 : -1, dy: 1, strictBoth: true };
}

/** The product to the nearest whole number, halves to even, in single precision as the engine has it. */
function whole(value: number, factor = 1): number {
  const exact = Math.fround(Math.fround(value) * factor);
  const nearest = Math.round(exact);
  return nearest - exact === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
}

function separableSum(
  { pairs, width, height, divisor }: SeparableWeights,
  sample: (i: number, j: number) => number,
): number {
  let sum = 0;
  for (const { row, column } of pairs)
    for (let j = 0; j < height; j += 1) {
      let along = 0;
      for (let i = 0; i < width; i += 1) along += (row[i] ?? 0) * sample(i, j);
      sum += (column[j] ?? 0) * along;
    }
  return sum / divisor;
}
