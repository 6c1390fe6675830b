// A worker thread with an engine of its own: says what a run gave, or that a long run is under way.

import { parentPort, workerData } from 'node:worker_threads';
import { loadEngine } from '../../main/engine';
import { runPixel } from './examples';
import { longPicture, runLong } from './longRun';

async function work(): Promise<void> {
  const engine = loadEngine();
  if (workerData === 'long run') {
    const run = runLong(engine, await longPicture(engine));
    // Runs start in order: when this later one has ended, the long one is under way.
    await runPixel(engine, 0);
    parentPort?.postMessage('under way');
    await run;
    throw new Error('the long run was expected not to end');
  }
  parentPort?.postMessage(await runPixel(engine, workerData as number));
}

void work();
