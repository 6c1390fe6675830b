// How a person works on the kernel grid: the tool, the brush, the symmetry lock and the view. Kept for the window, not in the
// document: no undo step changes them.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Brush } from '../../core/kernelPainting';
import type { Symmetry } from '../../core/kernelSymmetry';

export const gridToolNames = ['type', 'paint', 'line', 'erase', 'anchor'] as const;
export type GridTool = (typeof gridToolNames)[number];

/** numbers: cells large enough to read, scrolled where they are many. whole: all cells at once, as colours. */
export type GridView = 'numbers' | 'whole';

export interface GridTools {
  readonly tool: GridTool;
  readonly brush: Brush;
  readonly symmetry: Symmetry | null;
  readonly view: GridView;
}

export const gridTools = createStore<GridTools>(() => ({
  tool: 'type',
  brush: { value: 1, strength: 1, size: 1, falloff: 0 },
  symmetry: null,
  view: 'whole',
}));

export function useGridTools<T>(select: (tools: GridTools) => T): T {
  return useStore(gridTools, select);
}

export function setBrush(change: Partial<Brush>): void {
  gridTools.setState(({ brush }) => ({ brush: { ...brush, ...change } }));
}
