// What an export makes a file of: the result of a picture, with what may stand beside its pixels.

import { ConvolveError } from '../../core/errors';
import { type ExportFormat, type ExportOptions, exportDepth } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import type { SampleType } from '../../core/pass';
import { software } from '../version';
import { type EncodeSubject, exportedSize } from './exportFormat';
import { metadataForExport, noMetadata, type PictureMetadata } from './metadata';
import { xmpWithReceipt } from './xmp';

/** What an export needs of the picture that it comes from. */
export interface ExportSource {
  readonly channels: number;
  readonly sampleType: SampleType;
  readonly iccProfile: Uint8Array | null;
  readonly metadata: PictureMetadata;
}

/** Longest XMP packet that one JPEG segment takes, in bytes, its marker aside. */
const longestJpegPacket = 65_000;

/** The subject with a receipt in its XMP. Throws unsupported where the format has no place for it. */
export function withReceiptInside(subject: EncodeSubject, format: ExportFormat, receipt: string): EncodeSubject {
  const refuse = (actual: string) =>
    new ConvolveError({ code: 'unsupported', subject: 'a receipt inside the file', expected: 'one beside it', actual });
  if (format === 'pfm') throw refuse('PFM, which holds nothing but pixels');
  const xmp = xmpWithReceipt(subject.metadata.xmp, receipt);
  if (format === 'jpeg' && xmp.length > longestJpegPacket) throw refuse(`${xmp.length} bytes in a JPEG`);
  return { ...subject, metadata: { ...subject.metadata, xmp } };
}

/** `size`: of the result, before it is resized. */
export function exportSubject(source: ExportSource, size: Size, options: ExportOptions): EncodeSubject {
  const { channels, iccProfile, metadata } = source;
  return {
    width: size.width,
    height: size.height,
    channels,
    sampleType: exportDepth(options, source.sampleType),
    iccProfile,
    metadata:
      options.metadata === 'keep'
        ? metadataForExport(metadata, exportedSize(size, options), software)
        : { ...noMetadata, density: metadata.density },
  };
}
