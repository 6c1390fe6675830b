// Names of files that are being written, which say who writes them, and the removal of those whose writer was killed.

import { randomBytes } from 'node:crypto';
import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isProcessGone, processPattern, thisProcess } from './processName';

const temporaryName = new RegExp(`^\\.convolve-${processPattern}-[0-9a-f]{16}\\.tmp$`);

/** A name in the folder of a file, for what is to take its place. */
export const temporaryBeside = (file: string) =>
  path.join(path.dirname(file), `.convolve-${thisProcess}-${randomBytes(8).toString('hex')}.tmp`);

/** How old a temporary file must be to count as left behind, in ms. */
const abandonedAfter = 60_000;

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
    const writer = temporaryName.exec(name)?.slice(1, 5).join('-');
    if (writer === undefined || !isProcessGone(writer)) continue;
    const file = path.join(folder, name);
    const status = await stat(file).catch(() => null);
    if (status && now - status.mtimeMs >= age) await unlink(file).catch(() => undefined);
  }
}
