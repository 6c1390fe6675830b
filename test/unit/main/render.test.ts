// Preparing a stack: the right backend, rescale ranges measured once, drafts placed right; and the open pictures and the
// pixel port round it.

import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { failureOf } from '../../../core/errors';
import type { BackendChoice, BackendStatus } from '../../../core/ipc';
import type { MainMessage } from '../../../core/pixelPort';
import { shippedCosts } from '../../../core/shippedCosts';
import { directCodec } from '../../../main/codec/directCodec';
import { type PixelPort, servePixelPort } from '../../../main/pixelPort';
import { Renderer } from '../../../main/render';
import { ScreenColours } from '../../../main/screenColours';
import { FakeEngine } from './fakeEngine';
import { gaussian, madePicture, openMade } from './pictures';

async function setUp(choice: BackendChoice = 'auto', width = 64, height = 48) {
  const engine = new FakeEngine();
  const opened = await openMade(engine, madePicture(width, height, 3));
  const told: (readonly BackendStatus[])[] = [];
  const clock = { time: 1000 };
  const renderer = new Renderer(
    engine,
    () => choice,
    shippedCosts,
    (backends) => told.push(backends),
    () => clock.time,
  );
  return { engine, renderer, told, clock, ...opened };
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

  const region = { x: 0, y: 0, width: 8, height: 8 };
  const pixels = new Uint8Array(8 * 8 * 3);
  const codes = ['deviceFailed', 'backendUnavailable', 'outOfMemory'] as const;

  it.each(codes)('does all work again on the CPU where the device ends with %s', async (code) => {
    const { engine, renderer, pictures, info, told } = await setUp();
    engine.cudaAvailable = true;
    await pictures.use(info.id, async (picture) => {
      const used: string[] = [];
      await renderer.steadily(async (attempt) => {
        const prepared = await renderer.prepare(picture, []);
        used.push(`${attempt} ${prepared.backend}`);
        await renderer.run(prepared, { region, level: 0 }, pixels);
        // In the middle of the work.
        engine.failing.set('cuda', code);
        await renderer.run(prepared, { region, level: 0 }, pixels);
      });
      expect(used).toEqual(['0 cuda', '1 cpu']);
      expect(engine.runs.map((run) => run.backend)).toEqual(['cuda', 'cuda', 'cpu', 'cpu']);
      expect((await renderer.prepare(picture, [])).backend).toBe('cpu');
    });
    expect(told.length).toBe(1);
    expect(told[0]?.find(({ name }) => name === 'cuda')?.failure).toEqual({ code, subject: 'cuda' });
  });

  it('is the device again after a rest, longer each time, and sound once it has worked', async () => {
    const { engine, renderer, pictures, info, told, clock } = await setUp();
    engine.cudaAvailable = true;
    engine.failing.set('cuda', 'deviceFailed');
    const attempts = async () => {
      const before = engine.runs.length;
      await pictures.use(info.id, (picture) =>
        renderer.steadily(async () => {
          await renderer.run(await renderer.prepare(picture, []), { region, level: 0 }, pixels);
        }),
      );
      return engine.runs.slice(before).map((run) => run.backend);
    };
    expect(await attempts()).toEqual(['cuda', 'cpu']);
    clock.time += 9_999;
    expect(await attempts()).toEqual(['cpu']);
    clock.time += 1;
    expect(await attempts()).toEqual(['cuda', 'cpu']);
    clock.time += 39_999;
    expect(await attempts()).toEqual(['cpu']);
    clock.time += 1;
    engine.failing.clear();
    expect(told.length).toBe(1);
    expect(await attempts()).toEqual(['cuda']);
    expect(told.length).toBe(2);
    expect(told[1]?.some(({ failure }) => failure !== undefined)).toBe(false);
    // The rests start anew.
    engine.failing.set('cuda', 'deviceFailed');
    expect(await attempts()).toEqual(['cuda', 'cpu']);
    clock.time += 10_000;
    expect(await attempts()).toEqual(['cuda', 'cpu']);
  });

  it('gives up at once what was prepared for a device that rests', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    engine.cudaAvailable = true;
    await pictures.use(info.id, async (picture) => {
      const prepared = await renderer.prepare(picture, []);
      engine.failing.set('cuda', 'deviceFailed');
      const run = () => renderer.run(prepared, { region, level: 0 }, pixels);
      await expect(run()).rejects.toThrow('deviceFailed');
      await expect(run()).rejects.toThrow('deviceFailed');
      expect(engine.runs.length).toBe(1);
    });
  });

  it('stays where the failure is no device’s', async () => {
    const { engine, renderer, pictures, info, told } = await setUp();
    engine.cudaAvailable = true;
    engine.failing.set('cuda', 'invalidPlan');
    engine.failing.set('cpu', 'outOfMemory');
    await pictures.use(info.id, async (picture) => {
      const work = (choice: Renderer) =>
        choice.steadily(async () => choice.run(await choice.prepare(picture, []), { region, level: 0 }, pixels));
      await expect(work(renderer)).rejects.toThrow('invalidPlan');
      await expect(work(new Renderer(engine, () => 'cpu'))).rejects.toThrow('outOfMemory');
    });
    expect(engine.runs.length).toBe(2);
    expect(told).toEqual([]);
  });

  it('that fails while measuring gives way as well', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    engine.cudaAvailable = true;
    engine.failing.set('cuda', 'deviceFailed');
    await pictures.use(info.id, async (picture) => {
      const stack = [{ ...gaussian(1), range: 'rescale' as const }];
      const prepared = await renderer.steadily(() => renderer.prepare(picture, stack));
      expect(prepared.backend).toBe('cpu');
      expect(engine.measures).toBe(2);
    });
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

describe('a stack with edges', () => {
  const canny: Filter = { ...gaussian(1), id: 'canny', kind: 'canny', sigma: 1.4, low: 4, high: 10 };
  const rescaled: Filter = { ...gaussian(2), range: 'rescale' };

  it('searches them once, over the measured passes before, and runs the rest from what it found', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      const stack = [rescaled, canny, gaussian(3)];
      const prepared = await renderer.prepare(picture, stack);
      expect(engine.searches).toHaveLength(1);
      const [search] = engine.searches;
      expect(search?.image).toBe(picture.image);
      expect(search?.passes.map((pass) => pass.range)).toEqual([{ kind: 'rescale', minimum: -0.5, maximum: 0.5 }]);
      expect(prepared.image).not.toBe(picture.image);
      expect(prepared.passes).toHaveLength(1);
      expect(prepared.explanations.map(({ filterId }) => filterId)).toEqual(stack.map(({ id }) => id));
      // What follows may change: the edges are those of before.
      const other = await renderer.prepare(picture, [rescaled, canny, gaussian(4), gaussian(5)]);
      expect(other.image).toBe(prepared.image);
      expect((await renderer.prepare(picture, [...stack])).image).toBe(prepared.image);
      expect(engine.searches).toHaveLength(1);
      await renderer.prepare(picture, [rescaled, { ...canny, high: 11 }]);
      expect(engine.searches).toHaveLength(2);
    });
  });

  it('searches edges of edges in the first image of edges', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      const first = await renderer.prepare(picture, [canny]);
      await renderer.prepare(picture, [canny, gaussian(2), { ...canny, id: 'again' }]);
      expect(engine.searches.map(({ image, passes }) => [image, passes.length])).toEqual([
        [picture.image, 0],
        [first.image, 1],
      ]);
    });
  });

  it('stops the search when nobody wants it any more, and searches anew when asked again', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      engine.hold();
      const controller = new AbortController();
      const prepared = renderer.prepare(picture, [canny], controller.signal);
      await new Promise(setImmediate);
      expect(engine.waiting).toBe(1);
      controller.abort();
      await expect(prepared).rejects.toThrow('cancelled');
      engine.letAllGo();
      await renderer.prepare(picture, [canny]);
      expect(engine.searches).toHaveLength(2);
    });
    expect(engine.cancelled).toBe(1);
  });

  it('searches on the CPU, all of it, where a device fails', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    engine.cudaAvailable = true;
    engine.failing.set('cuda', 'deviceFailed');
    await pictures.use(info.id, async (picture) => {
      const prepared = await renderer.steadily(() => renderer.prepare(picture, [canny]));
      expect(prepared.backend).toBe('cpu');
      expect(engine.searches.map(({ backend }) => backend)).toEqual(['cuda', 'cpu']);
    });
  });

  it('drafts them in the reduced picture', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, async (picture) => {
      const draft = await renderer.prepareDraft(picture, [canny], 1);
      expect(engine.searches[0]?.image).toBe(await picture.atLevel(1));
      expect(draft.image).not.toBe(await picture.atLevel(1));
      expect(draft.size).toEqual({ width: 32, height: 24 });
    });
  });

  it('counts the images of edges as memory, and frees them with the picture', async () => {
    const { engine, renderer, pictures, info } = await setUp();
    await pictures.use(info.id, (picture) => renderer.prepare(picture, [canny]));
    expect(await pictures.bytes()).toBe(2 * 64 * 48 * 3);
    await pictures.close(info.id);
    expect(engine.released).toBe(2);
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
    const served = servePixelPort(port1 as unknown as PixelPort, pictures, renderer, new ScreenColours(directCodec));
    const messages: MainMessage[] = [];
    // Node's ports hand over the value itself, Electron's an event with `data`; the test stands where Electron would.
    const post = (data: unknown) => port1.emit('message', { data });
    const done = new Promise<void>((resolve) => {
      port2.on('message', (message: MainMessage) => {
        messages.push(message);
        if (message.kind === 'tiles') post({ kind: 'tilesReceived', sequence: message.sequence });
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
      { ...request, layer: 'nothing' },
      { ...request, have: [-1] },
      { ...request, visible: { x: 0, y: 0, width: Number.POSITIVE_INFINITY, height: 1 } },
      { kind: 'tilesReceived' },
    ];
    for (const value of junk) post(value);
    expect(served.ignored()).toBe(junk.length);
    expect(served.queue.counts().started).toBe(0);
    post(request);
    await done;
    expect(messages.map((message) => message.kind)).toEqual(['tiles', 'done']);
    port1.close();
    await new Promise((resolve) => port2.once('close', resolve));
    post({ ...request, sequence: 2 });
    expect(served.queue.counts().started).toBe(1);
  });
});
