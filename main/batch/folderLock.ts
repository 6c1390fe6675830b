// Keeps a batch's output folder to one batch at a time: two would take the same names, and each other's journal. The lock is a
// file that says which process of which computer holds it. It is taken over where that process is known to be gone: one of
// this computer, since its system began or before. Of another computer nobody here can tell, nor of this one where it had
// another name before its system began: such a lock holds until somebody deletes the file, as the failure says.

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ConvolveError } from '../../core/errors';
import { targetError } from '../atomicWrite';
import { hasOwnNumber, isProcessGone, thisProcess } from '../processName';

export const lockName = '.convolve-batch.lock';

/** What tells each lock that this process holds from all others: it knows those of a process that had its number before. */
const ownTokens = new Set<string>();

/** The lock's process, its token, and the computer's name for people. */
const lockPattern = /^(\S{1,80}) ([0-9a-f]{16}) (.*)\n$/;

/** How long a lock may be there before its text is, in ms. */
const writingTime = 10_000;

/** `others`: the computer that holds it, where it is another one. */
type Held = { readonly held: true; readonly others: string | null };
type Taken = { readonly held: false; readonly token: string };
const heldHere: Held = { held: true, others: null };

async function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Who wrote this text into the file, where that process is at work; else null. */
async function holderOf(file: string, text: string): Promise<Held | null> {
  const [, holder, token = '', computer = ''] = lockPattern.exec(text) ?? [];
  if (holder !== undefined) {
    const isGone = hasOwnNumber(holder) ? !ownTokens.has(token) : isProcessGone(holder);
    return isGone ? null : { held: true, others: computer === os.hostname() ? null : computer };
  }
  const status = await stat(file).catch(() => null);
  return status !== null && Math.abs(Date.now() - status.mtimeMs) < writingTime ? heldHere : null;
}

/** Writes a lock of this process where there is none; null where there is one. */
async function write(file: string): Promise<Taken | null> {
  const token = randomBytes(8).toString('hex');
  ownTokens.add(token);
  try {
    await writeFile(file, `${thisProcess} ${token} ${os.hostname()}\n`, { flag: 'wx' });
    return { held: false, token };
  } catch (thrown) {
    ownTokens.delete(token);
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') return null;
    throw targetError(thrown, file);
  }
}

/** No lock of that token is this process's any more, whether or not the file goes. */
async function release(file: string, token: string): Promise<void> {
  ownTokens.delete(token);
  await rm(file, { force: true });
}

/**
 * Takes the lock, or answers who holds it. One that is left behind is replaced by whoever holds the lock of that one lock,
 * which is named after it, so that of two who find it only one gets it; a process that was killed at that leaves another such
 * lock, which is taken over likewise.
 */
async function take(file: string, folder: string): Promise<Held | Taken> {
  const taken = await write(file);
  if (taken !== null) return taken;
  const text = await read(file);
  const holder = await holderOf(file, text);
  if (holder !== null) return holder;
  const takeOver = path.join(folder, `${lockName}.${lockPattern.exec(text)?.[2] ?? 'other'}`);
  if (takeOver === file) {
    await rm(file, { force: true });
    return heldHere;
  }
  const other = await take(takeOver, folder);
  if (other.held) return other;
  // Unless it has been taken over before, and is no more what was found then.
  if ((await read(file)) === text) {
    await rename(takeOver, file);
    return other;
  }
  await release(takeOver, other.token);
  return heldHere;
}

/** Does the work while the folder is this batch's. Throws folderInUse where another one is at work in it. */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, lockName);
  const lock = await take(file, folder);
  if (lock.held) {
    const on = lock.others === null ? {} : { actual: lock.others };
    throw new ConvolveError({ code: 'folderInUse', subject: path.basename(folder), expected: lockName, ...on });
  }
  try {
    return await work();
  } finally {
    await release(file, lock.token);
  }
}
