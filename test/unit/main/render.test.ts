// Preparing a stack: the right backend, rescale ranges measured once, drafts placed right; and the open pictures and the
// pixel port round it.

import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import type { BackendChoice, MainMessage } from '../../../core/ipc';
import { type PixelPort, servePixelPort } from '../../../main/pixelPort';
import { Renderer } from '../../../main/render';
import { FakeEngine } from './fakeEngine';
import { gaussian, madePicture, openMade } from './pictures';

async function setUp(choice: BackendChoice = 'auto', width = 64, height = 48) {
  const engine = new FakeEngine();
  const opened = await openMade(engine, madePicture(width, height, 3));
  return { engine, renderer: new Renderer(engine, () => choice), ...opened };
}

describe('the backend', () => {
  it('is the CPU where nothing better works, the device where one does, or the one chosen', async () => {
    const { engine, renderer } = await setUp();
    expect(renderer.backend()).toBe('cpu');
    engine.cudaAvailable = true;
    expect(renderer.backend()).toBe('cuda');
    expect(new Renderer(engine, () => 'reference').backend()).toBe('reference');
    engine.cudaAvailable = false;
    expect(new Renderer(engine, () => 'cuda').backend()).toBe('cpu');
  });

  it('changes to the CPU for good when a device fails in the middle of a picture', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    engine.cudaAvailable = true;
    await pictures.use(info.id, async (picture) => {
      const prepared = await renderer.prepare(picture, []);
      expect(prepared.backend).toBe('cuda');
      engine.failing.set('cuda', 'backendUnavailable');
      const region = { x: 0, y: 0, width: 8, height: 8 };
      const pixels = new Uint8Array(8 * 8 * 3);
      expect(await renderer.run(prepared, { region, level: 0 }, pixels)).toBe('cpu');
      expect(await renderer.run(prepared, { region, level: 0 }, pixels)).toBe('cpu');
      expect(engine.runs.map((run) => run.backend)).toEqual(['cuda', 'cpu', 'cpu']);
      expect((await renderer.prepare(picture, [])).backend).toBe('cpu');
    });
  });

  it('does not change for failures that are not the device’s', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    engine.cudaAvailable = true;
    engine.failing.set('cuda', 'outOfMemory');
    await pictures.use(info.id, async (picture) => {
      const prepared = await renderer.prepare(picture, []);
      const region = { x: 0, y: 0, width: 1, height: 1 };
      await expect(renderer.run(prepared, { region, level: 0 }, new Uint8Array(3))).rejects.toThrow('outOfMemory');
    });
    expect(engine.runs.length).toBe(1);
  });
});

describe('a rescale range', () => {
  const rescaled = { ...gaussian(1), range: 'rescale' as const };

  it('is measured once for a stack, and each one over the passes before it', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      const stack = [rescaled, { ...rescaled, id: 'second' }];
      const first = await renderer.prepare(picture, stack);
      expect(engine.measures).toBe(2);
      expect(first.passes.map((pass) => pass.range)).toEqual([
        { kind: 'rescale', minimum: -0.5, maximum: 0.5 },
        { kind: 'rescale', minimum: -0.5, maximum: 0.5 },
      ]);
      expect(await renderer.prepare(picture, [...stack])).toBe(first);
      expect(engine.measures).toBe(2);
    });
  });

  it('cannot be had of infinite values, which is said', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    engine.measure = async () => ({ minimum: Number.NEGATIVE_INFINITY, maximum: 1 });
    await pictures.use(info.id, async (picture) => {
      const failed = renderer.prepare(picture, [rescaled]).catch(failureOf);
      expect(await failed).toMatchObject({ code: 'invalidPlan', subject: 'rescale' });
    });
  });

  it('that was cancelled is measured anew', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      const controller = new AbortController();
      controller.abort();
      await expect(renderer.prepare(picture, [rescaled], controller.signal)).rejects.toThrow('cancelled');
      await renderer.prepare(picture, [rescaled]);
      expect(engine.measures).toBe(2);
    });
  });
});

