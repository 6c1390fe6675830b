// Carries a photo's EXIF block into an exported file. The block stays byte for byte (maker notes keep their offsets) but for
// what the export makes untrue: the orientation becomes 1, the pixel size the result's, and the thumbnail goes.

import { crc32 } from 'node:zlib';
import type { Size } from '../../core/geometry';
import type { ExportFormat } from '../../core/ipc';

const orientationTag = 0x0112;
const exifDirectoryTag = 0x8769;
const pixelWidthTag = 0xa002;
const pixelHeightTag = 0xa003;
const thumbnailOffsetTag = 0x0201;
const thumbnailLengthTag = 0x0202;
const short = 3;
const long = 4;

/** Bytes of one JPEG segment's content, its two length bytes not counted. */
const maximumSegmentBytes = 65533;

class Directory {
  constructor(
    private readonly view: DataView,
    private readonly offset: number,
    private readonly little: boolean,
  ) {}

  private get count(): number {
    return this.view.getUint16(this.offset, this.little);
  }

  private entry(tag: number): number | null {
    for (let index = 0; index < this.count; index += 1) {
      const entry = this.offset + 2 + 12 * index;
      if (this.view.getUint16(entry, this.little) === tag) return entry;
    }
    return null;
  }

  read(tag: number): number | null {
    const entry = this.entry(tag);
    if (entry === null) return null;
    const type = this.view.getUint16(entry + 2, this.little);
    if (type === short) return this.view.getUint16(entry + 8, this.little);
    return type === long ? this.view.getUint32(entry + 8, this.little) : null;
  }

  /** Replaces a number that is there; adds none. */
  write(tag: number, value: number): void {
    const entry = this.entry(tag);
    if (entry === null) return;
    const type = this.view.getUint16(entry + 2, this.little);
    if (type === short && value <= 0xffff) this.view.setUint16(entry + 8, value, this.little);
    else if (type === long) this.view.setUint32(entry + 8, value, this.little);
  }

  get next(): number {
    return this.view.getUint32(this.offset + 2 + 12 * this.count, this.little);
  }

  unlinkNext(): void {
    this.view.setUint32(this.offset + 2 + 12 * this.count, 0, this.little);
  }
}

const startsWithMarker = (block: Uint8Array) => Buffer.from(block.subarray(0, 6)).toString('latin1') === 'Exif\0\0';

/** The block (TIFF form, without the JPEG marker `Exif\0\0`) as it may stand beside `size` upright pixels; null if broken. */
export function exifForExport(block: Uint8Array, size: Size): Uint8Array | null {
  const copy = Uint8Array.from(startsWithMarker(block) ? block.subarray(6) : block);
  const view = new DataView(copy.buffer);
  try {
    const order = view.getUint16(0, false);
    if (order !== 0x4949 && order !== 0x4d4d) return null;
    const little = order === 0x4949;
    if (view.getUint16(2, little) !== 42) return null;
    const main = new Directory(view, view.getUint32(4, little), little);
    main.write(orientationTag, 1);
    const exifOffset = main.read(exifDirectoryTag);
    if (exifOffset !== null) {
      const exif = new Directory(view, exifOffset, little);
      exif.write(pixelWidthTag, size.width);
      exif.write(pixelHeightTag, size.height);
    }
    if (main.next !== 0) {
      const thumbnail = new Directory(view, main.next, little);
      const start = thumbnail.read(thumbnailOffsetTag);
      const length = thumbnail.read(thumbnailLengthTag);
      if (start !== null && length !== null) copy.fill(0, start, start + length);
      main.unlinkNext();
    }
    return copy;
  } catch (thrown) {
    // An offset outside the block: nothing in it can be trusted.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

function jpegWithExif(file: Uint8Array, exif: Uint8Array): readonly Uint8Array[] {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
  if (content.length > maximumSegmentBytes) return [file];
  const head = Buffer.from([0xff, 0xe1, (content.length + 2) >> 8, (content.length + 2) & 0xff]);
  // After the JFIF segment, which must come first where there is one.
  const jfif = file[2] === 0xff && file[3] === 0xe0 ? 2 + ((file[4] ?? 0) << 8) + (file[5] ?? 0) : 0;
  const place = 2 + jfif;
  return [file.subarray(0, place), head, content, file.subarray(place)];
}

function pngWithExif(file: Uint8Array, exif: Uint8Array): readonly Uint8Array[] {
  const body = Buffer.concat([Buffer.from('eXIf', 'latin1'), exif]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(exif.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  // After the signature (8) and the header chunk (25), before the pixels.
  const place = 33;
  return [file.subarray(0, place), length, body, checksum, file.subarray(place)];
}

function webpWithExif(file: Uint8Array, exif: Uint8Array, size: Size, alpha: boolean): readonly Uint8Array[] {
  const exifFlag = 0x08;
  const alphaFlag = 0x10;
  const padded = exif.length % 2 === 1 ? Buffer.concat([exif, Buffer.alloc(1)]) : exif;
  const chunkHead = Buffer.from('EXIF\0\0\0\0', 'latin1');
  chunkHead.writeUInt32LE(exif.length, 4);
  const extended = Buffer.from(file.subarray(12, 16)).toString('latin1') === 'VP8X';
  const extension = Buffer.alloc(extended ? 0 : 18);
  if (!extended) {
    extension.write('VP8X', 'latin1');
    extension.writeUInt32LE(10, 4);
    extension.writeUInt8(exifFlag | (alpha ? alphaFlag : 0), 8);
    extension.writeUIntLE(size.width - 1, 12, 3);
    extension.writeUIntLE(size.height - 1, 15, 3);
  }
  const body = Buffer.from(file.subarray(12));
  if (extended) body.writeUInt8(body.readUInt8(8) | exifFlag, 8);
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(4 + extension.length + body.length + chunkHead.length + padded.length, 4);
  return [head, extension, body, chunkHead, padded];
}

/** The encoded file as pieces to write one after another, with the block in it. TIFF files get none. */
export function insertExif(
  format: ExportFormat,
  file: Uint8Array,
  exif: Uint8Array,
  size: Size,
  alpha: boolean,
): readonly Uint8Array[] {
  switch (format) {
    case 'jpeg':
      return jpegWithExif(file, exif);
    case 'png':
      return pngWithExif(file, exif);
    case 'webp':
      return webpWithExif(file, exif, size, alpha);
    case 'tiff':
      // Its EXIF would have to become directories of the TIFF itself.
      return [file];
  }
}
