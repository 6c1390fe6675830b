// EXIF blocks that say what is not true of themselves: an export never loses more of them than what is broken.

import { describe, expect, it } from 'vitest';
import { exifForExport } from '../../../main/codec/exif';
import {
  asciiEntry,
  Directory,
  directoryBytes,
  type NewEntry,
  readHeader,
  tiffTypes,
} from '../../../main/codec/tiffDirectory';

const tags = {
  make: 0x010f,
  software: 0x0131,
  exif: 0x8769,
  position: 0x8825,
  makerNote: 0x927c,
  comment: 0x9286,
  thumbnail: 0x0201,
  thumbnailLength: 0x0202,
} as const;
const change = { size: { width: 30, height: 20 }, software: 'Convolve 1' };

const number = (tag: number, value: number): NewEntry => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return { tag, type: tiffTypes.long, count: 1, value: bytes };
};
const bytesOf = (tag: number, value: Uint8Array): NewEntry => ({
  tag,
  type: tiffTypes.undefined,
  count: value.length,
  value,
});
/** A directory that another one follows at `next`. */
function directory(entries: readonly NewEntry[], place: number, next = 0): Uint8Array {
  const bytes = directoryBytes(entries, place, true);
  new DataView(bytes.buffer).setUint32(2 + 12 * entries.length, next, true);
  return bytes;
}

/** A block of a main directory, one of the camera, and a thumbnail that is said to be at `start` and `length` bytes long. */
function blockWith(start: number | 'true', length: number, note = 100): Uint8Array {
  const thumbnail = Uint8Array.of(0xff, 0xd8, 0xff, ...Array<number>(197).fill(7));
  const camera = (place: number) =>
    directory(
      [bytesOf(tags.makerNote, new Uint8Array(note).fill(9)), bytesOf(tags.comment, Buffer.from('words'))],
      place,
    );
  const main = (exif: number, next: number) =>
    directory([asciiEntry(tags.make, 'Example camera'), number(tags.exif, exif)], 8, next);
  const exifPlace = 8 + main(0, 0).length;
  const nextPlace = exifPlace + camera(exifPlace).length;
  const second = (at: number) =>
    directory([number(tags.thumbnail, at), number(tags.thumbnailLength, length)], nextPlace);
  const picture = nextPlace + second(0).length;
  const head = Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0);
  const place = start === 'true' ? picture : start;
  return Uint8Array.from(
    Buffer.concat([head, main(exifPlace, nextPlace), camera(exifPlace), second(place), thumbnail]),
  );
}

/** What a block says: values by tag, of the main directory and the camera's. */
function read(block: Uint8Array): ReadonlyMap<number, Buffer> {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const { first, little } = readHeader(view) ?? { first: 0, little: true };
  const main = new Directory(view, first, little);
  const exif = main.read(tags.exif);
  const all = [main, ...(exif === null ? [] : [new Directory(view, exif, little)])];
  return new Map(
    all.flatMap((one) => one.entries().map((entry) => [entry.tag, Buffer.from(one.value(entry))] as const)),
  );
}
const note = (length = 100) => Buffer.alloc(length, 9);

describe('a thumbnail', () => {
  it('goes, with its bytes at the end of the block', () => {
    const source = blockWith('true', 200);
    const { block } = exifForExport(source, change)!;
    expect(Buffer.from(block).includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false);
    expect(block.length).toBeLessThan(source.length);
    expect(read(block).get(tags.makerNote)).toEqual(note());
  });

  const lies: readonly (readonly [string, number, number])[] = [
    ['the block itself', 0, 100_000],
    ['the header and what follows', 0, 60],
    ['the main directory', 8, 20],
    ['the maker note', 120, 40],
    ['no JPEG', 200, 10],
    ['a place outside', 4_000_000_000, 200],
    ['a length beyond the end', 100, 4_000_000_000],
  ];
  it.each(lies)('that says it is %s takes nothing else with it', (_, start, length) => {
    const { block, fit } = exifForExport(blockWith(start, length), change)!;
    const said = read(block);
    expect(fit).toBe('whole');
    expect(said.get(tags.make)?.toString()).toBe('Example camera\0');
    expect(said.get(tags.makerNote)).toEqual(note());
    expect(said.get(tags.comment)?.toString()).toBe('words');
    expect(said.get(tags.software)?.toString()).toBe('Convolve 1\0');
  });

  it('whose directory leads outside the block goes alone', () => {
    const source = blockWith('true', 200);
    // Behind the count and two entries of the main directory.
    new DataView(source.buffer).setUint32(8 + 2 + 24, 0xfffffff0, true);
    expect(read(exifForExport(source, change)!.block).get(tags.makerNote)).toEqual(note());
  });
});

describe('a directory that leads outside the block', () => {
  it('goes alone: what the main one says stays', () => {
    const source = blockWith('true', 200);
    const view = new DataView(source.buffer);
    // The pointer in the second entry.
    view.setUint32(8 + 2 + 12 + 8, 0xfffffff0, true);
    const said = read(exifForExport(source, change)!.block);
    expect(said.get(tags.make)?.toString()).toBe('Example camera\0');
    expect(said.has(tags.exif)).toBe(false);
  });
});

describe('a directory that says the same many times', () => {
  it('is read once, and not at all where it has more entries than any picture', { timeout: 10_000 }, () => {
    const many = (count: number) =>
      Uint8Array.from(
        Buffer.concat([
          Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0),
          directory(Array<NewEntry>(count).fill(number(tags.exif, 8)), 8),
        ]),
      );
    expect(exifForExport(many(5461), change)?.fit).toBe('whole');
    for (const count of [5462, 65_535]) expect(exifForExport(many(count), change)).toBeNull();
  });
});

describe('a block that has little room', () => {
  it('is left as it is where only the name of the program is too much', () => {
    const source = blockWith('true', 200);
    const bare = exifForExport(source, change)!.block.length;
    const { block, fit } = exifForExport(source, change, bare - 1)!;
    expect(fit).toBe('whole');
    expect(block.length).toBeLessThan(bare);
    const said = read(block);
    expect([said.get(tags.makerNote), said.has(tags.software)]).toEqual([note(), false]);
  });

  it('loses its maker note first, then its longest values, and says so', () => {
    const source = blockWith('true', 200, 5000);
    const without = exifForExport(source, change, 1000)!;
    expect(without.fit).toBe('withoutMakerNote');
    expect(read(without.block).get(tags.make)?.toString()).toBe('Example camera\0');
    expect(read(without.block).get(tags.comment)?.toString()).toBe('words');
    const least = exifForExport(source, change, without.block.length - 1)!;
    expect(least.fit).toBe('withoutLongest');
    expect(read(least.block).has(tags.make)).toBe(false);
    expect(read(least.block).get(tags.comment)?.toString()).toBe('words');
    expect(exifForExport(source, change, 10)).toBeNull();
  });
});
