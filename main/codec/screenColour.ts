// Colours for the screen: 8-bit samples from a picture's own space to the screen's, by Little CMS inside the codec.

import type { Size } from '../../core/geometry';
import type { ScreenSpace } from '../../core/pixelPort';
import { createTiffContainer } from '../../core/tiffContainer';
import { byTable, makeColourTable } from './colourTable';
import { builtInNames } from './pixelSteps';
import { readRaw } from './rawSamples';
import { sharp } from './sharp';

export interface ScreenTile extends Size {
  /** width × height × channels, alpha last and straight where channels is 2 or 4. */
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly channels: number;
}

/** The tile's samples as colours of the space; grey as three equal ones. */
async function convert(tile: ScreenTile, profile: Uint8Array, space: ScreenSpace): Promise<Uint8Array<ArrayBuffer>> {
  const container = createTiffContainer(tile, tile.channels, 'u8', { profile });
  container.samples.set(tile.pixels);
  // With its profile ignored at first, the codec converts once, from it to the screen's.
  const open = () =>
    sharp(container.bytes, { ignoreIcc: true, limitInputPixels: false }).withIccProfile(builtInNames[space]);
  const { data } = await readRaw(open, { depth: 'uchar', space: 'srgb' }, false);
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

/** What is known of the profile that was converted from last. */
interface Known {
  readonly profile: Uint8Array;
  readonly space: ScreenSpace;
  /** Pixels of colour that have been converted. */
  pixels: number;
  /** null as long as it is not made. */
  table: Uint8Array | null;
}
let known: Known | null = null;

/** Pixels after which a table pays: some views of a window, so that a picture that is only looked at makes none. */
const tablePixels = 2 ** 21;

/** A table that is there; one is begun once it pays. */
function tableFor({ width, height }: Size, profile: Uint8Array, space: ScreenSpace): Uint8Array | null {
  if (known?.space !== space || Buffer.compare(known.profile, profile) !== 0)
    known = { profile, space, pixels: 0, table: null };
  const own = known;
  const before = own.pixels;
  own.pixels += width * height;
  if (before < tablePixels && own.pixels >= tablePixels)
    makeColourTable((pixels, size) => convert({ ...size, pixels, channels: 3 }, profile, space)).then(
      (table) => {
        own.table = table;
      },
      // Too little memory: tiles are converted as they come.
      () => undefined,
    );
  return own.table;
}

/** The tile's samples as colours of the space, in as many channels. `profile`: ICC profile of the samples. */
export async function toScreen(
  tile: ScreenTile,
  profile: Uint8Array,
  space: ScreenSpace,
): Promise<Uint8Array<ArrayBuffer>> {
  const { pixels, channels } = tile;
  const table = channels >= 3 ? tableFor(tile, profile, space) : null;
  if (table !== null) return byTable(table, pixels, channels);
  const converted = await convert(tile, profile, space);
  const made = converted.length / (tile.width * tile.height);
  if (made === channels) return converted;
  // Grey comes as three equal colours.
  const result = Uint8Array.from(pixels);
  for (let pixel = 0; pixel * channels < result.length; pixel += 1)
    result[pixel * channels] = converted[pixel * made] ?? 0;
  return result;
}
