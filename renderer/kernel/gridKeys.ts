// What a key does in the kernel grid: move the active cell, nudge it, clear it, or paint with the brush. Pure.

import type { CellPlace } from '../../core/kernelPainting';

export type GridKey =
  | { readonly kind: 'move'; readonly to: CellPlace }
  /** `count` notches, ten times finer with Shift. */
  | { readonly kind: 'nudge'; readonly count: number; readonly fine: boolean }
  | { readonly kind: 'clear' }
  | { readonly kind: 'paint' };

/** Keys that move at any time, and those that move only while nothing is being typed into the cell. */
const always: Readonly<Record<string, CellPlace>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  Enter: { x: 0, y: 1 },
};
const idle: Readonly<Record<string, CellPlace>> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 } };

interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
}

/**
 * What a key press on a cell does, held inside the grid; null where the key is not the grid's. Enter goes down and Shift+Enter
 * up; Page Up and Page Down nudge; Space paints and Delete clears, unless a number is being typed. While one is, Tab goes on to
 * the next cell; otherwise it leaves the grid, as everywhere.
 */
export function readGridKey(
  cell: CellPlace,
  press: Press,
  width: number,
  height: number,
  typing: boolean,
): GridKey | null {
  const { key, shiftKey } = press;
  const hold = (x: number, y: number): GridKey => ({
    kind: 'move',
    to: { x: Math.min(width - 1, Math.max(0, x)), y: Math.min(height - 1, Math.max(0, y)) },
  });
  if (key === 'Tab') {
    const to = cell.y * width + cell.x + (shiftKey ? -1 : 1);
    return !typing || to < 0 || to >= width * height ? null : hold(to % width, Math.floor(to / width));
  }
  if (key === 'PageUp') return { kind: 'nudge', count: 1, fine: shiftKey };
  if (key === 'PageDown') return { kind: 'nudge', count: -1, fine: shiftKey };
  if (!typing && key === 'Home') return hold(0, press.ctrlKey ? 0 : cell.y);
  if (!typing && key === 'End') return hold(width - 1, press.ctrlKey ? height - 1 : cell.y);
  if (!typing && key === ' ') return { kind: 'paint' };
  if (!typing && (key === 'Delete' || key === 'Backspace')) return { kind: 'clear' };
  const step = always[key] ?? (typing ? undefined : idle[key]);
  if (step === undefined) return null;
  const sign = key === 'Enter' && shiftKey ? -1 : 1;
  return hold(cell.x + step.x, cell.y + step.y * sign);
}
