// What decoding promises beyond "it opens": orientation once, depth and numbers kept, warnings that tell, refusals from the
// header alone.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { createTiffContainer } from '../../../core/tiffContainer';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { headerSize } from '../../../main/codec/headerSize';
import { type DecodeLimits, defaultLimits } from '../../../main/codec/limits';
import { OpenPictures } from '../../../main/images';
import { readPictureFile } from '../../../main/pictureFile';
import { FakeEngine } from './fakeEngine';
import { fixturePath, fixtures } from './fixtures';

const decode = async (file: string, limits?: DecodeLimits): Promise<DecodedPicture> =>
  decodePicture(await readPictureFile(fixturePath(file)), path.basename(file), limits);

async function failureFrom(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof ConvolveError) return outcome.failure;
  throw new Error(`expected a ConvolveError, got ${String(outcome)}`);
}

const largest = (samples: Iterable<number>) => {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of samples) most = Math.max(most, value);
  return most;
};
const smallest = (samples: Iterable<number>) => {
  let least = Number.POSITIVE_INFINITY;
  for (const value of samples) least = Math.min(least, value);
  return least;
};
/** Absolute differences of two pictures' samples. */
const differences = (a: DecodedPicture, b: DecodedPicture) =>
  Array.from(a.samples, (value, index) => Math.abs(value - b.samples[index]!));

describe('orientation', () => {
  const upright = decode('exif/F_upright.png');
  const sameWay = fixtures.map((fixture) => fixture.file).filter((file) => /^exif\/F_(orient|irot)/.test(file));

  it('has its fixtures', () => expect(sameWay.length).toBeGreaterThanOrEqual(16));
  for (const file of sameWay)
    it(`is applied exactly once to ${file}`, async () => {
      const picture = await decode(file);
      const truth = await upright;
      expect([picture.width, picture.height]).toEqual([truth.width, truth.height]);
      expect(largest(differences(picture, truth))).toBeLessThanOrEqual(file.endsWith('.avif') ? 6 : 3);
    });

  it('is left alone where the EXIF block is broken', async () => {
    const picture = await decode('exif/F_bad_exif_offset.jpg');
    expect([picture.width, picture.height]).toEqual([64, 96]);
  });
});

describe('numbers', () => {
  it('know what an export can carry over, so that nobody reads their EXIF again to be told', async () => {
    const decoded = await decode('exif/F_orient6_thumb.jpg');
    expect(decoded.carries).toMatchObject({ exif: expect.any(Number), exifInJpeg: 'whole', profile: 0 });
    expect(decoded.carries.exif).toBeGreaterThan(0);
    const carries = { ...decoded.carries, exif: 12 };
    const pictures = new OpenPictures(new FakeEngine());
    const info = await pictures.add({ ...decoded, carries }, { name: '', format: '', fileBytes: 0, folder: null });
    expect(info.carries).toBe(carries);
  });

  it('keep their depth', async () => {
    const types = await Promise.all(
      ['png/rgb8.png', 'png/rgb16.png', 'png/gray16.png', 'tiff/rgb32f_wide.tif', 'tiff/gray32f_0to1.tif'].map(
        async (file) => (await decode(file)).sampleType,
      ),
    );
    expect(types).toEqual(['u8', 'u16', 'u16', 'f32', 'f32']);
  });

  it('keep values beyond 0 to 1 in float files', async () => {
    const { samples } = await decode('tiff/rgb32f_wide.tif');
    expect(largest(samples)).toBeCloseTo(2, 5);
    expect(smallest(samples)).toBeCloseTo(-0.5, 5);
  });

  it('keep the colours under alpha 0', async () => {
    const { samples } = await decode('png/hidden_colors.png');
    let hidden = 0;
    for (let index = 0; index < samples.length; index += 4)
      if (samples[index + 3] === 0 && (samples[index]! > 0 || samples[index + 1]! > 0)) hidden += 1;
    expect(hidden).toBeGreaterThan(100);
  });

  it('replace what is no number, and say so', async () => {
    const picture = await decode('tiff/rgb32f_nan_inf.tif');
    expect(Array.from(picture.samples).every(Number.isFinite)).toBe(true);
    expect(picture.warnings).toEqual([{ kind: 'samplesReplaced', count: 9 }]);
  });

  it('reach full scale from 10 bits', async () => {
    const { samples, sampleType } = await decode('avif/photo_10bit_444.avif');
    expect(sampleType).toBe('u16');
    expect(largest(samples)).toBe(65535);
  });

  it('of grey stay grey, with and without alpha', async () => {
    const channels = await Promise.all(
      ['png/gray8.png', 'png/grayalpha8.png', 'png/gray16.png', 'png/grayalpha16.png', 'jpeg/gray.jpg'].map(
        async (file) => (await decode(file)).channels,
      ),
    );
    expect(channels).toEqual([1, 2, 1, 2, 1]);
  });

  for (const file of [
    'jpeg/cmyk_adobe_inverted.jpg',
    'jpeg/ycck_adobe_inverted.jpg',
    'jpeg/cmyk_icc.jpg',
    'tiff/cmyk8.tif',
  ])
    it(`of CMYK become the colours of the RGB original: ${file}`, async () => {
      const original = await decode('jpeg/sub_444.jpg');
      const picture = await decode(file);
      expect(picture.channels).toBe(3);
      const apart = differences(picture, original);
      const difference = apart.reduce((sum, value) => sum + value, 0) / apart.length;
      // A negative picture would differ by far more.
      expect(difference).toBeLessThan(40);
      expect(picture.warnings).toEqual([{ kind: 'convertedFromCmyk' }]);
      expect([picture.profile, picture.iccProfile]).toEqual(['sRGB', null]);
    });
});

