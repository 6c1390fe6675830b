// What a view is computed and sent in: rectangles of tiles, from the middle of the view outwards. Few large ones travel
// best; smaller ones let a slow view appear bit by bit.

import { intersect, type Rectangle, type Size } from '../core/geometry';
import { tileSize } from '../core/pixelPort';

/** Tiles of a grid: columns `first` up to `end` of rows `top` up to `bottom`. */
interface Block {
  readonly first: number;
  readonly end: number;
  readonly top: number;
  bottom: number;
}

/** Pixels between two lines of the grid that lie within `low` and `high`. */
const pixelsBetween = (from: number, to: number, low: number, high: number) =>
  Math.min(to * tileSize, high) - Math.max(from * tileSize, low);

/** Runs of missing columns in a row of tiles, each one that is too wide in parts of about as many columns. */
function runsOf(
  columns: readonly boolean[],
  first: number,
  fits: (first: number, end: number) => boolean,
): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  for (let from = 0; from < columns.length; from += 1) {
    if (!columns[from]) continue;
    let to = from;
    while (columns[to]) to += 1;
    const partsOf = (count: number) =>
      Array.from({ length: count }, (_, part) => {
        const at = (share: number) => first + from + Math.round(((to - from) * share) / count);
        return [at(part), at(part + 1)] as const;
      });
    let count = 1;
    while (count < to - from && !partsOf(count).every(([start, end]) => fits(start, end))) count += 1;
    runs.push(...partsOf(count));
    from = to;
  }
  return runs;
}

export interface PieceOptions {
  /** Most pixels of a piece, though never less than those of one tile. */
  readonly pixels?: number;
  /** Whether tiles at the rim of the view end with it. */
  readonly crop?: boolean;
}

/**
 * The tiles that `visible` touches, without those the page already has (`row * columns + column` of the level's grid), in
 * rectangles; nearest to the middle of the view first.
 */
export function piecesOfView(
  visible: Rectangle,
  size: Size,
  have: ReadonlySet<number>,
  { pixels = 1, crop = false }: PieceOptions = {},
): readonly Rectangle[] {
  const whole = { x: 0, y: 0, ...size };
  const view = intersect(visible, whole);
  if (view.width === 0 || view.height === 0) return [];
  const columns = Math.ceil(size.width / tileSize);
  const bounds = crop ? view : whole;
  const [left, right] = [Math.floor(view.x / tileSize), Math.ceil((view.x + view.width) / tileSize)];
  const [top, bottom] = [Math.floor(view.y / tileSize), Math.ceil((view.y + view.height) / tileSize)];
  const widthOf = (first: number, end: number) => pixelsBetween(first, end, bounds.x, bounds.x + bounds.width);
  const heightOf = (first: number, end: number) => pixelsBetween(first, end, bounds.y, bounds.y + bounds.height);
  const blocks: Block[] = [];
  for (let row = top; row < bottom; row += 1) {
    const missing = Array.from({ length: right - left }, (_, index) => !have.has(row * columns + left + index));
    const fits = (first: number, end: number) => widthOf(first, end) * heightOf(row, row + 1) <= pixels;
    for (const [first, end] of runsOf(missing, left, fits)) {
      const above = blocks.find((block) => block.first === first && block.end === end && block.bottom === row);
      if (above !== undefined && widthOf(first, end) * heightOf(above.top, row + 1) <= pixels) above.bottom = row + 1;
      else blocks.push({ first, end, top: row, bottom: row + 1 });
    }
  }
  const [middleX, middleY] = [view.x + view.width / 2, view.y + view.height / 2];
  const distance = ({ x, y, width, height }: Rectangle) =>
    Math.hypot(x + width / 2 - middleX, y + height / 2 - middleY);
  return blocks
    .map(({ first, end, top: from, bottom: to }) =>
      intersect(
        { x: first * tileSize, y: from * tileSize, width: (end - first) * tileSize, height: (to - from) * tileSize },
        bounds,
      ),
    )
    .sort((a, b) => distance(a) - distance(b));
}
