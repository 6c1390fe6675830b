// What an export does to pixels on their way into a file: other sizes in linear light, other colour spaces, dither and depth;
// and the formats that have settings of their own. Read back by libvips, and colours checked by plain colorimetry.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { type ExportOptions, standardExport } from '../../../core/exportOptions';
import { fullScale } from '../../../core/pass';
import type { ScreenSpace } from '../../../core/pixelPort';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { encodePicture } from '../../../main/codec/encode';
import { createExportSamples, workingDepth } from '../../../main/codec/exportFormat';
import { exportSubject } from '../../../main/codec/exportSubject';
import { dithered, toDepth } from '../../../main/codec/pixelSteps';
import { readPictureFile } from '../../../main/pictureFile';
import { colourDifference, labOf, type Triple } from './cieLab';
import { fixturePath } from './fixtures';
import { madePicture } from './pictures';

const load = async (file: string) => decodePicture(await readPictureFile(fixturePath(file)), path.basename(file));

/** Encodes a picture's own samples, as an export without filters does: the engine gives them in the working depth. */
async function encode(picture: DecodedPicture, change: Partial<ExportOptions>): Promise<Buffer> {
  const options = { ...standardExport, ...change };
  const subject = exportSubject(picture, picture, options);
  const container = createExportSamples(subject, options);
  container.samples.set(toDepth(picture.samples, picture.sampleType, workingDepth(subject, options)));
  return Buffer.concat(await encodePicture(subject, container, options));
}

const flat = (width: number, height: number, values: readonly number[]): DecodedPicture => ({
  ...madePicture(width, height, values.length),
  samples: Uint8Array.from(
    { length: width * height * values.length },
    (_, index) => values[index % values.length] ?? 0,
  ),
});

// ---- Colour ---------------------------------------------------------------------------------------------------------

/** Of 8-bit numbers. */
const lab = (space: ScreenSpace, rgb: Triple) => labOf(space, [rgb[0] / 255, rgb[1] / 255, rgb[2] / 255]);

interface Patches {
  readonly cell: number;
  readonly cols: number;
  readonly stored: readonly Triple[];
  readonly srgb: readonly Triple[];
}
const expected = (
  JSON.parse(readFileSync(fixturePath('icc/expected_srgb.json'), 'utf8')) as { files: Record<string, Patches> }
).files;

/** The middle of every patch of an 8-bit file. */
async function patchesOf(file: Buffer, { cell, cols, stored }: Patches): Promise<readonly Triple[]> {
  const picture = await decodePicture(file, 'patches');
  return stored.map((_, index) => {
    const x = (index % cols) * cell + cell / 2;
    const y = Math.floor(index / cols) * cell + cell / 2;
    const start = (y * picture.width + x) * picture.channels;
    return [...picture.samples.subarray(start, start + 3)] as unknown as Triple;
  });
}
const inGamut = (rgb: Triple) => rgb.every((value) => value > 0 && value < 255);

