// Turns a result's samples into the bytes of a picture file: the depth each format can hold, grey that stays grey, the
// source's colour profile and EXIF beside unchanged numbers.

import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { ExportFormat, ExportOptions } from '../../core/ipc';
import type { SampleType } from '../../core/pass';
import { exifForExport, insertExif } from './exif';
import { type Sharp, sharp } from './sharp';
import { type ContainerSampleType, createTiffContainer, type TiffContainer } from './tiffContainer';

/** What a file is to be made of. */
export interface EncodeSubject extends Size {
  readonly channels: number;
  readonly sampleType: ContainerSampleType;
  readonly iccProfile: Uint8Array | null;
  readonly exif: Uint8Array | null;
}

/** File name endings of a format, the usual one first. */
export const formatExtensions: Readonly<Record<ExportFormat, readonly string[]>> = {
  png: ['.png'],
  jpeg: ['.jpg', '.jpeg', '.jpe'],
  webp: ['.webp'],
  tiff: ['.tif', '.tiff'],
};

/** Greatest width and height that a format can hold, in pixels (libjpeg's and WebP's own limits). */
const maximumEdge: Readonly<Record<ExportFormat, number>> = {
  png: 2 ** 31 - 1,
  jpeg: 65500,
  webp: 16383,
  tiff: 2 ** 31 - 1,
};

/** From this quality on, JPEG keeps colour at full resolution. */
const fullColourQuality = 90;

/** Depth in which a format stores a picture of the given depth: never more than the source has, never less than it can. */
export function exportDepth(format: ExportFormat, sampleType: SampleType): ContainerSampleType {
  if (sampleType === 'u8' || format === 'jpeg' || format === 'webp') return 'u8';
  if (format === 'png' || sampleType === 'u16') return 'u16';
  return 'f32';
}

/** Throws imageTooLarge when the format cannot hold the size. */
export function checkFormatHolds(format: ExportFormat, size: Size): void {
  const edge = maximumEdge[format];
  if (size.width <= edge && size.height <= edge) return;
  throw new ConvolveError({
    code: 'imageTooLarge',
    subject: format.toUpperCase(),
    expected: `at most ${edge} pixels wide and high`,
    actual: `${size.width} × ${size.height} pixels`,
  });
}

/** Memory to compute a result into, and then to encode from. */
export function createExportSamples(subject: EncodeSubject, format: ExportFormat): TiffContainer {
  // WebP has no grey: its pixels become colour, and a profile of grey would no longer describe them.
  const profile = format === 'webp' && subject.channels <= 2 ? null : subject.iccProfile;
  return createTiffContainer(subject, subject.channels, subject.sampleType, profile);
}

/** The space in which libvips holds these samples already, so that it converts nothing. */
function spaceOf({ channels, sampleType }: EncodeSubject): string {
  const grey = channels <= 2;
  switch (sampleType) {
    case 'u8':
      return grey ? 'b-w' : 'srgb';
    case 'u16':
      return grey ? 'grey16' : 'rgb16';
    case 'f32':
      return grey ? 'b-w' : 'scrgb';
  }
}

function withFormat(pipeline: Sharp, subject: EncodeSubject, options: ExportOptions): Sharp {
  const { quality, lossless } = options;
  switch (options.format) {
    case 'png':
      return pipeline.png({ compressionLevel: 6 });
    case 'jpeg':
      // JPEG has no alpha: what is transparent becomes white.
      return pipeline
        .flatten({ background: '#ffffff' })
        .jpeg({ quality, chromaSubsampling: quality >= fullColourQuality ? '4:4:4' : '4:2:0' });
    case 'webp':
      return pipeline.webp({ quality, lossless, exact: lossless });
    case 'tiff':
      return pipeline.tiff({
        compression: 'deflate',
        predictor: subject.sampleType === 'f32' ? 'float' : 'horizontal',
      });
  }
}

/**
 * The file as pieces to write one after another. `container` holds the file that createExportSamples made for `subject`,
 * filled. JPEG and WebP hold 8 bits, PNG 8 or 16, TIFF 8, 16 or 32-bit float.
 */
export async function encodePicture(
  subject: EncodeSubject,
  container: Pick<TiffContainer, 'bytes'>,
  options: ExportOptions,
): Promise<readonly Uint8Array[]> {
  const pipeline = sharp(container.bytes, { ignoreIcc: true, limitInputPixels: false })
    .toColourspace(spaceOf(subject))
    .keepIccProfile();
  const file = await withFormat(pipeline, subject, options).toBuffer();
  const exif = subject.exif && exifForExport(subject.exif, subject);
  if (!exif) return [file];
  const alpha = subject.channels === 2 || subject.channels === 4;
  return insertExif(options.format, file, exif, subject, alpha);
}
