// What a picture file says beside its pixels and their colour profile: EXIF, XMP, IPTC and the resolution. Read with the
// picture, carried by it, and made true for each export.

import type { Carried } from '../../core/document';
import type { ExportFormat } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import { software } from '../version';
import { exifForExport, exifOfResolution, withoutMarker } from './exif';
import { iptcOfTexts, iptcRecords } from './iptc';
import { jpegMetadata, longestExif } from './jpegSegments';
import { type Resolution, resolutionOfJfif, resolutionOfPng, resolutionOfTiff } from './resolution';
import type { Metadata } from './sharp';
import type { DecodedFormat } from './sniff';
import { exifOfTiff, iptcOfTiff } from './tiffMetadata';
import { xmpForExport } from './xmp';

export interface PictureMetadata {
  /** In TIFF form. */
  readonly exif: Uint8Array | null;
  /** The packet, UTF-8. */
  readonly xmp: Uint8Array | null;
  /** The records. */
  readonly iptc: Uint8Array | null;
  /** null where the file says none. */
  readonly resolution: Resolution | null;
}

export const noMetadata: PictureMetadata = { exif: null, xmp: null, iptc: null, resolution: null };

/** What the codec found in a file, and what it does not look for. */
export function metadataOf(found: Metadata, bytes: Uint8Array, format: DecodedFormat): PictureMetadata {
  const { exif = null, xmp = null } = found;
  const inExif = exif && resolutionOfTiff(withoutMarker(exif));
  switch (format) {
    case 'jpeg': {
      const { jfif, resources, ...own } = jpegMetadata(bytes);
      const resolution = (jfif && resolutionOfJfif(jfif)) ?? (own.exif && resolutionOfTiff(own.exif));
      return { ...own, iptc: resources && iptcRecords(resources), resolution };
    }
    case 'tiff':
      return { exif: exifOfTiff(bytes), xmp, iptc: iptcOfTiff(bytes), resolution: resolutionOfTiff(bytes) };
    case 'png':
      return { exif, xmp, iptc: iptcOfTexts(found.comments ?? []), resolution: resolutionOfPng(bytes) ?? inExif };
    default:
      return { exif, xmp, iptc: null, resolution: inExif };
  }
}

/**
 * What may stand beside `size` upright pixels of a file of the format, written by `software`. What is broken is left out, and
 * of an EXIF block what a JPEG file has no room for; carriedBy tells of it.
 */
export function metadataForExport(
  { exif, xmp, iptc, resolution }: PictureMetadata,
  size: Size,
  software: string,
  format: ExportFormat,
): PictureMetadata {
  // WebP and AVIF say a resolution in EXIF alone.
  const inExif = format === 'webp' || format === 'avif' ? resolution : null;
  const most = format === 'jpeg' ? longestExif : undefined;
  const kept = exif && exifForExport(exif, { size, software, resolution: inExif }, most);
  return {
    exif: kept?.block ?? (inExif && exifOfResolution(inExif)),
    xmp: xmp && xmpForExport(xmp, size, software),
    iptc,
    resolution,
  };
}

/**
 * What an export can carry over: how many bytes of each, and how much of the EXIF block a JPEG file has room for. A block that
 * is made to be slow takes a third of a second.
 */
export function carriedBy(
  { exif, xmp, iptc, resolution }: PictureMetadata,
  iccProfile: Uint8Array | null,
  size: Size,
): Carried {
  const change = { size, software };
  const whole = exif && exifForExport(exif, change);
  return {
    profile: iccProfile?.length ?? 0,
    exif: whole?.block.length ?? 0,
    exifInJpeg: whole ? (exifForExport(exif, change, longestExif)?.fit ?? 'nothing') : 'whole',
    xmp: (xmp && xmpForExport(xmp, size, software))?.length ?? 0,
    iptc: iptc?.length ?? 0,
    resolution: resolution !== null,
  };
}