describe('colours converted on export', () => {
  for (const name of [
    'displayp3.png',
    'adobergb.png',
    'rec2020.png',
    'prophoto.tif',
    'adobergb.webp',
    'swapped_red_blue.png',
  ])
    it(`of ${name} to sRGB are those of a colour engine within one level, and less than ΔE 1 off where they fit`, async () => {
      const patches = expected[name]!;
      const picture = await load(`icc/${name}`);
      const file = await encode(picture, { profile: 'srgb' });
      const found = await patchesOf(file, patches);
      let checked = 0;
      patches.srgb.forEach((wanted, index) => {
        if (!inGamut(wanted)) return;
        checked += 1;
        const got = found[index]!;
        expect(
          Math.max(...got.map((value, channel) => Math.abs(value - wanted[channel]!))),
          `patch ${index}`,
        ).toBeLessThanOrEqual(1);
        if (name.startsWith('displayp3'))
          expect(
            colourDifference(lab('srgb', got), lab('displayP3', patches.stored[index]!)),
            `patch ${index}`,
          ).toBeLessThan(1);
      });
      expect(checked).toBeGreaterThan(10);
      expect((await decodePicture(file, 'x')).profile).toMatch(/sRGB/i);
    });

  it('to Display P3 keep what sRGB cannot hold', async () => {
    const patches = expected['displayp3.png']!;
    // The two profiles of that space differ in their last digits.
    const found = await patchesOf(await encode(await load('icc/displayp3.png'), { profile: 'displayP3' }), patches);
    patches.stored.forEach((stored, index) => {
      found[index]!.forEach((value, channel) => {
        expect(Math.abs(value - stored[channel]!), `patch ${index}`).toBeLessThanOrEqual(2);
      });
    });
  });

  it('from sRGB without a profile to Display P3 look the same, and carry its profile', async () => {
    const colour: Triple = [200, 80, 30];
    const back = await decodePicture(await encode(flat(8, 8, colour), { profile: 'displayP3' }), 'x');
    const got = [...back.samples.subarray(0, 3)] as unknown as Triple;
    expect(colourDifference(lab('displayP3', got), lab('srgb', colour))).toBeLessThan(1);
    expect(back.profile).toMatch(/P3/);
  });

  it('leave pictures alone that need no conversion: no profile to sRGB, and grey', async () => {
    const plain = madePicture(20, 10, 3);
    expect((await encode(plain, { profile: 'srgb' })).equals(await encode(plain, {}))).toBe(true);
    const grey = await load('icc/gray_gamma.png');
    for (const profile of ['srgb', 'displayP3'] as const) {
      const back = await decodePicture(await encode(grey, { profile }), 'grey');
      expect(back.channels).toBe(1);
      expect(Buffer.from(back.iccProfile!).equals(Buffer.from(grey.iccProfile!))).toBe(true);
    }
  });

  it('keep alpha and 16 bits', async () => {
    const picture = { ...madePicture(16, 16, 4, 'u16'), iccProfile: (await load('icc/displayp3.png')).iccProfile };
    const back = await decodePicture(await encode(picture, { profile: 'srgb' }), 'x');
    expect(back.sampleType).toBe('u16');
    for (let index = 3; index < back.samples.length; index += 4)
      expect(back.samples[index]).toBe(picture.samples[index]);
  });

  it('in floating point are refused, with what to choose', async () => {
    const failure = await encode(madePicture(4, 4, 3, 'f32'), { format: 'tiff', profile: 'displayP3' }).then(
      String,
      failureOf,
    );
    expect(failure).toMatchObject({ code: 'unsupported', expected: '8 or 16 bits' });
  });
});

// ---- Size -----------------------------------------------------------------------------------------------------------

describe('another size', () => {
  it('is the largest that fits the box', async () => {
    const sizes = async (width: number, height: number) => {
      const back = await decodePicture(await encode(flat(60, 40, [9, 9, 9]), { resize: { width, height } }), 'x');
      return [back.width, back.height];
    };
    expect(await sizes(30, 30)).toEqual([30, 20]);
    expect(await sizes(300, 80)).toEqual([120, 80]);
    expect(await sizes(1, 1)).toEqual([1, 1]);
  });

  for (const channels of [1, 2, 3, 4])
    for (const sampleType of ['u8', 'u16', 'f32'] as const)
      it(`of a flat picture is flat: ${channels} channels, ${sampleType}`, async () => {
        const value = sampleType === 'f32' ? 0.4 : Math.round(0.4 * fullScale[sampleType]);
        const picture = { ...madePicture(50, 30, channels, sampleType) };
        picture.samples.fill(value);
        const back = await decodePicture(
          await encode(picture, { format: 'tiff', resize: { width: 20, height: 20 } }),
          'x',
        );
        expect([back.channels, back.sampleType, back.width]).toEqual([channels, sampleType, 20]);
        for (const sample of back.samples)
          expect(Math.abs(sample - value)).toBeLessThanOrEqual(sampleType === 'f32' ? 1e-5 : 1);
      });

  it('mixes light, not code values: a fine chequerboard becomes 188, not 128', async () => {
    const board = { ...madePicture(64, 64, 1) };
    board.samples.forEach((_, index) => {
      board.samples[index] = (index + Math.floor(index / 64)) % 2 === 0 ? 255 : 0;
    });
    const back = await decodePicture(await encode(board, { resize: { width: 8, height: 8 } }), 'x');
    expect(Math.abs(back.samples[4 * 8 + 4]! - 188)).toBeLessThanOrEqual(2);
  });

  it('lets no hidden colour out', async () => {
    const picture = flat(32, 32, [255, 0, 0, 255]);
    for (let index = 0; index < picture.samples.length; index += 4)
      if ((index / 4) % 32 < 16) picture.samples.set([0, 255, 0, 0], index);
    const back = await decodePicture(await encode(picture, { resize: { width: 12, height: 12 } }), 'x');
    for (let index = 0; index < back.samples.length; index += 4)
      if (back.samples[index + 3]! > 8) expect([...back.samples.subarray(index, index + 2)]).toEqual([255, 0]);
  });
});

