// What comes out of the encoder, read back: samples bit for bit where the format is lossless, depth, grey, alpha, profile and
// EXIF as they should be beside the new pixels.

import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ConvolveError } from '../../../core/errors';
import { type ExportOptions, exportDepth, standardExport } from '../../../core/exportOptions';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { encodePicture } from '../../../main/codec/encode';
import { checkExport, createExportSamples } from '../../../main/codec/exportFormat';
import { exportSubject } from '../../../main/codec/exportSubject';
import { readPictureFile } from '../../../main/pictureFile';
import { fixturePath } from './fixtures';
import { madePicture } from './pictures';

const png = standardExport;
const tiff: ExportOptions = { ...png, format: 'tiff' };
const webp: ExportOptions = { ...png, format: 'webp', lossless: true };
const jpeg: ExportOptions = { ...png, format: 'jpeg' };

const load = async (file: string) => decodePicture(await readPictureFile(fixturePath(file)), path.basename(file));

/** Encodes a picture's own samples, as an export without filters does. */
async function encode(picture: DecodedPicture, options: ExportOptions): Promise<Buffer> {
  const subject = exportSubject(picture, picture, options);
  const container = createExportSamples(subject, options);
  expect(subject.sampleType).toBe(picture.sampleType);
  container.samples.set(picture.samples);
  return Buffer.concat(await encodePicture(subject, container, options));
}

/** Compared as bytes: vitest's own comparison of large arrays takes seconds. */
const bytesOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
const expectSameBytes = (a: ArrayBufferView, b: ArrayBufferView) => expect(bytesOf(a).equals(bytesOf(b))).toBe(true);

it('what stands beside the pixels stays as the file said it until it is encoded, which a thread of its own does', async () => {
  const picture = await load('exif/F_orient6.jpg');
  const subject = exportSubject(picture, picture, jpeg);
  expect(picture.metadata.exif).not.toBeNull();
  expect(subject.metadata).toBe(picture.metadata);
  const { metadata } = await decodePicture(new Uint8Array(await encode(picture, jpeg)), 'back');
  expect(metadata.exif).not.toEqual(picture.metadata.exif);
});

describe('lossless formats give every sample back', () => {
  for (const channels of [1, 2, 3, 4])
    for (const sampleType of ['u8', 'u16', 'f32'] as const)
      for (const options of [png, tiff, webp]) {
        if (exportDepth(options, sampleType) !== sampleType) continue;
        if (options.format === 'webp' && channels <= 2) continue;
        it(`${options.format}, ${sampleType}, ${channels} channels`, async () => {
          // Heights below, at and above a strip of the container, and not a multiple of it.
          for (const height of [1, 63, 64, 65, 131]) {
            const picture = madePicture(37, height, channels, sampleType);
            const back = await decodePicture(await encode(picture, options), 'back');
            expect([back.width, back.height, back.channels, back.sampleType]).toEqual([
              37,
              height,
              channels,
              sampleType,
            ]);
            expectSameBytes(back.samples, picture.samples);
          }
        });
      }

  it('hidden colours under alpha 0 included', async () => {
    const picture = await load('png/hidden_colors.png');
    for (const options of [png, tiff, webp])
      expectSameBytes((await decodePicture(await encode(picture, options), 'back')).samples, picture.samples);
  });

  it('16-bit steps that 8 bits cannot hold included', async () => {
    const picture = await load('png/photo_rgb16_384x256.png');
    const back = await decodePicture(await encode(picture, png), 'back');
    expectSameBytes(back.samples, picture.samples);
    expect(new Set(back.samples).size).toBeGreaterThan(4096);
  });
});

describe('JPEG', () => {
  it('shows white where the picture is transparent', async () => {
    const picture = await load('png/all_transparent.png');
    const back = await decodePicture(await encode(picture, jpeg), 'back');
    expect(back.channels).toBe(3);
    expect(Math.min(...back.samples)).toBeGreaterThanOrEqual(254);
  });

  it('stays grey', async () => {
    const back = await decodePicture(await encode(madePicture(40, 40, 1), jpeg), 'back');
    expect(back.channels).toBe(1);
    const flattened = await decodePicture(await encode(madePicture(40, 40, 2), jpeg), 'back');
    expect(flattened.channels).toBe(1);
  });

  it('gets smaller with quality', async () => {
    const picture = await load('photos/rocket_640x427.jpg');
    const [low, high] = [
      await encode(picture, { ...jpeg, quality: 30 }),
      await encode(picture, { ...jpeg, quality: 95 }),
    ];
    expect(low.length).toBeLessThan(high.length / 2);
  });
});

