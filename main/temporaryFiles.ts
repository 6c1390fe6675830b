// Names of files that are being written, which say who writes them, and the removal of those whose writer was killed.

import { createHash, randomBytes } from 'node:crypto';
import { readdir, stat, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** This computer among those that may write to the same folder. */
const computer = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);

/** A name in the folder of a file, for what is to take its place. */
export const temporaryBeside = (file: string) =>
  path.join(path.dirname(file), `.convolve-${computer}-${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
const temporaryName = /^\.convolve-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.tmp$/;

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

/**
 * Whether the process of this computer that wrote a file last at `modified` (ms) is there no more. Its number may belong to
 * another by now: to this one, or since the system's last start.
 */
export function isWriterGone(processId: number, modified: number): boolean {
  const seconds = processId === process.pid ? process.uptime() : os.uptime();
  return modified < Date.now() - seconds * 1000 || !isRunning(processId);
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
    const [, writtenOn, writer] = temporaryName.exec(name) ?? [];
    if (writtenOn !== computer) continue;
    const file = path.join(folder, name);
    const status = await stat(file).catch(() => null);
    if (status && now - status.mtimeMs >= age && isWriterGone(Number(writer), status.mtimeMs))
      await unlink(file).catch(() => undefined);
  }
}
