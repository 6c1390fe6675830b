// What a BigTIFF file says of its photo is read as a classic one's is: its directories are longer, its values the same.

import { describe, expect, it } from 'vitest';
import { resolutionOfTiff } from '../../../main/codec/resolution';
import { type Directory, mainDirectory, tiffTypes } from '../../../main/codec/tiffDirectory';
import { exifOfTiff } from '../../../main/codec/tiffMetadata';

const makeTag = 0x010f;
const descriptionTag = 0x010e;
const exifDirectoryTag = 0x8769;
const isoTag = 0x8827;

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Written into the entry's own 8 bytes. */
  readonly fill: (field: DataView) => void;
}

const description = 'A harbour, longer than eight bytes';

/** A BigTIFF file: header, main directory, the camera's directory, and a text that stands outside both. */
function bigTiff(little: boolean, cameraAt?: bigint): Uint8Array {
  const mainAt = 16;
  const entryBytes = 20;
  const numberOfEntries = 6;
  const camera = mainAt + 8 + entryBytes * numberOfEntries + 8;
  const textAt = camera + 8 + entryBytes + 8;
  const file = new Uint8Array(textAt + description.length + 1);
  const view = new DataView(file.buffer);
  file.set(little ? [0x49, 0x49] : [0x4d, 0x4d]);
  view.setUint16(2, 43, little);
  view.setUint16(4, 8, little);
  view.setBigUint64(8, BigInt(mainAt), little);
  const write = (at: number, entries: readonly Entry[]) => {
    view.setBigUint64(at, BigInt(entries.length), little);
    entries.forEach(({ tag, type, count, fill }, index) => {
      const place = at + 8 + entryBytes * index;
      view.setUint16(place, tag, little);
      view.setUint16(place + 2, type, little);
      view.setBigUint64(place + 4, BigInt(count), little);
      fill(new DataView(file.buffer, place + 12, 8));
    });
  };
  const fraction = (tag: number, above: number, below: number): Entry => ({
    ...{ tag, type: tiffTypes.rational, count: 1 },
    fill: (field) => {
      field.setUint32(0, above, little);
      field.setUint32(4, below, little);
    },
  });
  const place = (tag: number, type: number, count: number, value: bigint): Entry => ({
    ...{ tag, type, count },
    fill: (field) => field.setBigUint64(0, value, little),
  });
  write(mainAt, [
    place(descriptionTag, tiffTypes.ascii, description.length + 1, BigInt(textAt)),
    {
      ...{ tag: makeTag, type: tiffTypes.ascii, count: 7 },
      fill: (field) => {
        for (const [index, letter] of [...'Camera'].entries()) field.setUint8(index, letter.charCodeAt(0));
      },
    },
    fraction(282, 301, 2),
    fraction(283, 300, 1),
    { tag: 296, type: tiffTypes.short, count: 1, fill: (field) => field.setUint16(0, 3, little) },
    place(exifDirectoryTag, tiffTypes.long8, 1, cameraAt ?? BigInt(camera)),
  ]);
  write(camera, [{ tag: isoTag, type: tiffTypes.short, count: 1, fill: (field) => field.setUint16(0, 400, little) }]);
  file.set(new TextEncoder().encode(description), textAt);
  return file;
}

function textIn(directory: Directory, tag: number): string | null {
  const entry = directory.entries().find((one) => one.tag === tag);
  return entry ? new TextDecoder().decode(directory.value(entry)).replace(/\0$/, '') : null;
}

describe.each([
  ['little', true],
  ['big', false],
] as const)('a BigTIFF file in %s-endian order', (_name, little) => {
  it('gives an EXIF block of the classic form', () => {
    const block = exifOfTiff(bigTiff(little));
    const main = block && mainDirectory(block);
    if (!block || !main) throw new Error('no block');
    expect(new DataView(block.buffer).getUint16(2, little)).toBe(42);
    expect(textIn(main, makeTag)).toBe('Camera');
    expect(textIn(main, descriptionTag)).toBe(description);
    expect(main.at(main.read(exifDirectoryTag) ?? 0).read(isoTag)).toBe(400);
  });

  it('says its resolution', () => {
    expect(resolutionOfTiff(bigTiff(little))).toEqual({ x: 150.5, y: 300, per: 'centimetre' });
  });

  it('keeps the rest where its directory of the camera leads outside', () => {
    for (const outside of [1n << 63n, 5000n]) {
      const block = exifOfTiff(bigTiff(little, outside));
      const main = block && mainDirectory(block);
      expect(main && textIn(main, makeTag)).toBe('Camera');
    }
  });

  it('is nothing where it ends early', () => {
    const whole = bigTiff(little);
    for (const length of [3, 9, 20, 100]) {
      expect(exifOfTiff(whole.subarray(0, length))).toBeNull();
      expect(resolutionOfTiff(whole.subarray(0, length))).toBeNull();
    }
  });
});
