// The histogram of a result: every exact pixel of the whole picture, computed in bands and counted in small pieces between
// which the event loop turns; or, at once, of a draft.

import type { Stack } from '../core/document';
import { ConvolveError } from '../core/errors';
import { type Histogram, HistogramCounter } from '../core/histogram';
import { createSamples } from '../core/pass';
import type { RenderSource } from './planImages';
import type { PreparedStack, Renderer } from './render';
import { draftLevelFor } from './viewDrafts';

/** Pixels of a band: large beside the rows that a kernel reaches, small beside a picture. */
const bandPixels = 1 << 21;
/** Pixels counted between two turns of the event loop: about a millisecond. */
const piecePixels = 1 << 17;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Counts the picture through a stack. Rejects with `cancelled` soon after `signal` aborts. */
export async function countHistogram(
  renderer: Renderer,
  source: RenderSource,
  stack: Stack,
  quality: 'draft' | 'exact',
  signal: AbortSignal,
): Promise<Histogram> {
  const { width, height } = source.image;
  return renderer.steadily(async () => {
    const prepared =
      quality === 'exact'
        ? await renderer.prepare(source, stack, signal)
        : await renderer.prepareDraft(
            source,
            stack,
            draftLevelFor({ level: 0, visible: { x: 0, y: 0, width, height } }),
            signal,
          );
    return count(renderer, prepared, source, signal);
  });
}

async function count(
  renderer: Renderer,
  prepared: PreparedStack,
  source: RenderSource,
  signal: AbortSignal,
): Promise<Histogram> {
  const { channels, alpha, sampleType } = source.image;
  const { width, height } = prepared.size;
  const counter = new HistogramCounter(sampleType, channels, alpha);
  const rows = Math.min(height, Math.max(1, Math.floor(bandPixels / width)));
  const samples = createSamples(sampleType, width * rows * channels);
  for (let y = 0; y < height; y += rows) {
    const bandRows = Math.min(rows, height - y);
    const band = samples.subarray(0, width * bandRows * channels);
    await renderer.run(prepared, { region: { x: 0, y, width, height: bandRows }, level: 0 }, band, signal);
    for (let first = 0; first < width * bandRows; first += piecePixels) {
      if (signal.aborted) throw new ConvolveError({ code: 'cancelled' });
      counter.add(band, first, Math.min(width * bandRows, first + piecePixels));
      await turn();
    }
  }
  return counter.result();
}
