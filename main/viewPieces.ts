// What a view is computed and sent in: rectangles of whole tiles, from the middle of the view outwards. Few large ones travel
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

/** Runs of missing columns in a row of tiles, none longer than `most`, those of one gap about equally long. */
function runsOf(columns: readonly boolean[], first: number, most: number): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  for (let from = 0; from < columns.length; from += 1) {
    if (!columns[from]) continue;
    let to = from;
    while (columns[to]) to += 1;
    const parts = Math.ceil((to - from) / most);
    for (let part = 0; part < parts; part += 1) {
      const at = (share: number) => first + from + Math.round(((to - from) * share) / parts);
      runs.push([at(part), at(part + 1)]);
    }
    from = to;
  }
  return runs;
}

/**
 * The tiles that `visible` touches, without those the page already has (`row * columns + column` of the level's grid), in
 * rectangles of at most `pixels` pixels, though never of less than a tile; nearest to the middle of the view first.
 */
export function piecesOfView(
  visible: Rectangle,
  size: Size,
  have: ReadonlySet<number>,
  pixels: number = tileSize ** 2,
): readonly Rectangle[] {
  const whole = { x: 0, y: 0, ...size };
  const view = intersect(visible, whole);
  if (view.width === 0 || view.height === 0) return [];
  const columns = Math.ceil(size.width / tileSize);
  const most = Math.max(1, Math.floor(pixels / tileSize ** 2));
  const [left, right] = [Math.floor(view.x / tileSize), Math.ceil((view.x + view.width) / tileSize)];
  const [top, bottom] = [Math.floor(view.y / tileSize), Math.ceil((view.y + view.height) / tileSize)];
  const blocks: Block[] = [];
  for (let row = top; row < bottom; row += 1) {
    const missing = Array.from({ length: right - left }, (_, index) => !have.has(row * columns + left + index));
    for (const [first, end] of runsOf(missing, left, most)) {
      const above = blocks.find((block) => block.first === first && block.end === end && block.bottom === row);
      if (above !== undefined && (row + 1 - above.top) * (end - first) <= most) above.bottom = row + 1;
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
        whole,
      ),
    )
    .sort((a, b) => distance(a) - distance(b));
}
