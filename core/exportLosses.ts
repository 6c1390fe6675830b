// What an export leaves out of a picture because the format has no place for it, to be said before anything is lost. Pure.

import type { ImageInfo } from './document';
import { depthOrder, type ExportOptions, exportDepth } from './exportOptions';
import type { SampleType } from './pass';

export type ExportLoss =
  /** What is transparent becomes white. */
  | { readonly kind: 'alpha' }
  | { readonly kind: 'depth'; readonly from: SampleType; readonly to: SampleType }
  /** Floats below black and above white are cut. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'profile' }
  | { readonly kind: 'metadata'; readonly what: readonly MetadataKind[] }
  | { readonly kind: 'pages'; readonly page: number; readonly pages: number };

const metadataKinds = ['exif', 'xmp', 'iptc'] as const;
type MetadataKind = (typeof metadataKinds)[number];

/** Longest block of metadata that one segment of a JPEG file takes, in bytes, with what stands before it there. */
const jpegSegment = 65_533;
const jpegHead: Readonly<Record<MetadataKind, number>> = { exif: 6, xmp: 29, iptc: 26 };

function holds(format: ExportOptions['format'], kind: MetadataKind, bytes: number): boolean {
  switch (format) {
    case 'png':
    case 'tiff':
      return true;
    case 'jpeg':
      return bytes + jpegHead[kind] <= jpegSegment;
    case 'webp':
    case 'avif':
      return kind !== 'iptc';
    case 'pfm':
      return false;
  }
}

/** What of the picture's own the file will not have; what the options themselves leave out or convert is no loss. */
export function exportLosses(
  image: Pick<ImageInfo, 'channels' | 'alpha' | 'sampleType' | 'carries' | 'page' | 'pages'>,
  options: ExportOptions,
): readonly ExportLoss[] {
  const { format } = options;
  const losses: ExportLoss[] = [];
  if (image.alpha && (format === 'jpeg' || format === 'pfm')) losses.push({ kind: 'alpha' });
  const float = image.sampleType === 'f32' || image.sampleType === 'f64';
  const wanted = options.depth === 'same' ? image.sampleType : options.depth;
  const depth = exportDepth(options, image.sampleType);
  if (depthOrder.indexOf(depth) < depthOrder.indexOf(wanted)) losses.push({ kind: 'depth', from: wanted, to: depth });
  if (float && depth !== 'f32') losses.push({ kind: 'beyond' });
  const { carries } = image;
  const grey = image.channels <= 2;
  if (carries.profile > 0 && (format === 'pfm' || (format === 'webp' && grey))) losses.push({ kind: 'profile' });
  const lost = metadataKinds.filter((kind) => carries[kind] > 0 && !holds(format, kind, carries[kind]));
  if (options.metadata === 'keep' && lost.length > 0) losses.push({ kind: 'metadata', what: lost });
  if (image.pages > 1) losses.push({ kind: 'pages', page: image.page, pages: image.pages });
  return losses;
}
