// What a person does with whole documents: save, close with or without saving, restore what a crash left. Unsaved work is
// asked about before it goes, one document after another.

import type { SaveMode } from '../core/ipc';
import { askForPictures, fail, findMissingPicture, refreshApplication, showOpened } from './actions';
import { call } from './bridge';
import { editor } from './editor';
import { documentsOf, isUnsaved, pageStore, stackOf } from './store';

/** Saves the shown document; answers whether a file holds it now. */
export async function saveDocument(mode: SaveMode): Promise<boolean> {
  editor.gesture('end');
  const state = pageStore.getState();
  const { image } = state;
  if (image === null) return false;
  const stack = stackOf(state);
  const result = await call('project:save', { imageId: image.id, stack: [...stack], mode });
  if (!result.ok) {
    fail(result.failure);
    return false;
  }
  if (result.value === null) return false;
  editor.markSaved(image.id, stack, result.value.project);
  void refreshApplication();
  return true;
}

function removeDocument(id: number): void {
  editor.removeDocument(id);
  void call('image:close', { imageId: id });
}

/** Closes the shown document, or asks first. */
export function closeDocument(): void {
  const state = pageStore.getState();
  if (state.image === null) return;
  if (isUnsaved(state)) pageStore.setState({ closing: 'document', dialog: 'unsaved' });
  else removeDocument(state.image.id);
}

/** Closes the window, after a question about each document with unsaved work. */
export function closeWindow(): void {
  const state = pageStore.getState();
  const unsaved = documentsOf(state).find(isUnsaved);
  if (unsaved === undefined) {
    void call('window:close', undefined);
    return;
  }
  editor.switchTo(unsaved.image.id);
  pageStore.setState({ closing: 'window', dialog: 'unsaved' });
}

/** The person's answer about the shown document. A save that fails or is cancelled closes nothing. */
export async function answerUnsaved(answer: 'save' | 'discard' | 'cancel'): Promise<void> {
  const { closing, image } = pageStore.getState();
  pageStore.setState({ closing: null, dialog: null });
  if (answer === 'cancel' || image === null) return;
  if (answer === 'save' && !(await saveDocument('save'))) return;
  removeDocument(image.id);
  if (closing === 'window') closeWindow();
}

export async function restoreWork(): Promise<void> {
  pageStore.setState({ dialog: null });
  const result = await call('recovery:restore', undefined);
  if (!result.ok) return fail(result.failure);
  for (const document of result.value.documents) showOpened(document);
  for (const failure of result.value.failures) fail(failure);
  askForPictures(result.value.missing);
}

/** The person's answer about the picture that is asked for: finds it, or leaves what waits for it where it is kept. */
export async function answerMissing(answer: 'find' | 'later'): Promise<void> {
  const [asked, ...others] = pageStore.getState().missing;
  pageStore.setState({ missing: others, dialog: null });
  if (asked !== undefined && answer === 'find') await findMissingPicture(asked.id);
  if (pageStore.getState().missing.length > 0) pageStore.setState({ dialog: 'missingPicture' });
}

export async function discardWork(): Promise<void> {
  pageStore.setState({ dialog: null });
  const result = await call('recovery:discard', undefined);
  if (!result.ok) fail(result.failure);
  void refreshApplication();
}

/** Shows the tab `by` places further, round the end. */
export function stepTab(by: 1 | -1): void {
  const { tabs, image } = pageStore.getState();
  const next = tabs[(tabs.indexOf(image?.id ?? 0) + by + tabs.length) % tabs.length];
  if (next !== undefined) editor.switchTo(next);
}