// ---- Depth ----------------------------------------------------------------------------------------------------------

describe('8 bits from a smooth slope', () => {
  /** Five rows of a slope from 10 to 20 of 255, in floats. */
  const slope = Float32Array.from({ length: 2000 * 5 }, (_, index) => (10 + (10 * (index % 2000)) / 1999) / 255);
  const longestRun = (samples: ArrayLike<number>) => {
    let longest = 0;
    for (let start = 0; start < 2000; ) {
      let end = start;
      while (end < 2000 && samples[end] === samples[start]) end += 1;
      longest = Math.max(longest, end - start);
      start = end;
    }
    return longest;
  };

  it('shows bands without dither and none with it, at the same mean', () => {
    expect(longestRun(toDepth(slope, 'f32', 'u8'))).toBeGreaterThan(150);
    const result = dithered(slope, 'f32', 1);
    expect(longestRun(result)).toBeLessThan(100);
    let error = 0;
    result.forEach((value, index) => {
      error += value - slope[index]! * 255;
      expect(Math.abs(value - slope[index]! * 255)).toBeLessThan(1.51);
    });
    expect(Math.abs(error / result.length)).toBeLessThan(0.02);
  });

  it('leaves black, white and alpha as they are, and gives the same file each time', async () => {
    const picture = madePicture(40, 40, 4, 'u16');
    picture.samples.set([0, 65535, 0, 30000, 65535, 0, 65535, 30000]);
    const options = { dither: true, depth: 'u8' } as const;
    const back = await decodePicture(await encode(picture, options), 'x');
    expect([...back.samples.subarray(0, 8)]).toEqual([0, 255, 0, 117, 255, 0, 255, 117]);
    for (let index = 3; index < back.samples.length; index += 4)
      expect(back.samples[index]).toBe(Math.floor(picture.samples[index]! / 257 + 0.5));
    expect((await encode(picture, options)).equals(await encode(picture, options))).toBe(true);
  });

  it('comes in the depth that was asked for, where the format has it', async () => {
    const depthOf = async (change: Partial<ExportOptions>, sampleType: 'u8' | 'u16' | 'f32') =>
      (await decodePicture(await encode(madePicture(9, 9, 3, sampleType), change), 'x')).sampleType;
    expect(await depthOf({ depth: 'u16' }, 'u8')).toBe('u16');
    expect(await depthOf({ depth: 'u8' }, 'u16')).toBe('u8');
    expect(await depthOf({ depth: 'f32', format: 'tiff' }, 'u8')).toBe('f32');
    expect(await depthOf({ depth: 'u16', format: 'tiff' }, 'f32')).toBe('u16');
    expect(await depthOf({ depth: 'u16', format: 'jpeg' }, 'u16')).toBe('u8');
  });
});

// ---- Formats --------------------------------------------------------------------------------------------------------

