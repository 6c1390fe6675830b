// Directories of the TIFF form (TIFF 6.0, section 2), which EXIF blocks have too: read where they are, changed in place, or
// written anew with values that stay where they were. Those of BigTIFF (its specification by Aware Systems) are only read.

/** Bytes of one value, by type. */
const typeBytes: Readonly<Record<number, number>> = {
  1: 1, // BYTE
  2: 1, // ASCII
  3: 2, // SHORT
  4: 4, // LONG
  5: 8, // RATIONAL
  6: 1,
  7: 1, // UNDEFINED
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8, // LONG8
  17: 8,
  18: 8,
};
export const tiffTypes = {
  byte: 1,
  ascii: 2,
  short: 3,
  long: 4,
  rational: 5,
  undefined: 7,
  directory: 13,
  long8: 16,
  directory8: 18,
} as const;

/** One entry. `field`, 4 bytes or BigTIFF's 8, holds its value where that has no more, else the value's place in the file. */
export interface DirectoryEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly field: Uint8Array;
}

/** An entry whose value is to be written behind the directory, in the file's byte order. */
export interface NewEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Uint8Array;
}

/** A stretch of bytes: the first, and the one behind the last. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface TiffHeader {
  readonly little: boolean;
  /** Place of the first directory. */
  readonly first: number;
}

/** The header of a classic TIFF file or EXIF block; null for anything else. Throws RangeError for too few bytes. */
export function readHeader(view: DataView): TiffHeader | null {
  const order = view.getUint16(0, false);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const little = order === 0x4949;
  return view.getUint16(2, little) === 42 ? { little, first: view.getUint32(4, little) } : null;
}

export const valueBytes = ({ type, count }: Pick<DirectoryEntry, 'type' | 'count'>) => (typeBytes[type] ?? 1) * count;

/** Bytes of a directory's parts: its number of entries, an entry, what an entry says before its value, the value's field. */
interface Form {
  readonly number: number;
  readonly entry: number;
  readonly before: number;
  readonly field: number;
}
const classic: Form = { number: 2, entry: 12, before: 8, field: 4 };
const big: Form = { number: 8, entry: 20, before: 12, field: 8 };

/** A number of 64 bits. Throws RangeError for one that leads outside every memory. */
function read64(view: DataView, place: number, little: boolean): number {
  const value = Number(view.getBigUint64(place, little));
  if (value > view.byteLength) throw new RangeError('number outside the block');
  return value;
}

/** As many as a JPEG file's block has room for. A camera writes about a hundred; more would only take time. */
const mostEntries = 5461;

/** A directory that stands in memory. More than mostEntries, and every access outside the memory, throw RangeError. */
export class Directory {
  private readonly count: number;

  constructor(
    private readonly view: DataView,
    private readonly offset: number,
    readonly little: boolean,
    private readonly form: Form = classic,
  ) {
    this.count = form === big ? read64(view, offset, little) : view.getUint16(offset, little);
    if (this.count > mostEntries) throw new RangeError('more entries than any picture has');
  }

  /** The length of the memory that it stands in, in bytes. */
  get blockBytes(): number {
    return this.view.byteLength;
  }

  private placeOf(index: number): number {
    return this.offset + this.form.number + this.form.entry * index;
  }

  private place(tag: number): number | null {
    for (let index = 0; index < this.count; index += 1) {
      const place = this.placeOf(index);
      if (this.view.getUint16(place, this.little) === tag) return place;
    }
    return null;
  }

  /** A number as long as an offset of this form. */
  private long(place: number): number {
    return this.form === big ? read64(this.view, place, this.little) : this.view.getUint32(place, this.little);
  }

  entries(): readonly DirectoryEntry[] {
    const { view, little, form } = this;
    const entries: DirectoryEntry[] = [];
    for (let index = 0; index < this.count; index += 1) {
      const place = this.placeOf(index);
      const field = new Uint8Array(form.field);
      for (let byte = 0; byte < form.field; byte += 1) field[byte] = view.getUint8(place + form.before + byte);
      const [tag, type] = [view.getUint16(place, little), view.getUint16(place + 2, little)];
      entries.push({ tag, type, count: this.long(place + 4), field });
    }
    return entries;
  }

  /** The first number of an entry of type SHORT or LONG, in BigTIFF also of 64 bits; null where there is none. */
  read(tag: number): number | null {
    const place = this.place(tag);
    if (place === null) return null;
    const value = place + this.form.before;
    switch (this.view.getUint16(place + 2, this.little)) {
      case tiffTypes.short:
        return this.view.getUint16(value, this.little);
      case tiffTypes.long:
      case tiffTypes.directory:
        return this.view.getUint32(value, this.little);
      case tiffTypes.long8:
      case tiffTypes.directory8:
        return this.form === big ? read64(this.view, value, this.little) : null;
      default:
        return null;
    }
  }

