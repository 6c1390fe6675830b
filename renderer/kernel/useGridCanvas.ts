// Draws the kernel grid: when React draws it anew and, while a stroke goes over it, each frame at once. What else tells of the
// kernel follows a stroke more slowly, React and so `kernel` with it.

import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { Kernel } from '../../core/kernel';
import type { CellPlace } from '../../core/kernelPainting';
import { useTheme } from '../ui/theme';
import { drawGrid } from './gridDrawing';
import type { GridGeometry } from './gridGeometry';
import { peakOf } from './heat';

interface GridCanvasOptions {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly kernel: Kernel;
  readonly geometry: GridGeometry;
  /** CSS pixels that the grid may be wide; 0 before they are known. */
  readonly roomWidth: number;
  /** Whether the cell under the pointer has a frame. */
  readonly framesCell: boolean;
}

export interface GridCanvas {
  /** The cell under the pointer. */
  readonly hovered: CellPlace | null;
  /** Answers whether it is another cell that is to be told of at once, and not when a stroke is. */
  hover(cell: CellPlace | null): boolean;
  scroll(left: number, top: number): void;
  /** Shows the kernel that a stroke has come to. */
  paint(kernel: Kernel): void;
  /** The stroke is over: `kernel` is shown again. */
  rest(): void;
}

export function useGridCanvas({ canvas, kernel, geometry, roomWidth, framesCell }: GridCanvasOptions): GridCanvas {
  const theme = useTheme();
  // Kept here: reading it from the page while it is being changed would make it lay everything out at once.
  const scrolled = useRef({ left: 0, top: 0 });
  const hovered = useRef<CellPlace | null>(null);
  const painted = useRef<Kernel | null>(null);
  const redraw = useCallback(() => {
    if (canvas.current === null || roomWidth === 0) return;
    const { left, top } = scrolled.current;
    const drawn = painted.current ?? kernel;
    drawGrid(canvas.current, {
      kernel: drawn,
      geometry,
      peak: peakOf(drawn.weights),
      theme,
      left,
      top,
      width: Math.min(geometry.width, roomWidth),
      height: geometry.visibleHeight,
      framed: framesCell ? hovered.current : null,
    });
  }, [canvas, kernel, geometry, roomWidth, theme, framesCell]);
  useLayoutEffect(redraw, [redraw]);
  return {
    hovered: hovered.current,
    hover: (cell) => {
      if (hovered.current?.x === cell?.x && hovered.current?.y === cell?.y) return false;
      hovered.current = cell;
      // A stroke is drawn with the next frame anyhow.
      if (painted.current !== null) return false;
      redraw();
      return true;
    },
    scroll: (left, top) => {
      scrolled.current = { left, top };
      redraw();
    },
    paint: (next) => {
      painted.current = next;
      redraw();
    },
    rest: () => {
      painted.current = null;
      redraw();
    },
  };
}
