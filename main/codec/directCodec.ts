// The codec in the thread that asks for it: for the codec's own thread, the command line and tests.

import { ConvolveError, failureOf } from '../../core/errors';
import { unlessAborted } from '../unlessAborted';
import type { Codec, EncodeOrder } from './codec';
import { decodePicture, memoryToDecode } from './decode';
import { encodePicture } from './encode';
import { previewEncoding } from './preview';
import { toScreen } from './screenColour';
import { pageThumbnails } from './thumbnails';

export const encodeOrder = ({ subject, container, options }: EncodeOrder): Promise<readonly Uint8Array[]> =>
  encodePicture(subject, { bytes: container }, options);

/** Stops waiting when the signal aborts; the encoder itself cannot be stopped, and its result is dropped. */
async function unlessCancelled<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    if (signal?.aborted) throw new ConvolveError({ code: 'cancelled' });
    return await unlessAborted(work(), signal);
  } catch (thrown) {
    throw failureOf(thrown).code === 'cancelled' ? new ConvolveError({ code: 'cancelled', subject: 'export' }) : thrown;
  }
}

export const directCodec: Codec = {
  memoryFor: memoryToDecode,
  decode: decodePicture,
  thumbnails: pageThumbnails,
  toScreen,
  encode: (order, signal) => unlessCancelled(() => encodeOrder(order), signal),
  preview: (order, view, signal) => unlessCancelled(() => previewEncoding(order, view), signal),
};
