// Calibration on an engine whose time passes by a formula: the measured table predicts it, the check finds no error and no
// regret, and the quiet one waits for rest, stops at once and measures an engine once.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CostTable, costTableSchema, type PictureKind, predictMilliseconds } from '../../../core/costs';
import type { Pass, Samples } from '../../../core/pass';
import { pathOf } from '../../../core/plan';
import type { PassPath } from '../../../core/planText';
import { shippedCosts } from '../../../core/shippedCosts';
import { checkCosts, summaryOf } from '../../../main/calibration/check';
import { measureFull, measureQuick } from '../../../main/calibration/measure';
import { QuietCalibration, type Work } from '../../../main/calibration/quiet';
import { threadsOf } from '../../../main/calibration/stopwatch';
import { costsFile, loadCosts } from '../../../main/calibration/store';
import type { BackendName, EngineImage, RunRequest } from '../../../main/engine';
import { FakeEngine } from './fakeEngine';

/** Time passes only while it runs, by a table. */
class TimedEngine extends FakeEngine {
  clock = 0;
  constructor(private readonly truth: (picture: PictureKind, path: PassPath) => number) {
    super();
  }
  override async run(
    backend: BackendName,
    passes: readonly Pass[],
    image: EngineImage,
    request: RunRequest,
    _destination: Samples,
    signal?: AbortSignal,
  ): Promise<void> {
    const [pass] = passes;
    if (!pass) throw new Error('one pass expected');
    // The pixels do not matter here.
    await super.run(
      backend,
      passes,
      image,
      { ...request, region: { x: 0, y: 0, width: 1, height: 1 } },
      new Uint8Array(4),
      signal,
    );
    this.clock += this.truth(image, pathOf(pass.work, pass.epilogue));
  }
}

const shipped = shippedCosts.cpu;
/** A computer three times as slow as the shipped table, and ten times on rows and columns. */
const slow = (picture: PictureKind, path: PassPath) =>
  (path.kind === 'separable' ? 10 : 3) * (predictMilliseconds(shipped, picture, path) ?? 0);

const photo = { width: 4000, height: 3000, channels: 4, sampleType: 'u8' } as const;
const some: readonly PassPath[] = [
  { kind: 'dense', width: 4, height: 5 },
  { kind: 'dense', width: 40, height: 40 },
  { kind: 'separable', width: 20, height: 20, pairs: 1 },
  { kind: 'separable', width: 20, height: 20, pairs: 3 },
  { kind: 'separable', width: 450, height: 450, pairs: 1 },
  { kind: 'dense', width: 7, height: 7, whole: true },
  { kind: 'dense', width: 11, height: 11, divided: true },
  { kind: 'fft', width: 20, height: 20 },
  { kind: 'fft', width: 127, height: 127 },
  { kind: 'magnitude', width: 2, height: 2 },
  { kind: 'magnitude', width: 3, height: 3 },
];

function closeTo(table: CostTable, within: number): void {
  for (const path of some) {
    const ratio = (predictMilliseconds(table, photo, path) ?? Number.NaN) / slow(photo, path);
    expect(Math.abs(ratio - 1), JSON.stringify(path)).toBeLessThan(within);
  }
}

