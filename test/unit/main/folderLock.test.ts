// The lock of a batch's folder: of two that come at once one gets it, whatever a killed process left there.

import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../core/errors';
import { errorText } from '../../../core/errorText';
import { lockName, withFolder } from '../../../main/batch/folderLock';
import { thisProcess } from '../../../main/processName';
import {
  elsewhereParts,
  goneParts,
  ownParts,
  type ProcessParts,
  processNamed,
  runningParts,
  tellsStarts,
} from './processNames';

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-lock-'));
  lock = path.join(folder, lockName);
});
afterEach(() => rm(folder, { recursive: true }));

/** A lock as another process would have left it. `host`: its computer's name. */
const lockOf = (parts: ProcessParts, host = os.hostname()) => `${processNamed(parts)} 0123456789abcdef ${host}\n`;

const tried = () => withFolder(folder, async () => 'done').catch(failureOf);
const attempt = async () => {
  const end = await tried();
  return typeof end === 'string' ? end : end.code;
};

describe('the lock of a folder', () => {
  it('is there while the work is done, and gone after it, also where it fails', async () => {
    await withFolder(folder, async () => expect(await readFile(lock, 'utf8')).toContain(thisProcess));
    await expect(withFolder(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps others out, of this process too', async () => {
    await withFolder(folder, async () => expect(await attempt()).toBe('folderInUse'));
    await writeFile(lock, lockOf(runningParts));
    expect(await attempt()).toBe('folderInUse');
    expect(await readdir(folder)).toEqual([lockName]);
  });

  it('of this process holds though the computer slept meanwhile, which the age of a process may leave out', async () => {
    await withFolder(folder, async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      try {
        expect(await attempt()).toBe('folderInUse');
      } finally {
        vi.useRealTimers();
      }
    });
  });

  it('of another computer holds whatever runs here; it is named, and so is what to do', async () => {
    await writeFile(lock, lockOf({ ...elsewhereParts, ...goneParts }, 'darkroom'));
    const failure = await tried();
    expect(failure).toEqual({
      code: 'folderInUse',
      subject: path.basename(folder),
      expected: lockName,
      actual: 'darkroom',
    });
    if (typeof failure === 'string') return;
    expect(errorText(failure)).toBe(
      `Another batch on the computer darkroom is writing to ${path.basename(folder)}. Wait until it ends, or choose another folder. If no batch is at work there, delete .convolve-batch.lock in it.`,
    );
    expect(errorText(failure, 'zh-CN')).toContain('计算机 darkroom 上的另一个批处理');
    expect(errorText(failure, 'zh-CN')).toContain('请删除其中的 .convolve-batch.lock');
  });

  const taken: readonly (readonly [what: string, text: string])[] = [
    ['a process that is gone', lockOf(goneParts)],
    ['one before this that had its number', lockOf({ began: Number(ownParts.began) - 1 })],
    ['one that had its number and its second', lockOf({})],
    [
      'one that began before the system did',
      lockOf({ ...runningParts, ...(tellsStarts ? { start: '0badb007' } : { began: 1 }) }),
    ],
    ['nobody', 'nonsense'],
    ['nobody, without a word', ''],
    ...(tellsStarts
      ? ([
          ['one whose number another process has', lockOf({ ...runningParts, began: Number(runningParts.began) + 1 })],
          [
            'one that is gone, before the computer had another name',
            lockOf({ ...goneParts, computer: '00000000' }, 'old'),
          ],
        ] as const)
      : []),
  ];
  it.each(taken)('of %s is none', async (_, text) => {
    await writeFile(lock, text);
    await utimes(lock, 1, 1);
    expect(await attempt()).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(tellsStarts)('of a process that runs holds when its computer has got another name', async () => {
    await writeFile(lock, lockOf({ ...runningParts, computer: '00000000' }, 'old'));
    expect(await tried()).toMatchObject({ code: 'folderInUse', actual: 'old' });
  });

  it.runIf(tellsStarts)('of another container holds, whose processes have numbers of their own', async () => {
    for (const of of [{}, goneParts, { computer: '00000000' }]) {
      await writeFile(lock, lockOf({ ...of, numbering: '1' }));
      expect(await attempt()).toBe('folderInUse');
    }
  });

  it('that could not be removed does not hold once its batch has ended', async () => {
    await withFolder(folder, async () => {
      const text = await readFile(lock, 'utf8');
      await rm(lock);
      return text;
    }).then((text) => writeFile(lock, text));
    expect(await attempt()).toBe('done');
  });

  it('that is being written holds though it is still empty', async () => {
    await writeFile(lock, '');
    expect(await attempt()).toBe('folderInUse');
  });

  it('that was left behind goes to one of many who find it at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      await writeFile(lock, lockOf(goneParts));
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
    await writeFile(lock, lockOf(goneParts));
    await writeFile(`${lock}.0123456789abcdef`, lockOf(goneParts).replace('0123456789abcdef', 'fedcba9876543210'));
    expect(await attempt()).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });
});
