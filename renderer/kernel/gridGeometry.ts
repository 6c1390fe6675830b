// Where the cells of the kernel grid lie: as numbers that can be read, scrolled where they are many, or all at once as a
// picture. In CSS pixels. Pure.

import type { CellPlace } from '../../core/kernelPainting';
import type { GridView } from './gridTools';

/** Most columns and rows whose numbers are all in sight at once. */
export const maximumFittingSize = 15;
/** Largest kernel that is shown as numbers; larger ones are a picture with a loupe. */
export const maximumNumbersSize = 63;
/** Tallest part of a grid that is in sight; the rest is scrolled to. */
export const maximumVisibleHeight = 346;
/** Cell of a scrolled grid: `-0.28` fits. */
const scrolledWidth = 36;
const scrolledHeight = 22;
/** Cells of the whole picture are at least this high while there is room, so that a single row can be hit. */
const leastPictureHeight = 14;

export interface GridGeometry {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Room between cells. */
  readonly gap: number;
  /** Of the numbers; 0 where cells are too small for them. */
  readonly fontSize: number;
  /** Columns as `formatCell` takes them, for how short numbers must be. */
  readonly precision: number;
  /** All cells together. */
  readonly width: number;
  readonly height: number;
  readonly visibleHeight: number;
}

/** Whether all of a kernel fits as numbers; only others have a choice of views. */
export function fitsAsNumbers(columns: number, rows: number): boolean {
  return columns <= maximumFittingSize && rows <= maximumFittingSize;
}

/** The view that is shown: kernels beyond 63 are always whole, and small ones always numbers. */
export function shownView(columns: number, rows: number, chosen: GridView): GridView {
  if (fitsAsNumbers(columns, rows)) return 'numbers';
  return Math.max(columns, rows) > maximumNumbersSize ? 'whole' : chosen;
}

function fittingStyle(columns: number): Pick<GridGeometry, 'cellHeight' | 'gap' | 'fontSize' | 'precision'> {
  if (columns <= 5) return { cellHeight: 34, gap: 2, fontSize: 12, precision: columns };
  if (columns <= 7) return { cellHeight: 34, gap: 2, fontSize: 11, precision: columns };
  if (columns <= 9) return { cellHeight: 30, gap: 2, fontSize: 10.5, precision: columns };
  return { cellHeight: 22, gap: 1, fontSize: columns > 13 ? 8.5 : 9.5, precision: columns };
}

/** Cells of a grid of `columns` × `rows` in a panel `room` pixels wide. */
export function gridGeometry(columns: number, rows: number, room: number, chosen: GridView): GridGeometry {
  if (shownView(columns, rows, chosen) === 'whole') {
    const cellWidth = Math.min(scrolledWidth, room / columns);
    const cellHeight = Math.min(maximumVisibleHeight / rows, Math.max(cellWidth, leastPictureHeight));
    const size = { width: cellWidth * columns, height: cellHeight * rows };
    const gap = Math.min(cellWidth, cellHeight) >= 7 ? 1 : 0;
    return {
      columns,
      rows,
      cellWidth,
      cellHeight,
      gap,
      fontSize: 0,
      precision: columns,
      ...size,
      visibleHeight: size.height,
    };
  }
  const scrolled = columns > maximumFittingSize;
  const style = scrolled ? { cellHeight: scrolledHeight, gap: 1, fontSize: 9.5, precision: 9 } : fittingStyle(columns);
  const cellWidth = scrolled ? scrolledWidth : room / columns;
  const height = style.cellHeight * rows;
  const visibleHeight = Math.min(height, maximumVisibleHeight);
  return { columns, rows, cellWidth, ...style, width: cellWidth * columns, height, visibleHeight };
}

/** The cell at a place of the grid; it may lie outside the kernel. */
export function cellAt({ cellWidth, cellHeight }: GridGeometry, x: number, y: number): CellPlace {
  return { x: Math.floor(x / cellWidth), y: Math.floor(y / cellHeight) };
}

export function isInside({ columns, rows }: GridGeometry, { x, y }: CellPlace): boolean {
  return x >= 0 && y >= 0 && x < columns && y < rows;
}

/** Where a cell begins, and how large it is without its gap; on whole pixels, so that its edges are sharp. */
export function cellBox(geometry: GridGeometry, { x, y }: CellPlace) {
  const { cellWidth, cellHeight, gap } = geometry;
  const [left, top] = [Math.round(x * cellWidth), Math.round(y * cellHeight)];
  const [right, bottom] = [Math.round((x + 1) * cellWidth), Math.round((y + 1) * cellHeight)];
  return { left, top, width: Math.max(1, right - left - gap), height: Math.max(1, bottom - top - gap) };
}
