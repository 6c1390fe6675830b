// What lies open beside the kernel grid: a change that is being set by a slider, the formula, a picture to fill from, and which
// filters are about to become others. Kept for the window, not in the document.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { KernelPicture } from '../../core/pictureKernel';
import { pageStore } from '../store';

/** Changes that need a number: an angle in degrees, a share of the picture in percent. */
export type Adjustment = 'rotate' | 'blend';

/** What the dialog on filters of the stack is about to do with the selected one. */
export type StackAlgebra = 'merge' | 'repeat' | 'split';

export interface KernelDesk {
  readonly adjustment: Adjustment | null;
  /** Null until a kernel has one or somebody opens it. */
  readonly formulaIsOpen: boolean | null;
  /** The picture that the fill dialog shows. */
  readonly picture: KernelPicture | null;
  readonly algebra: StackAlgebra;
  /** True while a stroke goes over the grid: the grid follows each frame, all that tells of the kernel a little later. */
  readonly painting: boolean;
}

export const kernelDesk = createStore<KernelDesk>(() => ({
  adjustment: null,
  formulaIsOpen: null,
  picture: null,
  algebra: 'merge',
  painting: false,
}));

export function useKernelDesk<T>(select: (desk: KernelDesk) => T): T {
  return useStore(kernelDesk, select);
}

/** The adjustments and the formula stand in the Kernel tab. */
export function openAdjustment(adjustment: Adjustment): void {
  pageStore.setState({ filterTab: 'kernel' });
  kernelDesk.setState({ adjustment });
}

export function toggleFormula(): void {
  pageStore.setState({ filterTab: 'kernel' });
  kernelDesk.setState(({ formulaIsOpen }) => ({ formulaIsOpen: !formulaIsOpen }));
}

/** Shows the formula of a kernel that has one, unless somebody closed it; it stays when the kernel loses it. */
export function showFormula(): void {
  kernelDesk.setState(({ formulaIsOpen }) => ({ formulaIsOpen: formulaIsOpen ?? true }));
}

export function openAlgebra(algebra: StackAlgebra): void {
  kernelDesk.setState({ algebra });
  pageStore.setState({ dialog: 'stackAlgebra' });
}
