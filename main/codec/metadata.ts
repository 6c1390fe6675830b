// What a picture file says beside its pixels and their colour profile: EXIF, XMP, IPTC and the resolution. Read with the
// picture, carried by it, and made true for each export.

import type { Size } from '../../core/geometry';
import { exifForExport } from './exif';
import { iptcOfTexts, iptcRecords } from './iptc';
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
  /** Pixels per inch; null where the file says none. */
  readonly density: number | null;
}

export const noMetadata: PictureMetadata = { exif: null, xmp: null, iptc: null, density: null };

function iptcOf(found: Metadata, bytes: Uint8Array, format: DecodedFormat): Uint8Array | null {
  if (format === 'tiff') return iptcOfTiff(bytes);
  return found.iptc ? iptcRecords(found.iptc) : iptcOfTexts(found.comments ?? []);
}

/** What the codec found in a file. */
export function metadataOf(found: Metadata, bytes: Uint8Array, format: DecodedFormat): PictureMetadata {
  return {
    exif: (format === 'tiff' ? exifOfTiff(bytes) : found.exif) ?? null,
    xmp: found.xmp ?? null,
    iptc: iptcOf(found, bytes, format),
    // Without a unit it is what the codec takes for granted.
    density: found.resolutionUnit === undefined ? null : (found.density ?? null),
  };
}

/** What may stand beside `size` upright pixels written by `software`. What is broken is left out. */
export function metadataForExport(metadata: PictureMetadata, size: Size, software: string): PictureMetadata {
  const { exif, xmp, iptc, density } = metadata;
  return {
    exif: exif && exifForExport(exif, size, software),
    xmp: xmp && xmpForExport(xmp, size, software),
    iptc,
    density,
  };
}
