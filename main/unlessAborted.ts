// Waiting that ends with the one who waits: for work that others share, or that cannot be stopped.

import { ConvolveError } from '../core/errors';

/** Rejects with `cancelled` as soon as the signal aborts; the work itself goes on. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  work.catch(() => undefined);
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new ConvolveError({ code: 'cancelled' }));
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
