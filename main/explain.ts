// How the selected filter makes one pixel: the samples that it reads, which are the exact results of the filters before it,
// its kernels over them, and every step to the code value; beside it what the engine makes of the same pixel.

import type { Filter, Stack } from '../core/document';
import { ConvolveError } from '../core/errors';
import {
  channelSteps,
  type ExplainedKernel,
  outsidePixel,
  type PixelArithmetic,
  type PixelExplanation,
  type SumExplanation,
  workingValue,
} from '../core/explain';
import { filterForm, repeatOf } from '../core/filterForm';
import type { Rectangle, Size } from '../core/geometry';
import { plainMix } from '../core/mix';
import { createSamples, type DiffusionStep, fullScale, type Pass } from '../core/pass';
import { lastApart } from '../core/planParts';
import { isApproximate } from '../core/rank';
import { srgbCurve } from '../core/toneCurve';
import type { PictureCurve } from './codec/profileCurve';
import { explainEdges } from './explainEdges';
import { type Cells, diffusionCells, diffusionWindow, gainOf, kernelsOf, shownCells } from './kernelCells';
import { type ReadRegion, readNeighbourhood } from './neighbourhood';
import type { RenderSource } from './planImages';
import type { PreparedStack, Renderer } from './render';

/** Reads code values: the picture's own numbers where no pass runs, else floats. */
export function readerOf(renderer: Renderer, prepared: PreparedStack, source: RenderSource): ReadRegion {
  const { channels, sampleType } = prepared.image;
  const scale = fullScale[source.image.sampleType] / fullScale[sampleType];
  return async (region: Rectangle) => {
    const length = region.width * region.height * channels;
    if (prepared.passes.length === 0) {
      const samples = createSamples(sampleType, length);
      await renderer.run(prepared, { region, level: 0 }, samples);
      return scale === 1 ? samples : Float64Array.from(samples, (value) => value * scale);
    }
    const samples = new Float64Array(length);
    await renderer.run(prepared, { region, level: 0 }, samples);
    const full = fullScale[source.image.sampleType];
    return full === 1 ? samples : samples.map((value) => value * full);
  };
}

/** A picture whose pixels are explained: with the curve of its linear light, null for sRGB's. */
export interface ExplainedSource extends RenderSource {
  readonly light: Pick<PictureCurve, 'kind' | 'curve'>;
}

interface PixelPlace {
  readonly x: number;
  readonly y: number;
}

/**
 * How the filter makes the pixel (x, y) of the opened picture; null where the filter is not in the stack or is switched off,
 * or where its result, made smaller by `valid` filters, has no such pixel.
 */
export async function explainPixel(
  renderer: Renderer,
  source: ExplainedSource,
  stack: Stack,
  filterId: string,
  { x, y }: PixelPlace,
): Promise<PixelExplanation | null> {
  return renderer.steadily(() => explainOnce(renderer, source, stack, filterId, { x, y }));
}

async function explainOnce(
  renderer: Renderer,
  source: ExplainedSource,
  stack: Stack,
  filterId: string,
  place: PixelPlace,
): Promise<PixelExplanation | null> {
  const working = stack.filter(({ enabled }) => enabled);
  const index = working.findIndex(({ id }) => id === filterId);
  const filter = working[index];
  if (filter === undefined) return null;
  const prepared = await renderer.prepare(source, working.slice(0, index + 1));
  const at = { x: place.x - prepared.start.x, y: place.y - prepared.start.y };
  const { width, height } = prepared.size;
  if (at.x < 0 || at.y < 0 || at.x >= width || at.y >= height) return null;
  const isLast = index === working.length - 1;
  const engine = await enginePixel(renderer, source, prepared, at, isLast);
  const { mix, mask, ...plain } = filter;
  const mixed = mix === undefined && mask === undefined ? null : { mix: mix ?? plainMix, masked: mask !== undefined };
  const result = { filterId, engine, isLast, mixed };
  if (filterForm(filter).kind === 'edges') {
    const before = await renderer.prepare(source, working.slice(0, index));
    const found = await explainEdges(renderer, source, before, filter, place);
    return found.kind === 'direction' ? { ...found, ...result } : { ...found, ...result, isEdge: (engine[0] ?? 0) > 0 };
  }
  // The steps are those of the filter alone: how its result enters its input comes after them.
  const alone = mixed === null ? prepared : await renderer.prepare(source, [...working.slice(0, index), plain]);
  const pass = alone.passes.at(-1);
  if (pass === undefined)
    throw new ConvolveError({ code: 'internal', subject: filter.kind, actual: 'a filter without a pass' });
  return { ...(await explainSum(renderer, source, alone, filter, pass, place)), ...result };
}