describe('measuring', () => {
  it('gives a table that predicts the engine it measured', async () => {
    const engine = new TimedEngine(slow);
    const shares: number[] = [];
    const table = await measureFull(engine, 'cpu', {
      version: '1.2.3',
      now: () => engine.clock,
      progress: (share) => shares.push(share),
    });
    expect(table).toMatchObject({ backend: 'cpu', description: 'fake', engine: '1.2.3', source: 'measured' });
    closeTo(table, 0.05);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('gives a whole table also where long rows and columns take too long to be measured', async () => {
    const engine = new TimedEngine((picture, path) => 10 * slow(picture, path));
    const table = await measureFull(engine, 'cpu', { version: '1', now: () => engine.clock });
    expect(costTableSchema.parse(JSON.parse(JSON.stringify(table)))).toEqual(table);
    const long = { kind: 'separable', width: 1201, height: 1201, pairs: 1 } as const;
    expect(predictMilliseconds(table, photo, long)).toBeGreaterThan(
      10 * (predictMilliseconds(shipped, photo, long) ?? 0),
    );
  });

  it('quickly gives the shipped table, each path as much slower as it is here', async () => {
    const engine = new TimedEngine(slow);
    const table = await measureQuick(engine, 'cpu', { version: '1', now: () => engine.clock });
    expect(table.source).toBe('quick');
    closeTo(table, 0.05);
    expect(engine.clock).toBeLessThan(12_000);
  });

  it('stops with `cancelled`, and refuses an engine that is not there', async () => {
    const engine = new TimedEngine(slow);
    const controller = new AbortController();
    const beforeRun = async () => {
      if (engine.runs.length === 30) controller.abort();
    };
    const work = measureQuick(engine, 'cpu', { version: '1', signal: controller.signal, beforeRun });
    await expect(work).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(engine.runs.length).toBeLessThanOrEqual(31);
    await expect(measureQuick(engine, 'cuda', { version: '1' })).rejects.toMatchObject({
      failure: { code: 'backendUnavailable', subject: 'cuda' },
    });
  });

  it('knows the threads of an engine by its description', () => {
    expect([threadsOf('AVX-512, 2 threads'), threadsOf('SSE4, 1 thread'), threadsOf('H200')]).toEqual([2, 1, 1]);
  });
});

describe('a check', () => {
  const options = { megapixels: 0.2, kinds: ['u8x4', 'f32x1'] as const };

  it('finds neither error nor regret in a true table', async () => {
    const engine = new TimedEngine((picture, path) => predictMilliseconds(shipped, picture, path) ?? 0);
    const rows = await checkCosts(engine, 'cpu', shipped, { ...options, now: () => engine.clock });
    const summary = summaryOf(rows);
    expect(rows.length).toBeGreaterThan(40);
    expect(summary).toMatchObject({ regretsWithin10: rows.length, errorsWithin30: rows.length });
    expect(summary.largestError).toBeLessThan(1e-6);
  });

  it('finds both in a wrong one', async () => {
    const engine = new TimedEngine(slow);
    const summary = summaryOf(await checkCosts(engine, 'cpu', shipped, { ...options, now: () => engine.clock }));
    expect(summary.errorsWithin30).toBe(0);
    expect(summary.largestRegret).toBeGreaterThan(0.1);
  });
});

describe('the quiet calibration', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-quiet-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const quickly = (engine: TimedEngine, idle: () => number, backend: BackendName = 'cpu') => {
    const work: Work = { idleFor: idle, backend: () => backend };
    const failures: unknown[] = [];
    const waits: number[] = [];
    const quiet = new QuietCalibration({
      engine,
      work,
      version: '1',
      folder,
      report: (thrown) => failures.push(thrown),
      wait: async (milliseconds) => {
        waits.push(milliseconds);
      },
    });
    return { quiet, failures, waits };
  };
  const instantly = () => new TimedEngine(() => 0.001);

  it('waits for the first picture and for rest, keeps a table, and measures an engine once', async () => {
    const engine = instantly();
    let asked = 0;
    // Somebody works at first, and again in the middle.
    const idle = () => (++asked < 5 || (asked > 40 && asked < 50) ? 0 : 1e9);
    const { quiet, failures, waits } = quickly(engine, idle);
    expect(engine.runs).toHaveLength(0);
    quiet.pictureShown();
    quiet.pictureShown();
    await expect.poll(() => readFile(costsFile(folder), 'utf8').catch(() => '')).toContain('"quick"');
    await quiet.stop();
    expect(failures).toEqual([]);
    expect(waits).toHaveLength(13);
    const { tables, notes } = await loadCosts(costsFile(folder), engine.backends(), '1');
    expect(notes).toEqual([]);
    expect([tables.cpu.source, tables.reference.source]).toEqual(['quick', 'shipped']);

    const again = quickly(instantly(), () => 1e9);
    const runs = engine.runs.length;
    again.quiet.pictureShown();
    await again.quiet.stop();
    expect(engine.runs).toHaveLength(runs);
  });

  it('stops when the program ends, and leaves no table', async () => {
    const engine = instantly();
    const { quiet, failures } = quickly(engine, () => 1e9);
    engine.hold();
    quiet.pictureShown();
    await expect.poll(() => engine.waiting).toBe(1);
    await quiet.stop();
    expect(engine.cancelled).toBe(1);
    expect(failures).toEqual([]);
    await expect(readFile(costsFile(folder))).rejects.toThrow();
  });

  it('reports what went wrong and lets the program go on', async () => {
    const engine = instantly();
    engine.failing.set('cpu', 'outOfMemory');
    const { quiet, failures } = quickly(engine, () => 1e9);
    quiet.pictureShown();
    await expect.poll(() => failures.length).toBe(1);
    await quiet.stop();
  });

  it('does not measure the plain loops', async () => {
    const engine = instantly();
    const { quiet } = quickly(engine, () => 1e9, 'reference');
    quiet.pictureShown();
    await quiet.stop();
    expect(engine.runs).toHaveLength(0);
  });
});
