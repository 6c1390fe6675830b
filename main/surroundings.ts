// What the program needs of the system before anything starts: a folder of its own that can be written, and shared memory
// for its pages. Where one is missing (a home on a read-only disk, a container) it makes do with the temporary folder.

import { accessSync, constants, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The parts of Electron's `app` that are needed. */
export interface Application {
  getPath(name: 'userData'): string;
  setPath(name: 'userData', folder: string): void;
  readonly commandLine: { appendSwitch(word: string): void };
}

/** Room that pages need for pictures on their way to the screen, in bytes; containers often give 64 MB in all. */
const sharedMemoryNeeded = 128 * 2 ** 20;

/** Where Chromium puts shared memory on Linux. */
export const sharedMemoryFolder = '/dev/shm';

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= sharedMemoryNeeded;
  } catch {
    return false;
  }
}

function canBeWritten(folder: () => string): boolean {
  try {
    const found = folder();
    mkdirSync(found, { recursive: true });
    accessSync(found, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * To be called before anything else. Settings in a temporary folder are gone at the next start; the picture on the screen is
 * worth more.
 */
export function prepareSurroundings(application: Application, sharedMemory: string | null): void {
  if (sharedMemory !== null && !hasRoom(sharedMemory)) application.commandLine.appendSwitch('disable-dev-shm-usage');
  if (canBeWritten(() => application.getPath('userData'))) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-'));
  console.error(`The folder for settings cannot be written; this time they are kept in ${folder}`);
  application.setPath('userData', folder);
}
