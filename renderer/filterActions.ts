// What a person does with the filters of the stack: the selected one is moved, duplicated, reset, removed. Each is one edit.

import { duplicateFilter, moveFilter, removeFilter, resetFilter } from '../core/edits';
import { catalogueEntry } from '../core/filters';
import { editor, newFilterId } from './editor';
import { type PageState, pageStore, selectedFilter, stackOf } from './store';

/** An action on the selected filter; nothing where none is. */
export function onSelected(change: (id: string) => void): () => void {
  return () => {
    const { selectedId } = pageStore.getState();
    if (selectedId !== null) change(selectedId);
  };
}

/** Moves the selected filter one place up or down the stack. */
export function moveSelected(by: 1 | -1): void {
  const state = pageStore.getState();
  const index = stackOf(state).findIndex((filter) => filter.id === state.selectedId);
  const id = state.selectedId;
  if (id !== null && index >= 0) editor.edit((stack) => moveFilter(stack, id, index + by));
}

/** Whether the selected filter has a place to move to. */
export function canMove(by: 1 | -1) {
  return (state: PageState) => {
    const index = stackOf(state).findIndex((filter) => filter.id === state.selectedId);
    const to = index + by;
    return state.image !== null && index >= 0 && to >= 0 && to < stackOf(state).length;
  };
}

/** Removes a filter; where it was the selected one, the next or else the one before is selected. */
export function removeFilterById(id: string): void {
  const state = pageStore.getState();
  const index = stackOf(state).findIndex((filter) => filter.id === id);
  const next = stackOf(state)[index + 1] ?? stackOf(state)[index - 1];
  editor.edit((stack) => removeFilter(stack, id));
  if (state.selectedId === id) editor.select(next?.id ?? null);
}

/** Puts a copy of a filter after it, and selects the copy. */
export function duplicateFilterById(id: string): void {
  const newId = newFilterId();
  if (editor.edit((stack) => duplicateFilter(stack, id, newId))) editor.select(newId);
}

/** Gives the selected filter the parameters and settings that it began with. */
export function resetSelected(): void {
  const { image } = pageStore.getState();
  const filter = selectedFilter(pageStore.getState());
  if (image === null || filter === null) return;
  const start = catalogueEntry(filter.kind).create(filter.id, image.sampleType);
  editor.edit((stack) => resetFilter(stack, filter.id, start));
}
