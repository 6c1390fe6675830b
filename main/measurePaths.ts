// How long one filter takes on this computer for the opened picture, by a path that is asked for: run for real, the least of
// a few runs, over as much of the picture as a time budget allows.

import type { Filter, Stack } from '../core/document';
import { ConvolveError } from '../core/errors';
import type { Rectangle } from '../core/geometry';
import type { PathMeasurement, ResultExtremes } from '../core/ipc';
import { createSamples } from '../core/pass';
import type { PathChoice } from '../core/paths';
import { waitFor } from './calibration/quiet';
import type { RenderSource } from './planImages';
import type { PreparedStack, Renderer } from './render';

/** Milliseconds that the runs of one path may take together, but for the one that is under way. */
const budget = 700;
const mostRuns = 5;
/** Pixels of the first, small run, which says how much of the picture the budget allows. */
const probePixels = 2 ** 17;
/** Samples of the largest result that is held in memory for it. */
const mostSamples = 2 ** 26;
/** How long nothing else may have been computed before a run, in milliseconds. */
const rest = 60;

/** Rows of the whole width from the middle of the picture. */
function middleRows({ width, height }: PreparedStack['size'], rows: number): Rectangle {
  const taken = Math.max(1, Math.min(height, Math.round(rows)));
  return { x: 0, y: Math.floor((height - taken) / 2), width, height: taken };
}

/** Measures one path of a filter that is applied to the picture alone. Rejects with `cancelled`, and as `prepare` and `run`. */
export async function measurePath(
  renderer: Renderer,
  source: RenderSource,
  filter: Filter,
  path: PathChoice,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<PathMeasurement> {
  const { rank: _rank, ...exact } = filter;
  const stack = [{ ...exact, enabled: true }];
  return renderer.steadily(async () => {
    const prepared = await renderer.prepare(source, stack, signal, { path });
    const { size, backend, image } = prepared;
    const time = async (region: Rectangle): Promise<number> => {
      while (renderer.idleFor() < rest) await waitFor(rest / 2, signal);
      const destination = createSamples(image.sampleType, region.width * region.height * image.channels);
      const started = now();
      await renderer.run(prepared, { region, level: 0 }, destination, signal);
      return now() - started;
    };
    const probe = middleRows(size, probePixels / size.width);
    // The first run also makes what later ones find made.
    await time(probe);
    const quick = await time(probe);
    const affordable = quick > 0 ? (probe.height * budget) / 2 / quick : size.height;
    const held = mostSamples / (size.width * image.channels);
    const region = middleRows(size, Math.max(probe.height, Math.min(affordable, held)));
    let least = Number.POSITIVE_INFINITY;
    let spent = 0;
    for (let run = 0; run < mostRuns && (run === 0 || spent < budget); run++) {
      const taken = await time(region);
      spent += taken;
      least = Math.min(least, taken);
    }
    const share = region.height / size.height;
    return { backend, milliseconds: least / share, share };
  });
}

/** The smallest and the largest value of a stack's result over the whole picture, as shares of full scale, before any range. */
export async function resultExtremes(
  renderer: Renderer,
  source: RenderSource,
  stack: Stack,
  signal: AbortSignal,
): Promise<ResultExtremes> {
  const last = stack.at(-1);
  if (last === undefined) throw new ConvolveError({ code: 'invalidArgument', subject: 'stack' });
  const measured: Stack = [...stack.slice(0, -1), { ...last, enabled: true, range: 'rescale' }];
  const prepared = await renderer.steadily(() => renderer.prepare(source, measured, signal));
  const range = prepared.passes.at(-1)?.range;
  if (range?.kind !== 'rescale') throw new ConvolveError({ code: 'unsupported', subject: last.kind });
  return { minimum: range.minimum, maximum: range.maximum };
}
