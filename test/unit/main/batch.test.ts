// A batch as a whole over real files and the real codec, with an engine that copies: what is written, skipped, failed,
// stopped and resumed.

import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchProgress } from '../../../core/batch';
import { ConvolveError, failureOf } from '../../../core/errors';
import { standardExport } from '../../../core/exportOptions';
import { journalName } from '../../../main/batch/journal';
import { Pause } from '../../../main/batch/pause';
import { type BatchOrder, type BatchParts, type FileOutcome, runBatch } from '../../../main/batch/run';
import { findSources } from '../../../main/batch/sources';
import { directCodec } from '../../../main/codec/directCodec';
import { OpenPictures } from '../../../main/images';
import { Renderer } from '../../../main/render';
import { FakeEngine } from './fakeEngine';
import { fixturePath } from './fixtures';

let folder: string;
let inputs: string;
let outputs: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-batch-'));
  inputs = path.join(folder, 'in');
  outputs = path.join(folder, 'out');
  await mkdir(inputs);
});
afterEach(() => rm(folder, { recursive: true }));

const putPictures = async (count: number) => {
  for (let index = 1; index <= count; index += 1)
    await copyFile(fixturePath('png/rgb8.png'), path.join(inputs, `${index}.png`));
};

async function batch(
  change: Partial<BatchOrder> = {},
  watch: { signal?: AbortSignal; finished?: (outcome: FileOutcome, progress: BatchProgress) => void } = {},
  pause?: Pause,
  engine = new FakeEngine(),
) {
  const parts: BatchParts = {
    pictures: new OpenPictures(engine),
    codec: directCodec,
    renderer: new Renderer(engine, () => 'auto'),
  };
  const order: BatchOrder = {
    sources: await findSources([inputs], folder, true),
    folder: outputs,
    pattern: '{name}',
    format: 'same',
    options: standardExport,
    conflict: 'skip',
    jobs: 3,
    memoryBytes: 1e9,
    scope: 'start',
    stackFor: async () => [],
    ...change,
  };
  const outcomes: FileOutcome[] = [];
  const finished = (outcome: FileOutcome, progress: BatchProgress) => {
    outcomes.push(outcome);
    watch.finished?.(outcome, progress);
  };
  const signal = watch.signal ?? new AbortController().signal;
  const summary = await runBatch(parts, order, { signal, finished }, pause);
  return { summary, outcomes, engine };
}

const results = async () => (await readdir(outputs)).sort();

