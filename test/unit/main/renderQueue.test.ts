// The render queue: one request of a layer running and one waiting, the newest wins, nothing old lands after something new,
// drafts come first, tiles come from the middle outwards, and the page's acknowledgements bound what is under way.

import { afterEach, describe, expect, it } from 'vitest';
import { wholeMask } from '../../../core/mask';
import { type MainMessage, type RenderRequest, tileSize } from '../../../core/pixelPort';
import { Renderer } from '../../../main/render';
import { maximumMessagesInFlight, messagePixels, RenderQueue } from '../../../main/renderQueue';
import { draftLevelFor, draftPixels } from '../../../main/viewDrafts';
import { FakeEngine } from './fakeEngine';
import { gaussian, madePicture, openMade } from './pictures';

const engines: FakeEngine[] = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.letAllGo();
});

/** A queue over a made picture whose page acknowledges every tile at once, unless told not to. */
async function setUp({ width = 600, height = 520, channels = 3, acknowledge = true } = {}) {
  const engine = new FakeEngine();
  engines.push(engine);
  const { pictures, info } = await openMade(engine, madePicture(width, height, channels));
  const messages: MainMessage[] = [];
  const listeners = new Set<() => void>();
  const queue: RenderQueue = new RenderQueue(pictures, new Renderer(engine, () => 'auto'), (message) => {
    messages.push(message);
    if (message.kind === 'tiles' && acknowledge) queue.tilesReceived(message.sequence);
    for (const listener of listeners) listener();
    return false;
  });
  /** Waits until what was sent so far satisfies the condition. */
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!condition()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  const request = (sequence: number, more: Partial<RenderRequest> = {}): RenderRequest => ({
    kind: 'render',
    sequence,
    layer: 'result',
    imageId: info.id,
    stack: [gaussian(1 + sequence / 100)],
    level: 0,
    visible: { x: 0, y: 0, width, height },
    draft: false,
    have: [],
    ...more,
  });
  const ended = (sequence: number) => () =>
    messages.some((message) => message.kind !== 'tiles' && message.sequence === sequence);
  return { engine, pictures, info, queue, messages, request, until, ended };
}

/** A stack that is predicted to take long, so that a draft comes first. */
const slow = [{ ...gaussian(3), repeat: 900 }];

/** Lets everything that can happen without a new event happen. */
const settle = async () => {
  for (let round = 0; round < 20; round += 1) await new Promise(setImmediate);
};

describe('a device that fails in the middle of a view', () => {
  it('leaves a view whose tiles are all the CPU’s, those that the page had already too', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.cudaAvailable = true;
    engine.hold();
    queue.request(request(1, { have: [0] }));
    await settle();
    engine.letOneGo();
    await settle();
    engine.failing.set('cuda', 'deviceFailed');
    engine.letAllGo();
    await until(ended(1));
    await settle();
    expect(messages.at(-1)).toMatchObject({ kind: 'done', sequence: 1, backend: 'cpu' });
    const backends = engine.runs.map((run) => run.backend);
    expect(backends.slice(0, 2)).toEqual(['cuda', 'cuda']);
    const places = engine.runs.filter((run) => run.backend === 'cpu').map(({ request: { region } }) => region);
    expect(backends.length).toBe(2 + places.length);
    expect(places.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(600 * 520);
    expect(queue.counts()).toMatchObject({ finished: 1, failed: 0 });
  });
});

describe('memory that has been sent', () => {
  it('is filled again for the next view, once nobody reads it, and holds no other view’s pixels', async () => {
    const { pictures, engine, request } = await setUp();
    const sent: Uint8Array[] = [];
    const copies: Uint8Array[] = [];
    let ended = () => {};
    const queue: RenderQueue = new RenderQueue(pictures, new Renderer(engine, () => 'auto'), (message) => {
      if (message.kind === 'tiles') {
        sent.push(message.pixels);
        copies.push(message.pixels.slice());
        queue.tilesReceived(message.sequence);
      } else ended();
      return true;
    });
    for (const sequence of [1, 2, 3]) {
      const end = new Promise<void>((resolve) => {
        ended = resolve;
      });
      queue.request(request(sequence, { stack: [] }));
      await end;
      await settle();
    }
    expect(sent.length % 3).toBe(0);
    const each = sent.length / 3;
    expect(new Set(sent).size).toBe(each);
    expect(copies.slice(each, 2 * each)).toEqual(copies.slice(0, each));
  });
});

