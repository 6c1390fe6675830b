// The pointer on the kernel grid. A click chooses a cell; a drag paints, draws a line (Shift), erases (right button) or moves
// the anchor (Ctrl, or by its mark); Alt takes a weight up as the brush's. A drag is one gesture, drawn once a frame; Esc takes
// it back.

import { type PointerEvent, useEffect, useRef } from 'react';
import type { Kernel } from '../../core/kernel';
import type { CellPlace } from '../../core/kernelPainting';
import { isMac } from '../keys';
import { cellAt, cellBox, type GridGeometry, isInside } from './gridGeometry';
import { GridStroke, type StrokeKind } from './gridStroke';
import { gridTools, setBrush } from './gridTools';
import { kernelDesk } from './kernelDesk';

/** CSS pixels from the corner of the anchor's cell that belong to its mark. */
const markSize = 11;

export interface GridPointerOptions {
  /** The newest, which may not be drawn yet. */
  readonly kernel: () => Kernel;
  readonly geometry: GridGeometry;
  readonly readOnly: boolean;
  /** A cell was chosen. */
  readonly choose: (cell: CellPlace) => void;
  /** The cell under the pointer, or null. */
  readonly hover: (cell: CellPlace | null) => void;
  readonly gesture: (phase: 'begin' | 'end' | 'cancel') => void;
  readonly change: (kernel: Kernel) => void;
}

interface Press {
  readonly start: CellPlace;
  /** What a drag does; null only chooses. */
  readonly kind: StrokeKind | null;
  stroke: GridStroke | null;
  /** Cells that the pointer reached since the last frame. */
  waiting: CellPlace[];
  frame: number;
}

export function useGridPointer(options: GridPointerOptions) {
  const now = useRef(options);
  now.current = options;
  const press = useRef<Press | null>(null);

  const placeOf = (event: PointerEvent<HTMLElement>): CellPlace => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return cellAt(now.current.geometry, event.clientX - left, event.clientY - top);
  };

  const kindOf = (event: PointerEvent<HTMLElement>, cell: CellPlace): { kind: StrokeKind | null; atOnce: boolean } => {
    const { geometry, readOnly } = now.current;
    const kernel = now.current.kernel();
    if (readOnly) return { kind: null, atOnce: false };
    const { tool } = gridTools.getState();
    if (event.button === 2) return { kind: 'erase', atOnce: true };
    if (isMac ? event.metaKey : event.ctrlKey) return { kind: 'anchor', atOnce: true };
    if (event.shiftKey) return { kind: 'line', atOnce: true };
    if (tool !== 'type') return { kind: tool, atOnce: true };
    if (geometry.fontSize > 0 && cell.x === kernel.anchorX && cell.y === kernel.anchorY) {
      const box = cellBox(geometry, cell);
      const { left, top } = event.currentTarget.getBoundingClientRect();
      const onMark = event.clientX - left - box.left < markSize && event.clientY - top - box.top < markSize;
      if (onMark) return { kind: 'anchor', atOnce: true };
    }
    return { kind: 'paint', atOnce: false };
  };

  const draw = () => {
    const held = press.current;
    if (held === null || held.waiting.length === 0 || held.stroke === null) return;
    now.current.change(held.stroke.goThrough(held.waiting));
    held.waiting = [];
  };
  const begin = (held: Press) => {
    const { brush, symmetry } = gridTools.getState();
    if (held.kind === null) return;
    held.stroke = new GridStroke(held.kind, now.current.kernel(), held.start, brush, symmetry);
    now.current.gesture('begin');
    kernelDesk.setState({ painting: true });
  };
  const end = (phase: 'end' | 'cancel') => {
    const held = press.current;
    if (held === null) return;
    cancelAnimationFrame(held.frame);
    if (phase === 'end') draw();
    press.current = null;
    if (held.stroke === null) return;
    now.current.gesture(phase);
    kernelDesk.setState({ painting: false });
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const cell = placeOf(event);
    if (press.current !== null || event.button === 1 || !isInside(now.current.geometry, cell)) return;
    event.preventDefault();
    if (event.altKey && event.button === 0 && !now.current.readOnly) {
      const { weights, width } = now.current.kernel();
      setBrush({ value: weights[cell.y * width + cell.x] ?? 0 });
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    now.current.choose(cell);
    const { kind, atOnce } = kindOf(event, cell);
    const held: Press = { start: cell, kind, stroke: null, waiting: [], frame: 0 };
    press.current = held;
    if (!atOnce) return;
    begin(held);
    held.waiting.push(cell);
    draw();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const cell = placeOf(event);
    now.current.hover(isInside(now.current.geometry, cell) ? cell : null);
    const held = press.current;
    if (held === null || held.kind === null) return;
    if (held.stroke === null) {
      if (cell.x === held.start.x && cell.y === held.start.y) return;
      begin(held);
      held.waiting.push(held.start);
    }
    held.waiting.push(cell);
    cancelAnimationFrame(held.frame);
    held.frame = requestAnimationFrame(draw);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `end` only reads what is held in references
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || press.current?.stroke == null) return;
      event.preventDefault();
      event.stopPropagation();
      end('cancel');
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      end('cancel');
    };
  }, []);

  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: () => end('end'),
    onPointerCancel: () => end('cancel'),
    onPointerLeave: () => {
      if (press.current === null) now.current.hover(null);
    },
    onContextMenu: (event: { preventDefault: () => void }) => {
      if (!now.current.readOnly) event.preventDefault();
    },
  };
}
