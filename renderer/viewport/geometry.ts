// The arithmetic of the viewport: camera, zoom about a point, the level for a zoom, and the tiles that are visible. Pure.
// Screen lengths here are device pixels; `zoom` is device pixels for one picture pixel, so 1 is a true 100 %.

import { intersect, type Rectangle, type Size, sizeAtLevel } from '../../core/geometry';
import { maximumLevel, tileSize } from '../../core/pixelPort';

/** Smallest and largest zoom that a person can ask for; Fit may go lower for a picture too large for `minimumZoom`. */
export const minimumZoom = 0.03;
export const maximumZoom = 64;
/** Above this zoom the lines between picture pixels are drawn. */
export const pixelGridZoom = 8;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Quarter turns, clockwise, by which a picture is turned on the screen. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Where one looks: the picture position (pixels, may be fractional) at the middle of the viewport, the zoom and the turn. */
export interface Camera {
  readonly centre: Point;
  readonly zoom: number;
  readonly turns: QuarterTurns;
}

/** A vector of the picture as it lies on the screen. */
function turned({ x, y }: Point, turns: QuarterTurns): Point {
  switch (turns) {
    case 0:
      return { x, y };
    case 1:
      return { x: -y, y: x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: y, y: -x };
  }
}

export function addTurns(turns: QuarterTurns, more: number): QuarterTurns {
  return ((((turns + more) % 4) + 4) % 4) as QuarterTurns;
}

/** A vector of the screen as it lies in the picture. */
const unturned = (vector: Point, turns: QuarterTurns): Point => turned(vector, addTurns(0, -turns));

/** The size of what is turned by quarters. */
export function turnedSize({ width, height }: Size, turns: QuarterTurns): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** A tile of a level's grid: `index` is row · columns + column, `rectangle` is in pixels of that level. */
export interface GridTile {
  readonly index: number;
  readonly rectangle: Rectangle;
}

/** The level whose pixels are shown at between half and full size: floor(log2(1 / zoom)), 0 from 100 % on. */
export function levelForZoom(zoom: number): number {
  // The small term keeps exact powers of two (0.25 is level 2) from falling a level through rounding.
  const level = Math.floor(Math.log2(1 / zoom) + 1e-9);
  return Math.min(maximumLevel, Math.max(0, level));
}

/** The zoom at which the whole picture shows with `margin` device pixels around it, at most `maximumZoom`. */
export function fitZoom(picture: Size, viewport: Size, margin: number): number {
  const width = Math.max(1, viewport.width - 2 * margin);
  const height = Math.max(1, viewport.height - 2 * margin);
  return Math.min(width / picture.width, height / picture.height, maximumZoom);
}

/** The zoom moved into the range that is allowed for a picture whose Fit is `fit`. */
export function limitZoom(zoom: number, fit: number): number {
  return Math.min(maximumZoom, Math.max(Math.min(minimumZoom, fit), zoom));
}

export function pictureToScreen({ centre, zoom, turns }: Camera, viewport: Size, point: Point): Point {
  const { x, y } = turned({ x: (point.x - centre.x) * zoom, y: (point.y - centre.y) * zoom }, turns);
  return { x: x + viewport.width / 2, y: y + viewport.height / 2 };
}

/** A vector of the screen in picture pixels. */
function vectorInPicture({ zoom, turns }: Camera, x: number, y: number): Point {
  return unturned({ x: x / zoom, y: y / zoom }, turns);
}

export function screenToPicture(camera: Camera, viewport: Size, point: Point): Point {
  const { x, y } = vectorInPicture(camera, point.x - viewport.width / 2, point.y - viewport.height / 2);
  return { x: x + camera.centre.x, y: y + camera.centre.y };
}

/** The camera at another zoom with the picture point under `pointer` staying under it. */
export function zoomAbout(camera: Camera, viewport: Size, pointer: Point, zoom: number): Camera {
  const fixed = screenToPicture(camera, viewport, pointer);
  const next = { ...camera, zoom };
  const { x, y } = vectorInPicture(next, pointer.x - viewport.width / 2, pointer.y - viewport.height / 2);
  return { ...next, centre: { x: fixed.x - x, y: fixed.y - y } };
}

/** The camera moved so that the picture follows a drag by (dx, dy) device pixels. */
export function panBy(camera: Camera, dx: number, dy: number): Camera {
  const { x, y } = vectorInPicture(camera, dx, dy);
  return { ...camera, centre: { x: camera.centre.x - x, y: camera.centre.y - y } };
}

