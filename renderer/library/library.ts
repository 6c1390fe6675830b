// The person's own kernels and the shipped ones as the page shows them, and what is done with them. Main keeps the files; each
// change answers with the whole library.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Result } from '../../core/errors';
import type { Kernel } from '../../core/kernel';
import { freeName, type KernelLibrary, type LibraryContent, type LibraryEntry } from '../../core/kernelLibrary';
import { fail } from '../actions';
import { call } from '../bridge';
import { editor, pageStore } from '../store';

interface LibraryState {
  readonly entries: readonly LibraryEntry[];
  /** The entry that a dialog is about; null for the selected kernel. */
  readonly chosen: LibraryEntry | null;
}

const library = createStore<LibraryState>(() => ({ entries: [], chosen: null }));

export function useLibrary<T>(select: (state: LibraryState) => T): T {
  return useStore(library, select);
}

function take(result: Result<KernelLibrary>): boolean {
  if (result.ok) library.setState({ entries: result.value.entries });
  else fail(result.failure);
  return result.ok;
}

/** Reads the library once, at the start; files that were set aside are told of by name. */
export async function loadLibrary(): Promise<void> {
  const result = await call('library:read', undefined);
  take(result);
  if (!result.ok) return;
  for (const { file, movedTo } of result.value.setAside)
    editor.notify({
      kind: 'words',
      key: movedTo === null ? 'library.unreadable' : 'library.setAside',
      values: { file, movedTo: movedTo ?? '' },
    });
}

/** Saves a kernel as a new entry, or in place of one. */
export async function saveToLibrary(content: LibraryContent, id: string | null): Promise<boolean> {
  return take(await call('library:save', { content, id }));
}

export async function removeFromLibrary(id: string): Promise<void> {
  take(await call('library:remove', { id }));
}

export async function duplicateInLibrary({ name, tags, kernel }: LibraryEntry): Promise<void> {
  const taken = library.getState().entries.map((entry) => entry.name);
  await saveToLibrary({ name: freeName(name, taken), tags, kernel }, null);
}

export async function importKernels(): Promise<void> {
  const result = await call('library:import', undefined);
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) {
    const { added, known, refused } = result.value.imported;
    library.setState({ entries: result.value.library.entries });
    editor.notify({ kind: 'words', key: 'library.imported', values: { added, known } });
    if (refused.length > 0)
      editor.notify({ kind: 'words', key: 'library.refused', values: { names: refused.slice(0, 10).join(', ') } });
  }
}

/** Writes one kernel, or all, as a file. */
export async function exportKernels(ids: readonly string[] | null): Promise<void> {
  const result = await call('library:export', { ids: ids === null ? null : [...ids] });
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) {
    const { file, count } = result.value;
    editor.notify({ kind: 'words', key: 'library.exported', values: { file, count } });
  }
}

/** Opens the dialog that names a kernel: an entry, or the selected kernel, which is to become one. */
export function openSaveDialog(entry: LibraryEntry | null): void {
  library.setState({ chosen: entry });
  pageStore.setState({ dialog: 'saveKernel' });
}

export function openDeleteDialog(entry: LibraryEntry): void {
  library.setState({ chosen: entry });
  pageStore.setState({ dialog: 'deleteKernel' });
}

/** Type of a dragged kernel, which holds the key of what is dragged. */
export const kernelDragType = 'application/x-convolve-kernel';

/** The kernel that is being dragged over the window, if one is. */
let dragged: { readonly name: string; readonly kernel: Kernel } | null = null;

export function beginKernelDrag(transfer: DataTransfer, name: string, kernel: Kernel): void {
  dragged = { name, kernel };
  transfer.setData(kernelDragType, name);
  transfer.effectAllowed = 'copy';
}

/** Puts the dragged kernel into the stack at `index`, its end where it is null. */
export function dropKernel(index: number | null): void {
  if (dragged !== null) editor.addKernel(dragged.name, dragged.kernel, index);
  dragged = null;
}
