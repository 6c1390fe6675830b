// The codec in the thread that asks for it: for the codec's own thread, the command line and tests.

import { ConvolveError } from '../../core/errors';
import type { Codec, EncodeOrder } from './codec';
import { decodePicture, memoryToDecode } from './decode';
import { encodePicture } from './encode';

export const encodeOrder = ({ subject, container, options }: EncodeOrder): Promise<readonly Uint8Array[]> =>
  encodePicture(subject, { bytes: container }, options);

/** Stops waiting when the signal aborts; the encoder itself cannot be stopped, and its result is dropped. */
async function encodeDirectly(order: EncodeOrder, signal?: AbortSignal): Promise<readonly Uint8Array[]> {
  const cancelled = () => new ConvolveError({ code: 'cancelled', subject: 'export' });
  if (signal?.aborted) throw cancelled();
  const work = encodeOrder(order);
  if (!signal) return work;
  work.catch(() => undefined);
  return new Promise((resolve, reject) => {
    const stop = () => reject(cancelled());
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export const directCodec: Codec = { memoryFor: memoryToDecode, decode: decodePicture, encode: encodeDirectly };