describe('a batch', () => {
  it('writes a result for each picture, releases all of them, and takes its journal away', async () => {
    await putPictures(5);
    const { summary, engine } = await batch();
    expect(summary).toMatchObject({ total: 5, done: 5, failed: 0, skipped: 0, secondsLeft: 0 });
    expect(await results()).toEqual(['1.png', '2.png', '3.png', '4.png', '5.png']);
    expect(engine.released).toBe(5);
  });

  it('notes what fails and goes on; the source’s format is kept where it can be written', async () => {
    await putPictures(1);
    await copyFile(fixturePath('gif/static.gif'), path.join(inputs, 'g.gif'));
    await copyFile(fixturePath('corrupt/text_named.png'), path.join(inputs, 'text.png'));
    await copyFile(fixturePath('photos/rocket_640x427.jpg'), path.join(inputs, 'r.jpeg'));
    const { summary } = await batch();
    expect(summary.failures).toMatchObject([{ failure: { code: 'fileNotAnImage', subject: 'text.png' } }]);
    expect(await results()).toEqual([journalName, '1.png', 'g.png', 'r.jpg']);
  });

  it('does only the failed ones again when asked, and then its journal is gone', async () => {
    await putPictures(2);
    await writeFile(path.join(inputs, '3.png'), 'no picture');
    await batch();
    await copyFile(fixturePath('png/rgb8.png'), path.join(inputs, '3.png'));
    expect((await batch({ scope: 'retry' })).summary).toMatchObject({ done: 1, skipped: 2 });
    await expect(batch({ scope: 'retry' })).rejects.toMatchObject({ failure: { subject: 'retry' } });
  });

  it('counts its progress: all of it, and a rate and a time left as soon as one is done', async () => {
    await putPictures(4);
    const seen: BatchProgress[] = [];
    await batch({ jobs: 1 }, { finished: (_, progress) => seen.push(progress) });
    expect(seen.map(({ done, total }) => [done, total])).toEqual([1, 2, 3, 4].map((done) => [done, 4]));
    for (const { rate, secondsLeft, done, total } of seen) expect(secondsLeft).toBeCloseTo((total - done) / rate, 6);
  });

  it('works on no more pictures at a time than it has jobs or memory for', async () => {
    await putPictures(6);
    const sides = async (change: Partial<BatchOrder>) => {
      const engine = new FakeEngine();
      let open = 0;
      let most = 0;
      const create = engine.createImage.bind(engine);
      engine.createImage = async (...words) => {
        open += 1;
        most = Math.max(most, open);
        const image = await create(...words);
        const release = image.release.bind(image);
        image.release = () => {
          open -= 1;
          release();
        };
        return image;
      };
      await rm(outputs, { recursive: true, force: true });
      await batch(change, {}, undefined, engine);
      return most;
    };
    expect(await sides({ jobs: 2 })).toBeLessThanOrEqual(2);
    expect(await sides({ jobs: 6, memoryBytes: 1 })).toBe(1);
  });

  it('has no result of the same name twice, nor one in place of a source', async () => {
    await putPictures(2);
    await copyFile(fixturePath('jpeg/gray.jpg'), path.join(inputs, '1.jpg'));
    const { summary } = await batch({ format: 'png', jobs: 1 });
    expect(summary.failures).toMatchObject([{ failure: { code: 'targetUnwritable', subject: '1.png' } }]);
    const before = await readFile(path.join(inputs, '2.png'));
    const onto = await batch({ folder: inputs, conflict: 'overwrite' });
    expect(onto.summary.failures).toHaveLength(3);
    expect((await readFile(path.join(inputs, '2.png'))).equals(before)).toBe(true);
  });

  it('keeps the folders below the one that was named', async () => {
    await mkdir(path.join(inputs, 'a', 'b'), { recursive: true });
    await copyFile(fixturePath('png/rgb8.png'), path.join(inputs, 'a', 'b', 'x.png'));
    await batch();
    expect(await readdir(path.join(outputs, 'a', 'b'))).toEqual(['x.png']);
  });
});

