// Decoding and encoding as the rest of main asks for them, wherever they run: here, or on a thread of their own.

import { ConvolveError } from '../../core/errors';
import type { ExportOptions } from '../../core/ipc';
import { type DecodedPicture, decodePicture } from './decode';
import { encodePicture } from './encode';
import type { EncodeSubject } from './exportFormat';
import type { DecodeLimits } from './limits';

/** What to make a file of. */
export interface EncodeOrder {
  readonly subject: EncodeSubject;
  /** The file that createExportSamples made for the subject, filled. */
  readonly container: Uint8Array<ArrayBuffer>;
  readonly options: ExportOptions;
}

/** The subject of the `internal` failure of a job whose codec thread ended under it. */
export const codecThread = 'codec';

export interface Codec {
  /** As decodePicture. The bytes may be gone afterwards. */
  decode(bytes: Uint8Array<ArrayBuffer>, name: string, limits?: DecodeLimits): Promise<DecodedPicture>;
  /** As encodePicture; throws cancelled when the signal aborts. The samples may be gone afterwards. */
  encode(order: EncodeOrder, signal?: AbortSignal): Promise<readonly Uint8Array[]>;
}

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

/** Runs in this thread: for the command line and tests. */
export const directCodec: Codec = { decode: decodePicture, encode: encodeDirectly };
