// The batch as the page drives it: nothing runs before pictures and a folder are chosen, one at a time, with progress, a
// stop that can be resumed, and failures by file name.

import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchEnd, BatchProgress, BatchRequest } from '../../../core/batch';
import { failureOf } from '../../../core/errors';
import { standardExport } from '../../../core/exportOptions';
import { createBatchHandlers } from '../../../main/batch/batchHandlers';
import { directCodec } from '../../../main/codec/directCodec';
import { OpenPictures } from '../../../main/images';
import { Renderer } from '../../../main/render';
import { FakeEngine } from './fakeEngine';
import { fixturePath } from './fixtures';

let folder: string;
let from: string;
let to: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-batch-'));
  [from, to] = [path.join(folder, 'in'), path.join(folder, 'out')];
  await mkdir(from);
  for (let index = 1; index <= 4; index += 1)
    await copyFile(fixturePath('png/rgb8.png'), path.join(from, `${index}.png`));
});
afterEach(() => rm(folder, { recursive: true }));

const request: BatchRequest = {
  stack: [],
  options: standardExport,
  format: 'same',
  pattern: '{name}',
  conflict: 'skip',
  scope: 'start',
};

function setUp(engine = new FakeEngine()) {
  const told: BatchProgress[] = [];
  let whenTold = (_: BatchProgress) => {};
  const pictures = new OpenPictures(engine);
  const answers: (string | null)[] = [];
  const desktop = {
    chooseBatchFiles: async () => [path.join(from, '2.png'), path.join(from, '1.png')],
    chooseFolder: async () => answers.shift() ?? null,
    announce: (_: string, value: unknown) => {
      told.push(value as BatchProgress);
      whenTold(value as BatchProgress);
    },
  };
  const batch = createBatchHandlers({
    pictures,
    renderer: new Renderer(engine, () => 'auto'),
    codec: directCodec,
    desktop: desktop as never,
  });
  const { handlers } = batch;
  const choose = async () => {
    answers.push(from, to);
    await handlers['batch:chooseFolder'](undefined);
    await handlers['batch:chooseTarget'](undefined);
  };
  const on = (listener: typeof whenTold) => {
    whenTold = listener;
  };
  return { batch, handlers, pictures, told, choose, on, answers };
}

describe('the batch of the window', () => {
  it('says what was chosen, and runs only with pictures and a folder', async () => {
    const { handlers, answers } = setUp();
    const refused = async () => handlers['batch:start'](request).then(String, (thrown) => failureOf(thrown).expected);
    expect(await handlers['batch:chooseFolder'](undefined)).toBeNull();
    expect(await refused()).toBe('pictures to go through');
    expect(await handlers['batch:chooseFiles'](undefined)).toEqual({ count: 2, name: '2.png' });
    expect(await refused()).toBe('a folder for the results');
    answers.push(to);
    expect(await handlers['batch:chooseTarget'](undefined)).toEqual({ folder: 'out' });
    expect(await handlers['batch:start'](request)).toMatchObject({ total: 2, done: 2, stopped: false });
  });

  it('tells its progress, and its pictures are no documents', async () => {
    const { handlers, told, choose, pictures } = setUp();
    await choose();
    await handlers['batch:start'](request);
    expect(told.map(({ done }) => done)).toEqual([1, 2, 3, 4]);
    expect(pictures.ids()).toEqual([]);
    expect((await readdir(to)).sort()).toEqual(['1.png', '2.png', '3.png', '4.png']);
  });

  it('names what failed by its file, without its folder', async () => {
    await writeFile(path.join(from, '3.png'), 'no picture');
    const { handlers, choose } = setUp();
    await choose();
    const end = await handlers['batch:start'](request);
    expect(end.failures).toMatchObject([{ name: '3.png', failure: { code: 'fileNotAnImage' } }]);
    await copyFile(fixturePath('png/rgb8.png'), path.join(from, '3.png'));
    expect(await handlers['batch:start']({ ...request, scope: 'retry' })).toMatchObject({ done: 1, failed: 0 });
  });

  it('tells of pictures that opened, but not whole, or with one page of several', async () => {
    await copyFile(fixturePath('corrupt/truncated_50.png'), path.join(from, '2.png'));
    await copyFile(fixturePath('gif/animated.gif'), path.join(from, '5.gif'));
    const { handlers, choose } = setUp();
    await choose();
    expect(await handlers['batch:start'](request)).toMatchObject({
      done: 5,
      failed: 0,
      warnings: [
        { name: '2.png', warning: { kind: 'notWhole' } },
        { name: '5.gif', warning: { kind: 'onePageOnly', page: 1, pages: 4 } },
      ],
    });
  });

  it('is one at a time, can be stopped, and goes on from there', async () => {
    const { handlers, choose, on } = setUp();
    await choose();
    on(() => void handlers['batch:cancel'](undefined));
    const first = handlers['batch:start'](request);
    await expect(handlers['batch:start'](request)).rejects.toMatchObject({ failure: { subject: 'batch' } });
    const stopped: BatchEnd = await first;
    expect(stopped).toMatchObject({ stopped: true, total: 4 });
    on(() => {});
    const end = await handlers['batch:start']({ ...request, scope: 'resume' });
    expect(end).toMatchObject({ stopped: false, failed: 0 });
    expect((await readdir(to)).sort()).toEqual(['1.png', '2.png', '3.png', '4.png']);
  });

  it('waits on pause, and ends with the program', async () => {
    const engine = new FakeEngine();
    engine.hold();
    const { batch, handlers, choose } = setUp(engine);
    await choose();
    const work = handlers['batch:start'](request);
    await handlers['batch:pause']({ paused: true });
    const stopping = batch.stop();
    engine.letAllGo();
    await stopping;
    expect(await work).toMatchObject({ stopped: true });
    for (const name of await readdir(to)) expect(name).not.toMatch(/\.tmp$/);
  });
});
