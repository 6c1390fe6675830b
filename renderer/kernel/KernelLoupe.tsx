// The cells round one of them as numbers, for a kernel that is shown as a picture.

import { useLayoutEffect, useRef, useState } from 'react';
import type { Kernel } from '../../core/kernel';
import type { CellPlace } from '../../core/kernelPainting';
import { useTheme } from '../ui/theme';
import { drawGrid } from './gridDrawing';
import type { GridGeometry } from './gridGeometry';
import { peakOf } from './heat';
import { useWidth } from './useWidth';

const columnsShown = 9;
const cellHeight = 22;
const rowsShown = 5;

export function KernelLoupe({ kernel, cell }: { readonly kernel: Kernel; readonly cell: CellPlace }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const [room, setRoom] = useState(0);
  useWidth(canvas, setRoom);
  useLayoutEffect(() => {
    if (canvas.current === null || room === 0) return;
    const cellWidth = room / columnsShown;
    const geometry: GridGeometry = {
      columns: kernel.width,
      rows: kernel.height,
      cellWidth,
      cellHeight,
      gap: 1,
      fontSize: 10,
      precision: 9,
      width: cellWidth * kernel.width,
      height: cellHeight * kernel.height,
      visibleHeight: cellHeight * rowsShown,
    };
    drawGrid(canvas.current, {
      kernel,
      geometry,
      peak: peakOf(kernel.weights),
      theme,
      left: (cell.x + 0.5) * cellWidth - room / 2,
      top: (cell.y + 0.5 - rowsShown / 2) * cellHeight,
      width: room,
      height: cellHeight * rowsShown,
      framed: cell,
    });
  }, [kernel, cell, room, theme]);
  return <canvas ref={canvas} className="kernel-loupe" data-testid="kernel-loupe" />;
}
