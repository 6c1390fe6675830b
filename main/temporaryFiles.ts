// Names of files that are being written, which say who writes them, and the removal of those whose writer was killed.

import { createHash, randomBytes } from 'node:crypto';
import { readdir, stat, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** This computer among those that may write to the same folder. */
const computer = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

/** When this process began. Asked once: on Linux its age leaves out the time that the computer slept. */
const ownBeginning = Math.floor(Date.now() / 1000 - process.uptime());
/**
 * This process among those of all computers: where it runs, its number, and when it began in seconds by that computer's
 * clock. Its number alone may belong to another process by now. No file's time is asked, which another clock may have given.
 */
export const thisProcess = `${computer}-${process.pid}-${ownBeginning}`;
const processPattern = '([0-9a-f]{8})-(\\d{1,10})-(\\d{1,12})';
const processName = new RegExp(`^${processPattern}$`);
const temporaryName = new RegExp(`^\\.convolve-${processPattern}-[0-9a-f]{16}\\.tmp$`);

/** A name in the folder of a file, for what is to take its place. */
export const temporaryBeside = (file: string) =>
  path.join(path.dirname(file), `.convolve-${thisProcess}-${randomBytes(8).toString('hex')}.tmp`);

/** How old a temporary file must be to count as left behind, in ms. */
const abandonedAfter = 60_000;

/** Whether a process of that number is there. */
function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** How far a computer's clock may be set while a process runs, and how exact starts are, in seconds. */
const clockDoubt = 120;

/**
 * Whether the process of this name (`thisProcess` of its own) is there no more. Of another computer's nobody here can tell:
 * it counts as there.
 */
export function isProcessGone(name: string): boolean {
  const [, where, number, began] = processName.exec(name) ?? [];
  if (where !== computer) return false;
  // Another process has its number by now: this one, or one since the system's last start.
  const since = Number(number) === process.pid ? ownBeginning : Date.now() / 1000 - os.uptime();
  return Number(began) < since - clockDoubt || !isRunning(Number(number));
}

/** When each folder was last looked through. */
const looked = new Map<string, number>();

/**
 * Removes what processes of this computer that are gone left in a folder. What cannot be removed stays. A folder is looked
 * through no more often than something in it can have become `age` ms old.
 */
export async function removeAbandoned(folder: string, age = abandonedAfter): Promise<void> {
  const now = Date.now();
  if (now - (looked.get(folder) ?? 0) < age) return;
  looked.set(folder, now);
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = temporaryName.exec(name)?.slice(1, 4).join('-');
    if (writer === undefined || !isProcessGone(writer)) continue;
    const file = path.join(folder, name);
    const status = await stat(file).catch(() => null);
    if (status && now - status.mtimeMs >= age) await unlink(file).catch(() => undefined);
  }
}
