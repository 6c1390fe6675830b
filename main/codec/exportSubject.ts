// What an export makes a file of: the result of a picture, with what may stand beside its pixels.

import { ConvolveError } from '../../core/errors';
import { type ExportFormat, type ExportOptions, exportDepth } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import type { SampleType } from '../../core/pass';
import type { EncodeSubject } from './exportFormat';
import type { PictureMetadata } from './metadata';

/** What an export needs of the picture that it comes from. */
export interface ExportSource {
  readonly channels: number;
  readonly sampleType: SampleType;
  readonly iccProfile: Uint8Array | null;
  readonly metadata: PictureMetadata;
}

/** The subject with a receipt for its XMP. Throws unsupported where the format has no place for it. */
export function withReceiptInside(subject: EncodeSubject, format: ExportFormat, receipt: string): EncodeSubject {
  if (format === 'pfm')
    throw new ConvolveError({
      code: 'unsupported',
      subject: 'a receipt inside the file',
      expected: 'one beside it',
      actual: 'PFM, which holds nothing but pixels',
    });
  return { ...subject, receipt };
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
    metadata,
    receipt: null,
  };
}
