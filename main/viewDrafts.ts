// Drafts of views: at which level, of which part, and whether one is worth its time.

import { type Rectangle, sizeAtLevel } from '../core/geometry';
import { maximumLevel, type RenderRequest } from '../core/pixelPort';
import type { Picture } from './images';
import { isCheapInParts } from './masks';
import type { Renderer } from './render';
import { piecesOfView } from './viewPieces';

/** A view that is predicted to be computed as soon as its draft would be, in ms, needs none. */
export const draftWorth = 40;

/** Most pixels of a draft: below it, computing and sending stay well under the 100 ms that a drag forgives. */
export const draftPixels = 300_000;

/** The same for a mask, in pixels of the picture: what a stroke adds is made exactly at once. */
const maskDraftPixels = 3 * 2 ** 20;

/** The finest level, at least 1 and not finer than asked, at which the view has few enough pixels for a draft. */
export function draftLevelFor(request: Pick<RenderRequest, 'level' | 'visible'>): number {
  const { width, height } = request.visible;
  for (let level = Math.max(1, request.level); level < maximumLevel; level += 1) {
    const scale = 2 ** (level - request.level);
    if ((width / scale) * (height / scale) <= draftPixels) return level;
  }
  return maximumLevel;
}

/** A rectangle of one level in the pixels of a coarser one, grown to whole pixels. */
export function toCoarser(rectangle: Rectangle, levels: number): Rectangle {
  const scale = 2 ** levels;
  const x = Math.floor(rectangle.x / scale);
  const y = Math.floor(rectangle.y / scale);
  return {
    x,
    y,
    width: Math.ceil((rectangle.x + rectangle.width) / scale) - x,
    height: Math.ceil((rectangle.y + rectangle.height) / scale) - y,
  };
}

export interface MaskRequest extends Pick<RenderRequest, 'stack' | 'visible' | 'level' | 'crop'> {
  readonly have: readonly number[];
}

/** The rectangle that holds all tiles of a request which the page does not have, in pixels of its level. */
export function missingPart(
  { image }: Picture,
  { visible, level, have, crop = false }: Omit<MaskRequest, 'stack'>,
): Rectangle {
  const pieces = piecesOfView(visible, sizeAtLevel(image, level), new Set(have), { crop });
  const x = Math.min(...pieces.map((piece) => piece.x));
  const y = Math.min(...pieces.map((piece) => piece.y));
  const right = Math.max(...pieces.map((piece) => piece.x + piece.width));
  const bottom = Math.max(...pieces.map((piece) => piece.y + piece.height));
  return pieces.length === 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x, y, width: right - x, height: bottom - y };
}

/** Whether the exact picture is predicted to come as soon as a draft. */
export async function comesAsSoon(
  renderer: Pick<Renderer, 'expectView'>,
  picture: Picture,
  request: RenderRequest,
): Promise<boolean> {
  const { layer, stack, level, visible } = request;
  const block = 4 ** level;
  if (layer === 'mask') {
    const mask = stack.at(-1)?.mask;
    const { width, height } = missingPart(picture, request);
    return mask !== undefined && isCheapInParts(mask) && width * height * block <= maskDraftPixels;
  }
  const nanoseconds = await renderer.expectView(picture, layer === 'original' ? [] : stack);
  return nanoseconds !== null && (nanoseconds * visible.width * visible.height * block) / 1e6 <= draftWorth;
}