describe('newest wins', () => {
  it('runs one and keeps one waiting while 200 requests arrive', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.hold();
    for (let sequence = 1; sequence <= 200; sequence += 1) queue.request(request(sequence));
    await settle();
    expect(engine.running).toBeLessThanOrEqual(1);
    engine.letAllGo();
    await until(ended(200));
    await settle();

    expect(engine.mostRunning).toBe(1);
    const counts = queue.counts();
    expect(counts.started).toBe(2);
    expect(counts.superseded).toBe(198);
    expect(counts.cancelled).toBe(1);
    expect(counts.finished).toBe(1);
    expect(messages.at(-1)).toMatchObject({ kind: 'done', sequence: 200 });
    expect(messages.filter((message) => message.kind === 'failed')).toEqual([]);
  });

  it('never sends an older sequence after a newer one, whatever the timing', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.hold();
    let sequence = 0;
    // A fixed pseudo-random order of "a request comes" and "a run ends".
    let state = 12345;
    for (let step = 0; step < 400; step += 1) {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      if (state % 3 === 0) queue.request(request(++sequence, { draft: state % 2 === 0 }));
      else engine.letOneGo();
      await new Promise(setImmediate);
    }
    engine.letAllGo();
    queue.request(request(++sequence));
    await until(ended(sequence));
    const order = messages.map((message) => message.sequence);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(engine.mostRunning).toBe(1);
  });

  it('aborts what runs when something newer comes, and starts it at once', async () => {
    const { engine, queue, request, until, ended } = await setUp();
    engine.hold();
    queue.request(request(1));
    await settle();
    queue.request(request(2));
    await settle();
    expect(engine.cancelled).toBe(1);
    expect(queue.counts()).toMatchObject({ started: 2, cancelled: 1 });
    engine.letAllGo();
    await until(ended(2));
  });

  it('ignores a request older than the newest', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(5));
    queue.request(request(4));
    await until(ended(5));
    await settle();
    expect(messages.every((message) => message.sequence === 5)).toBe(true);
    expect(queue.counts().superseded).toBe(1);
  });

  it('serves the two layers apart', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1));
    queue.request(request(2, { layer: 'original' }));
    await until(() => ended(1)() && ended(2)());
    await settle();
    expect(queue.counts()).toMatchObject({ finished: 2, cancelled: 0 });
    expect(messages.find((message) => message.sequence === 2)).toMatchObject({ layer: 'original' });
  });
});

describe('a mask', () => {
  it('is shown in one channel beside the result, as large as the picture', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    const soft = { ...wholeMask({ width: 600, height: 520 }), feather: 4 };
    queue.request(request(1, { layer: 'mask', draft: true, stack: [{ ...gaussian(1), mask: soft }] }));
    await until(ended(1));
    const tiles = messages.filter((message) => message.kind === 'tiles');
    expect(tiles.map(({ quality }) => quality)).toContain('draft');
    for (const { layer, channels, rectangle, pixels } of tiles) {
      expect([layer, channels, pixels.length]).toEqual(['mask', 1, rectangle.width * rectangle.height]);
      expect(pixels.every((value) => value === 255)).toBe(true);
    }
    expect(engine.masks.length).toBe(2);
  });

  it('without a feather is made only where the page has nothing of it, and at once', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    const stack = [{ ...gaussian(1), mask: wholeMask({ width: 600, height: 520 }) }];
    // Three columns and three rows of tiles; the last one is missing.
    queue.request(request(1, { layer: 'mask', draft: true, stack, have: [0, 1, 2, 3, 4, 5, 6, 7] }));
    await until(ended(1));
    const corner = { x: 512, y: 512, width: 88, height: 8 };
    expect(engine.masks.map(({ region }) => region)).toEqual([corner]);
    expect(messages).toMatchObject([{ kind: 'tiles', quality: 'exact', rectangle: corner }, { kind: 'done' }]);
    expect(engine.runs.map((run) => run.request.region)).toEqual([{ x: 0, y: 0, width: 88, height: 8 }]);
  });
});

