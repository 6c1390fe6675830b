import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../core/errors';
import { sizeAtLevel } from '../../../core/geometry';
import type { Layer, PageMessage, RenderRequest, TilesMessage } from '../../../core/pixelPort';
import { LayerFeed, type LayerView, type Subject } from '../../../renderer/viewport/layerFeed';
import { TileCache } from '../../../renderer/viewport/tileCache';
import { atOnce, type MakeTiles, type NotMade } from '../../../renderer/viewport/tileMaking';

const size = { width: 1000, height: 700 };
const subject = (source: string, imageId = 1): Subject => ({
  source,
  imageId,
  stack: [],
  size,
  origin: { x: 0, y: 0 },
});

function view(source: string, level = 1, x = 0, imageId = 1): LayerView {
  const levelSize = sizeAtLevel(size, level);
  return { subject: subject(source, imageId), level, levelSize, visible: { x, y: 0, width: 300, height: 200 } };
}

function setUp(layer: Layer = 'result', making?: MakeTiles<string>) {
  const sent: PageMessage[] = [];
  const failures: Failure[] = [];
  let made = 0;
  let sequence = 0;
  let done = 0;
  const arrivals: boolean[] = [];
  const released: string[] = [];
  const cache = new TileCache<string>(1e9, 7, (bitmap) => released.push(bitmap));
  const feed = new LayerFeed<string>(
    layer,
    cache,
    () => ++sequence,
    making ??
      atOnce((message) => ({ bitmap: `${message.quality} ${message.sequence} #${++made}`, bytes: 4, alpha: false })),
    {
      send: (message) => sent.push(message),
      changed: () => {},
      arrived: (whole) => arrivals.push(whole),
      done: () => done++,
      failed: (failure) => failures.push(failure),
    },
  );
  const requests = () => sent.filter((message): message is RenderRequest => message.kind === 'render');
  const last = () => {
    const request = requests().at(-1);
    if (request === undefined) throw new Error('nothing was asked');
    return request;
  };
  const tile = (request: RenderRequest, x: number, quality: 'exact' | 'draft' = 'exact', level = request.level) => {
    const message: TilesMessage = {
      kind: 'tiles',
      sequence: request.sequence,
      layer,
      quality,
      level,
      rectangle: { x, y: 0, width: Math.min(256, 500 - x), height: 256 },
      channels: 3,
      pixels: new Uint8Array(0),
    };
    feed.receive(message);
  };
  const finish = (request: RenderRequest, milliseconds = 5) =>
    feed.receive({ kind: 'done', sequence: request.sequence, layer, backend: 'cpu', milliseconds, resultSize: size });
  const show = (next: LayerView | null, now: number) => {
    feed.show(next);
    return feed.pump(now);
  };
  return { feed, cache, sent, requests, last, tile, finish, show, failures, doneCount: () => done, arrivals, released };
}

