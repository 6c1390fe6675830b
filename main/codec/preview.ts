// An export before it is saved: how large the file would be, and a part of it as it would look, read back from the encoded
// bytes.

import type { Size } from '../../core/geometry';
import type { EncodeOrder } from './codec';
import { encodePicture } from './encode';
import { owned, sharp } from './sharp';

export interface EncodedPreview {
  readonly fileBytes: number;
  /** The middle of the picture as a PNG; null where the format shows nothing on a screen. */
  readonly png: Uint8Array | null;
}

/** Encodes the whole picture. `view`: size of the part to look at, in pixels of the file. */
export async function previewEncoding(order: EncodeOrder, view: Size): Promise<EncodedPreview> {
  const { subject, container, options } = order;
  const file = Buffer.concat(await encodePicture(subject, { bytes: container }, options));
  const fileBytes = file.length;
  if (options.format === 'pfm' || subject.sampleType === 'f32') return { fileBytes, png: null };
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
  const part = { width: Math.min(width, view.width), height: Math.min(height, view.height) };
  const place = { left: Math.floor((width - part.width) / 2), top: Math.floor((height - part.height) / 2) };
  const crop = sharp(file, { limitInputPixels: false })
    .extract({ ...place, ...part })
    .keepIccProfile();
  return { fileBytes, png: owned(await crop.png().toBuffer()) };
}