describe('a batch that is stopped', () => {
  it('leaves whole results and nothing else, and goes on from there', async () => {
    await putPictures(8);
    const controller = new AbortController();
    const finished = (_: FileOutcome, { done }: BatchProgress) => done === 3 && controller.abort();
    await expect(batch({ jobs: 2 }, { signal: controller.signal, finished })).rejects.toMatchObject({
      failure: { code: 'cancelled' },
    });
    const after = (await results()).filter((name) => name !== journalName);
    expect(after.length).toBeGreaterThanOrEqual(3);
    expect(after.length).toBeLessThan(8);
    for (const name of after) expect(name).toMatch(/^\d\.png$/);
    const times = await Promise.all(after.map(async (name) => (await stat(path.join(outputs, name))).mtimeMs));
    const { summary } = await batch({ scope: 'resume' });
    expect(summary).toMatchObject({ total: 8, failed: 0 });
    expect(summary.skipped + summary.done).toBe(8);
    expect(summary.skipped).toBeGreaterThanOrEqual(3);
    expect(await results()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `${number}.png`));
    const kept = after.slice(0, 3).map(async (name) => (await stat(path.join(outputs, name))).mtimeMs);
    expect(await Promise.all(kept)).toEqual(times.slice(0, 3));
  });

  it('writes the result again that was begun when it was killed, under the same name', async () => {
    await putPictures(2);
    await batch();
    const source = path.join(inputs, '1.png');
    const { size: bytes, mtimeMs: modified } = await stat(source);
    // As a run that was killed after the first result was written, and before it said so.
    await expect(
      batch({ conflict: 'skip', stackFor: async () => Promise.reject(new ConvolveError({ code: 'internal' })) }),
    ).rejects.toThrow();
    const stopped = new AbortController();
    stopped.abort();
    await expect(batch({ conflict: 'rename' }, { signal: stopped.signal })).rejects.toThrow();
    const journal = path.join(outputs, journalName);
    const begun = JSON.stringify({ kind: 'begun', source, bytes, modified, target: '1.png' });
    await writeFile(journal, `${await readFile(journal, 'utf8')}${begun}\n`);
    const { outcomes } = await batch({ conflict: 'rename', scope: 'resume', jobs: 1 });
    expect(outcomes.map((outcome) => outcome.kind === 'done' && path.basename(outcome.target))).toEqual([
      '1.png',
      '2-2.png',
    ]);
  });

  it('does a source again that has changed since', async () => {
    await putPictures(2);
    await writeFile(path.join(inputs, '3.png'), 'no picture');
    await batch();
    await utimes(path.join(inputs, '2.png'), 1, 1);
    const { summary } = await batch({ scope: 'resume', conflict: 'overwrite' });
    expect(summary).toMatchObject({ done: 1, skipped: 1, failed: 1 });
  });

  it('does a source again that was begun and has changed since, or whose result is gone', async () => {
    await putPictures(2);
    await writeFile(path.join(inputs, '3.png'), 'no picture');
    await batch();
    const source = path.join(inputs, '1.png');
    const journal = path.join(outputs, journalName);
    const begun = JSON.stringify({ kind: 'begun', source, bytes: 1, modified: 1, target: '1.png' });
    await writeFile(journal, `${await readFile(journal, 'utf8')}${begun}\n`);
    await rm(path.join(outputs, '2.png'));
    const { summary } = await batch({ scope: 'resume' });
    expect(summary).toMatchObject({ done: 2, skipped: 0, failed: 1 });
    expect(await results()).toEqual([journalName, '1.png', '2.png']);
  });

  it('is not resumed with other filters', async () => {
    await putPictures(1);
    await writeFile(path.join(inputs, '2.png'), 'no picture');
    await batch();
    await expect(batch({ scope: 'resume', pattern: '{name}-b' })).rejects.toMatchObject({
      failure: { code: 'invalidArgument', subject: 'resume' },
    });
  });

  it('waits on pause and goes on after it', async () => {
    await putPictures(3);
    const pause = new Pause();
    pause.pause();
    const seen: string[] = [];
    const work = batch({ jobs: 1 }, { finished: ({ source }) => seen.push(source) }, pause);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([]);
    pause.resume();
    expect((await work).summary).toMatchObject({ done: 3 });
  });
});

describe('a folder that takes no files', () => {
  it('is said before any work, by name', async () => {
    await putPictures(1);
    await writeFile(path.join(folder, 'taken'), '');
    const failure = await batch({ folder: path.join(folder, 'taken', 'out') }).then(String, failureOf);
    expect(failure).toMatchObject({ code: 'targetFolderMissing' });
    expect(await batch({ folder: path.join(folder, 'taken') }).then(String, failureOf)).toMatchObject({
      code: 'targetUnwritable',
      subject: 'taken',
      actual: 'a file of that name',
    });
  });

  it('below the output folder fails its own pictures, and the others go on', async () => {
    await putPictures(2);
    await mkdir(path.join(inputs, 'a'));
    await copyFile(fixturePath('png/rgb8.png'), path.join(inputs, 'a', 'x.png'));
    await mkdir(outputs);
    await writeFile(path.join(outputs, 'a'), 'a file');
    const { summary } = await batch({ jobs: 1 });
    expect(summary).toMatchObject({ done: 2, failed: 1 });
    expect(summary.failures).toMatchObject([{ failure: { code: 'targetUnwritable', subject: 'a' } }]);
  });
});
