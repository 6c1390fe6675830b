// Changes of the selected filter's kernel, shared by commands, buttons and the grid. A filter of the catalogue becomes a
// kernel of one's own only when asked to.

import type { Filter, KernelFormula } from '../core/document';
import { changeFilter, editKernel, replaceByKernel } from '../core/edits';
import type { Result } from '../core/errors';
import { isOneGrid, kernelsOf } from '../core/filterForm';
import { fillFromFormula, parseFormula } from '../core/formula';
import { largestKernelFile } from '../core/interchange/read';

import { type Kernel, resizeKeepingAnchor } from '../core/kernel';
import { type KernelOperation, kernelOperations } from '../core/kernelOperations';
import type { KernelPicture } from '../core/pictureKernel';
import { fail } from './actions';
import { call } from './bridge';
import { editor } from './editor';
import { kernelDesk } from './kernel/kernelDesk';
import { pageStore, selectedFilter } from './store';

/**
 * Changes the kernel of the selected custom filter; nothing where another kind is selected. `formula`: where the new weights
 * come from one.
 */
export function changeKernel(change: (kernel: Kernel) => Kernel, formula?: KernelFormula): boolean {
  const filter = selectedFilter(pageStore.getState());
  if (filter === null || filter.kind !== 'custom') return false;
  return editor.edit((stack) => editKernel(stack, filter.id, change, formula));
}

/** Gives the selected kernel another size: a formula computes the new cells too, otherwise they are 0. */
export function resizeKernel(width: number, height: number): boolean {
  const filter = selectedFilter(pageStore.getState());
  if (filter === null || filter.kind !== 'custom') return false;
  const { formula } = filter;
  return changeKernel((kernel) => {
    const resized = resizeKeepingAnchor(kernel, width, height);
    return formula === undefined ? resized : fillFromFormula(resized, parseFormula(formula.text), formula.values);
  }, formula);
}

/** Runs one of the operations by name on the selected kernel, as one edit. */
export function operateOnKernel(name: KernelOperation): void {
  changeKernel(kernelOperations[name]);
}

function showKernelPicture(result: Result<KernelPicture | null>): void {
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) {
    kernelDesk.setState({ picture: result.value });
    pageStore.setState({ dialog: 'pictureKernel' });
  }
}

/** Asks for a picture and shows it as a kernel to be. */
export async function openKernelPicture(): Promise<void> {
  showKernelPicture(await call('kernel:openPicture', undefined));
}

/** Whether a file is a picture by what the system says of it; SVG is text, and may be a kernel's. */
export const isPictureFile = ({ type }: Pick<File, 'type'>): boolean =>
  type.startsWith('image/') && !type.startsWith('image/svg');

/** Shows a picture that was chosen in the page as a kernel to be. */
export async function readKernelPicture(file: File): Promise<void> {
  if (file.size > largestKernelFile) {
    const expected = `a file of at most ${largestKernelFile / 2 ** 20} MB`;
    fail({ code: 'imageTooLarge', subject: file.name, expected, actual: `${Math.ceil(file.size / 2 ** 20)} MB` });
  } else {
    const bytes = new Uint8Array(await file.arrayBuffer());
    showKernelPicture(await call('kernel:readPicture', { name: file.name, bytes }));
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
