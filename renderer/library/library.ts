// The person's own kernels and the shipped ones as the page shows them, and what is done with them. Main keeps the files;
// after each change the page asks which entries there are, and for those that it does not have, a few at a time.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Kernel } from '../../core/kernel';
import { freeName, type KernelLibrary, type LibraryContent, type LibraryEntry } from '../../core/kernelLibrary';
import { fail } from '../actions';
import { call, listen } from '../bridge';
import { editor } from '../editor';
import { pageStore } from '../store';

interface LibraryState {
  readonly entries: readonly LibraryEntry[];
  /** The entry that a dialog is about; null for the selected kernel. */
  readonly chosen: LibraryEntry | null;
  /** How far an import is; null where none goes on. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}

const library = createStore<LibraryState>(() => ({ entries: [], chosen: null, progress: null }));

export function useLibrary<T>(select: (state: LibraryState) => T): T {
  return useStore(library, select);
}

/** Entries that the page has, with the revision that they are of. */
const held = new Map<string, { readonly revision: number; readonly entry: LibraryEntry }>();
/** Files that were told of. */
const told = new Set<string>();

/** Tells once of each file that is not in the library. */
function tell({ setAside, newer }: KernelLibrary): void {
  const words = [
    ...setAside.map(({ file, movedTo }) => ({
      key: movedTo === null ? 'library.unreadable' : 'library.setAside',
      values: { file, movedTo: movedTo ?? '' },
    })),
    ...newer.map((file) => ({ key: 'library.newer', values: { file } })),
  ];
  for (const one of words)
    if (!told.has(one.values.file)) {
      told.add(one.values.file);
      editor.notify({ kind: 'words', ...one, stays: true });
    }
}

/** How often the library was asked for: an older answer gives way. */
let asked = 0;

/** Asks main for the entries that are missing here; each answer is shown at once. */
export async function loadLibrary(): Promise<void> {
  asked += 1;
  const mine = asked;
  const result = await call('library:read', undefined);
  if (mine !== asked) return;
  if (!result.ok) {
    fail(result.failure);
    return;
  }
  const { entries } = result.value;
  const revisions = new Map(entries.map(({ id, revision }) => [id, revision]));
  for (const id of held.keys()) if (!revisions.has(id)) held.delete(id);
  const show = () => library.setState({ entries: entries.flatMap(({ id }) => held.get(id)?.entry ?? []) });
  let missing = entries.filter(({ id, revision }) => held.get(id)?.revision !== revision).map(({ id }) => id);
  show();
  while (missing.length > 0) {
    const given = await call('library:entries', { ids: missing });
    if (mine !== asked) return;
    if (!given.ok) {
      fail(given.failure);
      return;
    }
    for (const entry of given.value.entries) held.set(entry.id, { revision: revisions.get(entry.id) ?? 0, entry });
    missing = missing.slice(Math.max(1, given.value.looked));
    show();
  }
  tell(result.value);
}

/** Saves a kernel as a new entry, or in place of one. */
export async function saveToLibrary(content: LibraryContent, id: string | null): Promise<boolean> {
  const result = await call('library:save', { content, id });
  if (!result.ok) fail(result.failure);
  await loadLibrary();
  return result.ok;
}

export async function removeFromLibrary(id: string): Promise<void> {
  const result = await call('library:remove', { id });
  if (!result.ok) fail(result.failure);
  await loadLibrary();
}

export async function duplicateInLibrary({ name, tags, kernel }: LibraryEntry): Promise<void> {
  const taken = library.getState().entries.map((entry) => entry.name);
  await saveToLibrary({ name: freeName(name, taken), tags, kernel }, null);
}

export async function importKernels(): Promise<void> {
  const stop = listen('library:progress', (progress) => library.setState({ progress }));
  const result = await call('library:import', undefined);
  stop();
  library.setState({ progress: null });
  if (!result.ok) fail(result.failure);
  // What was added before a failure is there.
  await loadLibrary();
  if (result.ok && result.value !== null) {
    const { added, known, refused } = result.value;
    editor.notify({ kind: 'words', key: 'library.imported', values: { added, known } });
    if (refused.length > 0)
      editor.notify({
        kind: 'words',
        key: 'library.refused',
        values: { names: refused.slice(0, 10).join(', ') },
        stays: true,
      });
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
