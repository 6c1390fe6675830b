// The lock of a batch's folder: of two that come at once one gets it, whatever a killed process left there.

import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../core/errors';
import { errorText } from '../../../core/errorText';
import { lockName, withFolder } from '../../../main/batch/folderLock';
import { thisProcess } from '../../../main/temporaryFiles';

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-lock-'));
  lock = path.join(folder, lockName);
});
afterEach(() => rm(folder, { recursive: true }));

/** A lock as it would be of another process. */
const lockOf = (change: (name: string) => string, computer = os.hostname()) =>
  `${change(thisProcess)} 0123456789abcdef ${computer}\n`;
const numbered = (number: number) => (name: string) => name.replace(/-\d+-/, `-${number}-`);
/** More than any system gives. */
const gone = numbered(2 ** 22 + 1);

const attempt = () =>
  withFolder(folder, async () => 'done').catch((thrown: unknown) => failureOf(thrown).actual ?? String(thrown));

describe('the lock of a folder', () => {
  it('is there while the work is done, and gone after it, also where it fails', async () => {
    await withFolder(folder, async () => expect(await readFile(lock, 'utf8')).toContain(thisProcess));
    await expect(withFolder(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps others out, of this process too', async () => {
    await withFolder(folder, async () => expect(await attempt()).toBe('another batch is writing there'));
    await writeFile(lock, lockOf(numbered(process.ppid)));
    expect(await attempt()).toBe('another batch is writing there');
    expect(await readdir(folder)).toEqual([lockName]);
  });

  it('of this process holds though the computer slept meanwhile, which the age of a process may leave out', async () => {
    await withFolder(folder, async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      try {
        expect(await attempt()).toBe('another batch is writing there');
      } finally {
        vi.useRealTimers();
      }
    });
  });

  it('of another computer holds whatever runs here, and the computer is named', async () => {
    await writeFile(
      lock,
      lockOf((name) => gone(name).replace(/^[0-9a-f]{8}/, '00000000'), 'darkroom'),
    );
    expect(await attempt()).toBe('another batch is writing there, on the computer darkroom');
    const failure = { code: 'targetUnwritable', subject: 'out', actual: await attempt() } as const;
    expect(errorText(failure, 'zh-CN')).toContain('计算机 darkroom 上的另一个批处理正在写入');
  });

  it('of a process that is gone, or began before the system did, is none; nor is what is no lock', async () => {
    const left = [lockOf(gone), lockOf((name) => numbered(process.ppid)(name).replace(/\d+$/, '1')), 'nonsense', ''];
    for (const text of left) {
      await writeFile(lock, text);
      await utimes(lock, 1, 1);
      expect(await attempt(), text).toBe('done');
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('that is being written holds though it is still empty', async () => {
    await writeFile(lock, '');
    expect(await attempt()).toBe('another batch is writing there');
  });

  it('that was left behind goes to one of many who find it at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      await writeFile(lock, lockOf(gone));
      let inside = 0;
      let most = 0;
      let release: () => void = () => undefined;
      const all = new Promise<void>((resolve) => {
        release = resolve;
      });
      let waiting = 8;
      const done = () => {
        waiting -= 1;
        if (waiting === 1) release();
      };
      const starters = Array.from({ length: 8 }, () =>
        withFolder(folder, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await all;
          inside -= 1;
          return 'done';
        }).catch(done),
      );
      const ends = await Promise.all(starters);
      expect(ends.filter((end) => end === 'done')).toHaveLength(1);
      expect(most).toBe(1);
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('goes to the next one where a process was killed while it took the lock over', async () => {
    await writeFile(lock, lockOf(gone));
    await writeFile(`${lock}.0123456789abcdef`, lockOf(gone).replace('0123456789abcdef', 'fedcba9876543210'));
    expect(await attempt()).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });
});
