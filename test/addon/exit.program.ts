// Ends a process while the engine works, in the way that its first argument names. The second is the path of the bundled
// thread program.

import { Worker } from 'node:worker_threads';
import { loadEngine } from '../../main/engine';
import { runPixel } from './examples';
import { longPicture, runLong } from './longRun';

async function startLongRuns(): Promise<void> {
  const engine = loadEngine();
  const picture = await longPicture(engine);
  // More than there are threads: some run, some wait.
  for (let i = 0; i < 12; i++) void runLong(engine, picture);
}

const ways: Readonly<Record<string, (threadProgram: string) => Promise<void>>> = {
  /** process.exit with runs under way. */
  exit: async () => {
    await startLongRuns();
    setImmediate(() => process.exit(7));
  },
  /** An error that nobody catches, with runs under way. */
  throw: async () => {
    await startLongRuns();
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
  },
  /** Nothing keeps the process but a run: it must be waited for. */
  wait: async () => {
    console.log(`result ${await runPixel(loadEngine(), 1)}`);
  },
  /** The engine is loaded, and nothing is under way: it must not keep the process. */
  idle: async () => {
    console.log(`backends ${loadEngine().backends().length}`);
  },
  /** Only a worker thread has loaded the addon; it is terminated in a run, and the process goes on. */
  worker: async (threadProgram) => {
    const worker = new Worker(threadProgram, { workerData: 'long run' });
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    console.log(`terminated ${await worker.terminate()}`);
    // Then the main thread loads the same library, whose own threads are still there.
    console.log(`result ${await runPixel(loadEngine(), 1)}`);
  },
};

const [name = '', threadProgram = ''] = process.argv.slice(2);
const way = ways[name];
if (!way) throw new Error(`expected one of ${Object.keys(ways).join(', ')}`);
void way(threadProgram);
