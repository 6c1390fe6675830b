// Puts EXIF, XMP, IPTC and the resolution into encoded files, where each format has its place for them.

import { crc32, deflateSync } from 'node:zlib';
import type { ExportFormat } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import { avifWithExif } from './avifMetadata';
import { iptcBlock, iptcText, iptcTextKeyword } from './iptc';
import { exifSegment, jfifSegment, resourceSegments, xmpSegments } from './jpegSegments';
import type { PictureMetadata } from './metadata';
import { jfifHeader, physContent } from './resolution';
import { tiffWithMetadata } from './tiffMetadata';

function jpeg(file: Uint8Array, { exif, xmp, iptc, resolution }: PictureMetadata): readonly Uint8Array[] {
  // The encoder writes no JFIF segment, which would have to come first.
  const place = 2;
  return [
    file.subarray(0, place),
    ...(resolution ? jfifSegment(jfifHeader(resolution)) : []),
    ...(exif ? exifSegment(exif) : []),
    ...(xmp ? xmpSegments(xmp) : []),
    ...(iptc ? resourceSegments(iptcBlock(iptc)) : []),
    file.subarray(place),
  ];
}

function pngChunk(kind: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** Compressed text: keyword, method 0, deflated content. */
function textChunk(keyword: string, text: string): Uint8Array {
  const content = deflateSync(Buffer.from(text, 'latin1'));
  return pngChunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`, 'latin1'), content]));
}

/** The file from `place` on without the resolution that the encoder makes up. */
function withoutResolution(file: Uint8Array, place: number): readonly Uint8Array[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let chunk = place; chunk + 8 <= bytes.length; chunk += 12 + bytes.readUInt32BE(chunk)) {
    const kind = bytes.toString('latin1', chunk + 4, chunk + 8);
    if (kind === 'IDAT') break;
    if (kind === 'pHYs') return [bytes.subarray(place, chunk), bytes.subarray(chunk + 12 + bytes.readUInt32BE(chunk))];
  }
  return [bytes.subarray(place)];
}

function png(file: Uint8Array, { exif, xmp, iptc, resolution }: PictureMetadata): readonly Uint8Array[] {
  // After the signature (8) and the header chunk (25), before the pixels.
  const place = 33;
  // Keyword, no compression, no language, no translation.
  const xmpHead = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');
  return [
    file.subarray(0, place),
    ...(resolution ? [pngChunk('pHYs', physContent(resolution))] : []),
    ...(exif ? [pngChunk('eXIf', exif)] : []),
    ...(xmp ? [pngChunk('iTXt', Buffer.concat([xmpHead, xmp]))] : []),
    ...(iptc ? [textChunk(iptcTextKeyword, iptcText(iptc))] : []),
    ...withoutResolution(file, place),
  ];
}

function webpChunk(kind: string, data: Uint8Array): Uint8Array {
  const whole = Buffer.alloc(8 + data.length + (data.length % 2));
  whole.write(kind, 'latin1');
  whole.writeUInt32LE(data.length, 4);
  whole.set(data, 8);
  return whole;
}

function webp(file: Uint8Array, { exif, xmp }: PictureMetadata, size: Size, alpha: boolean): readonly Uint8Array[] {
  const flags = (exif ? 0x08 : 0) | (xmp ? 0x04 : 0);
  const alphaFlag = 0x10;
  const extended = Buffer.from(file.subarray(12, 16)).toString('latin1') === 'VP8X';
  const extension = Buffer.alloc(extended ? 0 : 18);
  if (!extended) {
    extension.write('VP8X', 'latin1');
    extension.writeUInt32LE(10, 4);
    extension.writeUInt8(flags | (alpha ? alphaFlag : 0), 8);
    extension.writeUIntLE(size.width - 1, 12, 3);
    extension.writeUIntLE(size.height - 1, 15, 3);
  }
  const body = Buffer.from(file.subarray(12));
  if (extended) body.writeUInt8(body.readUInt8(8) | flags, 8);
  const chunks = [...(exif ? [webpChunk('EXIF', exif)] : []), ...(xmp ? [webpChunk('XMP ', xmp)] : [])];
  const head = Buffer.from(file.subarray(0, 12));
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 4 + extension.length + body.length);
  head.writeUInt32LE(length, 4);
  return [head, extension, body, ...chunks];
}

/**
 * The encoded file with the metadata in it, as pieces to write one after another. WebP and AVIF have no place for IPTC, PFM
 * for nothing; AVIF gets its XMP from the encoder.
 */
export function insertMetadata(
  format: ExportFormat,
  file: Uint8Array,
  metadata: PictureMetadata,
  size: Size,
  alpha: boolean,
): readonly Uint8Array[] {
  const { exif, xmp, iptc, resolution } = metadata;
  switch (format) {
    case 'jpeg':
      return jpeg(file, metadata);
    case 'png':
      return png(file, metadata);
    case 'webp':
      return exif || xmp ? webp(file, metadata, size, alpha) : [file];
    case 'tiff':
      return exif || xmp || iptc || resolution ? tiffWithMetadata(file, metadata) : [file];
    case 'avif':
      return exif ? avifWithExif(file, exif) : [file];
    case 'pfm':
      return [file];
  }
}
