// What is exported, as programs of others read it: ImageMagick, OpenCV and pngcheck see the samples that went in, and a colour
// engine of theirs sees the colours that the window shows. Where one of them is missing its tests are skipped.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportOptions, exportDepth, standardExport } from '../../../core/exportOptions';
import { tileSize } from '../../../core/pixelPort';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { directCodec } from '../../../main/codec/directCodec';
import { formatExtensions } from '../../../main/codec/exportFormat';
import { profileOf } from '../../../main/codec/pixelSteps';
import { type Engine, startEngine } from '../../../main/engine';
import { exportPicture } from '../../../main/export';
import { OpenPictures } from '../../../main/images';
import { readPictureFile } from '../../../main/pictureFile';
import { Renderer } from '../../../main/render';
import { ScreenColours } from '../../../main/screenColours';
import { colourDifference, labOf, type Triple } from '../../unit/main/cieLab';
import { fixturePath } from '../../unit/main/fixtures';
import { madePicture } from '../../unit/main/pictures';

const python = process.env.CONVOLVE_PYTHON ?? '/usr/bin/python3';
const runs = (program: string, ...words: readonly string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: 'pipe' });
    return true;
  } catch (thrown) {
    // pngcheck without a file ends with its help and an error of its own.
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    return !missing && program === 'pngcheck';
  }
};
const installed = {
  imageMagick: runs('convert', '-version'),
  openCv: runs(python, '-c', 'import cv2'),
  pngcheck: runs('pngcheck'),
};