describe('what a layer asks for', () => {
  it('asks once for what is visible, with a draft for a stack it has nothing of', () => {
    const { show, requests } = setUp();
    show(view('a'), 0);
    show(view('a'), 16);
    expect(requests()).toHaveLength(1);
    expect(requests()[0]).toMatchObject({ layer: 'result', level: 1, draft: true, have: [] });
  });
  it('asks for the original without a draft: it needs no computing', () => {
    const { show, last } = setUp('original');
    show(view('picture'), 0);
    expect(last().draft).toBe(false);
  });
  it('sends nothing for an empty part of the screen or a hidden layer', () => {
    const { show, sent } = setUp();
    show(null, 0);
    show({ ...view('a'), visible: { x: 0, y: 0, width: 0, height: 0 } }, 1);
    expect(sent).toEqual([]);
  });
  it('names the tiles it holds and does not ask again for what it has', () => {
    const { show, last, requests, tile, finish } = setUp();
    show(view('a'), 0);
    tile(last(), 0);
    tile(last(), 256);
    finish(last());
    show(view('a', 1, 20), 100);
    expect(requests()).toHaveLength(1);
    show(view('b'), 200);
    finish(last());
    show({ ...view('a'), visible: { x: 0, y: 0, width: 500, height: 350 } }, 300);
    // Two columns at level 1: the row below is missing.
    expect(last().have).toEqual([0, 1]);
  });
  it('asks for what is visible alone of a new stack, and for whole tiles once one looks elsewhere', () => {
    const { feed, show, last, requests, finish } = setUp();
    show(view('a', 1, 20), 0);
    expect(last()).toMatchObject({ crop: true, visible: { x: 20, width: 300 } });
    const rectangle = { x: 20, y: 0, width: 300, height: 200 };
    const pixels = new Uint8Array(0);
    const { sequence } = last();
    feed.receive({
      kind: 'tiles',
      sequence,
      layer: 'result',
      quality: 'exact',
      level: 1,
      rectangle,
      channels: 3,
      pixels,
    });
    finish(last());
    expect(feed.state).toBe('exact');
    show(view('a', 1, 10), 100);
    expect(requests()).toHaveLength(2);
    // Of the left tile a part is missing; the right one holds all that is to be seen.
    expect(last()).toMatchObject({ have: [1], visible: { x: 10, width: 300 } });
    expect(last().crop).toBeUndefined();
  });
  it('waits with the next step of a drag until the draft of the step before is on screen', () => {
    const { show, last, requests, tile } = setUp();
    show(view('a'), 0);
    expect(show(view('b'), 16)).toBe(484);
    expect(requests()).toHaveLength(1);
    tile(last(), 0, 'draft', 3);
    show(view('c'), 33);
    expect(requests()).toHaveLength(2);
    expect(last()).toMatchObject({ draft: true, sequence: 2 });
  });
  it('shows the draft of the step before although the drag is already further', () => {
    const { show, last, feed, cache, tile } = setUp();
    show(view('a'), 0);
    show(view('b'), 16);
    tile(last(), 0, 'draft', 3);
    expect(cache.has({ source: 'a', quality: 'draft', level: 3 }, { x: 0, y: 0, width: 1, height: 1 })).toBe(true);
    expect(feed.paintOrder().map(({ sheet }) => sheet.source)).toEqual(['a']);
  });
  it('lets a draft that takes too long go', () => {
    const { show, requests } = setUp();
    show(view('a'), 0);
    show(view('b'), 501);
    expect(requests()).toHaveLength(2);
  });
  it('moves over a stack that is under way at most every 120 ms', () => {
    const { show, requests } = setUp();
    show(view('a'), 0);
    expect(show(view('a', 1, 10), 20)).toBe(100);
    expect(requests()).toHaveLength(1);
    show(view('a', 1, 30), 121);
    expect(requests()).toHaveLength(2);
  });
  it('tells main to stop when an undo needs nothing that is under way', () => {
    const { show, last, requests, tile, finish } = setUp();
    show(view('a'), 0);
    tile(last(), 0);
    tile(last(), 256);
    finish(last());
    show(view('b'), 100);
    tile(last(), 0, 'draft', 3);
    show(view('a'), 120);
    expect(requests()).toHaveLength(3);
    expect(last()).toMatchObject({ draft: false, have: [0, 1] });
  });
});

