// Metadata that is longer than a segment of a JPEG file, and resolutions that differ across and down, as exiftool sees them:
// nothing goes without a word.

import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLosses } from '../../../core/exportLosses';
import { type ExportFormat, standardExport } from '../../../core/exportOptions';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { insertMetadata } from '../../../main/codec/insertMetadata';
import { noMetadata } from '../../../main/codec/metadata';
import { software } from '../../../main/version';
import { fixturePath } from '../../unit/main/fixtures';
import { exported, hasExiftool, type Tags, tagsOf, writeTags } from './exiftool';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-long-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of a fixture in the folder. */
async function source(fixture: string, name: string): Promise<string> {
  const file = path.join(folder, name);
  await copyFile(fixturePath(fixture), file);
  return file;
}
/** A text file of so many letters. */
async function text(letters: number): Promise<string> {
  const file = path.join(folder, `${letters}.txt`);
  await writeFile(file, Array.from({ length: letters }, (_, index) => String.fromCharCode(97 + (index % 26))).join(''));
  return file;
}
async function exportTo(file: string, name: string, format: ExportFormat): Promise<Tags> {
  const target = path.join(folder, name);
  await writeFile(target, await exported(file, { format }));
  return tagsOf([target]).get(target) ?? {};
}
const open = async (file: string): Promise<DecodedPicture> => decodePicture(await readFile(file), path.basename(file));
const tagsIn = (file: string): Tags => tagsOf([file]).get(file) ?? {};
const lossesIn = (picture: DecodedPicture, format: ExportFormat) =>
  exportLosses({ ...picture, carries: { ...picture.carries, profile: 0 } }, { ...standardExport, format });

describe.skipIf(!hasExiftool)('metadata longer than a JPEG segment, as exiftool sees it (needs exiftool)', () => {
  it('XMP goes into an extension, which others join, and so does this program', async () => {
    const file = await source('png/rgb8.png', 'long.png');
    writeTags([file], '-XMP-dc:Title=short', '-XMP-xmp:Rating=4', `-XMP-photoshop:History<=${await text(300_000)}`);
    const tags = await exportTo(file, 'long.jpg', 'jpeg');
    expect(String(tags['XMP-photoshop:History'])).toHaveLength(300_000);
    expect(tags).toMatchObject({ 'XMP-dc:Title': 'short', 'XMP-xmp:Rating': 4 });
    expect(tags['ExifTool:Warning']).toBeUndefined();
    // What fits stays where every reader looks.
    const whole = await readFile(path.join(folder, 'long.jpg'));
    expect(whole.indexOf('dc:title')).toBeLessThan(whole.indexOf('http://ns.adobe.com/xmp/extension/'));
    const again = await exportTo(path.join(folder, 'long.jpg'), 'again.png', 'png');
    expect(again['XMP-photoshop:History']).toBe(tags['XMP-photoshop:History']);
    expect(again['XMP-dc:Title']).toBe('short');
    expect(again['XMP-xmpNote:HasExtendedXMP']).toBeUndefined();
    expect(lossesIn(await open(file), 'jpeg')).toEqual([]);
  });

  it('the extension that another program wrote is read whole', async () => {
    const file = await source('photos/rocket_640x427.jpg', 'other.jpg');
    writeTags([file], '-XMP-dc:Title=short', `-XMP-photoshop:History<=${await text(200_000)}`);
    expect((await readFile(file)).includes('http://ns.adobe.com/xmp/extension/')).toBe(true);
    for (const format of ['png', 'webp', 'jpeg'] as const) {
      const tags = await exportTo(file, `other-out.${format}`, format);
      expect(String(tags['XMP-photoshop:History']), format).toHaveLength(200_000);
      expect(tags['XMP-dc:Title'], format).toBe('short');
    }
  });

  it('EXIF just below the limit keeps all it says', async () => {
    const file = await source('photos/rocket_640x427.jpg', 'full.jpg');
    writeTags([file], '-Make=Example', '-Model=Photo', '-FNumber=5.6', `-ExifIFD:UserComment<=${await text(65_100)}`);
    const before = tagsIn(file);
    const { metadata } = await open(file);
    expect(metadata.exif?.length).toBeGreaterThan(65_200);
    // Fills the block up to the last byte but a few.
    writeTags([file], `-ImageDescription=${'d'.repeat(65_500 - (metadata.exif?.length ?? 0))}`);
    const fuller = await open(file);
    expect(fuller.metadata.exif?.length).toBeGreaterThan(65_450);
    const tags = await exportTo(file, 'full-out.jpg', 'jpeg');
    for (const name of ['IFD0:Make', 'IFD0:Model', 'ExifIFD:FNumber', 'ExifIFD:UserComment'])
      expect(tags[name], name).toEqual(before[name]);
    expect(String(tags['IFD0:ImageDescription'])).toMatch(/^d+$/);
    expect(lossesIn(fuller, 'jpeg')).toEqual([]);
  });

  it('EXIF above the limit loses its longest values, which is said; the rest is kept', async () => {
    const file = await source('png/rgb8.png', 'over.png');
    writeTags([file], '-Make=Example', '-Model=Photo', '-FNumber=5.6', `-ExifIFD:UserComment<=${await text(90_000)}`);
    const tags = await exportTo(file, 'over.jpg', 'jpeg');
    expect(tags).toMatchObject({ 'IFD0:Make': 'Example', 'ExifIFD:FNumber': 5.6, 'IFD0:Software': software });
    expect(tags['ExifIFD:UserComment']).toBeUndefined();
    expect(tags['ExifTool:Warning']).toBeUndefined();
    expect(lossesIn(await open(file), 'jpeg')).toEqual([{ kind: 'exifPart', part: 'withoutLongest' }]);
    expect(lossesIn(await open(file), 'webp')).toEqual([]);
    expect(String((await exportTo(file, 'over.webp', 'webp'))['ExifIFD:UserComment'])).toHaveLength(90_000);
  });

  it('IPTC takes several segments, which others join, and so does this program', async () => {
    const keyword = (index: number) => Buffer.from(`keyword number ${String(index).padStart(5, '0')}`);
    const records = Buffer.concat(
      Array.from({ length: 4000 }, (_, index) =>
        Buffer.concat([Uint8Array.of(0x1c, 2, 25, 0, keyword(index).length), keyword(index)]),
      ),
    );
    const plain = await readFile(fixturePath('photos/rocket_640x427.jpg'));
    const size = { width: 640, height: 427 };
    const file = path.join(folder, 'keywords.jpg');
    await writeFile(file, Buffer.concat(insertMetadata('jpeg', plain, { ...noMetadata, iptc: records }, size, false)));
    expect(records.length).toBe(100_000);
    expect(tagsIn(file)['IPTC:Keywords']).toHaveLength(4000);
    expect((await exportTo(file, 'keywords-out.jpg', 'jpeg'))['IPTC:Keywords']).toHaveLength(4000);
    expect((await exportTo(file, 'keywords-out.tif', 'tiff'))['IPTC:Keywords']).toHaveLength(4000);
  });
});

