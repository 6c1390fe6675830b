// What the window waits for at the start: nothing of it loads the codec, which takes a quarter of a second and has a thread
// of its own.

import { afterAll, beforeEach, expect, it, vi } from 'vitest';

vi.mock('sharp', () => {
  throw new Error('sharp was loaded');
});

// Other files of this worker may have loaded the codec already.
beforeEach(() => {
  vi.resetModules();
});

// Other files of this worker may need the codec after this one.
afterAll(() => {
  vi.doUnmock('sharp');
  vi.resetModules();
});

it('does not load sharp with what main.ts imports', async () => {
  for (const load of [
    () => import('../../../main/handlers'),
    () => import('../../../main/codec/workerCodec'),
    () => import('../../../main/images'),
    () => import('../../../main/pixelPort'),
    () => import('../../../main/render'),
    () => import('../../../main/settings'),
    () => import('../../../main/door'),
  ])
    expect(Object.keys(await load()).length).toBeGreaterThan(0);
});

it('would notice: the codec itself does load it', async () => {
  await expect(import('../../../main/codec/decode')).rejects.toThrow();
});
