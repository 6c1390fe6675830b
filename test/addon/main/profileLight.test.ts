// Filters in linear light work by the curve of the picture's own profile: results against sums of light that are computed here
// by nothing but the profile's definition.

import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../../core/document';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { type Engine, startEngine } from '../../../main/engine';
import { OpenPictures } from '../../../main/images';
import { readPictureFile } from '../../../main/pictureFile';
import { Renderer } from '../../../main/render';
import { fixturePath } from '../../unit/main/fixtures';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});

/** A mean of 15 × 15 pixels in linear light: over the seams of the patches. */
const blur: Filter = {
  id: 'blur',
  kind: 'box',
  width: 15,
  enabled: true,
  border: { kind: 'replicate' },
  size: 'same',
  alpha: 'weighted',
  light: 'linear',
  range: 'clamp',
};

interface Curve {
  readonly light: (value: number) => number;
  readonly back: (light: number) => number;
}
/** IEC 61966-2-1, which Display P3 has too. */
const srgb: Curve = {
  light: (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4),
  back: (light) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055),
};
/** Adobe RGB (1998) 4.3.4.2: 2 + 51/256. */
const adobe: Curve = { light: (value) => value ** 2.19921875, back: (light) => light ** (1 / 2.19921875) };
/** ISO 22028-2 (ROMM RGB): 1.8, with a line near black. */
const proPhoto: Curve = {
  light: (value) => (value < 1 / 32 ? value / 16 : value ** 1.8),
  back: (light) => (light < 1 / 512 ? light * 16 : light ** (1 / 1.8)),
};
/** BT.2020, table 4, to the camera; the profile is its inverse. */
const rec2020: Curve = {
  light: (value) =>
    value < 4.5 * 0.018053968510807 ? value / 4.5 : ((value + 0.09929682680944) / 1.09929682680944) ** (1 / 0.45),
  back: (light) => (light < 0.018053968510807 ? light * 4.5 : 1.09929682680944 * light ** 0.45 - 0.09929682680944),
};

function expected({ samples, width, height, channels }: DecodedPicture, full: number, curve: Curve): readonly number[] {
  const light = Array.from(samples, (value) => curve.light(value / full));
  const inside = (value: number, length: number) => Math.min(Math.max(value, 0), length - 1);
  const half = Math.floor(blur.kind === 'box' ? blur.width / 2 : 0);
  return light.map((_, index) => {
    const channel = index % channels;
    const x = Math.floor(index / channels) % width;
    const y = Math.floor(index / channels / width);
    let sum = 0;
    for (let row = -half; row <= half; row += 1)
      for (let column = -half; column <= half; column += 1)
        sum += light[(inside(y + row, height) * width + inside(x + column, width)) * channels + channel]!;
    return curve.back(sum / (2 * half + 1) ** 2) * full;
  });
}

describe('a mean in linear light', () => {
  for (const [file, what, curve] of [
    ['icc/displayp3.png', 'Display P3', srgb],
    ['icc/adobergb.png', 'Adobe RGB', adobe],
    ['icc/prophoto.tif', 'ProPhoto RGB', proPhoto],
    ['icc/rec2020.png', 'Rec. 2020', rec2020],
  ] as const)
    for (const backend of ['reference', 'cpu'] as const)
      it(`of ${what} is that of its own light, on the ${backend} backend`, async () => {
        const picture = await decodePicture(await readPictureFile(fixturePath(file)), path.basename(file));
        const full = picture.sampleType === 'u16' ? 65535 : 255;
        const pictures = new OpenPictures(engine);
        const info = await pictures.add(picture, { name: what, format: picture.format, fileBytes: 0, folder: null });
        const renderer = new Renderer(engine, () => backend);
        const result = full === 255 ? new Uint8Array(picture.samples.length) : new Uint16Array(picture.samples.length);
        await pictures.use(info.id, async (open) => {
          const prepared = await renderer.prepare(open, [blur]);
          const region = { x: 0, y: 0, width: info.width, height: info.height };
          await renderer.run(prepared, { region, level: 0 }, result);
        });
        await pictures.close(info.id);
        const wanted = expected(picture, full, curve);
        const other = expected(picture, full, curve === adobe ? srgb : adobe);
        let most = 0;
        let otherwise = 0;
        for (const [index, value] of wanted.entries()) {
          most = Math.max(most, Math.abs(result[index]! - value));
          otherwise = Math.max(otherwise, Math.abs(value - other[index]!));
        }
        // Half a level of rounding, and what the numbers of a profile lose in 1/65536.
        expect(most).toBeLessThan(full === 255 ? 0.51 : 3);
        // Another curve would show.
        expect(otherwise).toBeGreaterThan(full / 255);
      });
});
