// The one way to sharp (libvips): the build of it that works in this process, set up once.

import './withoutNativeSharp';
import os from 'node:os';
import sharp from 'sharp';

// Every file is decoded once from memory, so libvips' operation cache would only hold on to pixels.
sharp.cache(false);
// Threads of one libvips pipeline. Most codecs are serial; two let conversion overlap them without taking the cores that
// the engine's own threads use.
sharp.concurrency(Math.min(2, os.availableParallelism()));

export type { Metadata, Sharp } from 'sharp';
export { sharp };
