// The one way to sharp (libvips): the build of it that works in this process, set up once.

import './withoutNativeSharp';
import os from 'node:os';
import sharp, { type Metadata, type Sharp } from 'sharp';

// Every file is decoded once from memory, so libvips' operation cache would only hold on to pixels.
sharp.cache(false);
// Threads of one libvips pipeline. Most codecs are serial; two let conversion overlap them without taking the cores that
// the engine's own threads use.
sharp.concurrency(Math.min(2, os.availableParallelism()));

/**
 * What sharp returned, in memory of its own. The WebAssembly build returns views of its heap and frees what they show once
 * the Buffer object is collected, though other views of the same bytes live on: so everything that outlives the call is
 * passed through here at once.
 */
export function owned(returned: Buffer): Buffer<ArrayBuffer> {
  if (returned.buffer instanceof ArrayBuffer) return returned as Buffer<ArrayBuffer>;
  const copy = Buffer.allocUnsafeSlow(returned.length);
  returned.copy(copy);
  return copy;
}

/** What sharp found in a file, its blocks in memory of their own. */
export function ownedMetadata(found: Metadata): Metadata {
  const blocks = Object.entries(found).filter((entry): entry is [string, Buffer] => Buffer.isBuffer(entry[1]));
  return { ...found, ...Object.fromEntries(blocks.map(([name, block]) => [name, owned(block)])) };
}

export type { Metadata, Sharp };
export { sharp };
