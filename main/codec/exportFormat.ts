// What each file format can hold — depth, size, name endings — and the memory that an export computes into. Knows the formats
// without loading the encoder, which is slow to start.

import { ConvolveError } from '../../core/errors';
import { type ExportFormat, type ExportOptions, formatNames } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import { type ContainerSampleType, createTiffContainer, type TiffContainer } from '../../core/tiffContainer';
import { checkLimits, defaultLimits } from './limits';
import type { PictureMetadata } from './metadata';

/** What a file is to be made of: the result, as the engine computes it, and what may stand beside it. */
export interface EncodeSubject extends Size {
  readonly channels: number;
  /** Depth of the file. */
  readonly sampleType: ContainerSampleType;
  readonly iccProfile: Uint8Array | null;
  /** As the picture's file said it: the encoder makes it true of the export. */
  readonly metadata: PictureMetadata;
  /** To be written into the file's XMP; null for none. */
  readonly receipt: string | null;
}

/** File name endings of a format, the usual one first. */
export const formatExtensions: Readonly<Record<ExportFormat, readonly string[]>> = {
  png: ['.png'],
  jpeg: ['.jpg', '.jpeg', '.jpe'],
  webp: ['.webp'],
  tiff: ['.tif', '.tiff'],
  avif: ['.avif'],
  pfm: ['.pfm'],
};

/** Greatest width and height that a format can hold, in pixels (the encoders' own limits). */
const maximumEdge: Readonly<Record<ExportFormat, number>> = {
  png: 2 ** 31 - 1,
  jpeg: 65500,
  webp: 16383,
  tiff: 2 ** 31 - 1,
  avif: 16384,
  pfm: 2 ** 31 - 1,
};

/** Throws imageTooLarge when the format cannot hold the size. */
function checkFormatHolds(format: ExportFormat, size: Size): void {
  const edge = maximumEdge[format];
  if (size.width <= edge && size.height <= edge) return;
  throw new ConvolveError({
    code: 'imageTooLarge',
    expected: `at most ${edge} pixels wide and high for ${formatNames[format]}`,
    actual: `${size.width} × ${size.height} pixels`,
  });
}

/** Size of the file's picture: the result's, or as large as fits the box that was asked for. */
export function exportedSize(size: Size, { resize }: Pick<ExportOptions, 'resize'>): Size {
  if (!resize) return { width: size.width, height: size.height };
  const scale = Math.min(resize.width / size.width, resize.height / size.height);
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** How often a resized picture exists at once at worst, in floats: what the codec makes, its copy, and the file's samples. */
const copiesOfResized = 3;

/**
 * Throws imageTooLarge when the format cannot hold the file's picture of a result of `size`, or when making it that large
 * takes more than the limits of a picture.
 */
export function checkExport(size: Size, channels: number, options: ExportOptions, limits = defaultLimits): void {
  const exported = exportedSize(size, options);
  checkFormatHolds(options.format, exported);
  if (options.resize) checkLimits(exported, exported.width * exported.height * channels * 4 * copiesOfResized, limits);
}

/** Whether colour numbers are converted: not those of grey pictures, nor those that are in the space already. */
export function convertsColour(
  { channels, iccProfile }: Pick<EncodeSubject, 'channels' | 'iccProfile'>,
  { profile }: Pick<ExportOptions, 'profile'>,
): boolean {
  return channels >= 3 && profile !== 'keep' && !(profile === 'srgb' && iccProfile === null);
}

/** Depth in which the result is computed: the file's, or a finer one where something is still to be done to it. */
export function workingDepth(subject: EncodeSubject, options: ExportOptions): ContainerSampleType {
  if (options.resize) return 'f32';
  return options.dither && subject.sampleType === 'u8' ? 'u16' : subject.sampleType;
}

/** The profile that the file has; null for none. */
function profileFor({ channels, iccProfile }: EncodeSubject, format: ExportFormat): Uint8Array | null {
  // WebP has no grey: its pixels become colour, and a profile of grey would no longer describe them.
  return format === 'webp' && channels <= 2 ? null : iccProfile;
}

/** A container for samples that the encoder takes as they are. */
export function createFileSamples(subject: EncodeSubject, format: ExportFormat): TiffContainer {
  const { channels, sampleType } = subject;
  return createTiffContainer(subject, channels, sampleType, { profile: profileFor(subject, format) });
}

/**
 * Memory to compute a result into, and then to encode from. Throws unsupported for a conversion of floating-point colours,
 * which the colour engine does not do.
 */
export function createExportSamples(subject: EncodeSubject, options: ExportOptions): TiffContainer {
  if (subject.sampleType === 'f32' && convertsColour(subject, options))
    throw new ConvolveError({
      code: 'unsupported',
      subject: 'colour conversion',
      expected: '8 or 16 bits',
      actual: 'floating-point samples',
    });
  const working = workingDepth(subject, options);
  if (working === subject.sampleType && !convertsColour(subject, options))
    return createFileSamples(subject, options.format);
  return createTiffContainer(subject, subject.channels, working, { profile: null });
}
