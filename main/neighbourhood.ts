// The samples under a kernel at one pixel, as the engine gives them: each pixel of the picture read once, however often the
// border repeats it, in strips of rows, so that kernels of thousands of cells need little memory.

import { sampleAt } from '../core/border';
import type { Rectangle, Size } from '../core/geometry';
import type { Border } from '../core/pass';

/** Stored code values of a region, row-major, channels interleaved. */
export type ReadRegion = (region: Rectangle) => Promise<ArrayLike<number>>;

/** A kernel's place over the picture: cell (i, j) lies on the pixel (left + i, top + j). */
export interface Window extends Size {
  readonly left: number;
  readonly top: number;
}

/** Pixels of a strip: a few megabytes of samples, and some milliseconds between two turns of the event loop. */
const stripPixels = 1 << 17;

interface Run {
  readonly first: number;
  readonly count: number;
}

/** Neighbouring numbers of a sorted list as runs of at most `most`. */
function runsOf(sorted: readonly number[], most: number): readonly Run[] {
  const runs: { first: number; count: number }[] = [];
  for (const value of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && value === last.first + last.count && last.count < most) last.count += 1;
    else runs.push({ first: value, count: 1 });
  }
  return runs;
}

const unique = (positions: readonly (number | null)[]) =>
  [...new Set(positions)].filter((position) => position !== null).sort((a, b) => a - b);

/** A row of cells: `columns[i]` is the pixel under cell i in `pixels` (in pixels, not samples), or null for outside. */
export interface CellRow {
  /** Rows of cells that this row of the picture lies under. */
  readonly cellRows: readonly number[];
  readonly columns: readonly (number | null)[];
  readonly pixels: ArrayLike<number>;
}

/**
 * Gives every row of the picture under the window once, and at the end the rows of cells that lie outside where the border
 * repeats nothing (`outsideRows`).
 */
export async function readNeighbourhood(
  read: ReadRegion,
  picture: Size,
  channels: number,
  border: Border,
  window: Window,
  take: (row: CellRow) => void,
): Promise<{ readonly outsideRows: readonly number[] }> {
  const along = (start: number, length: number, count: number) =>
    Array.from({ length }, (_, cell) => sampleAt(border.kind, start + cell, count));
  const cellColumns = along(window.left, window.width, picture.width);
  const cellRows = along(window.top, window.height, picture.height);
  const columnRuns = runsOf(unique(cellColumns), Number.POSITIVE_INFINITY);
  const placeOf = new Map<number, number>();
  for (const { first, count } of columnRuns)
    for (let step = 0; step < count; step += 1) placeOf.set(first + step, placeOf.size);
  const width = placeOf.size;
  const columns = cellColumns.map((column) => (column === null ? null : (placeOf.get(column) ?? null)));
  const rowsOf = new Map<number, number[]>();
  for (const [cell, row] of cellRows.entries()) if (row !== null) rowsOf.set(row, [...(rowsOf.get(row) ?? []), cell]);
  const strips = width === 0 ? [] : runsOf(unique(cellRows), Math.max(1, Math.floor(stripPixels / width)));
  for (const strip of strips) {
    const pixels = new Float64Array(width * strip.count * channels);
    let left = 0;
    for (const { first, count } of columnRuns) {
      const part = await read({ x: first, y: strip.first, width: count, height: strip.count });
      for (let row = 0; row < strip.count; row += 1)
        for (let at = 0; at < count * channels; at += 1)
          pixels[(row * width + left) * channels + at] = part[row * count * channels + at] ?? 0;
      left += count;
    }
    for (let row = 0; row < strip.count; row += 1) {
      const from = row * width * channels;
      const rowPixels = pixels.subarray(from, from + width * channels);
      take({ cellRows: rowsOf.get(strip.first + row) ?? [], columns, pixels: rowPixels });
    }
  }
  const outsideRows = width === 0 ? cellRows.map((_, cell) => cell) : [];
  if (width > 0) for (const [cell, row] of cellRows.entries()) if (row === null) outsideRows.push(cell);
  return { outsideRows };
}
