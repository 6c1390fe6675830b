// The codec's own thread: decodes and encodes on request, so that neither the codec's start, nor its copies, nor its memory
// weigh on the main process, and ending the thread ends its work. Bundled to dist/main/codecWorker.cjs.

import { parentPort, type Transferable } from 'node:worker_threads';
import { failureOf } from '../core/errors';
import { decodePicture, memoryToDecode } from './codec/decode';
import { encodeOrder } from './codec/directCodec';
import { previewEncoding } from './codec/preview';
import { toScreen } from './codec/screenColour';
import { pageThumbnails } from './codec/thumbnails';
import type { CodecAnswer, CodecJob } from './codec/workerCodec';

async function work(job: CodecJob): Promise<{ readonly value: unknown; readonly moved: readonly Transferable[] }> {
  switch (job.kind) {
    case 'memory':
      return { value: await memoryToDecode(job.bytes, job.name), moved: [] };
    case 'decode': {
      const decoded = await decodePicture(job.bytes, job.name, job.limits, job.page);
      return { value: decoded, moved: [decoded.samples.buffer] };
    }
    case 'thumbnails': {
      const pictures = await pageThumbnails(job.bytes, job.pages);
      return { value: pictures.map((picture) => picture && new Uint8Array(picture)), moved: [] };
    }
    case 'screen': {
      const pixels = new Uint8Array(await toScreen(job.tile, job.profile, job.space));
      return { value: pixels, moved: [pixels.buffer] };
    }
    case 'preview': {
      const preview = await previewEncoding(job.order, job.view);
      return { value: { ...preview, png: preview.png && new Uint8Array(preview.png) }, moved: [] };
    }
    case 'encode': {
      const pieces = (await encodeOrder(job.order)).map((piece) => new Uint8Array(piece));
      return { value: pieces, moved: pieces.map((piece) => piece.buffer) };
    }
  }
}

/** One white pixel: decoding it starts the codec's own threads, which takes longer than most pictures do. */
const smallestPicture = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
void decodePicture(smallestPicture, 'warm-up').catch(() => undefined);

const port = parentPort;
if (!port) throw new Error('codecWorker runs only as a worker thread');
port.on('message', async (job: CodecJob) => {
  let answer: CodecAnswer;
  let moved: readonly Transferable[] = [];
  try {
    const done = await work(job);
    answer = { id: job.id, ok: true, value: done.value };
    moved = done.moved;
  } catch (thrown) {
    answer = { id: job.id, ok: false, failure: failureOf(thrown) };
  }
  try {
    port.postMessage(answer, moved);
  } catch {
    // Memory that the system's own build of the codec allocated cannot move; it is copied.
    port.postMessage(answer);
  }
});