describe('colour profiles', () => {
  it('are named and kept, the numbers untouched', async () => {
    expect(await decode('icc/displayp3.png')).toMatchObject({ profile: 'sP3' });
    expect((await decode('icc/big_profile_3chunks.jpg')).iccProfile?.length).toBe(150504);
    expect(await decode('icc/gray_gamma.png')).toMatchObject({ channels: 1 });
    expect((await decode('icc/gray_gamma.png')).iccProfile).not.toBeNull();
  });

  for (const file of ['icc/garbage_profile.jpg', 'icc/cmyk_profile_on_rgb.jpg', 'icc/iccp_bomb.png', 'png/rgb8.png'])
    it(`are ignored where they do not fit: ${file}`, async () => {
      const picture = await decode(file);
      expect([picture.profile, picture.iccProfile]).toEqual(['sRGB', null]);
    });
});

describe('warnings', () => {
  for (const file of [
    'corrupt/truncated_50.jpg',
    'corrupt/truncated_50_progressive.jpg',
    'corrupt/truncated_50.png',
    'corrupt/tiff_truncated.tif',
    'corrupt/bad_crc_idat.png',
  ])
    it(`tell that ${file} is not whole`, async () => {
      expect((await decode(file)).warnings).toEqual([{ kind: 'notWhole' }]);
    });

  it('tell of further pages and frames', async () => {
    expect((await decode('tiff/multipage_3.tif')).warnings).toEqual([{ kind: 'onePageOnly', page: 1, pages: 3 }]);
    expect((await decode('gif/animated.gif')).warnings).toEqual([{ kind: 'onePageOnly', page: 1, pages: 4 }]);
  });

  it('opens the page or frame that is asked for, and says which there are', async () => {
    const sizes: (readonly [number, number])[] = [];
    for (const page of [1, 2, 3]) {
      const bytes = await readPictureFile(fixturePath('tiff/multipage_3.tif'));
      const { width, height, warnings } = await decodePicture(bytes, 'm.tif', defaultLimits, page);
      sizes.push([width, height]);
      expect(warnings).toEqual([{ kind: 'onePageOnly', page, pages: 3 }]);
    }
    expect(sizes).toEqual([
      [64, 48],
      [32, 80],
      [100, 20],
    ]);
    const frame = async (file: string, page: number) => {
      const bytes = await readPictureFile(fixturePath(file));
      return Buffer.from((await decodePicture(bytes, 'f', defaultLimits, page)).samples.buffer);
    };
    for (const file of ['gif/animated.gif', 'webp/animated.webp'])
      expect((await frame(file, 1)).equals(await frame(file, 3)), file).toBe(false);
    await expect(frame('gif/animated.gif', 5)).rejects.toMatchObject({ failure: { expected: 'a page of 1…4' } });
    await expect(frame('png/rgb8.png', 2)).rejects.toMatchObject({ failure: { expected: 'page 1, its only one' } });
  });

  for (const file of [
    'photos/rocket_640x427.jpg',
    'jpeg/trailing_garbage.jpg',
    'png/chunks.png',
    'tiff/rgb8_strips.tif',
  ])
    it(`stay away from ${file}`, async () => expect((await decode(file)).warnings).toEqual([]));

  it('do not stand in for a picture of which nothing could be read', async () => {
    expect(await failureFrom(decode('corrupt/bad_zlib.png'))).toEqual({ code: 'fileDamaged', subject: 'bad_zlib.png' });
  });
});