describe('what a layer takes in', () => {
  it('acknowledges every tile, also one it drops', () => {
    const { show, last, sent, tile } = setUp();
    show(view('a'), 0);
    const first = last();
    tile(first, 0);
    show(view('b'), 600);
    tile(first, 256);
    expect(sent.filter((message) => message.kind === 'tilesReceived')).toEqual([
      { kind: 'tilesReceived', sequence: 1 },
      { kind: 'tilesReceived', sequence: 1 },
    ]);
  });
  it('never shows a tile of an older stack after a newer one was asked for', () => {
    const { show, last, feed, cache, tile } = setUp();
    show(view('a'), 0);
    const old = last();
    show(view('b'), 600);
    tile(last(), 0);
    tile(old, 0);
    expect(cache.has({ source: 'a', quality: 'exact', level: 1 }, { x: 0, y: 0, width: 1, height: 1 })).toBe(false);
    expect(feed.paintOrder().at(-1)?.sheet.source).toBe('b');
  });
  it('takes tiles that an older request of the same stack still brings', () => {
    const { show, last, cache, tile } = setUp();
    show(view('a'), 0);
    const old = last();
    show(view('a', 1, 40), 200);
    tile(old, 0);
    expect(cache.has({ source: 'a', quality: 'exact', level: 1 }, { x: 0, y: 0, width: 1, height: 1 })).toBe(true);
  });
  it('draws the old stack, then its draft, then its exact tiles, until all are there; then only those', () => {
    const { show, last, feed, tile, finish } = setUp();
    show(view('a'), 0);
    tile(last(), 0);
    tile(last(), 256);
    finish(last());
    expect(feed.state).toBe('exact');
    show(view('b'), 100);
    expect(feed.state).toBe('draft');
    tile(last(), 0, 'draft', 3);
    tile(last(), 0);
    expect(feed.paintOrder().map(({ sheet }) => `${sheet.source} ${sheet.quality} ${sheet.level}`)).toEqual([
      'a exact 1',
      'b draft 3',
      'b exact 1',
    ]);
    tile(last(), 256);
    expect(feed.state).toBe('exact');
    expect(feed.paintOrder().map(({ sheet }) => sheet.source)).toEqual(['b']);
  });
  it('shows nothing of another picture', () => {
    const { show, last, feed, tile } = setUp();
    show(view('a'), 0);
    tile(last(), 0);
    show(view('other', 1, 0, 2), 700);
    expect(feed.paintOrder()).toEqual([]);
    expect(feed.state).toBe('nothing');
  });
  it('cuts a message of several tiles into them, and tells when a draft and the exact view are whole', () => {
    const { show, last, feed, cache, arrivals, tile } = setUp();
    show({ ...view('a'), visible: { x: 0, y: 0, width: 500, height: 350 } }, 0);
    const strip = (y: number, height: number) => {
      const { sequence, level } = last();
      const rectangle = { x: 0, y, width: 500, height };
      const pixels = new Uint8Array(500 * height * 3);
      feed.receive({
        kind: 'tiles',
        ...{ sequence, layer: 'result', quality: 'exact', level, rectangle, channels: 3, pixels },
      });
    };
    tile(last(), 0, 'draft', 3);
    strip(0, 256);
    strip(256, 94);
    expect(arrivals).toEqual([true, false, true]);
    const held = [...cache.tilesOf({ source: 'a', quality: 'exact', level: 1 })].map(({ rectangle }) => rectangle);
    expect(held).toEqual([
      { x: 0, y: 0, width: 256, height: 256 },
      { x: 256, y: 0, width: 244, height: 256 },
      { x: 0, y: 256, width: 256, height: 94 },
      { x: 256, y: 256, width: 244, height: 94 },
    ]);
  });
  it('says how far it is', () => {
    const { show, last, feed, tile } = setUp();
    show(view('a'), 0);
    expect([feed.busy, feed.share]).toEqual([true, 0]);
    tile(last(), 0);
    expect(feed.share).toBe(0.5);
  });
});

describe('tiles that are made on a thread', () => {
  /** A thread that has made the tiles of the oldest message when it is told to. */
  function setUpLate() {
    const asked: Parameters<MakeTiles<string>>[] = [];
    const layer = setUp('result', (...question) => asked.push(question));
    let name = 0;
    const make = () => {
      const [, tiles, take] = asked.shift()!;
      take(tiles.map(() => ({ bitmap: `made ${++name}`, bytes: 4, alpha: false })));
    };
    const fail = (why: NotMade = 'failed') => asked.shift()![2](why);
    return { ...layer, make, fail };
  }
  const received = (sent: readonly PageMessage[]) => sent.filter(({ kind }) => kind === 'tilesReceived').length;

  it('are acknowledged when they are there, and the end of the request counts only then', () => {
    const { show, last, tile, finish, feed, make, sent, doneCount } = setUpLate();
    show(view('a'), 0);
    for (const x of [0, 256]) tile(last(), x);
    finish(last());
    expect([received(sent), feed.busy, feed.state, doneCount()]).toEqual([0, true, 'nothing', 0]);
    make();
    expect([received(sent), feed.busy, feed.state]).toEqual([1, true, 'draft']);
    make();
    expect([received(sent), feed.busy, feed.state, doneCount()]).toEqual([2, false, 'exact', 1]);
  });
  it('are let go where another stack is shown by the time they are made', () => {
    const { show, last, tile, cache, make, sent, released } = setUpLate();
    show(view('a'), 0);
    tile(last(), 0);
    show(view('b'), 600);
    make();
    expect([received(sent), released, cache.count]).toEqual([1, ['made 1'], 0]);
  });
  it('that cannot be made are said to be missing', () => {
    const { show, last, tile, failures, feed, fail } = setUpLate();
    show(view('a'), 0);
    tile(last(), 0);
    fail();
    expect(failures).toEqual([{ code: 'internal', subject: 'the thread of tiles' }]);
    expect(feed.failed).toBe(true);
  });
  it('that cannot be made of an older stack say nothing of the newest', () => {
    const { show, last, tile, failures, feed, fail, requests, sent } = setUpLate();
    show(view('a'), 0);
    tile(last(), 0);
    show(view('b'), 600);
    fail();
    expect([failures, feed.failed, received(sent)]).toEqual([[], false, 1]);
    show(view('b'), 700);
    expect(requests()).toHaveLength(2);
  });
  it('that went with others that failed are asked for again, once', () => {
    const { show, last, tile, failures, feed, fail, requests, finish } = setUpLate();
    show(view('a'), 0);
    tile(last(), 0);
    show(view('b'), 600);
    tile(last(), 0);
    finish(last());
    fail('failed');
    fail('lost');
    for (const now of [700, 800]) show(view('b'), now);
    expect([failures, feed.failed, requests().map(({ sequence }) => sequence)]).toEqual([[], false, [1, 2, 3]]);
    tile(last(), 0);
    fail('failed');
    expect([failures.length, feed.failed]).toEqual([1, true]);
  });
});

