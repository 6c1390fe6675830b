// A photo's EXIF block as it may stand beside an export. The block stays byte for byte (maker notes keep their offsets) but for
// what the export makes untrue: the orientation becomes 1, the pixel size the result's, the thumbnail goes, and the software
// is this one, in a new main directory at the end of the block.

import type { Size } from '../../core/geometry';
import { asciiEntry, Directory, type DirectoryEntry, directoryBytes, type NewEntry, readHeader } from './tiffDirectory';

const orientationTag = 0x0112;
const softwareTag = 0x0131;
const exifDirectoryTag = 0x8769;
const positionDirectoryTag = 0x8825;
const interoperabilityTag = 0xa005;
const pixelWidthTag = 0xa002;
const pixelHeightTag = 0xa003;
const thumbnailOffsetTag = 0x0201;
const thumbnailLengthTag = 0x0202;

/** Directories of an EXIF block that entries point to. */
export const subDirectoryTags: readonly number[] = [exifDirectoryTag, positionDirectoryTag, interoperabilityTag];

const startsWithMarker = (block: Uint8Array) => Buffer.from(block.subarray(0, 6)).toString('latin1') === 'Exif\0\0';

/** Does the work; null where an offset leads outside the block, so that nothing in it can be trusted. */
export function unlessBroken<T>(work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** The block with another main directory, at its end. */
export function withMainDirectory(
  block: Uint8Array,
  entries: readonly (DirectoryEntry | NewEntry)[],
  little: boolean,
): Uint8Array {
  const place = block.length + (block.length % 2);
  const directory = directoryBytes(entries, place, little);
  const whole = new Uint8Array(place + directory.length);
  whole.set(block);
  whole.set(directory, place);
  new DataView(whole.buffer).setUint32(4, place, little);
  return whole;
}

/** The block (TIFF form, without the JPEG marker `Exif\0\0`) as it may stand beside `size` upright pixels; null if broken. */
export function exifForExport(block: Uint8Array, size: Size, software: string): Uint8Array | null {
  const copy = Uint8Array.from(startsWithMarker(block) ? block.subarray(6) : block);
  const view = new DataView(copy.buffer);
  return unlessBroken(() => {
    const header = readHeader(view);
    if (!header) return null;
    const { little, first } = header;
    const main = new Directory(view, first, little);
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
    const entries = main.entries().filter(({ tag }) => tag !== softwareTag);
    return withMainDirectory(copy, [...entries, asciiEntry(softwareTag, software)], little);
  });
}
