// Where things lie in the checkout, said once.

import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const inRoot = (...parts: readonly string[]): string => path.join(root, ...parts);

/** Stamps and small records of the set-up; ignored by git, safe to delete. */
export const cacheFolder = inRoot('.cache');
/** The folder the person ran npm in: relative paths of theirs are meant from here. */
export const calledFrom = process.env.CONVOLVE_CALLED_FROM ?? process.cwd();

export const builtMain = inRoot('dist', 'main', 'main.cjs');
export const builtPreload = inRoot('dist', 'main', 'preload.cjs');
export const builtCommandLine = inRoot('dist', 'main', 'cli.cjs');
export const builtPage = inRoot('dist', 'renderer', 'index.html');

/** Large things that several checkouts share (an unpacked Electron runtime), one folder for each person. */
export function sharedCacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'convolve');
}
