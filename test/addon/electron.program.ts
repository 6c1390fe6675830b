// The addon inside Electron's main process, where memory that V8 did not allocate is refused. Runs its checks, prints one
// JSON line for each, then {"passed":n,"failed":m}, and leaves with runs under way.

import { setImmediate as turn } from 'node:timers/promises';
import { app } from 'electron';
import { type Engine, loadEngine, startEngine } from '../../main/engine';
import { boxPass, failureFrom, fillWithNoise, runPixel, wholeOf } from './examples';
import { longPicture, runLong } from './longRun';

function require(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

const side = 10_000;

const checks: Readonly<Record<string, (engine: Engine) => Promise<void>>> = {
  'runs in the main process of Electron': async () => {
    require(process.versions.electron !== undefined, 'this is not Electron');
    require((process as { type?: string }).type === 'browser', 'this is not the main process');
  },
  'lists the backends': async (engine) => {
    const names = engine.backends().map(({ name }) => name);
    require(names.join() === 'reference,cpu,cuda', `got ${names.join()}`);
  },
  'fills memory that JavaScript allocated': async (engine) => {
    for (const value of [0, 1, 128, 255]) {
      const result = await runPixel(engine, value / 255);
      require(result === value, `expected ${value}, got ${result}`);
    }
  },
  'fills 100 megapixels': async (engine) => {
    const samples = fillWithNoise(new Uint8Array(side * side));
    const image = await engine.createImage(samples, { width: side, height: side }, 1, false);
    const result = new Uint8Array(side * side);
    await engine.run('cpu', [boxPass(3)], image, wholeOf(image), result);
    image.release();
    // Pixels all over the picture, against the sum of their own neighbours.
    for (let i = 0; i < 1000; i++) {
      const [x, y] = [1 + ((i * 7919) % (side - 2)), 1 + ((i * 104_729) % (side - 2))];
      let sum = 0;
      for (let j = -1; j <= 1; j++) for (let k = -1; k <= 1; k++) sum += samples[(y + j) * side + x + k]!;
      const [actual, expected] = [result[y * side + x], Math.round(sum / 9)];
      require(actual === expected, `pixel ${x}, ${y}: expected ${expected}, got ${actual}`);
    }
    // Ordinary memory: it can be handed to another thread.
    const moved = structuredClone(result, { transfer: [result.buffer] });
    require(moved.length === side * side && result.length === 0, 'the result could not be transferred');
  },
  'refuses with typed errors': async (engine) => {
    const image = await engine.createImage(new Uint8Array(1), { width: 1, height: 1 }, 1, false);
    const failure = await failureFrom(() => engine.run('cpu', [], image, wholeOf(image), new Uint8Array(2)));
    const expected = { code: 'invalidArgument', subject: 'destination', expected: '1 × 1 × 1 samples', actual: '2' };
    require(JSON.stringify(failure) === JSON.stringify(expected), `got ${JSON.stringify(failure)}`);
  },
  'keeps the event loop turning, and cancels': async (engine) => {
    const controller = new AbortController();
    const picture = await longPicture(engine);
    const run = failureFrom(() => runLong(engine, picture, controller.signal));
    for (let i = 0; i < 100; i++) await turn();
    controller.abort();
    const { code } = await run;
    require(code === 'cancelled', `got ${code}`);
  },
  'loads for a second time without a trace of the first': async () => {
    const engine = await startEngine();
    require((await runPixel(engine, 1)) === 255, 'the result is wrong');
  },
};

async function checkAll(): Promise<void> {
  await app.whenReady();
  let failed = 0;
  const engine = loadEngine();
  for (const [name, check] of Object.entries(checks)) {
    const problem = await check(engine).then(
      () => null,
      (thrown: unknown) => String(thrown),
    );
    if (problem !== null) failed++;
    console.log(JSON.stringify({ name, problem }));
  }
  console.log(JSON.stringify({ passed: Object.keys(checks).length - failed, failed }));
  // The way out is part of the test: a picture is being filtered when the program is left.
  void runLong(engine, await longPicture(engine)).catch(() => undefined);
  app.exit(failed === 0 ? 0 : 1);
}

app.disableHardwareAcceleration();
checkAll().catch((thrown: unknown) => {
  console.error(thrown);
  app.exit(1);
});
