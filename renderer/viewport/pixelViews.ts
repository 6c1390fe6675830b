// Views that are made of the drawn pixels themselves: the signed difference of two pictures, and marks on clipped values.
// Pure: RGBA arrays in, RGBA arrays out.

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
