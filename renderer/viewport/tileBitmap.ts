// Tiles of a message as bitmaps that a canvas draws quickly. Nothing here needs the page: a thread makes them too.

import type { Rectangle, Size } from '../../core/geometry';
import type { ScreenSpace, TilesMessage } from '../../core/pixelPort';
import type { MadeTile } from './tileMaking';

interface Scratch {
  readonly image: ImageData;
  readonly canvas: OffscreenCanvas;
}
/** Where tiles become bitmaps: kept for the next ones of the same size, since fresh memory for each would be slow garbage. */
const scratches = new Map<string, Scratch>();
/** Tiles within a view have one size, and those at its rim eight others. */
const maximumScratches = 9;

function scratchOf({ width, height }: Size, colorSpace: PredefinedColorSpace): Scratch {
  const key = `${width} ${height} ${colorSpace}`;
  const scratch = scratches.get(key) ?? {
    image: new ImageData(width, height, { colorSpace }),
    canvas: new OffscreenCanvas(width, height),
  };
  // The one used last comes last.
  scratches.delete(key);
  scratches.set(key, scratch);
  for (const oldest of scratches.keys()) if (scratches.size > maximumScratches) scratches.delete(oldest);
  return scratch;
}

export const canvasSpaces = { srgb: 'srgb', displayP3: 'display-p3' } as const;

/** A bitmap of this size, its pixels as `fill` writes them. */
export function makeBitmap(size: Size, space: ScreenSpace, fill: (rgba: Uint8ClampedArray) => void): ImageBitmap {
  const colorSpace = canvasSpaces[space];
  const { image, canvas } = scratchOf(size, colorSpace);
  fill(image.data);
  const context = canvas.getContext('2d', { colorSpace });
  if (context === null) throw new Error('this page has no 2-D canvas');
  context.putImageData(image, 0, 0);
  return canvas.transferToImageBitmap();
}

/** What tiles are made of. */
export type TilePixels = Pick<TilesMessage, 'pixels' | 'channels' | 'rectangle' | 'space'>;

/** A tile of a message (1 to 4 channels, straight alpha) as a bitmap that a canvas draws quickly. */
export function makeTile(message: TilePixels, tile: Rectangle): MadeTile<ImageBitmap> {
  const { pixels, channels, rectangle, space = 'srgb' } = message;
  const bitmap = makeBitmap(tile, space, (rgba) => {
    for (let row = 0; row < tile.height; row += 1) {
      const from = ((tile.y - rectangle.y + row) * rectangle.width + tile.x - rectangle.x) * channels;
      spread(pixels, from, channels, rgba, row * tile.width, tile.width);
    }
  });
  return { bitmap, bytes: tile.width * tile.height * 4, alpha: channels === 2 || channels === 4 };
}

/** Spreads `count` pixels of 1, 2, 3 or 4 channels from sample `from` on to RGBA, from pixel `to` on. */
export function spread(
  pixels: Uint8Array,
  from: number,
  channels: number,
  rgba: Uint8ClampedArray,
  to: number,
  count: number,
): void {
  if (channels === 4) {
    rgba.set(pixels.subarray(from, from + count * 4), to * 4);
    return;
  }
  // A pixel at a time, which on every computer that Electron runs on is red first.
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset + to * 4, count);
  let at = from;
  for (let pixel = 0; pixel < count; pixel += 1, at += channels) {
    const first = pixels[at] as number;
    if (channels === 3)
      words[pixel] = first | ((pixels[at + 1] as number) << 8) | ((pixels[at + 2] as number) << 16) | opaque;
    else words[pixel] = (first * 0x10101) | (channels === 2 ? (pixels[at + 1] as number) << 24 : opaque);
  }
}
const opaque = 255 << 24;
