// One pixel's values before any filter and after the stack, in code values of the picture's depth.

import type { Stack } from '../core/document';
import type { PixelValues } from '../core/ipc';
import { createSamples } from '../core/pass';
import type { RenderSource } from './planImages';
import type { Renderer } from './render';

/**
 * The values at (x, y) of the opened picture. `before` is empty outside the picture, `after` where the result, made smaller
 * by `valid` filters, has no such pixel.
 */
export async function inspectPixel(
  renderer: Renderer,
  source: RenderSource,
  stack: Stack,
  x: number,
  y: number,
): Promise<PixelValues> {
  return renderer.steadily(() => inspectOnce(renderer, source, stack, x, y));
}

async function inspectOnce(
  renderer: Renderer,
  source: RenderSource,
  stack: Stack,
  x: number,
  y: number,
): Promise<PixelValues> {
  const { width, height, channels, sampleType } = source.image;
  const original = await renderer.prepare(source, []);
  const result = await renderer.prepare(source, stack);
  const origin = result.start;
  const read = async (prepared: typeof result, column: number, row: number, w: number, h: number) => {
    if (column < 0 || row < 0 || column >= w || row >= h) return [];
    const pixel = createSamples(sampleType, channels);
    await renderer.run(prepared, { region: { x: column, y: row, width: 1, height: 1 }, level: 0 }, pixel);
    return [...pixel];
  };
  return {
    before: await read(original, x, y, width, height),
    after: await read(result, x - origin.x, y - origin.y, result.size.width, result.size.height),
  };
}
