// Draws a layer's tiles, the checkerboard and the pixel grid on a 2-D canvas. Lengths are device pixels.

import type { Rectangle, Size } from '../../core/geometry';
import type { TileMessage } from '../../core/ipc';
import { type Camera, type Point, pictureToScreen, screenToPicture } from './geometry';
import type { MadeTile, PaintSheet } from './layerFeed';
import type { TileCache } from './tileCache';

type Context = CanvasRenderingContext2D;

/** Where tiles become bitmaps: kept for the next one of the same size, since fresh memory for each would be slow garbage. */
let scratch: { readonly image: ImageData; readonly canvas: OffscreenCanvas } | null = null;

/** A tile's pixels (1 to 4 channels, straight alpha) as a bitmap that a canvas draws quickly. */
export function makeBitmap(message: TileMessage): MadeTile<ImageBitmap> {
  const { width, height } = message.rectangle;
  if (scratch === null || scratch.image.width !== width || scratch.image.height !== height) {
    scratch = { image: new ImageData(width, height), canvas: new OffscreenCanvas(width, height) };
  }
  const { image, canvas } = scratch;
  spread(message.pixels, message.channels, image.data);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this page has no 2-D canvas');
  context.putImageData(image, 0, 0);
  const alpha = message.channels === 2 || message.channels === 4;
  return { bitmap: canvas.transferToImageBitmap(), bytes: width * height * 4, alpha };
}

/** Spreads 1-, 2-, 3- or 4-channel pixels to RGBA. */
export function spread(pixels: Uint8Array, channels: number, rgba: Uint8ClampedArray): void {
  if (channels === 4) {
    rgba.set(pixels.subarray(0, rgba.length));
    return;
  }
  const colour = channels >= 3;
  const alpha = channels === 2;
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    const first = pixels[from] ?? 0;
    rgba[to] = first;
    rgba[to + 1] = colour ? (pixels[from + 1] ?? 0) : first;
    rgba[to + 2] = colour ? (pixels[from + 2] ?? 0) : first;
    rgba[to + 3] = alpha ? (pixels[from + 1] ?? 0) : 255;
  }
}

export interface LayerPaint {
  readonly camera: Camera;
  readonly viewport: Size;
  readonly sheets: readonly PaintSheet[];
  /** Level that is asked for: its tiles are drawn without smoothing from 100 % on. */
  readonly level: number;
  /** The part of the viewport in which this layer shows. */
  readonly part: Rectangle;
}

/** Draws the sheets bottom first; answers how many tiles were drawn. */
export function paintLayer(context: Context, cache: TileCache<ImageBitmap>, paint: LayerPaint): number {
  const { camera, viewport, part } = paint;
  if (part.width <= 0 || part.height <= 0) return 0;
  let drawn = 0;
  for (const { sheet, subject } of paint.sheets) {
    const block = 2 ** sheet.level;
    const corner = pictureToScreen(camera, viewport, subject.origin);
    const screenX = (x: number) => Math.round(corner.x + x * camera.zoom);
    const screenY = (y: number) => Math.round(corner.y + y * camera.zoom);
    const clipLeft = Math.max(part.x, screenX(0));
    const clipTop = Math.max(part.y, screenY(0));
    const clipRight = Math.min(part.x + part.width, screenX(subject.size.width));
    const clipBottom = Math.min(part.y + part.height, screenY(subject.size.height));
    if (clipRight <= clipLeft || clipBottom <= clipTop) continue;
    context.save();
    context.beginPath();
    context.rect(clipLeft, clipTop, clipRight - clipLeft, clipBottom - clipTop);
    context.clip();
    context.imageSmoothingEnabled = camera.zoom * block !== 1 && (camera.zoom < 1 || sheet.level !== paint.level);
    context.imageSmoothingQuality = 'medium';
    for (const tile of cache.tilesOf(sheet)) {
      const x = screenX(tile.rectangle.x * block);
      const y = screenY(tile.rectangle.y * block);
      const toX = screenX((tile.rectangle.x + tile.rectangle.width) * block);
      const toY = screenY((tile.rectangle.y + tile.rectangle.height) * block);
      if (toX <= clipLeft || x >= clipRight || toY <= clipTop || y >= clipBottom) continue;
      if (tile.alpha) context.clearRect(x, y, toX - x, toY - y);
      context.drawImage(tile.bitmap, x, y, toX - x, toY - y);
      cache.touch(tile);
      drawn++;
    }
    context.restore();
  }
  return drawn;
}