/** What the engine gives: the picture's depth for the last filter, floats in between. */
async function enginePixel(
  renderer: Renderer,
  source: RenderSource,
  prepared: PreparedStack,
  { x, y }: PixelPlace,
  isLast: boolean,
): Promise<readonly number[]> {
  const region = { x, y, width: 1, height: 1 };
  if (!isLast) return Array.from(await readerOf(renderer, prepared, source)(region));
  const samples = createSamples(source.image.sampleType, source.image.channels);
  await renderer.run(prepared, { region, level: 0 }, samples);
  return [...samples];
}

async function explainSum(
  renderer: Renderer,
  source: ExplainedSource,
  prepared: PreparedStack,
  filter: Filter,
  pass: Pass,
  place: PixelPlace,
): Promise<Omit<SumExplanation, 'engine' | 'isLast' | 'mixed' | 'filterId'>> {
  const { channels, alpha: hasAlpha, sampleType } = source.image;
  const diffusion = pass.work.kind === 'diffusion' ? pass.work : null;
  const known = kernelsOf(filter, pass.work);
  const first = diffusion === null ? known[0] : diffusionWindow;
  if (first === undefined)
    throw new ConvolveError({ code: 'internal', subject: filter.kind, actual: 'a pass without a kernel' });
  const passes = lastApart(prepared.passes).before;
  const shift = pass.size === 'valid' ? { x: first.anchorX, y: first.anchorY } : { x: 0, y: 0 };
  const input: PreparedStack = {
    ...prepared,
    passes,
    start: { x: prepared.start.x - shift.x, y: prepared.start.y - shift.y },
  };
  const x = place.x - input.start.x;
  const y = place.y - input.start.y;
  const size =
    pass.size === 'valid'
      ? { width: prepared.size.width + first.width - 1, height: prepared.size.height + first.height - 1 }
      : prepared.size;
  const read = readerOf(renderer, input, source);
  const plain: PixelArithmetic = {
    ...{ channels, hasAlpha, sampleType, fullScale: fullScale[sampleType] },
    ...{
      alpha: pass.alpha,
      light: pass.light,
      curve: source.light.curve ?? srgbCurve,
      range: pass.range,
      border: pass.border,
      size: pass.size,
    },
    epilogue: pass.epilogue,
    gain: 0,
    threshold: (pass.mix?.threshold ?? 0) * fullScale[sampleType],
  };
  const cells = diffusion === null ? known : [await cellsOfPixel(read, size, plain, diffusion, { x, y })];
  const [sum, second] = cells;
  const arithmetic = { ...plain, gain: !hasAlpha || !sum || second ? 0 : gainOf(sum, pass.epilogue) };
  const kernels: ExplainedKernel[] = [];
  for (const one of cells) kernels.push(await explainKernel(read, size, arithmetic, one, { x, y }));
  const own = Array.from(await read({ x, y, width: 1, height: 1 }));
  const { steps, hidden } = channelSteps(arithmetic, kernels, own);
  return {
    ...{ kind: 'sum', x, y, arithmetic, kernels, own, steps, hidden },
    times: repeatOf(filter),
    diffusion,
    approximateRank: isApproximate(filter) ? (filter.rank ?? null) : null,
  };
}

