// Views that are made of the drawn pixels themselves: the signed difference of two pictures, marks on clipped values, and
// colours of signed values.
// Pure: RGBA arrays in, RGBA arrays out.

import { heatColour, type Theme } from '../kernel/heat';

/** Neither darker nor brighter. */
const middle = 128;

/**
 * The signed difference `result − original`, `gain` times, around middle grey, written into `result`. Both are RGBA of one
 * size. Pixels that either leaves transparent stay so.
 */
export function signedDifference(original: Uint8ClampedArray, result: Uint8ClampedArray, gain: number): void {
  for (let at = 0; at < result.length; at += 4) {
    if (original[at + 3] === 0 || result[at + 3] === 0) {
      result[at + 3] = 0;
      continue;
    }
    for (let channel = at; channel < at + 3; channel++)
      result[channel] = middle + gain * ((result[channel] ?? 0) - (original[channel] ?? 0));
    result[at + 3] = 255;
  }
}

const dark = [0x4c, 0x8d, 0xd6] as const;
const bright = [0xf0, 0x95, 0x4b] as const;

/** Paints pixels with a channel at black blue, and with one at white orange; the latter where both are. */
export function markClipped(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue;
    const low = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    const high = Math.max(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    const mark = high === 255 ? bright : low === 0 ? dark : null;
    if (mark !== null) pixels.set(mark, at);
  }
}

/** The colour of each byte of ½ + v/2: blue below zero, orange above, the theme's grey at zero. 256 × RGB. */
export function signedColours(theme: Theme): Uint8Array {
  const table = new Uint8Array(256 * 3);
  // 127 and 128 lie on either side of zero, which no byte is.
  for (let byte = 0; byte < 256; byte++)
    table.set(heatColour(byte === 127 || byte === 128 ? 0 : (byte - 127.5) / 127.5, 1, theme), byte * 3);
  return table;
}

/** Paints each pixel with the colour of its channel that lies farthest from zero. */
export function paintSigned(pixels: Uint8ClampedArray, table: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue;
    let farthest = pixels[at] ?? 0;
    for (let channel = at + 1; channel < at + 3; channel++) {
      const byte = pixels[channel] ?? 0;
      if (Math.abs(byte - 127.5) > Math.abs(farthest - 127.5)) farthest = byte;
    }
    pixels.set(table.subarray(farthest * 3, farthest * 3 + 3), at);
  }
}