  /** The first fraction of an entry of type RATIONAL; null where there is none. */
  readRational(tag: number): number | null {
    const entry = this.entries().find((one) => one.tag === tag);
    if (entry?.type !== tiffTypes.rational || entry.count < 1) return null;
    const bytes = this.value(entry);
    const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return value.getUint32(0, this.little) / value.getUint32(4, this.little);
  }

  /** Another directory of the same memory. */
  at(offset: number): Directory {
    return new Directory(this.view, offset, this.little, this.form);
  }

  /** Replaces what an entry that is there says by one number; adds none. */
  write(tag: number, value: number): void {
    const place = this.place(tag);
    if (place === null) return;
    const short = this.view.getUint16(place + 2, this.little) !== tiffTypes.long && value <= 0xffff;
    this.view.setUint16(place + 2, short ? tiffTypes.short : tiffTypes.long, this.little);
    this.view.setUint32(place + 4, 1, this.little);
    this.view.setUint32(place + 8, 0);
    if (short) this.view.setUint16(place + 8, value, this.little);
    else this.view.setUint32(place + 8, value, this.little);
  }

  /** Place of the next directory; 0 where this is the last. */
  get next(): number {
    return this.view.getUint32(this.offset + 2 + 12 * this.count, this.little);
  }

  /** The bytes that the directory itself takes. */
  get extent(): Extent {
    return { start: this.offset, end: this.offset + 2 + 12 * this.count + 4 };
  }

  /** The bytes that a value takes outside the directory; null where it stands inside. */
  valueExtent(entry: DirectoryEntry): Extent | null {
    const length = valueBytes(entry);
    if (length <= this.form.field) return null;
    const field = new DataView(entry.field.buffer);
    const start = this.form === big ? Number(field.getBigUint64(0, this.little)) : field.getUint32(0, this.little);
    return { start, end: start + length };
  }

  unlinkNext(): void {
    this.view.setUint32(this.offset + 2 + 12 * this.count, 0, this.little);
  }

  /** The value's bytes, wherever they are, as a view. */
  value(entry: DirectoryEntry): Uint8Array {
    const extent = this.valueExtent(entry);
    if (extent === null) return entry.field.subarray(0, valueBytes(entry));
    const { start, end } = extent;
    if (end > this.view.byteLength) throw new RangeError('value outside the block');
    return new Uint8Array(this.view.buffer, this.view.byteOffset + start, end - start);
  }
}

/**
 * The main directory of a TIFF file, of BigTIFF too; null for any other file. Throws RangeError where it leads outside.
 */
export function mainDirectory(file: Uint8Array): Directory | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const header = readHeader(view);
  if (header) return new Directory(view, header.first, header.little);
  const order = view.getUint16(0, false);
  const little = order === 0x4949;
  if ((!little && order !== 0x4d4d) || view.getUint16(2, little) !== 43) return null;
  return new Directory(view, read64(view, 8, little), little, big);
}

/** Does the work; null where an offset leads outside the memory, so that nothing in it can be trusted. */
export function unlessBroken<T>(work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

export const asciiEntry = (tag: number, text: string): NewEntry => {
  const value = new TextEncoder().encode(`${text}\0`);
  return { tag, type: tiffTypes.ascii, count: value.length, value };
};

/**
 * A directory with the entries sorted by tag, and behind it the values that are new. `place`: where it will stand, an even
 * number. The next directory is none. Throws RangeError for more entries than a directory can count.
 */
export function directoryBytes(
  entries: readonly (DirectoryEntry | NewEntry)[],
  place: number,
  little: boolean,
): Uint8Array {
  if (entries.length > 0xffff) throw new RangeError('more entries than a directory can have');
  const sorted = [...entries].sort((a, b) => a.tag - b.tag);
  const head = 2 + 12 * sorted.length + 4;
  let end = head;
  const places = sorted.map((entry) => {
    if (!('value' in entry) || entry.value.length <= 4) return 0;
    const start = end;
    end += entry.value.length + (entry.value.length % 2);
    return start;
  });
  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, sorted.length, little);
  sorted.forEach((entry, index) => {
    const at = 2 + 12 * index;
    view.setUint16(at, entry.tag, little);
    view.setUint16(at + 2, entry.type, little);
    view.setUint32(at + 4, entry.count, little);
    if (!('value' in entry)) bytes.set(entry.field, at + 8);
    else if (entry.value.length <= 4) bytes.set(entry.value, at + 8);
    else {
      view.setUint32(at + 8, place + (places[index] ?? 0), little);
      bytes.set(entry.value, places[index]);
    }
  });
  return bytes;
}
