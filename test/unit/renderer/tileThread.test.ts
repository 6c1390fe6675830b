// The thread of tiles: answers reach who asked, in order; a thread that fails is said to who asked for what it failed at, and
// replaced.

import { expect, it } from 'vitest';
import type { TilesMessage } from '../../../core/pixelPort';
import { TileThread } from '../../../renderer/viewport/tileThread';

const rectangle = { x: 0, y: 0, width: 2, height: 1 };
const message = (): TilesMessage => ({
  ...{ kind: 'tiles', sequence: 1, layer: 'result', quality: 'exact', level: 0, rectangle, channels: 1 },
  pixels: new Uint8Array(2),
});
const tile = (bitmap: string) => ({ bitmap, bytes: 8, alpha: false });

class FakeThread {
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly given: unknown[][] = [];
  ended = false;
  postMessage(_question: unknown, given: unknown[]): void {
    this.given.push(given);
  }
  terminate(): void {
    this.ended = true;
  }
}

function setUp() {
  const threads: FakeThread[] = [];
  const thread = new TileThread<string>(() => {
    threads.push(new FakeThread());
    return threads.at(-1) as unknown as Worker;
  });
  const taken: unknown[] = [];
  const ask = (name: string) => {
    const asked = message();
    thread.make(asked, [rectangle], (made) => taken.push([name, made]));
    return asked.pixels.buffer;
  };
  return { thread, threads, taken, ask };
}

it('is given the pixels, and answers in order', () => {
  const { threads, taken, ask } = setUp();
  const buffers = [ask('first'), ask('second')];
  expect(threads).toHaveLength(1);
  expect(threads[0]?.given).toEqual(buffers.map((buffer) => [buffer]));
  threads[0]?.onmessage?.({ data: [tile('one')] });
  threads[0]?.onmessage?.({ data: [tile('two')] });
  expect(taken).toEqual([
    ['first', [tile('one')]],
    ['second', [tile('two')]],
  ]);
});

it('that fails is told to who asked for what it failed at, to others that theirs is lost, and another one takes its place', () => {
  const { threads, taken, ask } = setUp();
  ask('first');
  ask('second');
  threads[0]?.onerror?.();
  expect(taken).toEqual([
    ['first', 'failed'],
    ['second', 'lost'],
  ]);
  ask('third');
  threads[1]?.onmessage?.({ data: [tile('one')] });
  expect(taken.at(-1)).toEqual(['third', [tile('one')]]);
});

it('answers nobody any more once it is ended', () => {
  const { thread, threads, taken, ask } = setUp();
  ask('first');
  thread.dispose();
  threads[0]?.onmessage?.({ data: [tile('one')] });
  expect([threads[0]?.ended, taken]).toEqual([true, []]);
});