/** Puts a checkerboard under whatever is transparent in the rectangle of the picture. */
export function paintCheckerboard(
  context: Context,
  pattern: CanvasPattern,
  camera: Camera,
  viewport: Size,
  picture: Size,
) {
  const from = pictureToScreen(camera, viewport, { x: 0, y: 0 });
  const left = Math.max(0, Math.round(from.x));
  const top = Math.max(0, Math.round(from.y));
  const right = Math.min(viewport.width, Math.round(from.x + picture.width * camera.zoom));
  const bottom = Math.min(viewport.height, Math.round(from.y + picture.height * camera.zoom));
  if (right <= left || bottom <= top) return;
  context.save();
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = pattern;
  context.fillRect(left, top, right - left, bottom - top);
  context.restore();
}

/** A repeating pattern of squares of `edge` device pixels. */
export function checkerboardPattern(context: Context, edge: number, light: string, dark: string): CanvasPattern | null {
  const square = new OffscreenCanvas(edge * 2, edge * 2);
  const draw = square.getContext('2d');
  if (draw === null) return null;
  draw.fillStyle = light;
  draw.fillRect(0, 0, edge * 2, edge * 2);
  draw.fillStyle = dark;
  draw.fillRect(0, 0, edge, edge);
  draw.fillRect(edge, edge, edge, edge);
  return context.createPattern(square, 'repeat');
}

/** Lines between picture pixels, over the part of the picture that is visible. */
export function paintPixelGrid(context: Context, camera: Camera, viewport: Size, picture: Size, colour: string): void {
  const from = screenToPicture(camera, viewport, { x: 0, y: 0 });
  const to = screenToPicture(camera, viewport, { x: viewport.width, y: viewport.height });
  const firstX = Math.max(0, Math.floor(from.x));
  const lastX = Math.min(picture.width, Math.ceil(to.x));
  const firstY = Math.max(0, Math.floor(from.y));
  const lastY = Math.min(picture.height, Math.ceil(to.y));
  if (lastX < firstX || lastY < firstY) return;
  const screen = (point: Point) => pictureToScreen(camera, viewport, point);
  const topLeft = screen({ x: firstX, y: firstY });
  const bottomRight = screen({ x: lastX, y: lastY });
  context.fillStyle = colour;
  for (let x = firstX; x <= lastX; x++) {
    context.fillRect(Math.round(screen({ x, y: 0 }).x), topLeft.y, 1, bottomRight.y - topLeft.y);
  }
  for (let y = firstY; y <= lastY; y++) {
    context.fillRect(topLeft.x, Math.round(screen({ x: 0, y }).y), bottomRight.x - topLeft.x, 1);
  }
}

/** A frame around the picture pixel at (x, y). */
export function paintPixelFrame(context: Context, camera: Camera, viewport: Size, x: number, y: number): void {
  const from = pictureToScreen(camera, viewport, { x, y });
  const to = pictureToScreen(camera, viewport, { x: x + 1, y: y + 1 });
  const left = Math.round(from.x);
  const top = Math.round(from.y);
  const width = Math.round(to.x) - left;
  const height = Math.round(to.y) - top;
  context.lineWidth = 1;
  context.strokeStyle = '#000000';
  context.strokeRect(left - 0.5, top - 0.5, width + 2, height + 2);
  context.strokeStyle = '#ffffff';
  context.strokeRect(left + 0.5, top + 0.5, width, height);
}
