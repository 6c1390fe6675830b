// Many runs at once: the event loop never waits, cancelled work ends and makes room, and the newest result is right.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConvolveError } from '../../core/errors';
import { type EngineImage, loadEngine } from '../../main/engine';
import { boxPass, failureFrom, fillWithNoise, nextTurn, offsetPass, wholeOf } from './examples';
import { longPasses, longPicture, runLong } from './longRun';

/** More than the addon has threads, so that some runs wait for one. */
const more = 12;

const engine = loadEngine();
const cancelled = { code: 'cancelled' };
let picture: EngineImage;
let pixel: EngineImage;
beforeAll(async () => {
  picture = await longPicture(engine);
  pixel = await engine.createImage(new Uint8Array(1), { width: 1, height: 1 }, 1, false);
});
afterAll(() => {
  picture.release();
  pixel.release();
});

const runOnPixel = async (share: number, signal?: AbortSignal): Promise<number> => {
  const result = new Uint8Array(1);
  await engine.run('reference', [offsetPass(share)], pixel, wholeOf(pixel), result, signal);
  return result[0]!;
};

async function turnsUntil(settled: Promise<unknown>): Promise<number> {
  let running = true;
  const end = () => {
    running = false;
  };
  settled.then(end, end);
  let turns = 0;
  while (running) {
    await nextTurn();
    turns++;
  }
  return turns;
}

describe('the event loop', () => {
  it.each(['reference', 'cpu'] as const)('keeps turning during a run on %s', async (backend) => {
    const size = { width: 512, height: 512 };
    const image = await engine.createImage(fillWithNoise(new Uint8Array(512 * 512)), size, 1, false);
    const result = new Uint8Array(512 * 512);
    const run = engine.run(backend, [boxPass(backend === 'cpu' ? 101 : 15)], image, wholeOf(size), result);
    const turns = await turnsUntil(run);
    await run;
    console.info(`turns of the event loop during one run on ${backend}: ${turns}`);
    // A call that did its work before it returned would leave one or two.
    expect(turns).toBeGreaterThan(100);
  });

  it('keeps turning while samples are copied', async () => {
    const side = 8192;
    const creation = engine.createImage(new Uint8Array(side * side), { width: side, height: side }, 1, false);
    expect(await turnsUntil(creation)).toBeGreaterThan(10);
    (await creation).release();
  });

  it('keeps files and other native work going when every thread of the engine is busy', async () => {
    const controller = new AbortController();
    const runs = Array.from({ length: more }, () => failureFrom(() => runLong(engine, picture, controller.signal)));
    expect((await readFile(import.meta.filename, 'utf8')).length).toBeGreaterThan(0);
    controller.abort();
    expect(await Promise.all(runs)).toEqual(runs.map(() => expect.objectContaining(cancelled)));
  });
});

describe('cancelling', () => {
  it.each(['reference', 'cpu'] as const)('ends a run that is under way on %s', async (backend) => {
    const controller = new AbortController();
    const run = failureFrom(() => runLong(engine, picture, controller.signal, backend));
    // A short run that was started later has ended: by then the long one has a thread of its own.
    await runOnPixel(0.5);
    const aborted = performance.now();
    controller.abort();
    expect(await run).toMatchObject(cancelled);
    console.info(`from abort to rejection on ${backend}: ${(performance.now() - aborted).toFixed(1)} ms`);
  });

  it.each(['reference', 'cpu'] as const)('ends a measurement that is under way on %s', async (backend) => {
    const controller = new AbortController();
    const measurement = failureFrom(() => engine.measure(backend, longPasses, picture, controller.signal));
    await runOnPixel(0.5);
    controller.abort();
    expect(await measurement).toMatchObject(cancelled);
  });

  it('frees the threads: what waited behind the cancelled runs is done', async () => {
    const controller = new AbortController();
    const order: string[] = [];
    const runs = Array.from({ length: more }, async (_, index) => {
      await failureFrom(() => runLong(engine, picture, controller.signal));
      order.push(`cancelled ${index}`);
    });
    const waiting = runOnPixel(1).then((value) => order.push(`done ${value}`));
    // Nothing has ended yet, however often the loop turns: every thread is busy for minutes.
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(order).toEqual([]);
    controller.abort();
    await Promise.all([...runs, waiting]);
    expect(order).toContain('done 255');
    expect(order).toHaveLength(more + 1);
  });

  it('ends a run that has not started without waiting for a thread', async () => {
    const holding = new AbortController();
    const holders = Array.from({ length: more }, () => failureFrom(() => runLong(engine, picture, holding.signal)));
    const controller = new AbortController();
    const queued = failureFrom(() => runOnPixel(1, controller.signal));
    await nextTurn();
    controller.abort();
    expect(await queued).toMatchObject(cancelled);
    holding.abort();
    await Promise.all(holders);
  });

  it('before the start gives `cancelled` and runs nothing', async () => {
    const result = Uint8Array.of(77);
    const run = () => engine.run('reference', [offsetPass(1)], pixel, wholeOf(pixel), result, AbortSignal.abort());
    expect(await failureFrom(run)).toEqual({ code: 'cancelled', subject: 'run' });
    await runOnPixel(0);
    expect(result[0]).toBe(77);
  });

  it('at any moment before the promise settles gives `cancelled`, even when the work was done', async () => {
    const controller = new AbortController();
    const run = failureFrom(() => runOnPixel(1, controller.signal));
    // The loop is held until the work must have ended; its result cannot be delivered before the abort.
    const wait = new Int32Array(new SharedArrayBuffer(4));
    Atomics.wait(wait, 0, 0, 100);
    controller.abort();
    expect(await run).toMatchObject(cancelled);
  });

  it('after the end changes nothing', async () => {
    const controller = new AbortController();
    expect(await runOnPixel(1, controller.signal)).toBe(255);
    controller.abort();
    expect(await runOnPixel(1)).toBe(255);
  });

  it('one of two runs leaves the other alone', async () => {
    const first = new AbortController();
    const second = new AbortController();
    const runs = [runLong(engine, picture, first.signal), runOnPixel(1, second.signal)] as const;
    first.abort();
    await expect(runs[0]).rejects.toBeInstanceOf(ConvolveError);
    expect(await runs[1]).toBe(255);
  });
});

describe('many runs at once', () => {
  it('give each its own result', async () => {
    const values = Array.from({ length: 256 }, (_, value) => value);
    expect(await Promise.all(values.map((value) => runOnPixel(value / 255)))).toEqual(values);
  });

  it('newest wins: all but the last are cancelled, and the last is right', async () => {
    const runs = Array.from({ length: 50 }, (_, value) => {
      const controller = new AbortController();
      return { controller, result: runOnPixel((value + 1) / 255, controller.signal) };
    });
    const newest = runs.at(-1);
    for (const { controller, result } of runs.slice(0, -1)) {
      controller.abort();
      result.catch(() => undefined);
    }
    expect(await newest?.result).toBe(50);
    const older = await Promise.allSettled(runs.slice(0, -1).map(({ result }) => result));
    expect(older.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('on the same destination memory, one after the other, each write whole', async () => {
    const result = new Uint8Array(1);
    for (const share of [0, 1, 0.2]) {
      await engine.run('reference', [offsetPass(share)], pixel, wholeOf(pixel), result);
      expect(result[0]).toBe(Math.round(share * 255));
    }
  });
});