describe('refusals', () => {
  for (const file of [
    'corrupt/bomb_2147483647.png',
    'corrupt/bomb_100000x100000.png',
    'corrupt/bomb_valid_30000x30000.png',
    'corrupt/bomb_65500x65500.jpg',
    'corrupt/bomb_16383x16383.webp',
    'corrupt/bomb_1000000x1000000.tif',
  ])
    it(`come from the header alone for ${file}`, async () => {
      const before = process.memoryUsage().rss;
      const failure = await failureFrom(decode(file));
      expect(failure).toMatchObject({ code: 'imageTooLarge', subject: path.basename(file) });
      expect(failure.expected).toBe('at most 250 megapixels');
      expect(failure.actual).toMatch(/^\d+ × \d+ pixels, which need .* GB of memory$/);
      expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    });

  it('come for a PNG that claims 65536 × 65536, and for floats of 32000 × 18000, with the memory they need', async () => {
    const forged = new Uint8Array(await readPictureFile(fixturePath('png/rgb8.png')));
    const header = new DataView(forged.buffer, forged.byteOffset);
    header.setUint32(16, 65536);
    header.setUint32(20, 65536);
    expect(await failureFrom(decodePicture(forged, 'forged.png'))).toMatchObject({
      code: 'imageTooLarge',
      actual: '65536 × 65536 pixels, which need 52 GB of memory',
    });
    const floats = new Uint8Array(await readPictureFile(fixturePath('tiff/gray32f_0to1.tif')));
    const view = new DataView(floats.buffer, floats.byteOffset);
    const directory = view.getUint32(4, true);
    for (let entry = 0; entry < view.getUint16(directory, true); entry += 1) {
      const place = directory + 2 + 12 * entry;
      const tag = view.getUint16(place, true);
      if (tag !== 256 && tag !== 257) continue;
      view.setUint16(place + 2, 4, true);
      view.setUint32(place + 8, tag === 256 ? 32000 : 18000, true);
    }
    expect(await failureFrom(decodePicture(floats, 'floats.tif'))).toMatchObject({
      code: 'imageTooLarge',
      actual: '32000 × 18000 pixels, which need 6.9 GB of memory',
    });
  });

  it('need no decoder for PNG and WebP, whose sizes are read here', async () => {
    const sizes = await Promise.all(
      ['photos/chelsea_451x300.png', 'webp/lossy_photo.webp', 'webp/lossless_photo.webp', 'webp/lossy_alpha.webp'].map(
        async (file) => {
          const bytes = await readPictureFile(fixturePath(file));
          return headerSize(bytes, file.endsWith('png') ? 'png' : 'webp');
        },
      ),
    );
    expect(sizes).toEqual([
      { width: 451, height: 300 },
      { width: 640, height: 427 },
      { width: 320, height: 217 },
      { width: 64, height: 64 },
    ]);
  });

  it('name the memory that a picture would need', async () => {
    const limits = { ...defaultLimits, memoryBytes: 1e6 };
    const failure = await failureFrom(decode('photos/rocket_640x427.jpg', limits));
    expect(failure).toMatchObject({ code: 'imageTooLarge', expected: 'at most 1 MB of memory' });
    expect(failure.actual).toBe('640 × 427 pixels, which need 3 MB of memory');
  });

  const named: readonly (readonly [string, string])[] = [
    ['other/vector.svg', 'SVG'],
    ['other/external.svg', 'SVG'],
    ['other/photo.heic', 'HEIC'],
    ['other/photo.jxl', 'JPEG XL'],
    ['other/photo.jp2', 'JPEG 2000'],
    ['other/rgb24.bmp', 'BMP'],
    ['other/radiance.hdr', 'Radiance HDR'],
    ['other/icon.ico', 'Windows icon'],
    ['jpeg/monkey12.jpg', '12-bit JPEG'],
    ['tiff/gray64f.tif', 'TIFF samples of more than 32 bits'],
    ['tiff/gray16_signed.tif', 'signed 16-bit samples'],
  ];
  for (const [file, title] of named)
    it(`say that ${file} is ${title}`, async () => {
      expect(await failureFrom(decode(file))).toMatchObject({ code: 'formatUnsupported', actual: title });
    });

  for (const file of ['corrupt/text_named.png', 'corrupt/html_named.jpg', 'png/pngsuite/xs1n0g01.png'])
    it(`say that ${file} is not a picture`, async () => {
      expect(await failureFrom(decode(file))).toEqual({ code: 'fileNotAnImage', subject: path.basename(file) });
    });
});

