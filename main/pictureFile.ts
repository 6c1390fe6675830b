// Reads a picture file into memory and says, by name, why it cannot be read. A folder, a device or a pipe is refused
// before it is opened, so that nothing waits for a reader that never ends; what is no picture, before it is read whole.

import { access, type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError } from '../core/errors';

/** What a check of a file's start gets to see, in bytes. */
const headBytes = 1024;

/** Largest file that is read into memory, in bytes. */
const maximumFileBytes = 2 ** 31 - 1;

/** Whether anything has this name. */
export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const systemCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

async function readHead(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(headBytes), position: 0 });
  return buffer.subarray(0, bytesRead);
}

/**
 * The file's bytes. `check` sees the first kilobyte and the file's name before the rest is read, and may throw: a film
 * dropped by mistake is refused at once. Throws fileNotFound, fileIsFolder, fileUnreadable, fileEmpty or imageTooLarge.
 */
export async function readPictureFile(
  filePath: string,
  check?: (head: Uint8Array, name: string) => unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  const subject = path.basename(filePath);
  try {
    const status = await stat(filePath);
    if (status.isDirectory()) throw new ConvolveError({ code: 'fileIsFolder', subject });
    if (!status.isFile())
      throw new ConvolveError({ code: 'fileUnreadable', subject, expected: 'a file', actual: 'a device or pipe' });
    if (status.size > maximumFileBytes)
      throw new ConvolveError({
        code: 'imageTooLarge',
        subject,
        expected: 'a file of at most 2 GB',
        actual: `${(status.size / 1e9).toFixed(1)} GB`,
      });
    if (status.size === 0) throw new ConvolveError({ code: 'fileEmpty', subject });
    const file = await open(filePath);
    try {
      check?.(await readHead(file), subject);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof ConvolveError) throw thrown;
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ConvolveError({ code: 'fileNotFound', subject }, thrown);
    if (code === 'ELOOP')
      throw new ConvolveError({ code: 'fileUnreadable', subject, actual: 'links that lead in a circle' }, thrown);
    if (code === 'EISDIR') throw new ConvolveError({ code: 'fileIsFolder', subject }, thrown);
    throw new ConvolveError({ code: 'fileUnreadable', subject, actual: code || 'a read error' }, thrown);
  }
}
