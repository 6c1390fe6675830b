// The segments of a JPEG file (ITU T.81, annex B) that stand before its pixels: found in a file, and made. What is longer than
// one segment takes several, each kind in the way of its own standard; the codec itself reads and writes only first ones.

import { extendedXmp, withExtension } from './extendedXmp';
import { jpegMarker as iptcMarker } from './iptc';

/** Bytes of one segment's content, its two length bytes not counted. */
export const maximumSegmentBytes = 65533;

const exifMarker = Buffer.from('Exif\0\0', 'latin1');
const xmpMarker = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
/** XMP specification part 3, section 1.1.3.1: marker, GUID of 32 digits, whole length 4, place in the whole 4, data. */
const extensionMarker = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1');
const extensionHead = extensionMarker.length + 32 + 4 + 4;
const jfifMarker = Buffer.from('JFIF\0', 'latin1');

/** Longest EXIF block of a JPEG file, in bytes. */
export const longestExif = maximumSegmentBytes - exifMarker.length;
/** Longest XMP packet of a JPEG file that needs no extension, in bytes, as the specification has it. */
const longestPacket = 65502;

const kinds = { jfif: 0xe0, exifOrXmp: 0xe1, photoshop: 0xed } as const;

interface Segment {
  readonly kind: number;
  readonly content: Buffer;
}

/** The segments before the pixels; those before a place that makes no sense. */
function segmentsOf(file: Uint8Array): readonly Segment[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const found: Segment[] = [];
  for (let place = 2; place + 4 <= bytes.length && bytes[place] === 0xff; ) {
    const kind = bytes[place + 1] ?? 0;
    // A marker may be filled up, and restart markers have no content.
    if (kind === 0xff) place += 1;
    else if (kind === 0x01 || (kind >= 0xd0 && kind <= 0xd7)) place += 2;
    else {
      const end = place + 2 + bytes.readUInt16BE(place + 2);
      // Start of scan, end of image.
      if (kind === 0xda || kind === 0xd9 || end > bytes.length || end < place + 4) break;
      found.push({ kind, content: bytes.subarray(place + 4, end) });
      place = end;
    }
  }
  return found;
}

/** The contents of segments of a kind that begin with a marker, without it. */
const after = (segments: readonly Segment[], kind: number, marker: Buffer): readonly Buffer[] =>
  segments
    .filter(({ kind: own, content }) => own === kind && content.subarray(0, marker.length).equals(marker))
    .map(({ content }) => content.subarray(marker.length));

/** An extension put together from its pieces; null where some are missing. */
function extensionOf(pieces: readonly Buffer[], guid: string): Uint8Array | null {
  const own = pieces.filter((piece) => piece.length >= 40 && piece.toString('latin1', 0, 32) === guid);
  const length = own[0]?.readUInt32BE(32) ?? 0;
  const data = own.map((piece) => ({ place: piece.readUInt32BE(36), bytes: piece.subarray(40) }));
  const total = data.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (length === 0 || total !== length || data.some(({ place, bytes }) => place + bytes.length > length)) return null;
  const whole = new Uint8Array(length);
  for (const { place, bytes } of data) whole.set(bytes, place);
  return whole;
}

export interface JpegMetadata {
  /** In TIFF form. */
  readonly exif: Uint8Array | null;
  /** The packet with its extension in it. */
  readonly xmp: Uint8Array | null;
  /** Photoshop's resource blocks, in which IPTC records are. */
  readonly resources: Uint8Array | null;
  /** The JFIF header, its marker left out. */
  readonly jfif: Uint8Array | null;
}

/** What a JPEG file says beside its pixels. */
export function jpegMetadata(file: Uint8Array): JpegMetadata {
  const segments = segmentsOf(file);
  const [exif] = after(segments, kinds.exifOrXmp, exifMarker);
  const [packet] = after(segments, kinds.exifOrXmp, xmpMarker);
  const extensions = after(segments, kinds.exifOrXmp, extensionMarker);
  const resources = after(segments, kinds.photoshop, iptcMarker);
  const [jfif] = after(segments, kinds.jfif, jfifMarker);
  return {
    exif: exif ? Uint8Array.from(exif) : null,
    xmp: packet ? withExtension(packet, (guid) => extensionOf(extensions, guid)) : null,
    resources: resources.length > 0 ? Uint8Array.from(Buffer.concat(resources)) : null,
    jfif: jfif ? Uint8Array.from(jfif) : null,
  };
}

/** A segment. Throws where the content is longer than one can be. */
function segment(kind: number, ...parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const content = Buffer.concat(parts);
  if (content.length > maximumSegmentBytes) throw new Error(`a JPEG segment of ${content.length} bytes`);
  const length = content.length + 2;
  return [Uint8Array.of(0xff, kind, length >> 8, length & 0xff), content];
}

/** Pieces of at most `length` bytes. */
const cut = (bytes: Uint8Array, length: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );

/** `header`: what follows the marker of JFIF. */
export const jfifSegment = (header: Uint8Array) => segment(kinds.jfif, jfifMarker, header);

/** `block`: at most longestExif bytes. */
export const exifSegment = (block: Uint8Array) => segment(kinds.exifOrXmp, exifMarker, block);

/** The packet, in an extension where it is too long for one segment; nothing for one that cannot be divided. */
export function xmpSegments(packet: Uint8Array): readonly Uint8Array[] {
  const split = extendedXmp(packet, longestPacket);
  if (split === null) return [];
  const { standard, extension } = split;
  const whole = segment(kinds.exifOrXmp, xmpMarker, standard);
  if (extension === null) return whole;
  const { guid, bytes } = extension;
  const room = maximumSegmentBytes - extensionHead;
  const pieces = cut(bytes, room).map((piece, index) => {
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(bytes.length, 0);
    numbers.writeUInt32BE(index * room, 4);
    return segment(kinds.exifOrXmp, extensionMarker, Buffer.from(guid, 'latin1'), numbers, piece);
  });
  return [...whole, ...pieces.flat()];
}

/** Photoshop's resource blocks, over as many segments as they take: readers join them. */
export const resourceSegments = (blocks: Uint8Array): readonly Uint8Array[] =>
  cut(blocks, maximumSegmentBytes - iptcMarker.length).flatMap((piece) => segment(kinds.photoshop, iptcMarker, piece));