describe('settings of the formats', () => {
  const read = async (change: Partial<ExportOptions>, picture = madePicture(64, 48, 3)) => {
    const file = await encode(picture, change);
    return { bytes: file.length, ...(await sharp(file).metadata()) };
  };

  it('JPEG: progressive or not, and its colour resolution', async () => {
    expect(await read({ format: 'jpeg' })).toMatchObject({ isProgressive: false, chromaSubsampling: '4:4:4' });
    expect(await read({ format: 'jpeg', progressive: true })).toMatchObject({ isProgressive: true });
    expect(await read({ format: 'jpeg', quality: 60 })).toMatchObject({ chromaSubsampling: '4:2:0' });
    expect(await read({ format: 'jpeg', quality: 60, chroma: '4:4:4' })).toMatchObject({ chromaSubsampling: '4:4:4' });
    expect(await read({ format: 'jpeg', chroma: '4:2:0' })).toMatchObject({ chromaSubsampling: '4:2:0' });
  });

  /** Tag 259 of the first directory, which libvips writes little-endian. */
  const compressionOf = (file: Buffer) => {
    const directory = file.readUInt32LE(4);
    for (let entry = directory + 2; entry < directory + 2 + 12 * file.readUInt16LE(directory); entry += 12)
      if (file.readUInt16LE(entry) === 259) return file.readUInt16LE(entry + 8);
    return null;
  };

  it('TIFF: every compression gives the samples back', async () => {
    for (const sampleType of ['u8', 'u16', 'f32'] as const) {
      const picture = madePicture(70, 90, 3, sampleType);
      for (const compression of ['deflate', 'lzw', 'none'] as const) {
        const file = await encode(picture, { format: 'tiff', compression });
        expect(compressionOf(file), sampleType).toBe({ none: 1, lzw: 5, deflate: 8 }[compression]);
        const back = await decodePicture(file, 'x');
        expect(
          Buffer.from(back.samples.buffer, back.samples.byteOffset, back.samples.byteLength).equals(
            Buffer.from(picture.samples.buffer),
          ),
          sampleType,
        ).toBe(true);
      }
    }
  });

  it('AVIF: smaller with less quality, close to the picture, and exact without loss', async () => {
    const photo = await load('jpeg/sub_444.jpg');
    const [low, high] = [
      await read({ format: 'avif', quality: 30 }, photo),
      await read({ format: 'avif', quality: 80 }, photo),
    ];
    expect(low).toMatchObject({ format: 'heif', width: photo.width });
    expect(low.bytes).toBeLessThan(high.bytes / 2);
    for (const channels of [3, 4]) {
      const picture = madePicture(33, 21, channels);
      const back = await decodePicture(await encode(picture, { format: 'avif', lossless: true }), 'x');
      expect(back.channels).toBe(channels);
      const worst = Math.max(...Array.from(back.samples, (value, index) => Math.abs(value - picture.samples[index]!)));
      expect(worst).toBeLessThanOrEqual(1);
    }
  });

  it('PFM: floats from the bottom up, grey or RGB, white where it is transparent', async () => {
    const grey = { ...madePicture(3, 2, 1, 'f32'), samples: Float32Array.of(0, 0.25, 0.5, 1, -1, 7) };
    const file = await encode(grey, { format: 'pfm' });
    expect(file.subarray(0, 12).toString('latin1')).toBe('Pf\n3 2\n-1.0\n');
    expect([0, 1, 2, 3, 4, 5].map((index) => file.readFloatLE(12 + 4 * index))).toEqual([1, -1, 7, 0, 0.25, 0.5]);
    const clear = { ...madePicture(1, 1, 4), samples: Uint8Array.of(51, 0, 255, 0) };
    const colour = await encode(clear, { format: 'pfm' });
    expect(colour.subarray(0, 2).toString('latin1')).toBe('PF');
    expect([0, 1, 2].map((index) => colour.readFloatLE(colour.length - 12 + 4 * index))).toEqual([1, 1, 1]);
  });
});
