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

/** The subject with a receipt in its XMP. Throws unsupported where the format has no place for it. */
export function withReceiptInside(subject: EncodeSubject, format: ExportFormat, receipt: string): EncodeSubject {
  if (format === 'pfm')
    throw new ConvolveError({
      code: 'unsupported',
      subject: 'a receipt inside the file',
      expected: 'one beside it',
      actual: 'PFM, which holds nothing but pixels',
    });
  const xmp = xmpWithReceipt(subject.metadata.xmp, receipt);
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
    metadata: metadataForExport(
      options.metadata === 'keep' ? metadata : { ...noMetadata, resolution: metadata.resolution },
      exportedSize(size, options),
      software,
      options.format,
    ),
  };
}
