// Turns a result's samples into the bytes of a picture file: grey stays grey, the source's colour profile and EXIF stand
// beside unchanged numbers.

import type { ExportOptions } from '../../core/ipc';
import { exifForExport, insertExif } from './exif';
import type { EncodeSubject } from './exportFormat';
import { owned, type Sharp, sharp } from './sharp';
import type { TiffContainer } from './tiffContainer';

/** From this quality on, JPEG keeps colour at full resolution. */
const fullColourQuality = 90;

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
  const file = owned(await withFormat(pipeline, subject, options).toBuffer());
  const exif = subject.exif && exifForExport(subject.exif, subject);
  if (!exif) return [file];
  const alpha = subject.channels === 2 || subject.channels === 4;
  return insertExif(options.format, file, exif, subject, alpha);
}
