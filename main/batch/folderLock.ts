// Keeps a batch's output folder to one batch at a time: two would take the same names, and each other's journal. The lock is a
// file that says which process of which computer holds it; one that a killed process of this computer left behind is taken over.

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ConvolveError } from '../../core/errors';
import { targetError } from '../atomicWrite';
import { isProcessGone, thisProcess } from '../temporaryFiles';

export const lockName = '.convolve-batch.lock';

/** A lock of this process: its name, what tells this lock from all others, and the computer's name for people. */
const newLock = () => `${thisProcess} ${randomBytes(8).toString('hex')} ${os.hostname()}\n`;
const lockPattern = /^(\S{1,40}) ([0-9a-f]{16}) (.*)\n$/;

/** How long a lock may be there before its text is, in ms. */
const writingTime = 10_000;

/** `others`: the computer that holds it, where it is another one. */
type Held = { readonly held: true; readonly others: string | null } | { readonly held: false };

async function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Whether the process that wrote this text into the file is at work. */
async function holderOf(file: string, text: string): Promise<Held> {
  const [, holder, , computer = ''] = lockPattern.exec(text) ?? [];
  if (holder !== undefined) {
    if (isProcessGone(holder)) return { held: false };
    return { held: true, others: computer === os.hostname() ? null : computer };
  }
  const status = await stat(file).catch(() => null);
  return status !== null && Math.abs(Date.now() - status.mtimeMs) < writingTime
    ? { held: true, others: null }
    : { held: false };
}

/**
 * Takes the lock, or answers who holds it. One that is left behind is replaced by whoever holds the lock of that one lock,
 * which is named after it, so that of two who find it only one gets it; a process that was killed at that leaves another such
 * lock, which is taken over likewise.
 */
async function take(file: string, folder: string): Promise<Held> {
  try {
    await writeFile(file, newLock(), { flag: 'wx' });
    return { held: false };
  } catch (thrown) {
    const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!isThere) throw targetError(thrown, file);
  }
  const text = await read(file);
  const holder = await holderOf(file, text);
  if (holder.held) return holder;
  const takeOver = path.join(folder, `${lockName}.${lockPattern.exec(text)?.[2] ?? 'other'}`);
  if (takeOver !== file) {
    const other = await take(takeOver, folder);
    if (other.held) return other;
    // Unless it has been taken over before, and is no more what was found then.
    if ((await read(file)) === text) {
      await rename(takeOver, file);
      return { held: false };
    }
  }
  await rm(takeOver, { force: true });
  return { held: true, others: null };
}

/** Does the work while the folder is this batch's. Throws targetUnwritable where another one is at work in it. */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, lockName);
  const other = await take(file, folder);
  if (other.held) {
    const where = other.others === null ? '' : `, on the computer ${other.others}`;
    const actual = `another batch is writing there${where}`;
    throw new ConvolveError({ code: 'targetUnwritable', subject: path.basename(folder), actual });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
