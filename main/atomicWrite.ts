// Writes a file whole or not at all: into a temporary file in the same folder, flushed to the disk, then renamed over the
// target. Until the rename the old file is untouched; on any failure or cancel the temporary file is removed, and one that a
// killed process left in the folder goes with the next write there.

import { constants } from 'node:fs';
import { access, chmod, type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError, type ErrorCode, type Failure } from '../core/errors';
import { removeAbandoned, temporaryBeside } from './temporaryFiles';

/** The file operations that can fail, so that tests can make each of them fail. */
export interface FileOperations {
  readonly open: (filePath: string, flags: string, mode?: number) => Promise<FileHandle>;
  readonly rename: (from: string, to: string) => Promise<void>;
}
const nodeFiles: FileOperations = { open, rename };

/** Written at a time, so that a cancel never waits for long. */
const chunkBytes = 4 * 2 ** 20;

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'targetFull',
  EDQUOT: 'targetFull',
  EFBIG: 'targetFull',
  ENOENT: 'targetFolderMissing',
  ENOTDIR: 'targetFolderMissing',
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'a read-only disk',
  EISDIR: 'a folder of that name',
  EEXIST: 'a file of that name',
  ELOOP: 'links that lead in a circle',
  EBUSY: 'a file in use',
  ETXTBSY: 'a file in use',
  ENAMETOOLONG: 'a name that is too long',
};

/** A failed file operation in words of the target. What is not a system error is returned as it is. */
export function targetError(thrown: unknown, target: string): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return thrown;
  const code = codes[thrown.code] ?? 'targetUnwritable';
  const subject = code === 'targetFolderMissing' ? path.dirname(target) : path.basename(target);
  const failure: Failure =
    code === 'targetUnwritable' ? { code, subject, actual: reasons[thrown.code] ?? thrown.code } : { code, subject };
  return new ConvolveError(failure, thrown);
}

/** The file that really gets replaced (a link is followed) and its permissions, or null permissions for a new one. */
async function resolveTarget(target: string): Promise<{ readonly file: string; readonly mode: number | null }> {
  try {
    const file = await realpath(target);
    const status = await stat(file);
    const subject = path.basename(target);
    if (status.isDirectory())
      throw new ConvolveError({ code: 'targetUnwritable', subject, actual: 'a folder of that name' });
    if (!status.isFile())
      throw new ConvolveError({ code: 'targetUnwritable', subject, actual: 'a device or pipe of that name' });
    await access(file, constants.W_OK);
    return { file, mode: status.mode & 0o777 };
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return { file: target, mode: null };
    throw thrown;
  }
}

const stopIfAborted = (signal: AbortSignal | undefined) => {
  if (signal?.aborted) throw new ConvolveError({ code: 'cancelled' });
};

/**
 * Whether a file can be written at `target`, tried with an empty one that goes at once: so that a folder that takes none is
 * said before minutes of work, not after. Throws what writeAtomically would.
 */
export async function checkTarget(target: string, files: FileOperations = nodeFiles): Promise<void> {
  try {
    const { file } = await resolveTarget(target);
    await removeAbandoned(path.dirname(file));
    const temporary = temporaryBeside(file);
    const handle = await files.open(temporary, 'wx', 0o666);
    await handle.close().finally(() => unlink(temporary));
  } catch (thrown) {
    throw targetError(thrown, target);
  }
}

/** Makes the rename itself last through a power cut; some systems cannot open a folder, and there it is not needed. */
async function flushFolder(folder: string, files: FileOperations): Promise<void> {
  try {
    const handle = await files.open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // The new file is in place and whole; only its survival of a power cut within the next seconds is less certain.
  }
}

/** Pieces of text as those of a file: each is made when it is written. */
export function* utf8(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/**
 * Replaces `target` by the concatenation of `pieces`, which are asked for one by one as they are written. Returns the bytes
 * written.
 *
 * Throws targetFull, targetFolderMissing or targetUnwritable, or cancelled when the signal aborts before the rename; the
 * old file is then still there, and nothing else is.
 */
export async function writeAtomically(
  target: string,
  pieces: Iterable<Uint8Array>,
  signal?: AbortSignal,
  files: FileOperations = nodeFiles,
): Promise<number> {
  try {
    stopIfAborted(signal);
    const { file, mode } = await resolveTarget(target);
    const folder = path.dirname(file);
    await removeAbandoned(folder);
    const temporary = temporaryBeside(file);
    let written = 0;
    try {
      const handle = await files.open(temporary, 'wx', 0o666);
      try {
        for (const piece of pieces)
          for (let start = 0; start < piece.length; ) {
            stopIfAborted(signal);
            const { bytesWritten } = await handle.write(piece, start, Math.min(chunkBytes, piece.length - start));
            start += bytesWritten;
            written += bytesWritten;
          }
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (mode !== null) await chmod(temporary, mode);
      stopIfAborted(signal);
      await files.rename(temporary, file);
    } catch (thrown) {
      await unlink(temporary).catch(() => undefined);
      throw thrown;
    }
    await flushFolder(folder, files);
    return written;
  } catch (thrown) {
    throw targetError(thrown, target);
  }
}
