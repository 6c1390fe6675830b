// What a person does with masks just now: the tool in hand, the shape whose handles show, the brush, whether the mask is
// seen. Kept for the window, not in the document.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { BrushStroke, Mask, MaskShapeKind } from '../../core/mask';

export type BrushSettings = Pick<BrushStroke, 'size' | 'hardness' | 'flow'>;

export interface MaskDesk {
  /** What the next drag on the picture draws; null where drags pan. */
  readonly tool: MaskShapeKind | null;
  /** The shape that is being edited, by its place in the mask of a filter. */
  readonly shape: { readonly filterId: string; readonly index: number } | null;
  /** Whether the mask of the selected filter is drawn over the picture. */
  readonly overlay: boolean;
  readonly brush: BrushSettings;
  /** A mask to be given to other filters. */
  readonly copied: Mask | null;
}

export const maskDesk = createStore<MaskDesk>(() => ({
  tool: null,
  shape: null,
  overlay: true,
  brush: { size: 100, hardness: 0.5, flow: 1 },
  copied: null,
}));

export function useMaskDesk<T>(select: (desk: MaskDesk) => T): T {
  return useStore(maskDesk, select);
}

/** The place of the shape that is being edited in this filter's mask; null where none is, or it is gone. */
export function editedShape(
  { shape }: Pick<MaskDesk, 'shape'>,
  filter: { readonly id: string; readonly mask?: Mask | undefined } | null,
): number | null {
  if (shape === null || filter === null || shape.filterId !== filter.id) return null;
  return filter.mask?.shapes[shape.index] === undefined ? null : shape.index;
}
