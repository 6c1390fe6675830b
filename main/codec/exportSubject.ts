// What an export makes a file of: the result of a picture, with what may stand beside its pixels.

import type { ExportOptions } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import type { SampleType } from '../../core/pass';
import { software } from '../version';
import { type EncodeSubject, exportDepth, exportedSize } from './exportFormat';
import { metadataForExport, noMetadata, type PictureMetadata } from './metadata';

/** What an export needs of the picture that it comes from. */
export interface ExportSource {
  readonly channels: number;
  readonly sampleType: SampleType;
  readonly iccProfile: Uint8Array | null;
  readonly metadata: PictureMetadata;
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
