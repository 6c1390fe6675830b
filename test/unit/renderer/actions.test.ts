// What the page asks of main, with a main whose answers come when the test says.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ImageInfo } from '../../../core/document';
import type { Bridge } from '../../../core/ipc';
import { openSample, showOpened } from '../../../renderer/actions';
import { editor, pageStore } from '../../../renderer/store';

const picture = (id: number, name: string): ImageInfo => ({
  id,
  name,
  width: 4,
  height: 4,
  channels: 3,
  alpha: false,
  sampleType: 'u8',
  format: 'png',
  profile: 'sRGB',
  fileBytes: 1,
  warnings: [],
});

const opening = new Map<string, (image: ImageInfo) => void>();
let closed: number[] = [];
beforeEach(() => {
  closed = [];
  editor.removePicture();
  const call = async (channel: string, argument: { name: string; imageId: number }) => {
    if (channel === 'image:openSample')
      return new Promise((resolve) => opening.set(argument.name, (value) => resolve({ ok: true, value })));
    if (channel === 'image:close') closed.push(argument.imageId);
    return { ok: false, failure: { code: 'cancelled' } };
  };
  vi.stubGlobal('window', { bridge: { call } as unknown as Bridge });
});
afterEach(() => vi.unstubAllGlobals());

it('a picture that opens after one asked for later does not take its place', async () => {
  const slow = openSample('slow');
  const quick = openSample('quick');
  opening.get('quick')?.(picture(2, 'quick'));
  await quick;
  opening.get('slow')?.(picture(1, 'slow'));
  await slow;
  expect(pageStore.getState().image?.name).toBe('quick');
  expect(closed).toEqual([1]);
  expect(pageStore.getState().opening).toBe(0);
});

it('nor does it take the place of one that the system opened meanwhile', async () => {
  const slow = openSample('slow');
  showOpened(picture(3, 'from outside'));
  opening.get('slow')?.(picture(1, 'slow'));
  await slow;
  expect(pageStore.getState().image?.name).toBe('from outside');
  expect(closed).toEqual([1]);
});

it('in order, each takes the place of the one before', async () => {
  const first = openSample('first');
  const second = openSample('second');
  opening.get('first')?.(picture(1, 'first'));
  await first;
  opening.get('second')?.(picture(2, 'second'));
  await second;
  expect(pageStore.getState().image?.name).toBe('second');
  expect(closed).toEqual([1]);
});