let engine: Engine;
let folder: string;
beforeAll(async () => {
  engine = await startEngine();
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-readers-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The file of an export without filters. */
async function exported(picture: DecodedPicture, change: Partial<ExportOptions>): Promise<string> {
  const options = { ...standardExport, lossless: true, ...change };
  const pictures = new OpenPictures(engine);
  const info = await pictures.add(picture, { name: 'x', format: 'png', fileBytes: 0, folder: null });
  const target = path.join(folder, `out${formatExtensions[options.format][0]}`);
  const renderer = new Renderer(engine, () => 'cpu');
  await pictures.use(info.id, (open) => exportPicture({ renderer, codec: directCodec }, open, [], target, options));
  await pictures.close(info.id);
  return target;
}

const bytesOf = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
const maximum = { maxBuffer: 2 ** 28 };

/** Every alpha of 1 to 16 under every red, with colours that a premultiplied canvas could not hold. */
const faint: DecodedPicture = {
  ...madePicture(256, 16, 4),
  samples: Uint8Array.from({ length: 256 * 16 * 4 }, (_, index) => {
    const [x, y] = [Math.floor(index / 4) % 256, Math.floor(index / 4 / 256)];
    return [x, (x * 7 + 3) % 256, (x * 13 + y) % 256, y + 1][index % 4]!;
  }),
};
/** 4096 levels of 16 bits. */
const ramp: DecodedPicture = {
  ...madePicture(4096, 2, 1, 'u16'),
  samples: Uint16Array.from({ length: 4096 * 2 }, (_, index) => (index % 4096) * 16 + 5),
};

const cases: readonly (readonly [string, DecodedPicture, ExportOptions['format']])[] = [
  ['alpha 1 to 16', faint, 'png'],
  ['alpha 1 to 16', faint, 'tiff'],
  ['alpha 1 to 16', faint, 'webp'],
  ['4096 levels', ramp, 'png'],
  ['4096 levels', ramp, 'tiff'],
  ...(['png', 'tiff'] as const).flatMap((format) =>
    ([1, 3, 4] as const).flatMap((channels) =>
      (['u8', 'u16'] as const).map(
        (depth) => [`${channels} channels of ${depth}`, madePicture(37, 23, channels, depth), format] as const,
      ),
    ),
  ),
];

describe.skipIf(!installed.imageMagick)('as ImageMagick reads it (needs ImageMagick)', () => {
  for (const [what, picture, format] of cases)
    it(`${format}: ${what}`, async () => {
      // It takes a well compressed file for one with too little data.
      const file = await exported(picture, { format, compression: 'none' });
      const kind = ['gray', 'gray', 'rgb', 'rgba'][picture.channels - 1]!;
      const depth = picture.sampleType === 'u8' ? '8' : '16';
      const read = execFileSync('convert', [file, '-endian', 'LSB', '-depth', depth, `${kind}:-`], maximum);
      expect(read.equals(bytesOf(picture.samples))).toBe(true);
    });

  it('pfm and float tiff: values beyond black and white', async () => {
    const picture = await decodePicture(await readPictureFile(fixturePath('tiff/rgb32f_wide.tif')), 'wide');
    for (const format of ['pfm', 'tiff'] as const) {
      const file = await exported(picture, { format });
      const words = ['-endian', 'LSB', '-depth', '32', '-define', 'quantum:format=floating-point', 'rgb:-'];
      const read = execFileSync('convert', [file, ...words], maximum);
      const floats = new Float32Array(read.buffer.slice(read.byteOffset, read.byteOffset + read.length));
      expect(floats.length).toBe(picture.samples.length);
      // ImageMagick of 16 bits cuts what is beyond; within, it rounds to its own depth.
      for (const [index, value] of floats.entries())
        expect(Math.abs(value - Math.min(1, Math.max(0, picture.samples[index]!)))).toBeLessThan(1e-4);
    }
  });

  it('grey stays grey in every format that has it, whatever is asked of its colours', async () => {
    const picture = await decodePicture(await readPictureFile(fixturePath('icc/gray_gamma.png')), 'grey');
    for (const format of ['png', 'jpeg', 'tiff'] as const)
      for (const profile of ['keep', 'srgb', 'displayP3'] as const) {
        const file = await exported(picture, { format, profile });
        const space = execFileSync('identify', ['-format', '%[colorspace] %[icc:description]', file], {
          encoding: 'utf8',
        });
        expect(space, `${format} ${profile}`).toMatch(/^Gray/);
        expect(space, `${format} ${profile}`).not.toMatch(/RGB|P3/);
      }
  });
});

describe.skipIf(!installed.openCv)('as OpenCV reads it (needs OpenCV for Python)', () => {
  const script = `
import cv2, sys
image = cv2.imread(sys.argv[1], cv2.IMREAD_UNCHANGED)
if image.ndim == 3: image = cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA if image.shape[2] == 4 else cv2.COLOR_BGR2RGB)
sys.stdout.buffer.write(image.tobytes())`;
  const read = (file: string) => execFileSync(python, ['-c', script, file], maximum);

  // It multiplies the colours of TIFF by an alpha of 8 bits.
  const asStored = cases.filter(([, { channels, sampleType }, format]) => {
    return format !== 'tiff' || channels !== 4 || sampleType !== 'u8';
  });
  for (const [what, picture, format] of asStored)
    it(`${format}: ${what}`, async () => {
      const file = await exported(picture, { format });
      expect(read(file).equals(bytesOf(picture.samples))).toBe(true);
    });

  it('pfm and float tiff: values beyond black and white', async () => {
    const picture = await decodePicture(await readPictureFile(fixturePath('tiff/rgb32f_wide.tif')), 'wide');
    for (const format of ['pfm', 'tiff'] as const)
      expect(read(await exported(picture, { format })).equals(bytesOf(picture.samples)), format).toBe(true);
  });
});

describe.skipIf(!installed.pngcheck)('as pngcheck reads it (needs pngcheck)', () => {
  for (const channels of [1, 2, 3, 4])
    for (const depth of ['u8', 'u16'] as const)
      it(`png: ${channels} channels of ${depth}, with a profile and metadata`, async () => {
        const photo = await decodePicture(await readPictureFile(fixturePath('exif/F_orient6_thumb.jpg')), 'photo');
        const { iccProfile } = await decodePicture(await readPictureFile(fixturePath('icc/displayp3.png')), 'p3');
        const picture = { ...madePicture(37, 23, channels, depth), metadata: photo.metadata };
        const file = await exported(channels >= 3 ? { ...picture, iccProfile } : picture, { receipt: 'none' });
        expect(execFileSync('pngcheck', ['-v', file], { encoding: 'utf8' })).toContain('No errors detected');
      });
});

describe.skipIf(!installed.imageMagick)('the colours of an export (needs ImageMagick)', () => {
  const whole = { x: 0, y: 0, width: 64, height: 48 };
  expect(tileSize).toBeGreaterThan(64);

  for (const file of ['displayp3.png', 'adobergb.png', 'rec2020.png', 'prophoto.tif', 'swapped_red_blue.png'])
    for (const screen of ['srgb', 'displayP3'] as const)
      it(`${file} on a screen of ${screen}: ΔE below 1 to what ImageMagick makes of the file`, async () => {
        const picture = await decodePicture(await readPictureFile(fixturePath(`icc/${file}`)), file);
        const written = await exported(picture, { format: 'tiff' });
        const target = path.join(folder, `${screen}.icc`);
        await writeFile(target, await profileOf(screen));
        const words = ['-intent', 'relative', '-profile', target, '-endian', 'LSB', '-depth', '16', 'rgb:-'];
        const read = execFileSync('convert', [written, ...words], maximum);
        const others = new Uint16Array(read.buffer.slice(read.byteOffset, read.byteOffset + read.length));

        const pictures = new OpenPictures(engine);
        const info = await pictures.add(picture, { name: 'x', format: 'png', fileBytes: 0, folder: null });
        const renderer = new Renderer(engine, () => 'cpu');
        const pixels = new Uint8Array(64 * 48 * 3);
        await pictures.use(info.id, async (open) =>
          renderer.run(await renderer.prepare(open, []), { region: whole, level: 0 }, pixels),
        );
        const common = {
          kind: 'tiles',
          sequence: 1,
          layer: 'result',
          quality: 'exact',
          level: 0,
          channels: 3,
        } as const;
        const tile = await new ScreenColours(directCodec).shown(
          { ...common, rectangle: whole, pixels },
          picture.iccProfile!,
          screen,
        );
        await pictures.close(info.id);
        let checked = 0;
        let most = 0;
        for (let pixel = 0; pixel < others.length; pixel += 3) {
          const theirs = [0, 1, 2].map((channel) => others[pixel + channel]! / 65535) as unknown as Triple;
          // Beyond the gamut both cut, each in its own way; near its edge ImageMagick's table of 16 bits is up to two levels
          // off what it should be.
          if (theirs.some((value) => value < 0.08 || value > 0.996)) continue;
          const ours = [0, 1, 2].map((channel) => tile.pixels[pixel + channel]! / 255) as unknown as Triple;
          most = Math.max(most, colourDifference(labOf(tile.space ?? 'srgb', ours), labOf(screen, theirs)));
          checked += 1;
        }
        expect(checked).toBeGreaterThan(500);
        expect(most).toBeLessThan(1);
      });
});

describe('an export of every depth and alpha', () => {
  for (const channels of [1, 2, 3, 4])
    for (const depth of ['u8', 'u16', 'f32'] as const)
      for (const format of ['png', 'tiff', 'webp'] as const) {
        const picture = madePicture(64, 33, channels, depth);
        if (exportDepth({ format, depth: 'same' }, depth) !== depth || (format === 'webp' && channels < 3)) continue;
        it(`${channels} channels of ${depth} as ${format} gives every sample back`, async () => {
          const read = await decodePicture(await readFile(await exported(picture, { format })), 'back');
          expect(bytesOf(read.samples).equals(bytesOf(picture.samples))).toBe(true);
        });
      }
});