describe('when the person stops it', () => {
  it('tells main, keeps what is on screen, and asks nothing more for that view', () => {
    const { show, last, tile, feed, sent, requests } = setUp();
    show(view('a'), 0);
    tile(last(), 0, 'draft', 2);
    feed.stop();
    expect(sent.at(-1)).toEqual({ kind: 'cancel', layer: 'result', sequence: last().sequence });
    expect([feed.stopped, feed.busy, feed.state]).toEqual([true, false, 'draft']);
    feed.receive({ kind: 'failed', sequence: last().sequence, layer: 'result', failure: { code: 'cancelled' } });
    show(view('a'), 1000);
    expect(requests()).toHaveLength(1);
    expect([feed.stopped, feed.failed]).toEqual([true, false]);
  });
  it('stops a drag that is a step further than what main computes', () => {
    const { show, feed, requests } = setUp();
    show(view('a'), 0);
    show(view('b'), 10);
    feed.stop();
    show(view('b'), 1000);
    expect(requests()).toHaveLength(1);
  });
  it('computes again what is changed or moved, and the same view when asked to go on', () => {
    const { show, feed, requests } = setUp();
    show(view('a'), 0);
    feed.stop();
    show(view('b'), 10);
    expect([requests().length, feed.stopped]).toEqual([2, false]);
    feed.stop();
    feed.resume();
    show(view('b'), 20);
    expect([requests().length, feed.stopped, feed.busy]).toEqual([3, false, true]);
  });
  it('asks for it again where something else was shown meanwhile that was all there', () => {
    const { show, last, tile, finish, feed, requests } = setUp();
    show(view('a'), 0);
    tile(last(), 0);
    tile(last(), 256);
    finish(last());
    show(view('b'), 1000);
    feed.stop();
    show(view('a'), 2000);
    show(view('b'), 3000);
    expect([requests().length, feed.busy, feed.stopped]).toEqual([3, true, false]);
  });
  it('has nothing to stop where all is there', () => {
    const { show, last, tile, finish, feed, sent } = setUp();
    show(view('a'), 0);
    for (const x of [0, 256]) tile(last(), x);
    finish(last());
    feed.stop();
    expect([feed.stopped, sent.some((message) => message.kind === 'cancel')]).toEqual([false, false]);
  });
});

describe('when main refuses', () => {
  const refusal: Failure = { code: 'invalidKernel', subject: 'weights' };
  it('reports the failure once, keeps the old picture and does not ask again for the same stack', () => {
    const { show, last, requests, feed, failures } = setUp();
    show(view('a'), 0);
    feed.receive({ kind: 'failed', sequence: last().sequence, layer: 'result', failure: refusal });
    show(view('a', 1, 60), 100);
    expect(failures).toEqual([refusal]);
    expect(requests()).toHaveLength(1);
    expect(feed.failed).toBe(true);
    show(view('b'), 200);
    expect([requests().length, feed.failed]).toEqual([2, false]);
  });
  it('says nothing of the failure of what is not to be shown any more', () => {
    const { show, last, feed, failures, requests } = setUp();
    show(view('a'), 0);
    const old = last();
    // The next step of a drag waits for its turn.
    show(view('b'), 10);
    expect(requests()).toHaveLength(1);
    feed.receive({ kind: 'failed', sequence: old.sequence, layer: 'result', failure: refusal });
    expect([failures, feed.failed]).toEqual([[], false]);
    show(view('b'), 20);
    expect(requests()).toHaveLength(2);
  });
  it('says nothing of a cancelled request or of the failure of an old one', () => {
    const { show, last, feed, failures } = setUp();
    show(view('a'), 0);
    const old = last();
    show(view('b'), 600);
    feed.receive({ kind: 'failed', sequence: old.sequence, layer: 'result', failure: refusal });
    feed.receive({ kind: 'failed', sequence: last().sequence, layer: 'result', failure: { code: 'cancelled' } });
    expect(failures).toEqual([]);
  });
});