/** The weights that a diffusion gives the pixel. */
async function cellsOfPixel(
  read: ReadRegion,
  picture: Size,
  arithmetic: PixelArithmetic,
  step: DiffusionStep,
  place: PixelPlace,
): Promise<Cells> {
  const ones = Float64Array.of(1, 1, 1);
  const { samples } = await explainKernel(
    read,
    picture,
    arithmetic,
    { ...diffusionWindow, divisor: 1, row: () => ones },
    place,
  );
  const { channels } = arithmetic;
  const working = samples.map((_, index) =>
    workingValue(samples, index - (index % channels), index % channels, arithmetic),
  );
  return diffusionCells(step, working, arithmetic);
}

async function explainKernel(
  read: ReadRegion,
  picture: { readonly width: number; readonly height: number },
  arithmetic: PixelArithmetic,
  cells: Cells,
  { x, y }: PixelPlace,
): Promise<ExplainedKernel> {
  const { channels, border } = arithmetic;
  const { width, height, anchorX, anchorY, divisor } = cells;
  const shown = shownCells(cells);
  const weights = new Float64Array(shown.width * shown.height);
  const samples = new Float64Array(weights.length * channels);
  const sources = new Uint8Array(weights.length);
  const listed = new Float64Array(channels);
  const rest = new Float64Array(channels);
  let bordered = 0;
  const window = { left: x - anchorX, top: y - anchorY, width, height };
  const outside = outsidePixel(border, arithmetic);
  const outsideWorking = Float64Array.from(outside, (_, channel) => workingValue(outside, 0, channel, arithmetic));

  const columnInside = Array.from({ length: width }, (_, column) => {
    const at = window.left + column;
    return at >= 0 && at < picture.width;
  });

  /** Adds a row of cells. `places`: where the pixel under each starts in `stored` and `worked`, or −1 for outside. */
  const add = (row: number, places: Int32Array, stored: ArrayLike<number>, worked: Float64Array, isInside: boolean) => {
    const own = cells.row(row);
    const j = row - shown.y;
    const hasShown = j >= 0 && j < shown.height;
    for (let column = 0; column < width; column += 1) {
      const weight = own[column] ?? 0;
      const place = places[column] ?? -1;
      const values = place < 0 ? outsideWorking : worked;
      const at = Math.max(0, place);
      const i = column - shown.x;
      const isShown = hasShown && i >= 0 && i < shown.width;
      const sums = isShown ? listed : rest;
      for (let channel = 0; channel < channels; channel += 1)
        sums[channel] = (sums[channel] ?? 0) + weight * (values[at + channel] ?? 0);
      const source = place < 0 ? 2 : isInside && columnInside[column] ? 0 : 1;
      if (!isShown) {
        if (source > 0) bordered += 1;
        continue;
      }
      const cell = j * shown.width + i;
      weights[cell] = weight;
      sources[cell] = source;
      const from = place < 0 ? outside : stored;
      for (let channel = 0; channel < channels; channel += 1)
        samples[cell * channels + channel] = from[at + channel] ?? 0;
    }
  };

  const { outsideRows } = await readNeighbourhood(read, picture, channels, border, window, (line) => {
    const worked = new Float64Array(line.pixels.length);
    for (let at = 0; at < worked.length; at += channels)
      for (let channel = 0; channel < channels; channel += 1)
        worked[at + channel] = workingValue(line.pixels, at, channel, arithmetic);
    const places = Int32Array.from(line.columns, (column) => (column === null ? -1 : column * channels));
    for (const row of line.cellRows) {
      const at = window.top + row;
      add(row, places, line.pixels, worked, at >= 0 && at < picture.height);
    }
  });
  const nowhere = new Int32Array(width).fill(-1);
  for (const row of outsideRows) add(row, nowhere, outside, outsideWorking, false);

  return {
    ...{ width, height, anchorX, anchorY, divisor, shown, weights, samples, sources },
    rest: { count: width * height - weights.length, bordered, sums: [...rest] },
    sums: Array.from(listed, (sum, channel) => sum + (rest[channel] ?? 0)),
  };
}
