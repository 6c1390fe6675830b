// The SHA-256 by which a project knows its picture again: of a file, read piece by piece, and of bytes in memory.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** 64 hexadecimal digits. Rejects with the system's error where the file cannot be read. */
export async function fileHash(filePath: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(filePath, { highWaterMark: 2 ** 20 }), hash);
  return hash.digest('hex');
}

/** As fileHash. The bytes are copied before the call returns: they may be given away afterwards. */
export async function bytesHash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
