// Changes of the selected filter's kernel, shared by commands, buttons and the grid. A filter of the catalogue becomes a
// kernel of one's own only when asked to.

import type { Filter } from '../core/document';
import { changeFilter, editKernel, replaceByKernel } from '../core/edits';
import { isOneGrid, kernelsOf } from '../core/filterForm';
import type { Kernel } from '../core/kernel';
import { type KernelOperation, kernelOperations } from '../core/kernelOperations';
import { fail } from './actions';
import { call } from './bridge';
import { kernelDesk } from './kernel/kernelDesk';
import { editor, pageStore, selectedFilter } from './store';

/** Changes the kernel of the selected custom filter; nothing where another kind is selected. */
export function changeKernel(change: (kernel: Kernel) => Kernel): boolean {
  const filter = selectedFilter(pageStore.getState());
  if (filter === null || filter.kind !== 'custom') return false;
  return editor.edit((stack) => editKernel(stack, filter.id, change));
}

/** Runs one of the operations by name on the selected kernel, as one edit. */
export function operateOnKernel(name: KernelOperation): void {
  changeKernel(kernelOperations[name]);
}

/** Asks for a picture and shows it as a kernel to be. */
export async function openKernelPicture(): Promise<void> {
  const result = await call('kernel:openPicture', undefined);
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) {
    kernelDesk.setState({ picture: result.value });
    pageStore.setState({ dialog: 'pictureKernel' });
  }
}

/** True for filters that one linear kernel describes: all but the gradient magnitudes, the kernels too large
 * for a grid, and not already a custom one. */
export function canEditAsKernel(filter: Filter | null): boolean {
  return filter !== null && filter.kind !== 'custom' && isOneGrid(filter);
}

/** Turns the selected filter into a custom kernel with the same numbers, under a name for people. */
export function editAsKernel(name: string): void {
  const filter = selectedFilter(pageStore.getState());
  if (filter === null || !canEditAsKernel(filter)) return;
  const kernel = kernelsOf(filter)[0];
  if (kernel !== undefined) editor.edit((stack) => replaceByKernel(stack, filter.id, name, kernel));
}

/** Puts a filter with this kernel after the selected one and selects it, as one step of undo. */
export function addKernel(name: string, kernel: Kernel): boolean {
  if (pageStore.getState().image === null) return false;
  editor.gesture('begin');
  editor.add('custom');
  const added = changeKernel(() => kernel);
  const filter = selectedFilter(pageStore.getState());
  if (added && filter !== null)
    editor.edit((stack) =>
      changeFilter(stack, filter.id, (now) => (now.kind === 'custom' ? { ...now, name: name.slice(0, 200) } : now)),
    );
  editor.gesture(added ? 'end' : 'cancel');
  return added;
}
