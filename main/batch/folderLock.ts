// Keeps a batch's output folder to one batch at a time: two would take the same names, and each other's journal. The lock is a
// file with the number of the process; one that a killed process left behind is no lock.

import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError } from '../../core/errors';
import { targetError } from '../atomicWrite';
import { isWriterGone } from '../temporaryFiles';

export const lockName = '.convolve-batch.lock';

/** Whether the process that wrote the lock is at work. */
async function isHeld(file: string): Promise<boolean> {
  const writer = Number(await readFile(file, 'utf8').catch(() => ''));
  if (!Number.isInteger(writer) || writer < 1 || writer === process.pid) return false;
  const status = await stat(file).catch(() => null);
  return status !== null && !isWriterGone(writer, status.mtimeMs);
}

/** Takes the lock if it is free; a file that is no lock is removed first. */
async function take(file: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return true;
    } catch (thrown) {
      const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
      if (!isThere) throw targetError(thrown, file);
      if (attempt > 1 || (await isHeld(file))) return false;
      await rm(file, { force: true });
    }
}

/** Does the work while the folder is this batch's. Throws targetUnwritable where another one is at work in it. */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, lockName);
  if (!(await take(file)))
    throw new ConvolveError({
      code: 'targetUnwritable',
      subject: path.basename(folder),
      actual: 'another batch is writing there',
    });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
