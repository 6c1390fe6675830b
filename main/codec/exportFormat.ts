// What each file format can hold — depth, size, name endings — and the memory that an export computes into. Knows the formats
// without loading the encoder, which is slow to start.

import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { ExportFormat } from '../../core/ipc';
import type { SampleType } from '../../core/pass';
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

/** Names of the formats for people. */
export const formatTitles: Readonly<Record<ExportFormat, string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  tiff: 'TIFF',
};

/** Greatest width and height that a format can hold, in pixels (libjpeg's and WebP's own limits). */
const maximumEdge: Readonly<Record<ExportFormat, number>> = {
  png: 2 ** 31 - 1,
  jpeg: 65500,
  webp: 16383,
  tiff: 2 ** 31 - 1,
};

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
    expected: `at most ${edge} pixels wide and high for ${formatTitles[format]}`,
    actual: `${size.width} × ${size.height} pixels`,
  });
}

/** Memory to compute a result into, and then to encode from. */
export function createExportSamples(subject: EncodeSubject, format: ExportFormat): TiffContainer {
  // WebP has no grey: its pixels become colour, and a profile of grey would no longer describe them.
  const profile = format === 'webp' && subject.channels <= 2 ? null : subject.iccProfile;
  return createTiffContainer(subject, subject.channels, subject.sampleType, profile);
}
