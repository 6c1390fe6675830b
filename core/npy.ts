// NumPy's .npy files, read and written as plain bytes: format versions 1 to 3, little- and big-endian, C and Fortran
// order. The header is parsed by a small pattern, never evaluated; sizes are checked before anything is allocated.
// Source: NumPy Enhancement Proposal 1, and numpy.lib.format.

import { ConvolveError } from './errors';

/** Number types of arrays: NumPy's letter and size without the byte order. */
const itemTypes = {
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
} as const;
export type NpyItem = keyof typeof itemTypes;
export type NpyValues =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** An array: values in C order (the last index runs fastest) whatever the order in the file. */
export interface NpyArray {
  readonly item: NpyItem;
  readonly shape: readonly number[];
  readonly values: NpyValues;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** True for bytes that begin as an .npy file. */
export function isNpy(bytes: Uint8Array): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** Number types that are read as another that holds every value of them, or, for 64-bit integers, the nearest. */
const widened = {
  f2: { item: 'f4', read: (view: DataView, offset: number) => halfFloat(view.getUint16(offset, true)) },
  b1: { item: 'u1', read: (view: DataView, offset: number) => (view.getUint8(offset) === 0 ? 0 : 1) },
  i8: { item: 'f8', read: (view: DataView, offset: number) => Number(view.getBigInt64(offset, true)) },
  u8: { item: 'f8', read: (view: DataView, offset: number) => Number(view.getBigUint64(offset, true)) },
} as const;
export type WidenedItem = keyof typeof widened;
type ReadItem = NpyItem | WidenedItem;

const widenedItems = Object.keys(widened) as readonly WidenedItem[];
const isWidened = (item: string): item is WidenedItem => Object.hasOwn(widened, item);

/** The value of 16 bits of IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

interface Header {
  readonly item: ReadItem;
  readonly bigEndian: boolean;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  readonly dataOffset: number;
}

function damaged(name: string, actual: string): ConvolveError {
  return new ConvolveError({ code: 'fileDamaged', subject: name, actual });
}

function headerText(bytes: Uint8Array, name: string): { readonly text: string; readonly dataOffset: number } {
  if (!isNpy(bytes) || bytes.length < 10) throw damaged(name, 'not an .npy file');
  const major = bytes[6] ?? 0;
  if (major < 1 || major > 3)
    throw new ConvolveError({
      code: 'formatUnsupported',
      subject: name,
      expected: '.npy of version 1 to 3',
      actual: `.npy data of version ${major}`,
    });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = major === 1 ? 10 : 12;
  if (bytes.length < start) throw damaged(name, 'the header is cut off');
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > bytes.length) throw damaged(name, 'the header is cut off');
  if (length > 65536) throw damaged(name, 'the header is too long');
  return { text: new TextDecoder('latin1').decode(bytes.subarray(start, start + length)), dataOffset: start + length };
}

function parseHeader(bytes: Uint8Array, name: string, widen: readonly WidenedItem[]): Header {
  const { text, dataOffset } = headerText(bytes, name);
  const type = /'descr'\s*:\s*(?:'([^']{0,40})'|(\[))/.exec(text);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text);
  const shape = /'shape'\s*:\s*\(([\d\s,L]{0,400})\)/.exec(text);
  if (!type || !order || !shape) throw damaged(name, 'the header names no descr, fortran_order and shape');
  const described = /^([<>|=])(\w+)$/.exec(type[1] ?? '');
  const item = described?.[2] ?? '';
  if (!described || !(Object.hasOwn(itemTypes, item) || widen.some((known) => known === item)))
    throw new ConvolveError({
      code: 'formatUnsupported',
      subject: name,
      expected: `numbers of type ${[...Object.keys(itemTypes), ...widen].join(', ')}`,
      actual: `numbers of type ${type[1] ?? 'structure'}`,
    });
  const sizes = (shape[1] ?? '')
    .split(',')
    .map((size) => size.replace(/[\sL]/g, ''))
    .filter((size) => size !== '')
    .map(Number);
  return {
    item: item as ReadItem,
    bigEndian: described[1] === '>',
    fortranOrder: order[1] === 'True',
    shape: sizes,
    dataOffset,
  };
}

/** Fortran order into C order: the first index runs fastest in the file, the last one in the result. */
function inCOrder(values: NpyValues, shape: readonly number[]): NpyValues {
  const result = values.slice();
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, size) => product * size, 1));
  const index = shape.map(() => 0);
  let source = 0;
  for (let target = 0; target < values.length; target++) {
    result[target] = values[source] ?? 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      const stride = strides[axis] ?? 1;
      const next = (index[axis] ?? 0) + 1;
      if (next < size) {
        index[axis] = next;
        source += stride;
        break;
      }
      index[axis] = 0;
      source -= stride * (size - 1);
    }
  }
  return result;
}

/**
 * Reads an .npy file. `name` is for messages; `widen`: the types that are read as wider ones instead of refused. Throws ConvolveError: `fileDamaged` (cut off, no array), `formatUnsupported`
 * (objects, complex numbers, texts).
 */
export function parseNpy(bytes: Uint8Array, name: string, widen = widenedItems): NpyArray {
  const { item, bigEndian, fortranOrder, shape, dataOffset } = parseHeader(bytes, name, widen);
  const itemBytes = Number(item[1]);
  const count = shape.reduce((product, size) => product * size, 1);
  const needed = count * itemBytes;
  const present = bytes.length - dataOffset;
  if (!Number.isSafeInteger(needed) || needed > present)
    throw damaged(name, `${present} bytes of data where its shape (${shape.join(', ')}) needs ${needed}`);
  // Its own aligned memory: the bytes may be a view into a larger buffer.
  const data = new Uint8Array(needed);
  data.set(bytes.subarray(dataOffset, dataOffset + needed));
  if (bigEndian && itemBytes > 1)
    for (let start = 0; start < data.length; start += itemBytes) data.subarray(start, start + itemBytes).reverse();
  const inOrder = (values: NpyValues) => (fortranOrder && shape.length > 1 ? inCOrder(values, shape) : values);
  if (!isWidened(item)) return { item, shape, values: inOrder(new itemTypes[item](data.buffer, 0, count)) };
  const { item: held, read } = widened[item];
  const view = new DataView(data.buffer);
  const values = new itemTypes[held](count);
  for (let index = 0; index < count; index++) values[index] = read(view, index * itemBytes);
  return { item: held, shape, values: inOrder(values) };
}

/** An .npy file of version 1.0, little-endian, C order: the header, then the values' own memory. */
export function serialiseNpy(array: NpyArray): readonly [header: Uint8Array, data: Uint8Array] {
  const order = array.item === 'u1' || array.item === 'i1' ? '|' : '<';
  const shape = array.shape.length === 1 ? `${array.shape[0]},` : array.shape.join(', ');
  const dictionary = `{'descr': '${order}${array.item}', 'fortran_order': False, 'shape': (${shape}), }`;
  const start = magic.length + 4;
  // Data begin at a multiple of 64 bytes; the header ends with a line feed.
  const padding = (64 - ((start + dictionary.length + 1) % 64)) % 64;
  const text = `${dictionary}${' '.repeat(padding)}\n`;
  const header = new Uint8Array(start + text.length);
  header.set(magic);
  header.set([1, 0, text.length & 0xff, text.length >> 8], magic.length);
  header.set(new TextEncoder().encode(text), start);
  const { buffer, byteOffset, byteLength } = array.values;
  return [header, new Uint8Array(buffer, byteOffset, byteLength)];
}
