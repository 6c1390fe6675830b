// Memory for samples, laid out as an uncompressed TIFF file (little-endian, TIFF 6.0; floats: section 19) around them. A kernel
// goes out as such a file; exports are computed into one, so that the encoder reads depth, channels, alpha and colour profile
// from the file form it knows best: it has no other way to take floating-point samples or a profile without converting the
// colours.
//
//   header 8 · directory · values that do not fit into it, profile among them · padding to 64 · samples

import type { Size } from './geometry';
import type { Samples, SampleType } from './pass';

/** Depths that a container holds; f64 results are exported as f32. */
export type ContainerSampleType = Exclude<SampleType, 'f64'>;

export interface TiffContainer {
  /** The whole file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The samples inside it, to be filled: rows top to bottom without padding, alpha last and straight. */
  readonly samples: Samples;
}

/** What stands beside the samples. */
export interface ContainerParts {
  /** ICC profile. */
  readonly profile: Uint8Array | null;
  /** Whether it says one pixel per unit, without a unit: a file of its own has to say something. */
  readonly resolution?: true;
}

const short = 3;
const long = 4;
/** Two long numbers a value. */
const rational = 5;
const undefinedBytes = 7;
/** Bytes of a number. */
const typeSizes = { [short]: 2, [long]: 4, [rational]: 4, [undefinedBytes]: 1 } as const;
const sampleBytes = { u8: 1, u16: 2, f32: 4 } as const;
/** Rows of a strip: the encoder reads a strip at a time. */
const rowsPerStrip = 64;

interface Field {
  readonly tag: number;
  readonly type: keyof typeof typeSizes;
  /** Its numbers: two for each value of a rational. */
  readonly values: readonly number[] | Uint8Array;
}

const alignTo = (offset: number, step: number) => Math.ceil(offset / step) * step;

function fieldsOf(size: Size, channels: number, sampleType: ContainerSampleType, parts: ContainerParts): Field[] {
  const { profile, resolution } = parts;
  const alpha = channels === 2 || channels === 4;
  const strips = Math.ceil(size.height / rowsPerStrip);
  const each = (value: number) => Array.from({ length: channels }, () => value);
  const perStrip = () => Array.from({ length: strips }, () => 0);
  const fields: readonly (Field | null)[] = [
    { tag: 256, type: long, values: [size.width] },
    { tag: 257, type: long, values: [size.height] },
    { tag: 258, type: short, values: each(8 * sampleBytes[sampleType]) },
    { tag: 259, type: short, values: [1] }, // Compression: none
    { tag: 262, type: short, values: [channels <= 2 ? 1 : 2] }, // Photometric: black is zero, or RGB
    { tag: 273, type: long, values: perStrip() }, // StripOffsets, filled in by the caller
    { tag: 277, type: short, values: [channels] },
    { tag: 278, type: long, values: [rowsPerStrip] },
    { tag: 279, type: long, values: perStrip() }, // StripByteCounts, likewise
    resolution ? { tag: 282, type: rational, values: [1, 1] } : null,
    resolution ? { tag: 283, type: rational, values: [1, 1] } : null,
    { tag: 284, type: short, values: [1] }, // PlanarConfiguration: interleaved
    resolution ? { tag: 296, type: short, values: [1] } : null, // ResolutionUnit: none
    alpha ? { tag: 338, type: short, values: [2] } : null, // ExtraSamples: straight alpha
    { tag: 339, type: short, values: each(sampleType === 'f32' ? 3 : 1) }, // SampleFormat: float or unsigned
    profile ? { tag: 34675, type: undefinedBytes, values: profile } : null,
  ];
  return fields.filter((field) => field !== null);
}

/** A container for width × height × channels samples of the given depth, all zero. */
export function createTiffContainer(
  size: Size,
  channels: number,
  sampleType: ContainerSampleType,
  parts: ContainerParts,
): TiffContainer {
  const fields = fieldsOf(size, channels, sampleType, parts);
  const byteLength = (field: Field) => field.values.length * typeSizes[field.type];
  const directory = 8;
  let end = directory + 2 + 12 * fields.length + 4;
  const places = fields.map((field) => {
    if (byteLength(field) <= 4) return null;
    const place = alignTo(end, 2);
    end = place + byteLength(field);
    return place;
  });
  const start = alignTo(end, 64);
  const rowBytes = size.width * channels * sampleBytes[sampleType];
  const bytes = new Uint8Array(start + rowBytes * size.height);
  const view = new DataView(bytes.buffer);

  view.setUint16(0, 0x4949, true);
  view.setUint16(2, 42, true);
  view.setUint32(4, directory, true);
  view.setUint16(directory, fields.length, true);
  fields.forEach((field, index) => {
    const entry = directory + 2 + 12 * index;
    view.setUint16(entry, field.tag, true);
    view.setUint16(entry + 2, field.type, true);
    view.setUint32(entry + 4, field.values.length / (field.type === rational ? 2 : 1), true);
    const place = places[index] ?? entry + 8;
    if (place !== entry + 8) view.setUint32(entry + 8, place, true);
    if (field.values instanceof Uint8Array) {
      bytes.set(field.values, place);
      return;
    }
    field.values.forEach((value, position) => {
      const firstRow = position * rowsPerStrip;
      const rows = Math.min(rowsPerStrip, size.height - firstRow);
      const stored = field.tag === 273 ? start + firstRow * rowBytes : field.tag === 279 ? rows * rowBytes : value;
      if (field.type === short) view.setUint16(place + 2 * position, stored, true);
      else view.setUint32(place + 4 * position, stored, true);
    });
  });

  return { bytes, samples: samplesIn(bytes, size.width * size.height * channels, sampleType) };
}

/** The samples at the end of a container's bytes. */
export function samplesIn(bytes: Uint8Array<ArrayBuffer>, count: number, sampleType: ContainerSampleType): Samples {
  const start = bytes.byteOffset + bytes.length - count * sampleBytes[sampleType];
  switch (sampleType) {
    case 'u8':
      return new Uint8Array(bytes.buffer, start, count);
    case 'u16':
      return new Uint16Array(bytes.buffer, start, count);
    case 'f32':
      return new Float32Array(bytes.buffer, start, count);
  }
}
