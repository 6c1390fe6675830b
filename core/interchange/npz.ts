// NumPy's .npz: a ZIP of .npy files. Members that are stored as they are, as np.savez writes them, are read; packed ones
// (np.savez_compressed) are refused by name. Source: PKWARE's APPNOTE, 4.3.

import { ConvolveError } from '../errors';

export interface ZipMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endLength = 22;
/** Longest comment behind the end of a ZIP. */
const longestComment = 65535;
const mostMembers = 1000;

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && bytes[3] === (bytes[2] ?? 0) + 1;

function damaged(name: string, actual: string): ConvolveError {
  return new ConvolveError({ code: 'fileDamaged', subject: name, actual });
}

/** The members that end in .npy, in the order of the directory. */
export function npzMembers(bytes: Uint8Array, name: string): readonly ZipMember[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - endLength;
  const lowest = Math.max(0, end - longestComment);
  while (end >= lowest && view.getUint32(end, true) !== endMark) end -= 1;
  if (end < lowest) throw damaged(name, 'the directory of the ZIP is cut off');
  const count = view.getUint16(end + 10, true);
  if (count > mostMembers) throw damaged(name, `${count} members`);
  let place = view.getUint32(end + 16, true);
  const members: ZipMember[] = [];
  for (let index = 0; index < count; index++) {
    if (place + 46 > bytes.length || view.getUint32(place, true) !== entryMark)
      throw damaged(name, 'the directory of the ZIP is cut off');
    const method = view.getUint16(place + 10, true);
    const size = view.getUint32(place + 20, true);
    const lengths = [28, 30, 32].map((offset) => view.getUint16(place + offset, true));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
    const member = new TextDecoder().decode(bytes.subarray(place + 46, place + 46 + nameLength));
    const local = view.getUint32(place + 42, true);
    place += 46 + nameLength + extraLength + commentLength;
    if (!member.endsWith('.npy')) continue;
    if (method !== 0)
      throw new ConvolveError({
        code: 'formatUnsupported',
        subject: `${name}: ${member}`,
        expected: '.npy, or .npz as np.savez writes it',
        actual: 'compressed data',
      });
    if (local + 30 > bytes.length) throw damaged(name, `${member} is cut off`);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + size > bytes.length) throw damaged(name, `${member} is cut off`);
    members.push({ name: member.slice(0, -4), bytes: bytes.subarray(start, start + size) });
  }
  if (members.length === 0) throw damaged(name, 'no .npy member');
  return members;
}
