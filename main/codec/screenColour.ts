// Colours for the screen: 8-bit samples from a picture's own space to the screen's, by Little CMS inside the codec.

import type { Size } from '../../core/geometry';
import type { ScreenSpace } from '../../core/pixelPort';
import { builtInNames } from './pixelSteps';
import { readRaw } from './rawSamples';
import { sharp } from './sharp';
import { createTiffContainer } from './tiffContainer';

export interface ScreenTile extends Size {
  /** width × height × channels, alpha last and straight where channels is 2 or 4. */
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly channels: number;
}

/** The tile's samples as colours of the space, in as many channels. `profile`: ICC profile of the samples. */
export async function toScreen(
  tile: ScreenTile,
  profile: Uint8Array,
  space: ScreenSpace,
): Promise<Uint8Array<ArrayBuffer>> {
  const { pixels, channels } = tile;
  const container = createTiffContainer(tile, channels, 'u8', { profile, xmp: null });
  container.samples.set(pixels);
  // With its profile ignored at first, the codec converts once, from it to the screen's.
  const open = () =>
    sharp(container.bytes, { ignoreIcc: true, limitInputPixels: false }).withIccProfile(builtInNames[space]);
  const { data, channels: made } = await readRaw(open, { depth: 'uchar', space: 'srgb' }, false);
  const converted = new Uint8Array(data.buffer, data.byteOffset, data.length);
  if (made === channels) return converted;
  // Grey comes as three equal colours.
  const result = Uint8Array.from(pixels);
  for (let pixel = 0; pixel * channels < result.length; pixel += 1)
    result[pixel * channels] = converted[pixel * made] ?? 0;
  return result;
}
