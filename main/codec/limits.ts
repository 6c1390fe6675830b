// How large a picture may be and how long decoding it may take.

import os from 'node:os';
import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';

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

function inWords(bytes: number): string {
  if (bytes < 1e9) return `${Math.ceil(bytes / 1e6)} MB`;
  return bytes < 1e10 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e9)} GB`;
}

/** Throws imageTooLarge for a picture of more pixels, or that needs more memory in bytes, than the limits allow. */
export function checkLimits(
  { width, height }: Size,
  memory: number,
  limits: Pick<DecodeLimits, 'pixels' | 'memoryBytes'>,
  subject?: string,
): void {
  const pixels = width * height;
  if (pixels <= limits.pixels && memory <= limits.memoryBytes) return;
  throw new ConvolveError({
    code: 'imageTooLarge',
    ...(subject === undefined ? {} : { subject }),
    expected:
      pixels > limits.pixels
        ? `at most ${Math.round(limits.pixels / 1e6)} megapixels`
        : `at most ${inWords(limits.memoryBytes)} of memory`,
    actual: `${width} × ${height} pixels, which need ${inWords(memory)} of memory`,
  });
}
