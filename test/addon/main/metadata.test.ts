// Metadata through an export, as exiftool sees it: what was in the source is in the result, but for a stated list; and none
// of it where the person wants none.

import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportFormat, metadataChoices } from '../../../core/exportOptions';
import { software } from '../../../main/version';
import { fixturePath } from '../../unit/main/fixtures';
import { exported, hasExiftool, type Tags, tagsOf, writeTags } from './exiftool';

/** What people write into photos, the awkward included. */
const written = [
  '-Make=Example',
  '-Model=Photo #4',
  '-ImageDescription=Photo #4 – naïve 写真',
  '-Artist=A. Person',
  '-Copyright=© 2026 A. Person',
  '-DateTimeOriginal=2026:01:02 03:04:05',
  '-ExposureTime=1/250',
  '-FNumber=5.6',
  '-ISO=200',
  '-GPSLatitude=48.2',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=16.37',
  '-GPSLongitudeRef=E',
  '-ExifIFD:UserComment=a comment',
  '-XMP-dc:Title=Title – 题',
  '-XMP-dc:Subject=one',
  '-XMP-dc:Subject=two',
  '-XMP-xmp:Rating=4',
  '-XMP-tiff:Orientation#=6',
  '-XMP-exif:ExifImageWidth=64',
  '-IPTC:Keywords=first',
  '-IPTC:Keywords=second',
  '-IPTC:City=Vienna',
  '-XResolution=300',
  '-YResolution=300',
  '-ResolutionUnit=inches',
  '-JFIF:XResolution=300',
  '-JFIF:YResolution=300',
  '-JFIF:ResolutionUnit=inches',
  '-PNG-pHYs:PixelsPerUnitX=11811',
  '-PNG-pHYs:PixelsPerUnitY=11811',
  '-PNG-pHYs:PixelUnits=meters',
];

/** What an export changes: how the file is made, its size and orientation, and the program that wrote it. */
const changed =
  /^(File:|QuickTime:|Meta:|JFIF:|PNG:|PNG-pHYs:|RIFF:|ICC|Photoshop:|IFD1:|IFD0:(Software|Orientation|ImageWidth|ImageHeight|BitsPerSample|Compression|PhotometricInterpretation|Strip|RowsPerStrip|Tile|SamplesPerPixel|PlanarConfiguration|Predictor|SampleFormat|XResolution|YResolution|ResolutionUnit|FillOrder|ExtraSamples|YCbCrPositioning|Page|SubfileType)|ExifIFD:ExifImage(Width|Height)|XMP-tiff:(Orientation|ImageWidth|ImageHeight)|XMP-exif:ExifImage(Width|Height)|XMP-x:|InteropIFD:)/;
const kept = (tags: Tags) => Object.fromEntries(Object.entries(tags).filter(([name]) => !changed.test(name)));

const fixturesOf = [
  'exif/F_orient6_thumb.jpg',
  'png/rgb8.png',
  'tiff/rgb16_bigendian_tiled.tif',
  'tiff/rgb8_strips.tif',
];
const formats = ['jpeg', 'png', 'tiff', 'webp', 'avif'] as const satisfies readonly ExportFormat[];

describe.skipIf(!hasExiftool)('as exiftool sees it (needs exiftool)', () => {
  let folder: string;
  let tags: ReadonlyMap<string, Tags>;
  const nameOf = (fixture: string, kind: string, format: string) =>
    path.join(folder, `${path.basename(fixture)}-${kind}.${format}`);
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-metadata-'));
    const files: string[] = [];
    for (const fixture of fixturesOf) {
      const source = path.join(folder, path.basename(fixture));
      await copyFile(fixturePath(fixture), source);
      files.push(source);
    }
    writeTags(files, ...written);
    for (const fixture of fixturesOf)
      for (const format of formats)
        for (const metadata of metadataChoices) {
          const target = nameOf(fixture, metadata, format);
          await writeFile(target, await exported(path.join(folder, path.basename(fixture)), { format, metadata }));
          files.push(target);
        }
    tags = tagsOf(files);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));
  const read = (file: string): Tags => tags.get(path.resolve(file)) ?? {};

  for (const fixture of fixturesOf) {
    for (const format of formats)
      it(`what ${fixture} says is in its ${format}, and is read without a warning`, () => {
        const result = read(nameOf(fixture, 'keep', format));
        const before = kept(read(path.join(folder, path.basename(fixture))));
        expect(Object.keys(before).length).toBeGreaterThan(20);
        const noPlace = format === 'webp' || format === 'avif';
        const expected = Object.entries(before).filter(([name]) => !noPlace || !name.startsWith('IPTC:'));
        expect(kept(result)).toEqual(Object.fromEntries(expected));
        expect(result['IFD0:Software']).toBe(software);
        expect(result['IFD0:Orientation'] ?? 1).toBe(1);
        expect(result['XMP-tiff:Orientation']).toBe(1);
        expect(result['XMP-exif:ExifImageWidth']).toBe(fixture.startsWith('exif') ? 96 : 64);
        expect(Object.keys(result).filter((name) => name.startsWith('IFD1:'))).toEqual([]);
      });

    it(`what ${fixture} says is not in what is exported without it, but for the resolution`, () => {
      for (const format of formats) {
        const result = read(nameOf(fixture, 'remove', format));
        const left = Object.keys(result).filter((name) =>
          /^(ExifIFD|GPS|XMP|IPTC|IFD1)|Make|Model|Artist|Software|Copyright|Description/.test(name),
        );
        expect(left, format).toEqual([]);
        if (format === 'jpeg') expect(result['JFIF:XResolution']).toBe(300);
        if (format === 'png') expect(result['PNG-pHYs:PixelsPerUnitX']).toBe(11811);
        if (format === 'tiff') expect(result['IFD0:XResolution']).toBeCloseTo(300, 2);
      }
    });
  }
});