describe('a person who stops it', () => {
  it('ends the running request as cancelled, and the next one runs as usual', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.hold();
    queue.request(request(1));
    await settle();
    queue.cancel('result', 1);
    await until(ended(1));
    expect(messages).toEqual([{ kind: 'failed', sequence: 1, layer: 'result', failure: { code: 'cancelled' } }]);
    expect([engine.cancelled, queue.counts().cancelled, queue.counts().failed]).toEqual([1, 1, 0]);
    engine.letAllGo();
    queue.request(request(2));
    await until(ended(2));
    expect(messages.at(-1)).toMatchObject({ kind: 'done', sequence: 2 });
  });

  it('also stops a draft, and what waits behind it', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.hold();
    queue.request(request(1, { draft: true }));
    await settle();
    queue.request(request(2, { draft: true }));
    queue.cancel('result', 2);
    await until(ended(1));
    await settle();
    expect(messages.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['failed', 2],
      ['failed', 1],
    ]);
    expect(queue.counts().started).toBe(1);
  });

  it('does not stop a newer request, nor the other layer', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1, { layer: 'original' }));
    queue.request(request(3));
    queue.cancel('result', 2);
    await until(ended(1));
    await until(ended(3));
    expect(messages.filter(({ kind }) => kind === 'failed')).toEqual([]);
  });
});

describe('drafts', () => {
  it('come before the exact tiles, coarser, and cover the view', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1, { draft: true, stack: slow }));
    await until(ended(1));
    const tiles = messages.filter((message) => message.kind === 'tiles');
    const firstExact = tiles.findIndex((tile) => tile.quality === 'exact');
    expect(firstExact).toBeGreaterThan(0);
    expect(tiles.slice(firstExact).every((tile) => tile.quality === 'exact' && tile.level === 0)).toBe(true);
    const drafts = tiles.slice(0, firstExact);
    expect(drafts.every((tile) => tile.level === 1)).toBe(true);
    const covered = drafts.reduce((sum, tile) => sum + tile.rectangle.width * tile.rectangle.height, 0);
    expect(covered).toBe(300 * 260);
  });

  it('are left out where the exact picture is predicted to come as soon', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1, { draft: true }));
    await until(ended(1));
    const tiles = messages.filter((message) => message.kind === 'tiles');
    expect(tiles.length).toBeGreaterThan(0);
    expect(tiles.every((tile) => tile.quality === 'exact')).toBe(true);
    // Extremes of the whole picture are measured first, however quick the filter.
    queue.request(request(2, { draft: true, stack: [{ ...gaussian(1), range: 'rescale' }] }));
    await until(ended(2));
    expect(queue.counts().draftTiles).toBeGreaterThan(0);
  });

  it('finish although a newer request waits, so that a drag always shows something', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.hold();
    queue.request(request(1, { draft: true, stack: slow }));
    await settle();
    queue.request(request(2, { draft: true, stack: slow }));
    await settle();
    expect(engine.cancelled).toBe(0);
    engine.letAllGo();
    await until(ended(2));
    const first = messages.filter((message) => message.sequence === 1);
    expect(first.length).toBeGreaterThan(0);
    expect(first.every((message) => message.kind === 'tiles' && message.quality === 'draft')).toBe(true);
  });

  it('do not wait for a page that takes in nothing', async () => {
    const { queue, messages, request, until } = await setUp({ width: 4000, height: 300, acknowledge: false });
    const wide = { visible: { x: 0, y: 0, width: 4000, height: 300 }, draft: true, stack: slow };
    queue.request(request(1, wide));
    await until(() => messages.length === maximumMessagesInFlight);
    queue.request(request(2, wide));
    await until(() => messages.some((message) => message.sequence === 2));
  });

  it('are as fine as the pixel budget allows, and never finer than asked', () => {
    const visible = { x: 0, y: 0, width: 1600, height: 1000 };
    const level = draftLevelFor({ level: 0, visible });
    expect((1600 / 2 ** level) * (1000 / 2 ** level)).toBeLessThanOrEqual(draftPixels);
    expect((1600 / 2 ** (level - 1)) * (1000 / 2 ** (level - 1))).toBeGreaterThan(draftPixels);
    expect(draftLevelFor({ level: 0, visible: { x: 0, y: 0, width: 10, height: 10 } })).toBe(1);
    expect(draftLevelFor({ level: 4, visible: { x: 0, y: 0, width: 10, height: 10 } })).toBe(4);
  });
});