describe.skipIf(!hasExiftool)('a resolution, as exiftool sees it (needs exiftool)', () => {
  const inches = { x: 300, y: 150.5, unit: 2 };
  const said = (tags: Tags, format: ExportFormat): readonly unknown[] => {
    if (format === 'jpeg') return [tags['JFIF:XResolution'], tags['JFIF:YResolution'], tags['JFIF:ResolutionUnit']];
    if (format === 'png')
      return [tags['PNG-pHYs:PixelsPerUnitX'], tags['PNG-pHYs:PixelsPerUnitY'], tags['PNG-pHYs:PixelUnits']];
    return [tags['IFD0:XResolution'], tags['IFD0:YResolution'], tags['IFD0:ResolutionUnit']];
  };
  const formats = ['jpeg', 'png', 'tiff', 'webp', 'avif'] as const;

  it('that differs across and down stays so in every format', async () => {
    const file = await source('tiff/rgb8_strips.tif', 'wide.tif');
    writeTags([file], `-XResolution=${inches.x}`, `-YResolution=${inches.y}`, '-ResolutionUnit=inches');
    for (const format of formats) {
      const expected = { jpeg: [300, 151, 1], png: [11811, 5925, 1], tiff: [300, 150.5, 2] };
      const tags = await exportTo(file, `wide-out.${format}`, format);
      const there = format === 'webp' || format === 'avif' ? expected.tiff : expected[format];
      expect(said(tags, format), format).toEqual(there);
      const back = await open(path.join(folder, `wide-out.${format}`));
      if (format === 'tiff' || format === 'webp' || format === 'avif')
        expect(back.metadata.resolution, format).toEqual({ x: 300, y: 150.5, per: 'inch' });
    }
  });

  it('keeps its unit where the format has it, and the number that was meant where it has not', async () => {
    const png = await source('png/rgb8.png', 'metre.png');
    writeTags([png], '-PNG-pHYs:PixelsPerUnitX=11811', '-PNG-pHYs:PixelsPerUnitY=2835', '-PNG-pHYs:PixelUnits=meters');
    expect(said(await exportTo(png, 'metre-out.png', 'png'), 'png')).toEqual([11811, 2835, 1]);
    expect(said(await exportTo(png, 'metre.tif', 'tiff'), 'tiff')).toEqual([300, 72, 2]);
    expect(said(await exportTo(png, 'metre.jpg', 'jpeg'), 'jpeg')).toEqual([300, 72, 1]);
    expect(said(await exportTo(png, 'metre.webp', 'webp'), 'webp')).toEqual([300, 72, 2]);
    const jpeg = await source('photos/rocket_640x427.jpg', 'centimetre.jpg');
    const units = ['-JFIF:XResolution=118', '-JFIF:YResolution=59', '-JFIF:ResolutionUnit=cm'];
    writeTags([jpeg], ...units);
    expect(said(await exportTo(jpeg, 'centimetre-out.jpg', 'jpeg'), 'jpeg')).toEqual([118, 59, 2]);
    expect(said(await exportTo(jpeg, 'centimetre.tif', 'tiff'), 'tiff')).toEqual([118, 59, 3]);
  });

  it('of no unit, the shape of the pixels, is kept too', async () => {
    const png = await source('png/rgb8.png', 'shape.png');
    writeTags([png], '-PNG-pHYs:PixelsPerUnitX=2', '-PNG-pHYs:PixelsPerUnitY=1', '-PNG-pHYs:PixelUnits=unknown');
    expect(said(await exportTo(png, 'shape-out.png', 'png'), 'png')).toEqual([2, 1, 0]);
    expect(said(await exportTo(png, 'shape.jpg', 'jpeg'), 'jpeg')).toEqual([2, 1, 0]);
    expect(said(await exportTo(png, 'shape.tif', 'tiff'), 'tiff')).toEqual([2, 1, 1]);
  });
});
