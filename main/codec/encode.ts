// Turns a result's samples into the bytes of a picture file: grey stays grey, and the colour profile, the resolution and what
// the source said of its photo stand beside the pixels.

import type { ExportOptions } from '../../core/exportOptions';
import { samplesIn, type TiffContainer } from '../../core/tiffContainer';
import { software } from '../version';
import type { EncodeSubject } from './exportFormat';
import { insertMetadata } from './insertMetadata';
import { metadataForExport, noMetadata, type PictureMetadata } from './metadata';
import { encodePfm } from './pfm';
import { preparePixels } from './pixelSteps';
import { owned, type Sharp, sharp } from './sharp';
import { xmpWithReceipt } from './xmp';

/** From this quality on, lossy formats keep colour at full resolution unless told. */
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

function chromaOf({ chroma, quality }: ExportOptions): string {
  if (chroma !== 'auto') return chroma;
  return quality >= fullColourQuality ? '4:4:4' : '4:2:0';
}

function withFormat(pipeline: Sharp, subject: EncodeSubject, { xmp }: PictureMetadata, options: ExportOptions): Sharp {
  const { quality, lossless, progressive, compression } = options;
  const chromaSubsampling = chromaOf(options);
  switch (options.format) {
    case 'png':
      return pipeline.png({ compressionLevel: 6 });
    case 'jpeg':
      // JPEG has no alpha: what is transparent becomes white.
      return pipeline.flatten({ background: '#ffffff' }).jpeg({ quality, progressive, chromaSubsampling });
    case 'webp':
      return pipeline.webp({ quality, lossless, exact: lossless });
    case 'avif':
      return (xmp ? pipeline.withXmp(new TextDecoder().decode(xmp)) : pipeline).avif({
        quality,
        lossless,
        chromaSubsampling: lossless ? '4:4:4' : chromaSubsampling,
      });
    case 'tiff': {
      const predictor = subject.sampleType === 'f32' ? 'float' : 'horizontal';
      // Pixels per millimetre: 72 an inch, since the format wants a number; what the source says takes its place.
      const resolution = 72 / 25.4;
      return pipeline.tiff({
        compression,
        ...(compression === 'none' ? {} : { predictor }),
        xres: resolution,
        yres: resolution,
        resolutionUnit: 'inch',
      });
    }
    case 'pfm':
      throw new Error('PFM has an encoder of its own');
  }
}

/** What stands beside the pixels of `subject`, which are the file's. It may take a third of a second to make it true. */
function metadataOfFile(subject: EncodeSubject, options: ExportOptions): PictureMetadata {
  const { metadata, receipt } = subject;
  const kept = options.metadata === 'keep' ? metadata : { ...noMetadata, resolution: metadata.resolution };
  const made = metadataForExport(kept, subject, software, options.format);
  return receipt === null ? made : { ...made, xmp: xmpWithReceipt(made.xmp, receipt) };
}

/**
 * The file as pieces to write one after another. `container` holds the file that createExportSamples made for `subject`,
 * filled.
 */
export async function encodePicture(
  given: EncodeSubject,
  container: Pick<TiffContainer, 'bytes'>,
  options: ExportOptions,
): Promise<readonly Uint8Array[]> {
  const { subject, bytes } = await preparePixels(given, container.bytes, options);
  const { width, height, channels } = subject;
  if (options.format === 'pfm') return encodePfm(subject, channels, samplesIn(bytes, width * height * channels, 'f32'));
  const metadata = metadataOfFile(subject, options);
  const pipeline = sharp(bytes, { ignoreIcc: true, limitInputPixels: false })
    .toColourspace(spaceOf(subject))
    .keepIccProfile();
  const file = owned(await withFormat(pipeline, subject, metadata, options).toBuffer());
  return insertMetadata(options.format, file, metadata, subject, channels === 2 || channels === 4);
}
