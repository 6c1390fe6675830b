// What the page asks of main, with a main whose answers come when the test says.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ImageInfo } from '../../../core/document';
import type { Result } from '../../../core/errors';
import type { Bridge, Opened } from '../../../core/ipc';
import { openSample, showOpened } from '../../../renderer/actions';
import { answerUnsaved, closeDocument, closeWindow } from '../../../renderer/documentActions';
import { editor } from '../../../renderer/editor';
import { documentsOf, pageStore } from '../../../renderer/store';
import { documentOf, picture as examplePicture } from './examplePicture';

const picture = (id: number, name: string): ImageInfo => ({ ...examplePicture, id, name });

const opening = new Map<string, (opened: Opened) => void>();
let calls: { readonly channel: string; readonly argument: unknown }[] = [];
let saved: Result<{ project: string } | null>;
const names = () => documentsOf(pageStore.getState()).map(({ image }) => image.name);
beforeEach(() => {
  calls = [];
  saved = { ok: true, value: { project: 'a.convolve' } };
  for (const id of pageStore.getState().tabs) editor.removeDocument(id);
  pageStore.setState({ dialog: null, closing: null });
  const call = async (channel: string, argument: { name: string }) => {
    calls.push({ channel, argument });
    if (channel === 'image:openSample')
      return new Promise((resolve) => opening.set(argument.name, (value) => resolve({ ok: true, value })));
    if (channel === 'project:save') return saved;
    return { ok: false, failure: { code: 'cancelled' } };
  };
  vi.stubGlobal('window', { bridge: { call } as unknown as Bridge });
});
afterEach(() => vi.unstubAllGlobals());

const called = (channel: string) => calls.filter((one) => one.channel === channel).map(({ argument }) => argument);

/** Two open pictures, both with a filter that is not saved. */
function twoUnsaved(): void {
  for (const id of [1, 2]) {
    showOpened(documentOf(picture(id, `${id}.png`)));
    editor.add('sobel');
  }
}

it('pictures have their tabs in the order in which they opened, the last one shown', async () => {
  const slow = openSample('slow');
  const quick = openSample('quick');
  opening.get('quick')?.(documentOf(picture(2, 'quick')));
  await quick;
  showOpened(documentOf(picture(3, 'from outside')));
  opening.get('slow')?.(documentOf(picture(1, 'slow')));
  await slow;
  expect(names()).toEqual(['quick', 'from outside', 'slow']);
  expect(pageStore.getState().image?.name).toBe('slow');
  expect(pageStore.getState().opening).toBe(0);
});

it('a project without its picture is asked for', () => {
  showOpened({ kind: 'pictureMissing', id: 1, project: 'a.convolve', picture: 'a.jpg' });
  expect(pageStore.getState()).toMatchObject({ dialog: 'missingPicture', image: null });
});

it('closing a document with unsaved work asks, and what the answer is happens', async () => {
  twoUnsaved();
  closeDocument();
  expect(pageStore.getState()).toMatchObject({ dialog: 'unsaved', closing: 'document' });
  await answerUnsaved('cancel');
  expect(names()).toEqual(['1.png', '2.png']);
  closeDocument();
  await answerUnsaved('discard');
  expect(names()).toEqual(['1.png']);
  expect(called('image:close')).toEqual([{ imageId: 2 }]);
  closeDocument();
  await answerUnsaved('save');
  expect(called('project:save')).toMatchObject([{ imageId: 1, mode: 'save' }]);
  expect(names()).toEqual([]);
});

it('a save that is cancelled, or fails, closes nothing', async () => {
  twoUnsaved();
  for (const outcome of [
    { ok: true, value: null },
    { ok: false, failure: { code: 'targetFull' } },
  ] as const) {
    saved = outcome;
    closeDocument();
    await answerUnsaved('save');
    expect(names()).toEqual(['1.png', '2.png']);
  }
});

it('the window closes after a question about each document with unsaved work, and not without', async () => {
  twoUnsaved();
  closeWindow();
  expect(pageStore.getState()).toMatchObject({ dialog: 'unsaved', image: { name: '1.png' } });
  await answerUnsaved('discard');
  expect(pageStore.getState()).toMatchObject({ dialog: 'unsaved', image: { name: '2.png' } });
  await answerUnsaved('cancel');
  expect(called('window:close')).toEqual([]);
  closeWindow();
  await answerUnsaved('save');
  expect(called('window:close')).toEqual([undefined]);
});
