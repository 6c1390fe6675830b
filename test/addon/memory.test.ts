// Memory: pixels go when the image is released, or when nobody holds it any more; runs that have started keep theirs.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { loadEngine } from '../../main/engine';
import { boxPass, fillWithNoise, nextTurn, wholeOf } from './examples';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const engine = loadEngine();
const megabyte = 2 ** 20;
const size = { width: 2048, height: 2048 };
const samples = fillWithNoise(new Uint8Array(4 * megabyte));
const create = () => engine.createImage(samples, size, 1, false);

const resident = () => process.memoryUsage.rss();

/** Runs the collector and what it leaves to later turns of the loop: native memory goes after its object. */
async function collectAll(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    collect();
    await nextTurn();
  }
}

async function collectUntilSettled(settled: Promise<unknown>): Promise<void> {
  let running = true;
  const end = () => {
    running = false;
  };
  settled.then(end, end);
  while (running) {
    collect();
    await nextTurn();
  }
}

it('an image says how much memory it holds until it is released', async () => {
  const image = await create();
  expect(image.bytes).toBe(4 * megabyte);
  image.release();
  expect(image.bytes).toBe(0);
  // The rest of what it says stays true, and releasing it again is no error.
  expect(image).toMatchObject({ ...size, channels: 1, alpha: false, sampleType: 'u8' });
  image.release();
});

it('100 images created and released leave nothing behind', async () => {
  (await create()).release();
  await collectAll();
  const before = resident();
  for (let cycle = 0; cycle < 100; cycle++) (await create()).release();
  // 400 MB went through, and the collector was not needed; what the allocator keeps for reuse stays far below.
  expect(resident() - before).toBeLessThan(64 * megabyte);
});

it('images that were only forgotten are collected in time, because the collector knows their size', async () => {
  await collectAll();
  const before = resident();
  let most = 0;
  for (let cycle = 0; cycle < 500; cycle++) {
    await create();
    most = Math.max(most, resident());
  }
  // 2 GB went through without a call of the collector: to it, 500 objects without their pixels would be nothing.
  expect(most - before).toBeLessThan(512 * megabyte);
  await collectAll();
  // What is left is what the C library keeps for each thread; it does not grow with the number of images.
  expect(resident() - before).toBeLessThan(256 * megabyte);
});

it('1000 runs leave nothing behind', async () => {
  const tile = { width: 256, height: 256 };
  const image = await engine.createImage(new Uint8Array(256 * 256), tile, 1, false);
  const result = new Uint8Array(256 * 256);
  const run = () => engine.run('cpu', [boxPass(3)], image, wholeOf(tile), result);
  for (let i = 0; i < 20; i++) await run();
  await collectAll();
  const residentBefore = resident();
  for (let i = 0; i < 1000; i++) await run();
  await collectAll();
  expect(resident() - residentBefore).toBeLessThan(32 * megabyte);
  image.release();
});

it('a run that has started finishes on an image that was released meanwhile', async () => {
  const image = await create();
  const expected = new Uint8Array(4 * megabyte);
  await engine.run('cpu', [boxPass(3)], image, wholeOf(size), expected);
  const result = new Uint8Array(4 * megabyte);
  const run = engine.run('cpu', [boxPass(3)], image, wholeOf(size), result);
  image.release();
  await run;
  expect(Buffer.compare(result, expected)).toBe(0);
});

it('memory that nobody holds but a run is kept until the run has ended, and not longer', async () => {
  const tile = { width: 512, height: 512 };
  let collected = 0;
  let early = 0;
  const registry = new FinalizationRegistry<{ settled: boolean }>((run) => {
    collected++;
    if (!run.settled) early++;
  });
  const start = async (): Promise<void> => {
    const image = await engine.createImage(new Uint8Array(512 * 512), tile, 1, false);
    const destination = new Uint8Array(512 * 512);
    const state = { settled: false };
    registry.register(destination.buffer, state);
    registry.register(image, state);
    await engine.run('reference', [boxPass(9)], image, wholeOf(tile), destination);
    state.settled = true;
  };
  const all = Promise.all(Array.from({ length: 8 }, start));
  await collectUntilSettled(all);
  await all;
  for (let round = 0; round < 100 && collected < 16; round++) await collectAll();
  expect({ collected, early }).toEqual({ collected: 16, early: 0 });
});
