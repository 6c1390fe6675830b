// Puts EXIF into an AVIF file as an item of its own, byte for byte (the encoder would rewrite it): ISO 14496-12 8.11 (meta,
// iloc, iinf, iref) and ISO 23008-12 A.2.1. The encoder's file is ftyp, meta, mdat; the item's bytes follow at the end.

interface Box {
  readonly type: string;
  /** Of the whole box within the bytes, its header included. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

const headerBytes = 8;
const fullHeaderBytes = 12;

/** The boxes side by side from `start` to `end`. Throws RangeError where one leads further. */
function boxesOf(bytes: Buffer, start: number, end: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let place = start; place + headerBytes <= end; ) {
    const size = bytes.readUInt32BE(place) || end - place;
    if (size < headerBytes || place + size > end) throw new RangeError('a box leads out of the file');
    const type = bytes.toString('latin1', place + 4, place + 8);
    boxes.push({ type, start: place, end: place + size, bytes: bytes.subarray(place, place + size) });
    place += size;
  }
  return boxes;
}

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(headerBytes);
  head.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, headerBytes));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

const number16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The item information box with one more item of type Exif. */
function withInformation(iinf: Box, item: number): Buffer {
  const { bytes } = iinf;
  const wide = bytes.readUInt8(8) > 0;
  const count = wide ? bytes.readUInt32BE(12) : bytes.readUInt16BE(12);
  const entry = box('infe', Buffer.from([2, 0, 0, 0]), number16(item), number16(0), Buffer.from('Exif\0', 'latin1'));
  const head = bytes.subarray(headerBytes, fullHeaderBytes);
  return box('iinf', head, wide ? number32(count + 1) : number16(count + 1), bytes.subarray(wide ? 16 : 14), entry);
}

/** The item reference box, or a new one, in which the item describes the picture. */
function withReference(iref: Box | undefined, item: number, picture: number): Buffer {
  const reference = box('cdsc', number16(item), number16(1), number16(picture));
  return box('iref', iref ? iref.bytes.subarray(headerBytes) : Buffer.alloc(4), reference);
}

/**
 * The item location box with every place moved by `shift`, and one more item of `length` bytes at `place`. Returns null for
 * a form that the encoder does not write.
 */
function withLocation(iloc: Box, item: number, shift: number, place: number, length: number): Buffer | null {
  const bytes = Buffer.from(iloc.bytes);
  const version = bytes.readUInt8(8);
  const sizes = bytes.readUInt16BE(12);
  // Offsets and lengths of four bytes, base offsets of four or none, no index.
  if (version > 1 || (sizes !== 0x4400 && sizes !== 0x4440)) return null;
  const based = sizes === 0x4440;
  const count = bytes.readUInt16BE(14);
  let at = 16;
  const move = () => bytes.writeUInt32BE(bytes.readUInt32BE(at) + shift, at);
  for (let index = 0; index < count; index += 1) {
    const inFile = version === 0 || (bytes.readUInt16BE(at + 2) & 0xf) === 0;
    at += version === 0 ? 4 : 6;
    if (based && inFile) move();
    at += based ? 4 : 0;
    const extents = bytes.readUInt16BE(at);
    at += 2;
    for (let extent = 0; extent < extents; extent += 1, at += 8) if (inFile && !based) move();
  }
  bytes.writeUInt16BE(count + 1, 14);
  const method = version === 0 ? [] : [number16(0)];
  const base = based ? [number32(0)] : [];
  return box(
    'iloc',
    bytes.subarray(headerBytes),
    ...[number16(item), ...method, number16(0), ...base, number16(1), number32(place), number32(length)],
  );
}

/** The largest item id of an item information box. */
function lastItem(iinf: Box): number {
  const entries = boxesOf(iinf.bytes, iinf.bytes.readUInt8(8) > 0 ? 16 : 14, iinf.bytes.length);
  return Math.max(0, ...entries.map(({ bytes }) => bytes.readUInt16BE(12)));
}

/**
 * The file with the EXIF block (TIFF form) in it, as pieces to write one after another. Throws where the file is not of the
 * encoder's form.
 */
export function avifWithExif(file: Uint8Array, exif: Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const boxes = boxesOf(bytes, 0, bytes.length);
  const meta = boxes.find(({ type }) => type === 'meta');
  const children = meta ? boxesOf(bytes, meta.start + fullHeaderBytes, meta.end) : [];
  const child = (type: string) => children.find((one) => one.type === type);
  const [iinf, iloc, pitm] = [child('iinf'), child('iloc'), child('pitm')];
  if (!meta || !iinf || !iloc || !pitm) throw new Error('no AVIF file of the known form');
  const item = lastItem(iinf) + 1;
  const picture = pitm.bytes.readUInt16BE(12);
  // Where the block begins within the item: at once.
  const content = Buffer.concat([number32(0), exif]);
  const assemble = (shift: number) => {
    const place = bytes.length + shift + headerBytes;
    const changed = new Map<string, Buffer | null>([
      ['iinf', withInformation(iinf, item)],
      ['iloc', withLocation(iloc, item, shift, place, content.length)],
      ['iref', withReference(child('iref'), item, picture)],
    ]);
    if (changed.get('iloc') === null) throw new Error('an AVIF file with locations of another form');
    const parts = children.map(({ type, bytes: own }) => changed.get(type) ?? own);
    const added = child('iref') ? [] : [changed.get('iref') ?? Buffer.alloc(0)];
    return box('meta', bytes.subarray(meta.start + headerBytes, meta.start + fullHeaderBytes), ...parts, ...added);
  };
  // How much longer it is does not depend on the numbers in it.
  const grown = assemble(0).length - meta.bytes.length;
  return [bytes.subarray(0, meta.start), assemble(grown), bytes.subarray(meta.end), box('mdat', content)];
}
