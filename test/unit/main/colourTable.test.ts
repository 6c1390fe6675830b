// The table of colours for the screen holds what the colour engine makes of each of them.

import { expect, it } from 'vitest';
import { byTable, makeColourTable } from '../../../main/codec/colourTable';
import { decodePicture } from '../../../main/codec/decode';
import { toScreen } from '../../../main/codec/screenColour';
import { readPictureFile } from '../../../main/pictureFile';
import { fixturePath } from './fixtures';
import { madePicture } from './pictures';

for (const name of ['displayp3.png', 'rec2020.png', 'swapped_red_blue.png'])
  it(`${name}: pixels by the table are those of the colour engine, bit for bit, and alpha stays`, async () => {
    const { iccProfile } = await decodePicture(await readPictureFile(fixturePath(`icc/${name}`)), name);
    const convert = (pixels: Uint8Array<ArrayBuffer>, size: { width: number; height: number }, channels = 3) =>
      toScreen({ ...size, pixels, channels }, iccProfile!, 'srgb');
    const size = { width: 300, height: 200 };
    const wanted: Uint8Array[] = [];
    const pictures = [3, 4].map((channels) => Uint8Array.from(madePicture(300, 200, channels).samples));
    // Before there is a table.
    for (const pixels of pictures) wanted.push(await convert(pixels, size, pixels.length / 60_000));
    const table = await makeColourTable(convert);
    for (const [index, pixels] of pictures.entries()) {
      const channels = pixels.length / 60_000;
      expect(Buffer.compare(byTable(table, pixels, channels), wanted[index]!)).toBe(0);
      // By now it has one of its own.
      expect(Buffer.compare(await convert(pixels, size, channels), wanted[index]!)).toBe(0);
    }
  }, 60_000);
