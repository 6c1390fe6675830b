// Ends: worker threads and processes that go while the engine works take nothing down and wait for nothing but results.

import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEngine } from '../../main/engine';
import { runPixel } from './examples';
import { bundleProgram, type ProgramEnd, runProgram } from './programs';

let exitProgram: string;
let threadProgram: string;
beforeAll(async () => {
  exitProgram = await bundleProgram('exit');
  threadProgram = await bundleProgram('thread');
});

const engine = loadEngine();
const startThread = (workerData: unknown): Worker => new Worker(threadProgram, { workerData });
const endOf = (way: string): Promise<ProgramEnd> => runProgram(process.execPath, [exitProgram, way, threadProgram]);
const messageOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
const exitOf = (worker: Worker): Promise<number> => new Promise((resolve) => worker.once('exit', resolve));

describe('worker threads', () => {
  it('each have the engine, beside the main thread', async () => {
    const shares = [0.2, 0.4, 0.6];
    const threads = shares.map(startThread);
    const ended = Promise.all(threads.map(exitOf));
    expect(await Promise.all(threads.map(messageOf))).toEqual(shares.map((share) => Math.round(share * 255)));
    expect(await runPixel(engine, 1)).toBe(255);
    expect(await ended).toEqual([0, 0, 0]);
  });

  it('that are terminated in a run go at once, and the engine goes on elsewhere', async () => {
    const thread = startThread('long run');
    expect(await messageOf(thread)).toBe('under way');
    const asked = performance.now();
    expect(await thread.terminate()).toBe(1);
    console.info(`from terminate to the thread's end: ${(performance.now() - asked).toFixed(1)} ms`);
    expect(await runPixel(engine, 1)).toBe(255);
  });
});

describe('a process', () => {
  it('that exits during runs exits with its own code, at once', async () => {
    const end = await endOf('exit');
    expect(end).toMatchObject({ code: 7, signal: null, errors: '' });
  });

  it('that dies of an error during runs reports that error', async () => {
    const end = await endOf('throw');
    expect(end).toMatchObject({ code: 1, signal: null });
    expect(end.errors).toContain('nobody catches this');
  });

  it('waits for a run that is under way', async () => {
    expect(await endOf('wait')).toMatchObject({ code: 0, output: 'result 255\n', errors: '' });
  });

  it('is not kept alive by an idle engine', async () => {
    expect(await endOf('idle')).toMatchObject({ code: 0, output: 'backends 3\n', errors: '' });
  });

  it('goes on when the only thread that had loaded the addon was terminated', async () => {
    const end = await endOf('worker');
    expect(end).toMatchObject({ code: 0, signal: null, output: 'terminated 1\nresult 255\n', errors: '' });
  });
});
