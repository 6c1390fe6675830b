// Reads a picture file into memory and says, by name, why it cannot be read. A folder, a device or a pipe is refused
// before it is opened, so that nothing waits for a reader that never ends.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError } from '../core/errors';

/** Largest file that is read into memory, in bytes. */
const maximumFileBytes = 2 ** 31 - 1;

const systemCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** The file's bytes. Throws fileNotFound, fileIsFolder, fileUnreadable, fileEmpty or imageTooLarge. */
export async function readPictureFile(filePath: string): Promise<Uint8Array<ArrayBuffer>> {
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
    return await readFile(filePath);
  } catch (thrown) {
    if (thrown instanceof ConvolveError) throw thrown;
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ConvolveError({ code: 'fileNotFound', subject }, thrown);
    if (code === 'EISDIR') throw new ConvolveError({ code: 'fileIsFolder', subject }, thrown);
    throw new ConvolveError({ code: 'fileUnreadable', subject, actual: code || 'a read error' }, thrown);
  }
}