/**
 * The camera held so that the picture cannot be lost: an axis on which the whole picture fits is centred, on the other
 * the middle of the viewport stays inside the picture.
 */
export function holdPicture(camera: Camera, viewport: Size, picture: Size): Camera {
  const room = turnedSize(viewport, camera.turns);
  const hold = (centre: number, length: number, available: number) =>
    length * camera.zoom <= available ? length / 2 : Math.min(length, Math.max(0, centre));
  return {
    ...camera,
    centre: {
      x: hold(camera.centre.x, picture.width, room.width),
      y: hold(camera.centre.y, picture.height, room.height),
    },
  };
}

/** A rectangle of the picture on the screen, its edges on whole device pixels. */
export function screenBox(camera: Camera, viewport: Size, { x, y, width, height }: Rectangle): Rectangle {
  const a = pictureToScreen(camera, viewport, { x, y });
  const b = pictureToScreen(camera, viewport, { x: x + width, y: y + height });
  const left = Math.round(Math.min(a.x, b.x));
  const top = Math.round(Math.min(a.y, b.y));
  return {
    x: left,
    y: top,
    width: Math.round(Math.max(a.x, b.x)) - left,
    height: Math.round(Math.max(a.y, b.y)) - top,
  };
}

/** What of the picture's plane a part of the viewport shows, in picture pixels. */
export function pictureBox(camera: Camera, viewport: Size, part: Rectangle): Rectangle {
  const a = screenToPicture(camera, viewport, part);
  const b = screenToPicture(camera, viewport, { x: part.x + part.width, y: part.y + part.height });
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, width: Math.max(a.x, b.x) - x, height: Math.max(a.y, b.y) - y };
}

/** The next zoom step up or down on a scale of ×√2 that holds 100 %; from between two steps, the nearer in that direction. */
export function zoomStep(zoom: number, direction: 1 | -1): number {
  const position = Math.log2(zoom) * 2;
  const next = direction > 0 ? Math.floor(position + 1e-6) + 1 : Math.ceil(position - 1e-6) - 1;
  return 2 ** (next / 2);
}

/**
 * What can be seen of a picture at a level, in pixels of that level: `part` of the viewport (device pixels), the whole
 * unless said, for a picture whose (0, 0) lies at `origin` of the picture the camera looks at.
 */
export function visibleAtLevel(
  camera: Camera,
  viewport: Size,
  picture: Size,
  level: number,
  origin: Point = { x: 0, y: 0 },
  part: Rectangle = { x: 0, y: 0, ...viewport },
): Rectangle {
  const block = 2 ** level;
  const box = pictureBox(camera, viewport, part);
  const x = Math.floor((box.x - origin.x) / block);
  const y = Math.floor((box.y - origin.y) / block);
  const seen = {
    x,
    y,
    width: Math.max(0, Math.ceil((box.x + box.width - origin.x) / block) - x),
    height: Math.max(0, Math.ceil((box.y + box.height - origin.y) / block) - y),
  };
  const whole = sizeAtLevel(picture, level);
  const found = intersect(seen, { x: 0, y: 0, ...whole });
  return found.width === 0 || found.height === 0 ? { x: 0, y: 0, width: 0, height: 0 } : found;
}

/** The tiles of a level of size `levelSize` that meet `visible`, row by row. */
export function tilesIn(visible: Rectangle, levelSize: Size): readonly GridTile[] {
  if (visible.width <= 0 || visible.height <= 0) return [];
  const columns = Math.ceil(levelSize.width / tileSize);
  const tiles: GridTile[] = [];
  const lastRow = Math.floor((visible.y + visible.height - 1) / tileSize);
  const lastColumn = Math.floor((visible.x + visible.width - 1) / tileSize);
  for (let row = Math.floor(visible.y / tileSize); row <= lastRow; row++) {
    for (let column = Math.floor(visible.x / tileSize); column <= lastColumn; column++) {
      const rectangle = intersect(
        { x: column * tileSize, y: row * tileSize, width: tileSize, height: tileSize },
        { x: 0, y: 0, ...levelSize },
      );
      if (rectangle.width > 0 && rectangle.height > 0) tiles.push({ index: row * columns + column, rectangle });
    }
  }
  return tiles;
}
