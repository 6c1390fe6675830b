// Tells main, a moment after a change, what each document is like: for the recovery file while no file holds it, and for a
// page that starts anew. While changes go on it tells every moment all the same.

import type { Stack } from '../core/document';
import { standardSettings } from '../core/ipc';
import { fail } from './actions';
import { call } from './bridge';
import { documentsOf, isUnsaved, pageStore } from './store';

interface Told {
  readonly stack: Stack;
  readonly unsaved: boolean;
}

/** Starts watching the documents of the page. */
export function keepDocuments(): void {
  const told = new Map<number, Told>();
  let timer = 0;
  let warned = false;
  const untold = () =>
    documentsOf(pageStore.getState()).flatMap((document) => {
      const { id } = document.image;
      const now: Told = { stack: document.history.present, unsaved: isUnsaved(document) };
      const before = told.get(id);
      // A document that has just been opened is known to main.
      if (before === undefined && !now.unsaved) told.set(id, now);
      else if (before?.stack !== now.stack || before.unsaved !== now.unsaved) return [{ id, now }];
      return [];
    });
  const tell = async () => {
    timer = 0;
    for (const { id, now } of untold()) {
      told.set(id, now);
      const result = await call('document:keep', { imageId: id, stack: [...now.stack], unsaved: now.unsaved });
      // Once: a disk that is full is full every two seconds.
      if (!result.ok && !warned) {
        warned = true;
        fail(result.failure);
      }
    }
  };
  pageStore.subscribe((state, before) => {
    if (state.history === before.history && state.parked === before.parked && state.savedStack === before.savedStack)
      return;
    if (timer !== 0 || untold().length === 0) return;
    const { autosaveSeconds } = state.application?.settings ?? standardSettings;
    timer = window.setTimeout(() => void tell(), 1000 * autosaveSeconds);
  });
}
