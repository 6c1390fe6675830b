// The codec on its own thread gives what the codec here gives, survives what its thread does not, and stops when told.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../core/errors';
import { standardExport } from '../../../core/exportOptions';
import type { EncodeOrder } from '../../../main/codec/codec';
import { decodePicture } from '../../../main/codec/decode';
import { createExportSamples } from '../../../main/codec/exportFormat';
import { defaultLimits } from '../../../main/codec/limits';
import { WorkerCodec } from '../../../main/codec/workerCodec';
import { fixturePath } from './fixtures';
import { madePicture } from './pictures';

const file = path.resolve(import.meta.dirname, '..', '..', '..', 'main', 'codecWorker.ts');
// A thread has no TypeScript loader of its own, so it starts with two lines that bring one.
const source = `require('tsx/cjs/api').register(); require(${JSON.stringify(file)});`;
const codec = new WorkerCodec(source, { eval: true });
afterAll(() => codec.close());

const read = async (name: string) => new Uint8Array(await readFile(fixturePath(name)));

function orderFor(width: number, height: number): EncodeOrder {
  const picture = madePicture(width, height, 3);
  const container = createExportSamples({ ...picture, sampleType: 'u8', receipt: null }, standardExport);
  container.samples.set(picture.samples);
  return {
    subject: { ...picture, sampleType: 'u8', receipt: null },
    container: container.bytes,
    options: standardExport,
  };
}

describe('the codec’s thread', () => {
  it('decodes as here', async () => {
    for (const name of ['png/rgba16.png', 'jpeg/sub_444.jpg', 'tiff/rgb32f_wide.tif', 'icc/displayp3.png']) {
      const there = await codec.decode(await read(name), name);
      const here = await decodePicture(await read(name), name);
      expect({ ...there, iccProfile: there.iccProfile && Buffer.from(there.iccProfile) }).toEqual({
        ...here,
        iccProfile: here.iccProfile && Buffer.from(here.iccProfile),
      });
    }
  }, 20_000);

  it('encodes, and the result decodes to the same samples', async () => {
    const pieces = await codec.encode(orderFor(50, 40));
    const back = await codec.decode(new Uint8Array(Buffer.concat(pieces)), 'back');
    expect(back.samples).toEqual(madePicture(50, 40, 3).samples);
  });

  it('passes failures on with their code and name', async () => {
    await expect(codec.decode(await read('corrupt/text_named.png'), 'text_named.png')).rejects.toMatchObject({
      failure: { code: 'fileNotAnImage', subject: 'text_named.png' },
    });
  });

  it('stops an encode at once when it is cancelled, and works on', async () => {
    const controller = new AbortController();
    const order = orderFor(4000, 3000);
    const encode = codec.encode(order, controller.signal);
    // Moved to the other thread, not copied.
    expect(order.container.byteLength).toBe(0);
    controller.abort();
    await expect(encode).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await expect(codec.encode(orderFor(4, 4), AbortSignal.abort())).rejects.toMatchObject({
      failure: { code: 'cancelled' },
    });
    expect((await codec.decode(await read('sizes/3x3.png'), 'small')).width).toBe(3);
  }, 20_000);

  it('rejects what was under way when it ends, and starts again for the next', async () => {
    const pending = codec.decode(await read('photos/kitten_4056x2746.jpg'), 'kitten');
    const outcome = expect(pending).rejects.toMatchObject({ failure: { code: 'internal', subject: 'codec' } });
    await codec.close();
    await outcome;
    expect((await codec.decode(await read('sizes/3x3.png'), 'small')).width).toBe(3);
  }, 20_000);

  it('is ended where a picture takes longer than the time limit, which is said; the next picture opens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = new WorkerCodec("require('node:worker_threads').parentPort.on('message', () => {});", {
      eval: true,
    });
    const answer = silent.decode(Uint8Array.of(1), 'slow.png', { ...defaultLimits, seconds: 60 }).catch(failureOf);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await Promise.race([answer, 'waits'])).toBe('waits');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toEqual({ code: 'decodeTimeout', subject: 'slow.png', expected: 'at most 60 seconds' });
    vi.useRealTimers();
    await silent.close();
  });

  it('that cannot start is a failure, not a wait', async () => {
    const broken = new WorkerCodec(path.join(import.meta.dirname, 'there-is-no-such-file.cjs'));
    await expect(broken.decode(await read('sizes/3x3.png'), 'small', defaultLimits)).rejects.toMatchObject({
      failure: { code: 'internal', subject: 'codec' },
    });
  });
});
