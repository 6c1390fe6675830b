// How large a picture may be and how long decoding it may take.

import os from 'node:os';

export interface DecodeLimits {
  /** Most pixels, width × height. */
  readonly pixels: number;
  /** Most memory, in bytes, that opening and exporting the picture may need. */
  readonly memoryBytes: number;
  /** Longest time that decoding may take, in seconds. */
  readonly seconds: number;
}

/** 250 megapixels hold the largest cameras of today; memory: six tenths of the machine's. */
export const defaultLimits: DecodeLimits = {
  pixels: 250_000_000,
  memoryBytes: os.totalmem() * 0.6,
  seconds: 60,
};
