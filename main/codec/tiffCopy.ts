// Copies of TIFF directories with everything they point to: an EXIF block anew, shorter by what it no longer needs.

import {
  type Directory,
  type DirectoryEntry,
  directoryBytes,
  type NewEntry,
  tiffTypes,
  unlessBroken,
  valueBytes,
} from './tiffDirectory';

/** Entries that lead to another directory: of the camera, of the position, of interoperability. */
export const subDirectoryTags: readonly number[] = [0x8769, 0x8825, 0xa005];

/** The entries of a directory that lead to others, each once: a broken one could name the same a thousand times. */
export const leadingDown = (entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] =>
  subDirectoryTags.flatMap((tag) => entries.find((entry) => entry.tag === tag) ?? []);

/** Throws RangeError where the values together are longer than the block that holds them: they cannot all be true. */
export function checkValues(entries: readonly DirectoryEntry[], blockBytes: number): void {
  const total = entries.reduce((sum, entry) => sum + valueBytes(entry), 0);
  if (total > blockBytes) throw new RangeError('values longer than their block');
}

/**
 * A copy of some entries of a directory with everything they point to, to stand at `place`, without the entries of the tags
 * `leftOut` and with those `added`. What leads outside the memory is left out, and so are BigTIFF's own types. Maker notes keep their bytes, not their place.
 * `depth`: how many directories may hang below each other.
 */
function copied(
  directory: Directory,
  entries: readonly DirectoryEntry[],
  place: number,
  depth: number,
  leftOut: ReadonlySet<number>,
  added: readonly NewEntry[],
): Uint8Array {
  const { little, blockBytes } = directory;
  checkValues(entries, blockBytes);
  const values = entries
    .filter(({ tag, type }) => !subDirectoryTags.includes(tag) && !leftOut.has(tag) && type <= tiffTypes.directory)
    .flatMap((entry): readonly NewEntry[] => {
      const value = unlessBroken(() => directory.value(entry));
      return value ? [{ ...entry, value }] : [];
    });
  const plain = [...values, ...added];
  const below = depth > 0 ? leadingDown(entries) : [];
  const pointer = ({ tag }: DirectoryEntry, offset: number): NewEntry => {
    const value = new Uint8Array(4);
    new DataView(value.buffer).setUint32(0, offset, little);
    return { tag, type: tiffTypes.long, count: 1, value };
  };
  // Once to know its length, which the pointers do not change.
  const length = directoryBytes([...plain, ...below.map((entry) => pointer(entry, 0))], place, little).length;
  const parts: Uint8Array[] = [];
  const pointers: NewEntry[] = [];
  let end = place + length;
  for (const entry of below) {
    const part = unlessBroken(() => {
      const sub = directory.at(directory.read(entry.tag) ?? Number.POSITIVE_INFINITY);
      return copied(sub, sub.entries(), end, depth - 1, leftOut, []);
    });
    if (part === null) continue;
    pointers.push(pointer(entry, end));
    parts.push(part);
    end += part.length + (part.length % 2);
  }
  const whole = new Uint8Array(end - place);
  whole.set(directoryBytes([...plain, ...pointers], place, little));
  let at = length;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length + (part.length % 2);
  }
  return whole;
}

/** How many directories may hang below the main one. */
const depthBelow = 2;

/** The first bytes of an EXIF block: the order of bytes, 42, and where the main directory stands. */
export function blockHead(little: boolean, main: number): Uint8Array {
  const head = Uint8Array.from(little ? [0x49, 0x49, 0x2a, 0, 0, 0, 0, 0] : [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 0]);
  new DataView(head.buffer).setUint32(4, main, little);
  return head;
}

/** An EXIF block of some entries of a main directory, with everything they point to. Throws RangeError where it is broken. */
export function blockOf(
  main: Directory,
  entries: readonly DirectoryEntry[],
  leftOut: ReadonlySet<number> = new Set(),
  added: readonly NewEntry[] = [],
): Uint8Array {
  const head = blockHead(main.little, 8);
  const rest = copied(main, entries, head.length, depthBelow, leftOut, added);
  return Uint8Array.from(Buffer.concat([head, rest]));
}