describe('tiles', () => {
  it('carry exactly the samples of their rectangle', async () => {
    const { queue, messages, request, until, ended, info } = await setUp({ channels: 4 });
    queue.request(request(1, { stack: [] }));
    await until(ended(1));
    for (const message of messages) {
      if (message.kind !== 'tiles') continue;
      expect(message.channels).toBe(info.channels);
      expect(message.pixels.length).toBe(message.rectangle.width * message.rectangle.height * 4);
      expect(message.pixels.buffer.byteLength).toBe(message.pixels.length);
    }
  });

  it('under way are bounded until the page acknowledges', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp({
      width: 1300,
      height: 1300,
      acknowledge: false,
    });
    queue.request(request(1));
    await until(() => messages.length === maximumMessagesInFlight);
    await settle();
    expect(messages.length).toBe(maximumMessagesInFlight);
    expect(engine.runs.length).toBe(maximumMessagesInFlight);
    queue.tilesReceived(1);
    await until(() => messages.length === maximumMessagesInFlight + 1);
    queue.tilesReceived(99);
    await settle();
    expect(messages.length).toBe(maximumMessagesInFlight + 1);
    while (!ended(1)()) {
      queue.tilesReceived(1);
      await new Promise(setImmediate);
    }
    expect(queue.counts().exactTiles).toBe(36);
    const sizes = messages.flatMap((message) => (message.kind === 'tiles' ? [message.pixels.length / 3] : []));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1300 * 1300);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(messagePixels);
  });

  it('come one by one where each is predicted to take long', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1, { stack: slow }));
    await until(ended(1));
    const sizes = messages.flatMap((message) => (message.kind === 'tiles' ? [message.pixels.length / 3] : []));
    // Parts of tiles at the right and the bottom are less to compute: how many come at once, the times say.
    expect(sizes.filter((size) => size === tileSize ** 2).length).toBe(4);
    expect(Math.max(...sizes)).toBe(tileSize ** 2);
  });

  it('are large where a kernel reaches further than a tile, so that neighbours are not computed again and again', async () => {
    const { engine, queue, request, until, ended } = await setUp({ width: 1300, height: 1300 });
    queue.request(request(1, { stack: [gaussian(10)] }));
    await until(ended(1));
    const before = engine.runs.length;
    expect(before).toBeGreaterThan(6);
    queue.request(request(2, { stack: [gaussian(100)] }));
    await until(ended(2));
    expect(engine.runs.length).toBe(before + 1);
  });

  it('are computed while those before them are on their way, never two at once', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.hold();
    queue.request(request(1));
    await settle();
    engine.letOneGo();
    await until(() => messages.length === 1);
    expect([engine.runs.length, engine.mostRunning]).toEqual([2, 1]);
    engine.letAllGo();
    await until(ended(1));
  });
});

describe('the end of a request', () => {
  it('says the backend, the engine time and the size of the result at the level', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1, { level: 1, visible: { x: 0, y: 0, width: 300, height: 260 } }));
    await until(ended(1));
    expect(messages.at(-1)).toMatchObject({ kind: 'done', backend: 'cpu', resultSize: { width: 300, height: 260 } });
  });

  it('names a failure and goes on with the next request', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp();
    engine.failing.set('cpu', 'outOfMemory');
    queue.request(request(1));
    await until(ended(1));
    expect(messages.at(-1)).toMatchObject({ kind: 'failed', sequence: 1, failure: { code: 'outOfMemory' } });
    engine.failing.clear();
    queue.request(request(2));
    await until(ended(2));
    expect(messages.at(-1)).toMatchObject({ kind: 'done', sequence: 2 });
  });

  it('is a failure for a picture that is not open', async () => {
    const { queue, messages, request, until, ended } = await setUp();
    queue.request(request(1, { imageId: 77 }));
    await until(ended(1));
    expect(messages.at(-1)).toMatchObject({ kind: 'failed', failure: { code: 'imageUnknown' } });
  });

  it('reruns on the CPU when a device fails, says so, and leaves the device alone afterwards', async () => {
    const { engine, queue, messages, request, until, ended } = await setUp({ width: 200, height: 200 });
    engine.cudaAvailable = true;
    engine.failing.set('cuda', 'deviceFailed');
    queue.request(request(1));
    await until(ended(1));
    expect(messages.at(-1)).toMatchObject({ kind: 'done', backend: 'cpu' });
    expect(engine.runs.map((run) => run.backend)).toEqual(['cuda', 'cpu']);
    queue.request(request(2));
    await until(ended(2));
    expect(engine.runs.slice(2).map((run) => run.backend)).toEqual(['cpu']);
  });

  it('is silent when the page has gone', async () => {
    const { engine, queue, messages, request } = await setUp();
    engine.hold();
    queue.request(request(1));
    await settle();
    queue.close();
    await settle();
    expect(messages).toEqual([]);
    queue.request(request(2));
    await settle();
    expect(queue.counts().started).toBe(1);
  });
});