describe('the depth of a file', () => {
  it('is what the format can hold of the source', () => {
    const depths = (['u8', 'u16', 'f32', 'f64'] as const).map((sampleType) =>
      (['png', 'jpeg', 'webp', 'tiff'] as const).map((format) => exportDepth({ format, depth: 'same' }, sampleType)),
    );
    expect(depths).toEqual([
      ['u8', 'u8', 'u8', 'u8'],
      ['u16', 'u8', 'u8', 'u16'],
      ['u16', 'u8', 'u8', 'f32'],
      ['u16', 'u8', 'u8', 'f32'],
    ]);
  });

  it('and its size: refused by name before anything is computed', () => {
    expect(() => checkExport({ width: 100_000, height: 1 }, 3, png)).not.toThrow();
    expect(() => checkExport({ width: 65_500, height: 65_500 }, 3, jpeg)).not.toThrow();
    try {
      checkExport({ width: 16_384, height: 20 }, 3, webp);
      expect.unreachable();
    } catch (thrown) {
      expect((thrown as ConvolveError).failure).toEqual({
        code: 'imageTooLarge',
        expected: 'at most 16383 pixels wide and high for WebP',
        actual: '16384 × 20 pixels',
      });
    }
  });

  it('and what it takes to make it that large', () => {
    const limits = { pixels: 1_000_000, memoryBytes: 1e9, seconds: 1 };
    const small = { width: 2, height: 2 };
    const fitting = (side: number) => () =>
      checkExport(small, 3, { ...png, resize: { width: side, height: side } }, limits);
    expect(fitting(1000)).not.toThrow();
    expect(fitting(1001)).toThrow(/imageTooLarge/);
    try {
      fitting(65_500)();
      expect.unreachable();
    } catch (thrown) {
      expect((thrown as ConvolveError).failure).toEqual({
        code: 'imageTooLarge',
        expected: 'at most 1 megapixels',
        actual: '65500 × 65500 pixels, which need 154 GB of memory',
      });
    }
  });
});

describe('colour profiles', () => {
  for (const file of ['icc/displayp3.png', 'icc/big_profile_3chunks.jpg', 'icc/prophoto.tif', 'icc/adobergb.webp'])
    for (const options of [png, jpeg, webp, tiff])
      it(`of ${file} stays byte for byte in ${options.format}`, async () => {
        const picture = await load(file);
        const written = await sharp(await encode(picture, options)).metadata();
        expectSameBytes(written.icc!, picture.iccProfile!);
      });

  it('of grey is kept with grey pixels and left out where they become colour', async () => {
    const picture = await load('icc/gray_gamma.png');
    expectSameBytes((await sharp(await encode(picture, png)).metadata()).icc!, picture.iccProfile!);
    expect((await sharp(await encode(picture, webp)).metadata()).icc).toBeUndefined();
  });

  it('is not invented where the source has none', async () => {
    for (const options of [png, jpeg, webp, tiff])
      expect((await sharp(await encode(madePicture(20, 20, 3), options)).metadata()).icc).toBeUndefined();
  });
});

describe('EXIF', () => {
  for (const file of ['exif/F_orient6.jpg', 'exif/F_orient6_bigendian.jpg', 'exif/F_orient8.png'])
    for (const options of [png, jpeg, webp])
      it(`of ${file} goes into ${options.format} with orientation 1, and the pixels upright`, async () => {
        const picture = await load(file);
        const file2 = await encode(picture, options);
        const metadata = await sharp(file2).metadata();
        expect(metadata.exif).toBeDefined();
        expect(metadata.orientation).toBe(1);
        expect([metadata.width, metadata.height]).toEqual([picture.width, picture.height]);
        const back = await decodePicture(file2, 'back');
        expect([back.width, back.height, back.warnings]).toEqual([picture.width, picture.height, []]);
      });

  it('never rotates a TIFF twice', async () => {
    const picture = await load('exif/F_orient5.tif');
    const back = await decodePicture(await encode(picture, tiff), 'back');
    expectSameBytes(back.samples, picture.samples);
  });

  it('loses its thumbnail, which shows the old picture', async () => {
    const picture = await load('exif/F_orient6_thumb.jpg');
    const source = Buffer.from(picture.metadata.exif!);
    const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);
    expect(source.includes(startOfImage)).toBe(true);
    const written = (await sharp(await encode(picture, jpeg)).metadata()).exif!;
    expect(written.includes(startOfImage)).toBe(false);
  });

  it('is dropped where it is broken', async () => {
    const picture = await load('exif/F_bad_exif_offset.jpg');
    const file = await encode(picture, jpeg);
    expect((await sharp(file).metadata()).orientation).toBeUndefined();
    expect((await decodePicture(file, 'back')).width).toBe(picture.width);
  });

  it('keeps everything else byte for byte, where it was', async () => {
    const picture = await load('exif/Landscape_6.jpg');
    // Behind the marker.
    const written = (await sharp(await encode(picture, jpeg)).metadata()).exif!.subarray(6);
    const source = Buffer.from(picture.metadata.exif!);
    const changed = source.reduce((count, byte, index) => count + (byte === written[index] ? 0 : 1), 0);
    // The place of the main directory, orientation, the two sides' lengths, and the pointer to the thumbnail with its bytes.
    const thumbnail = source.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    expect(changed).toBeLessThanOrEqual(thumbnail === -1 ? 20 : source.length - thumbnail + 20);
  });
});