describe('32-bit integers', () => {
  it('become shares of full scale, in grey and in colour, and that is said', async () => {
    const grey = await decode('tiff/gray32u.tif');
    expect(grey).toMatchObject({ channels: 1, sampleType: 'f32', warnings: [{ kind: 'convertedFromIntegers' }] });
    expect(grey.samples[1]).toBeCloseTo(80581767 / (2 ** 32 - 1), 7);
    const numbers = [0, 1, 2 ** 31, 2 ** 32 - 1, 77, 2 ** 24, 2 ** 32 - 2, 5, 6, 7, 8, 9];
    for (const channels of [3, 4]) {
      const container = createTiffContainer({ width: 12 / channels, height: 1 }, channels, 'f32', {
        profile: null,
      });
      // The container of floats, said to be of integers.
      const view = new DataView(container.bytes.buffer);
      const entries = view.getUint16(8, true);
      for (let entry = 0; entry < entries; entry += 1)
        if (view.getUint16(10 + 12 * entry, true) === 339) {
          const place = view.getUint32(10 + 12 * entry + 8, true);
          for (let channel = 0; channel < channels; channel += 1) view.setUint16(place + 2 * channel, 1, true);
        }
      numbers.forEach((number, index) => {
        view.setUint32(container.bytes.length - 48 + 4 * index, number, true);
      });
      const picture = await decodePicture(container.bytes, 'integers.tif');
      expect(picture, `${channels}`).toMatchObject({ channels, sampleType: 'f32' });
      expect([...picture.samples]).toEqual(numbers.map((number) => Math.fround(number / (2 ** 32 - 1))));
    }
  });
});

describe('reading the file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-read-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('names a missing file, a folder, an empty file and a device', async () => {
    await writeFile(path.join(folder, 'empty.png'), '');
    const failures = [
      await failureFrom(readPictureFile(path.join(folder, 'gone.png'))),
      await failureFrom(readPictureFile(path.join(folder, 'empty.png', 'below.png'))),
      await failureFrom(readPictureFile(fixturePath('corrupt/folder_named.png'))),
      await failureFrom(readPictureFile(path.join(folder, 'empty.png'))),
    ];
    expect(failures).toEqual([
      { code: 'fileNotFound', subject: 'gone.png' },
      { code: 'fileNotFound', subject: 'below.png' },
      { code: 'fileIsFolder', subject: 'folder_named.png' },
      { code: 'fileEmpty', subject: 'empty.png' },
    ]);
    if (process.platform !== 'win32')
      expect(await failureFrom(readPictureFile('/dev/zero'))).toMatchObject({
        code: 'fileUnreadable',
        subject: 'zero',
      });
  });
});
