// Metadata of TIFF files, whose directories are those of EXIF: taken out of a file as a block of its own, and put into an
// encoded file, which then begins with the block, so that no offset in it changes.

import { iptcRecords } from './iptc';
import type { PictureMetadata } from './metadata';
import { resolutionEntries } from './resolution';
import { blockOf, checkValues, leadingDown } from './tiffCopy';
import {
  Directory,
  type DirectoryEntry,
  directoryBytes,
  mainDirectory,
  type NewEntry,
  readHeader,
  tiffTypes,
  unlessBroken,
  valueBytes,
} from './tiffDirectory';

/** Tags of the main directory that describe the photo and not how its pixels are stored. */
const describingTags = new Set([
  0x010d, 0x010e, 0x010f, 0x0110, 0x0112, 0x0131, 0x0132, 0x013b, 0x013c, 0x8298, 0x8769, 0x8825, 0x4746, 0x4749,
  0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f,
]);
const stripOffsetsTag = 273;
const tileOffsetsTag = 324;
const xmpTag = 700;
const iptcTag = 33723;
const photoshopTag = 34377;

/** The value of an entry of a TIFF file's first directory; null where there is none. */
function entryValue(file: Uint8Array, tag: number): Uint8Array | null {
  return unlessBroken(() => {
    const main = mainDirectory(file);
    const entry = main?.entries().find((candidate) => candidate.tag === tag);
    return main && entry ? main.value(entry) : null;
  });
}

/** The IPTC records of a TIFF file, from its own bytes: libtiff takes them for numbers and turns those of big-endian files. */
export function iptcOfTiff(file: Uint8Array): Uint8Array | null {
  const records = entryValue(file, iptcTag);
  return (records && iptcRecords(records)) ?? iptcRecords(entryValue(file, photoshopTag) ?? new Uint8Array());
}

/** What a TIFF file says of its photo, as an EXIF block; null where it says nothing or is broken. */
export function exifOfTiff(file: Uint8Array): Uint8Array | null {
  return unlessBroken(() => {
    const main = mainDirectory(file);
    if (!main) return null;
    const kept = main.entries().filter(({ tag }) => describingTags.has(tag));
    if (!kept.some(({ tag }) => tag !== 0x0112)) return null;
    return blockOf(main, kept);
  });
}

/** Turns the values of a directory, and those it points to, from one byte order to the other, in place. */
function swapDirectory(view: DataView, offset: number, depth: number): void {
  const little = false;
  const directory = new Directory(view, offset, little);
  const swap = (place: number, bytes: number) => {
    for (let low = place, high = place + bytes - 1; low < high; low += 1, high -= 1) {
      const kept = view.getUint8(low);
      view.setUint8(low, view.getUint8(high));
      view.setUint8(high, kept);
    }
  };
  const entries = directory.entries();
  checkValues(entries, view.byteLength);
  for (const { tag } of depth > 0 ? leadingDown(entries) : []) {
    const place = directory.read(tag);
    if (place !== null) unlessBroken(() => swapDirectory(view, place, depth - 1));
  }
  entries.forEach((entry, index) => {
    const at = offset + 2 + 12 * index;
    const size = valueBytes({ type: entry.type, count: 1 });
    // A fraction is two numbers.
    const unit = entry.type === tiffTypes.rational || entry.type === 10 ? 4 : size;
    const length = valueBytes(entry);
    const place = length <= 4 ? at + 8 : view.getUint32(at + 8, little);
    const end = Math.min(place + length, view.byteLength);
    for (let value = place; value + unit <= end; value += unit) swap(value, unit);
    if (length > 4) swap(at + 8, 4);
    swap(at, 2);
    swap(at + 2, 2);
    swap(at + 4, 4);
  });
  swap(offset + 2 + 12 * entries.length, 4);
  swap(offset, 2);
}

/** The block in little-endian order; null if broken. */
function littleEndian(block: Uint8Array): Uint8Array | null {
  const copy = Uint8Array.from(block);
  const view = new DataView(copy.buffer);
  return unlessBroken(() => {
    const header = readHeader(view);
    if (!header || header.little) return header && copy;
    swapDirectory(view, header.first, 2);
    copy.set([0x49, 0x49, 0x2a, 0]);
    view.setUint32(4, header.first, true);
    return copy;
  });
}

const emptyBlock = (): Uint8Array => Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/**
 * The encoded file (little-endian, one directory) with EXIF, XMP, IPTC and the resolution in it, as pieces: the block first,
 * then the file as it was, then a directory of both. What the file says of its pixels counts before what the block says.
 */
export function tiffWithMetadata(
  file: Uint8Array,
  { exif, xmp, iptc, resolution }: PictureMetadata,
): readonly Uint8Array[] {
  const block = (exif && littleEndian(exif)) ?? emptyBlock();
  const base = block.length + (block.length % 2);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const header = readHeader(view);
  if (!header?.little) return [file];
  const pixels = new Directory(view, header.first, true);
  const moved = pixels.entries().map((entry): DirectoryEntry | NewEntry => {
    const { tag, type, count, field } = entry;
    if ((tag === stripOffsetsTag || tag === tileOffsetsTag) && type === tiffTypes.long) {
      const value = Uint8Array.from(pixels.value(entry));
      const offsets = new DataView(value.buffer);
      for (let index = 0; index < count; index += 1)
        offsets.setUint32(4 * index, offsets.getUint32(4 * index, true) + base, true);
      return { tag, type, count, value };
    }
    if (valueBytes(entry) <= 4) return entry;
    const place = Uint8Array.from(field);
    const offset = new DataView(place.buffer);
    offset.setUint32(0, offset.getUint32(0, true) + base, true);
    return { tag, type, count, field: place };
  });
  const blockView = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const said = unlessBroken(() => new Directory(blockView, readHeader(blockView)?.first ?? 8, true).entries()) ?? [];
  // Each once: a broken block could say the same a thousand times.
  const described = [...describingTags].flatMap((tag) => said.find((entry) => entry.tag === tag) ?? []);
  const more: NewEntry[] = [];
  if (xmp) more.push({ tag: xmpTag, type: tiffTypes.byte, count: xmp.length, value: xmp });
  if (iptc) more.push({ tag: iptcTag, type: tiffTypes.undefined, count: iptc.length, value: iptc });
  // The encoder's own resolution is made up.
  const size = resolution ? resolutionEntries(resolution, true) : [];
  const kept = moved.filter(({ tag }) => !size.some((entry) => entry.tag === tag));
  const own = new Set([...kept, ...size].map(({ tag }) => tag));
  const entries = [...kept, ...size, ...[...described, ...more].filter(({ tag }) => !own.has(tag))];
  const place = base + file.length + (file.length % 2);
  const directory = directoryBytes(entries, place, true);
  const start = new Uint8Array(base);
  start.set(block);
  new DataView(start.buffer).setUint32(4, place, true);
  return [start, file, new Uint8Array(file.length % 2), directory];
}
