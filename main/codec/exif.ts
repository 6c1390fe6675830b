// A photo's EXIF block as it may stand beside an export. The block stays byte for byte (maker notes keep their offsets) but for
// what the export makes untrue: the orientation becomes 1, the pixel size the result's, the thumbnail goes, and the software
// is this one, in a new main directory at the end of the block. Where a file has less room, parts go, the longest first.

import type { ExifFit } from '../../core/document';
import type { Size } from '../../core/geometry';
import { type Resolution, resolutionEntries, resolutionTags } from './resolution';
import { blockHead, blockOf, subDirectoryTags } from './tiffCopy';
import {
  asciiEntry,
  Directory,
  type DirectoryEntry,
  directoryBytes,
  type NewEntry,
  readHeader,
  unlessBroken,
  valueBytes,
} from './tiffDirectory';

const orientationTag = 0x0112;
const softwareTag = 0x0131;
const exifDirectoryTag = 0x8769;
const positionDirectoryTag = 0x8825;
const interoperabilityTag = 0xa005;
const makerNoteTag = 0x927c;
const pixelWidthTag = 0xa002;
const pixelHeightTag = 0xa003;
const thumbnailOffsetTag = 0x0201;
const thumbnailLengthTag = 0x0202;

/** What an export makes true of a block. */
export interface ExifChange {
  /** Of the upright picture. */
  readonly size: Size;
  readonly software: string;
  /** Added where the block says none. */
  readonly resolution?: Resolution | null;
}

export interface ExportedExif {
  readonly block: Uint8Array;
  readonly fit: Exclude<ExifFit, 'nothing'>;
}

/** The block without the JPEG marker `Exif\0\0`, which some files and readers have before it. */
export const withoutMarker = (block: Uint8Array) =>
  Buffer.from(block.subarray(0, 6)).toString('latin1') === 'Exif\0\0' ? block.subarray(6) : block;

/** The block with another main directory, at its end. */
function withMainDirectory(
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

/** A block that says nothing but the resolution. */
export function exifOfResolution(resolution: Resolution): Uint8Array {
  return withMainDirectory(blockHead(true, 0), resolutionEntries(resolution, true), true);
}

/** The directory at a place; null where it leads outside the block. */
function directoryAt(view: DataView, place: number | null, little: boolean): Directory | null {
  if (place === null || place === 0) return null;
  return unlessBroken(() => {
    const directory = new Directory(view, place, little);
    directory.entries();
    return directory;
  });
}

/**
 * Blanks the thumbnail of a block, whose directory is at `place`, and cuts it off where it is the end of the block. One that
 * is not where its entries say, or that other directories say is theirs, stays: nobody finds it any more.
 */
function withoutThumbnail(block: Uint8Array, place: number, others: readonly Directory[], little: boolean): Uint8Array {
  const thumbnail = directoryAt(new DataView(block.buffer), place, little);
  const start = thumbnail?.read(thumbnailOffsetTag) ?? 0;
  const end = start + (thumbnail?.read(thumbnailLengthTag) ?? 0);
  const isJpeg = end <= block.length && block[start] === 0xff && block[start + 1] === 0xd8;
  const used = others.flatMap((directory) => [
    directory.extent,
    ...directory.entries().flatMap((entry) => directory.valueExtent(entry) ?? []),
  ]);
  if (!isJpeg || used.some((extent) => extent.start < end && extent.end > start)) return block;
  block.fill(0, start, end);
  const isLast = used.every((extent) => extent.end <= start) && block.subarray(end).every((byte) => byte === 0);
  return isLast ? block.subarray(0, start) : block;
}

/** Lengths of the values of some directories, by tag. */
function valueLengths(directories: readonly Directory[]): ReadonlyMap<number, number> {
  const entries = directories.flatMap((directory) => directory.entries());
  const values = entries.filter(({ tag }) => !subDirectoryTags.includes(tag));
  return new Map(values.map((entry) => [entry.tag, valueBytes(entry)]));
}

/**
 * The block (TIFF form, with or without the JPEG marker `Exif\0\0`) as it may stand beside an export, in at most `most`
 * bytes. Where the name of the program makes it too long, that is left out; where it still is, the maker note is, whose
 * offsets no longer hold, then the longest values. Null if it is broken, or if no part of it fits.
 */
export function exifForExport(
  block: Uint8Array,
  { size, software, resolution = null }: ExifChange,
  most = Number.POSITIVE_INFINITY,
): ExportedExif | null {
  const copy = Uint8Array.from(withoutMarker(block));
  const view = new DataView(copy.buffer);
  return unlessBroken(() => {
    const header = readHeader(view);
    if (!header) return null;
    const { little, first } = header;
    const main = new Directory(view, first, little);
    const below = (directory: Directory | null, tag: number) =>
      directory && directoryAt(view, directory.read(tag), little);
    const exif = below(main, exifDirectoryTag);
    const directories = [main, exif, below(main, positionDirectoryTag), below(exif, interoperabilityTag)].filter(
      (directory) => directory !== null,
    );
    main.write(orientationTag, 1);
    exif?.write(pixelWidthTag, size.width);
    exif?.write(pixelHeightTag, size.height);
    const second = main.next;
    main.unlinkNext();
    const base = withoutThumbnail(copy, second, directories, little);
    // A directory that leads outside the block would be a warning in every reader.
    const broken = subDirectoryTags.filter((tag) => below(main, tag) === null);
    const entries = main.entries().filter(({ tag }) => tag !== softwareTag && !broken.includes(tag));
    const says = entries.some(({ tag }) => tag === resolutionTags.x);
    const added = [
      asciiEntry(softwareTag, software),
      ...(resolution && !says ? resolutionEntries(resolution, little) : []),
    ];
    const whole = withMainDirectory(base, [...entries, ...added], little);
    if (whole.length <= most) return { block: whole, fit: 'whole' };
    if (base.length <= most) return { block: base, fit: 'whole' };
    const lengths = valueLengths(directories);
    const longestFirst = [...lengths].sort(([, a], [, b]) => b - a).map(([tag]) => tag);
    const order = [...new Set([makerNoteTag, ...longestFirst])];
    const without = (count: number) => blockOf(main, entries, new Set(order.slice(0, count)), added);
    // The fewest, found by halves: a block may have as many tags as there are, and each try copies it.
    let [few, enough] = [1, order.length];
    while (few < enough) {
      const middle = (few + enough) >> 1;
      if (without(middle).length <= most) enough = middle;
      else few = middle + 1;
    }
    const shorter = without(few);
    const gone = order.slice(0, few).filter((one) => lengths.has(one));
    const fit =
      gone.length === 0 ? 'whole' : gone.some((one) => one !== makerNoteTag) ? 'withoutLongest' : 'withoutMakerNote';
    return shorter.length <= most ? { block: shorter, fit } : null;
  });
}
