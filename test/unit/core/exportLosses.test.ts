// What a format has no place for is known before an export.

import { describe, expect, it } from 'vitest';
import type { Carried } from '../../../core/document';
import { exportLosses, lossText, possibleLosses } from '../../../core/exportLosses';
import { exportFormats, standardExport } from '../../../core/exportOptions';
import { picture } from '../renderer/examplePicture';

const nothing: Carried = { profile: 0, exif: 0, xmp: 0, iptc: 0, exifInJpeg: 'whole', resolution: false };
const plain = { ...picture, channels: 3, alpha: false, sampleType: 'u8', page: 1, pages: 1, carries: nothing } as const;
const kinds = (image: Parameters<typeof exportLosses>[0], change: Partial<typeof standardExport>) =>
  exportLosses(image, { ...standardExport, ...change }).map(({ kind }) => kind);

describe('an export loses', () => {
  it('nothing of a plain picture in any format', () => {
    for (const format of exportFormats) expect(kinds(plain, { format }), format).toEqual([]);
  });

  it('transparency in JPEG and PFM', () => {
    const image = { ...plain, channels: 4, alpha: true } as const;
    for (const format of exportFormats)
      expect(kinds(image, { format }), format).toEqual(format === 'jpeg' || format === 'pfm' ? ['alpha'] : []);
  });

  it('depth where the format has less than the picture, or than what was asked for', () => {
    const deep = { ...plain, sampleType: 'u16' } as const;
    expect(exportLosses(deep, { ...standardExport, format: 'webp' })).toEqual([
      { kind: 'depth', from: 'u16', to: 'u8' },
    ]);
    expect(kinds(deep, { format: 'webp', depth: 'u8' })).toEqual([]);
    expect(kinds(deep, { format: 'png' })).toEqual([]);
    const float = { ...plain, sampleType: 'f32' } as const;
    expect(kinds(float, { format: 'png' })).toEqual(['depth', 'beyond']);
    expect(kinds(float, { format: 'tiff', depth: 'u16' })).toEqual(['beyond']);
    expect(kinds(float, { format: 'tiff' })).toEqual([]);
  });

  it('a profile in PFM, and one of grey in WebP', () => {
    const image = { ...plain, carries: { ...nothing, profile: 500 } };
    expect(kinds(image, { format: 'pfm' })).toEqual(['profile']);
    expect(kinds(image, { format: 'webp' })).toEqual([]);
    expect(kinds({ ...image, channels: 1 }, { format: 'webp' })).toEqual(['profile']);
  });

  it('metadata without a place, unless it is to be removed', () => {
    const carries: Carried = { profile: 0, exif: 70_000, xmp: 2000, iptc: 90, exifInJpeg: 'nothing', resolution: true };
    const image = { ...plain, carries };
    const lost = (format: (typeof exportFormats)[number]) => exportLosses(image, { ...standardExport, format });
    expect(lost('png')).toEqual([]);
    expect(lost('jpeg')).toEqual([{ kind: 'metadata', what: ['exif'] }]);
    expect(lost('avif')).toEqual([{ kind: 'metadata', what: ['iptc'] }]);
    expect(lost('pfm')).toEqual([{ kind: 'metadata', what: ['exif', 'xmp', 'iptc', 'resolution'] }]);
    expect(
      kinds({ ...image, carries: { ...carries, resolution: false } }, { format: 'pfm', metadata: 'remove' }),
    ).toEqual([]);
  });

  it('of EXIF what a JPEG file has no room for, by name', () => {
    for (const part of ['withoutMakerNote', 'withoutLongest'] as const) {
      const image = { ...plain, carries: { ...nothing, exif: 70_000, exifInJpeg: part } };
      expect(exportLosses(image, { ...standardExport, format: 'jpeg' })).toEqual([{ kind: 'exifPart', part }]);
      expect(kinds(image, { format: 'jpeg', metadata: 'remove' })).toEqual([]);
      expect(kinds(image, { format: 'png' })).toEqual([]);
    }
  });

  it('the other pages', () => {
    expect(exportLosses({ ...plain, page: 2, pages: 3 }, standardExport)).toEqual([
      { kind: 'pages', page: 2, pages: 3 },
    ]);
  });
});

describe('what a format may lose of pictures that are not known yet', () => {
  it('is what it lacks for any of them', () => {
    const sentences = (format: (typeof exportFormats)[number]) =>
      possibleLosses({ ...standardExport, format }).map((loss) => lossText(loss));
    expect(sentences('tiff')).toEqual([]);
    expect(sentences('png')).toEqual([
      '32-bit floats become 16 bits.',
      'Values below black and above white are cut off.',
    ]);
    expect(sentences('jpeg')).toEqual([
      'No transparency: what is transparent becomes white.',
      '16 bits become 8 bits.',
      '32-bit floats become 8 bits.',
      'Values below black and above white are cut off.',
    ]);
    expect(sentences('pfm')).toContain('EXIF, XMP, IPTC, the resolution: left out, the format has no place for it.');
  });
});