describe('a draft', () => {
  it('has the size of the exact result at its level, and starts where a smaller result starts', async () => {
    const { renderer, pictures, info, engine } = await setUp('auto', 200, 120);
    await pictures.use(info.id, async (picture) => {
      const stack = [{ ...gaussian(2), size: 'valid' as const }];
      const exact = await renderer.prepare(picture, stack);
      const draft = await renderer.prepareDraft(picture, stack, 2);
      expect(draft.size).toEqual({ width: Math.ceil(exact.size.width / 4), height: Math.ceil(exact.size.height / 4) });
      const lost = 200 - exact.size.width;
      expect(draft.origin.x).toBeCloseTo(lost / 2 / 4, 0);
      await renderer.run(draft, { region: { x: 0, y: 0, width: 4, height: 4 }, level: 0 }, new Uint8Array(48));
      expect(engine.runs.at(-1)?.request.region).toEqual({ ...draft.origin, width: 4, height: 4 });
    });
  });

  it('reads each level of the picture from one reduction', async () => {
    const { pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      const [first, second] = await Promise.all([picture.atLevel(1), picture.atLevel(1)]);
      expect(first).toBe(second);
      expect([first.width, first.height]).toEqual([32, 24]);
      expect(await picture.atLevel(0)).toBe(picture.image);
    });
    expect(await pictures.bytes()).toBe(64 * 48 * 3 + 32 * 24 * 3);
  });
});

describe('open pictures', () => {
  it('release all their levels, after the last work on them', async () => {
    const { engine, pictures, info } = await setUp();
    let finish = () => {};
    const work = pictures.use(info.id, async (picture) => {
      await picture.atLevel(2);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    await new Promise(setImmediate);
    await pictures.close(info.id);
    expect(pictures.ids()).toEqual([]);
    expect(engine.released).toBe(0);
    finish();
    await work;
    expect(engine.released).toBe(2);
  });

  it('but the last are closed when the page starts anew', async () => {
    const { pictures, info, engine } = await setUp();
    const next = await pictures.add(madePicture(2, 2, 1), { name: 'b', format: 'png', fileBytes: 0, folder: null });
    await pictures.closeAllButLatest();
    expect(pictures.ids()).toEqual([next.id]);
    expect(pictures.latest()).toEqual(next);
    expect(engine.released).toBe(1);
    await expect(pictures.use(info.id, async () => 1)).rejects.toThrow('imageUnknown');
  });

  it('give every picture another id, and none to a closed one', async () => {
    const { pictures, info } = await setUp();
    await pictures.close(info.id);
    const next = await pictures.add(madePicture(2, 2, 1), { name: 'b', format: 'png', fileBytes: 0, folder: null });
    expect(next.id).not.toBe(info.id);
    await expect(pictures.use(info.id, async () => 1)).rejects.toThrow('imageUnknown');
  });
});

describe('the pixel port', () => {
  it('serves requests, drops and counts what is none, and ends with the page', async () => {
    const { renderer, pictures, info } = await setUp();
    const { port1, port2 } = new MessageChannel();
    const served = servePixelPort(port1 as unknown as PixelPort, pictures, renderer);
    const messages: MainMessage[] = [];
    // Node's ports hand over the value itself, Electron's an event with `data`; the test stands where Electron would.
    const post = (data: unknown) => port1.emit('message', { data });
    const done = new Promise<void>((resolve) => {
      port2.on('message', (message: MainMessage) => {
        messages.push(message);
        if (message.kind === 'tile') post({ kind: 'tileReceived', sequence: message.sequence });
        else resolve();
      });
    });
    const request = {
      kind: 'render',
      sequence: 1,
      layer: 'result',
      imageId: info.id,
      stack: [],
      level: 0,
      visible: { x: 0, y: 0, width: 64, height: 48 },
      draft: false,
      have: [],
    };
    const junk = [
      null,
      'render',
      {},
      { ...request, level: 13 },
      { ...request, sequence: -1 },
      { ...request, layer: 'mask' },
      { ...request, have: [-1] },
      { ...request, visible: { x: 0, y: 0, width: Number.POSITIVE_INFINITY, height: 1 } },
      { kind: 'tileReceived' },
    ];
    for (const value of junk) post(value);
    expect(served.ignored()).toBe(junk.length);
    expect(served.queue.counts().started).toBe(0);
    post(request);
    await done;
    expect(messages.map((message) => message.kind)).toEqual(['tile', 'done']);
    port1.close();
    await new Promise((resolve) => port2.once('close', resolve));
    post({ ...request, sequence: 2 });
    expect(served.queue.counts().started).toBe(1);
  });
});
