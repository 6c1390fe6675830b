// Draws a layer's tiles, the checkerboard and the pixel grid on a 2-D canvas. Lengths are device pixels.

import { intersect, type Rectangle, type Size } from '../../core/geometry';
import type { CanvasPlace } from './canvasTool';
import { isCovered } from './coveredTiles';
import { type Camera, type Point, pictureBox, type QuarterTurns, screenBox } from './geometry';
import type { PaintSheet } from './layerFeed';
import type { HeldTile, TileCache } from './tileCache';

type Context = CanvasRenderingContext2D;
type AnyContext = Context | OffscreenCanvasRenderingContext2D;

export interface LayerPaint {
  readonly camera: Camera;
  readonly viewport: Size;
  readonly sheets: readonly PaintSheet[];
  /** Level that is asked for: its tiles are drawn without smoothing from 100 % on. */
  readonly level: number;
  /** The part of the viewport in which this layer shows. */
  readonly part: Rectangle;
}

/** Draws a bitmap into a box of the screen, turned. At 100 % every pixel lands on one. */
function drawTurned(context: AnyContext, bitmap: ImageBitmap, box: Rectangle, turns: QuarterTurns): void {
  const { x, y, width, height } = box;
  if (turns === 0) {
    context.drawImage(bitmap, x, y, width, height);
    return;
  }
  if (turns === 1) context.setTransform(0, 1, -1, 0, x + width, y);
  else if (turns === 2) context.setTransform(-1, 0, 0, -1, x + width, y + height);
  else context.setTransform(0, -1, 1, 0, x, y + height);
  context.drawImage(bitmap, 0, 0, turns === 2 ? width : height, turns === 2 ? height : width);
  context.resetTransform();
}

/** A sheet of a layer with its tiles that are in sight. */
interface LaidSheet extends PaintSheet {
  readonly clip: Rectangle;
  readonly tiles: readonly {
    readonly tile: HeldTile<ImageBitmap>;
    readonly box: Rectangle;
    readonly seen: Rectangle;
  }[];
}

/** The tiles of a sheet that are in sight. */
function layOut(cache: TileCache<ImageBitmap>, paint: LayerPaint, { sheet, subject }: PaintSheet): LaidSheet {
  const { camera, viewport, part } = paint;
  const block = 2 ** sheet.level;
  const { origin, size } = subject;
  const clip = intersect(part, screenBox(camera, viewport, { ...origin, ...size }));
  const tiles = [...cache.tilesOf(sheet)].flatMap((tile) => {
    const { x, y, width, height } = tile.rectangle;
    const place = { x: origin.x + x * block, y: origin.y + y * block, width: width * block, height: height * block };
    const box = screenBox(camera, viewport, place);
    const seen = intersect(box, clip);
    return seen.width === 0 || seen.height === 0 ? [] : [{ tile, box, seen }];
  });
  return { sheet, subject, clip, tiles };
}

/** Draws the sheets bottom first, but for tiles that others hide; answers how many tiles were drawn. */
export function paintLayer(context: AnyContext, cache: TileCache<ImageBitmap>, paint: LayerPaint): number {
  const { camera, part } = paint;
  if (part.width <= 0 || part.height <= 0) return 0;
  const sheets = paint.sheets.map((one) => layOut(cache, paint, one));
  const opaque = sheets.map(({ tiles }) => tiles.flatMap(({ tile, seen }) => (tile.alpha ? [] : [seen])));
  let drawn = 0;
  for (const [index, { sheet, clip, tiles }] of sheets.entries()) {
    const above = opaque.slice(index + 1);
    const shown = tiles.filter(({ seen }) => !above.some((boxes) => isCovered(seen, boxes)));
    if (shown.length === 0) continue;
    context.save();
    context.beginPath();
    context.rect(clip.x, clip.y, clip.width, clip.height);
    context.clip();
    context.imageSmoothingEnabled =
      camera.zoom * 2 ** sheet.level !== 1 && (camera.zoom < 1 || sheet.level !== paint.level);
    context.imageSmoothingQuality = 'medium';
    for (const { tile, box } of shown) {
      if (tile.alpha) context.clearRect(box.x, box.y, box.width, box.height);
      drawTurned(context, tile.bitmap, box, camera.turns);
      cache.touch(tile);
    }
    drawn += shown.length;
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
  const whole = { x: 0, y: 0, width: viewport.width, height: viewport.height };
  const box = intersect(
    whole,
    screenBox(camera, viewport, { x: 0, y: 0, width: picture.width, height: picture.height }),
  );
  if (box.width === 0 || box.height === 0) return;
  context.save();
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = pattern;
  context.fillRect(box.x, box.y, box.width, box.height);
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
  const seen = pictureBox(camera, viewport, { x: 0, y: 0, ...viewport });
  const firstX = Math.max(0, Math.floor(seen.x));
  const lastX = Math.min(picture.width, Math.ceil(seen.x + seen.width));
  const firstY = Math.max(0, Math.floor(seen.y));
  const lastY = Math.min(picture.height, Math.ceil(seen.y + seen.height));
  if (lastX < firstX || lastY < firstY) return;
  context.fillStyle = colour;
  const line = (x: number, y: number, width: number, height: number) => {
    const box = screenBox(camera, viewport, { x, y, width, height });
    context.fillRect(box.x, box.y, Math.max(1, box.width), Math.max(1, box.height));
  };
  for (let x = firstX; x <= lastX; x++) line(x, firstY, 0, lastY - firstY);
  for (let y = firstY; y <= lastY; y++) line(firstX, y, lastX - firstX, 0);
}

/** CSS pixels of the smallest frame around a pixel. */
const smallestFrame = 7;

/** A frame around a picture pixel, large enough to be seen at any zoom. */
export function paintPixelFrame(context: Context, { camera, viewport, ratio }: CanvasPlace, { x, y }: Point): void {
  const box = screenBox(camera, viewport, { x, y, width: 1, height: 1 });
  const grown = Math.max(0, Math.ceil((smallestFrame * ratio - box.width) / 2));
  const [left, top] = [box.x - grown, box.y - grown];
  const [width, height] = [box.width + 2 * grown, box.height + 2 * grown];
  context.lineWidth = 1;
  context.strokeStyle = '#000000';
  context.strokeRect(left - 0.5, top - 0.5, width + 2, height + 2);
  context.strokeStyle = '#ffffff';
  context.strokeRect(left + 0.5, top + 0.5, width, height);
}
