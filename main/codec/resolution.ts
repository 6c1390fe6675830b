// How large a picture's pixels are, as each kind of file says it, in both directions: JFIF's header, PNG's pHYs chunk, and
// the tags of TIFF and EXIF. A number stays what it is where the other file has its unit.

import { mainDirectory, type NewEntry, tiffTypes, unlessBroken } from './tiffDirectory';

export interface Resolution {
  /** Pixels across and down, each a positive number, in one of the unit; of no unit only their ratio counts. */
  readonly x: number;
  readonly y: number;
  readonly per: 'inch' | 'centimetre' | 'metre' | 'none';
}

type Unit = Resolution['per'];
const metres: Readonly<Record<Unit, number>> = { inch: 0.0254, centimetre: 0.01, metre: 1, none: 1 };

/** Null where the numbers say nothing: square pixels of no size. */
function resolution(x: number, y: number, per: Unit | undefined): Resolution | null {
  const sound = per !== undefined && x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y);
  return sound && (per !== 'none' || x !== y) ? { x, y, per } : null;
}

/** The numbers in another unit; of no unit they stay. */
function inUnit({ x, y, per }: Resolution, unit: Unit): { readonly x: number; readonly y: number } {
  const factor = per === 'none' ? 1 : metres[unit] / metres[per];
  return { x: x * factor, y: y * factor };
}

/**
 * A number of pixels a metre as one an inch: the whole one that PNG, which has whole metres, was written from, where there is
 * one.
 */
function inches(perMetre: number): number {
  const whole = Math.round(perMetre * metres.inch);
  return Math.round(whole / metres.inch) === perMetre ? whole : perMetre * metres.inch;
}

/** The numbers in a unit that the other kinds of files have. */
function withoutMetre(given: Resolution): Resolution {
  if (given.per !== 'metre') return given;
  const [x, y] = [inches(given.x), inches(given.y)];
  if (Number.isInteger(x) && Number.isInteger(y)) return { x, y, per: 'inch' };
  return { ...inUnit(given, 'centimetre'), per: 'centimetre' };
}

/** Whole numbers of 1…most; those of no unit keep their ratio. */
function wholeNumbers({ x, y }: { readonly x: number; readonly y: number }, per: Unit, most: number) {
  const fractions = per === 'none' && !(Number.isInteger(x) && Number.isInteger(y));
  const factor = fractions ? Math.min(1000, most / Math.max(x, y)) : 1;
  const whole = (value: number) => Math.min(most, Math.max(1, Math.round(value * factor)));
  return { x: whole(x), y: whole(y) };
}

const jfifUnits: readonly Unit[] = ['none', 'inch', 'centimetre'];

/** `header`: of JFIF, behind its marker: version 2, unit 1, across 2, down 2. */
export function resolutionOfJfif(header: Uint8Array): Resolution | null {
  if (header.length < 7) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  return resolution(view.getUint16(3), view.getUint16(5), jfifUnits[view.getUint8(2)]);
}

/** The header of JFIF 1.02, without a thumbnail. */
export function jfifHeader(given: Resolution): Uint8Array {
  const unit = given.per === 'metre' ? 'inch' : given.per;
  const { x, y } = wholeNumbers(inUnit(given, unit), unit, 0xffff);
  const header = new DataView(new ArrayBuffer(9));
  header.setUint16(0, 0x0102);
  header.setUint8(2, jfifUnits.indexOf(unit));
  header.setUint16(3, x);
  header.setUint16(5, y);
  return new Uint8Array(header.buffer);
}

/** The resolution of a PNG file, from its pHYs chunk, which stands before the pixels. */
export function resolutionOfPng(file: Uint8Array): Resolution | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let chunk = 8; chunk + 21 <= bytes.length; chunk += 12 + bytes.readUInt32BE(chunk)) {
    const kind = bytes.toString('latin1', chunk + 4, chunk + 8);
    if (kind === 'IDAT') return null;
    if (kind === 'pHYs')
      return resolution(
        bytes.readUInt32BE(chunk + 8),
        bytes.readUInt32BE(chunk + 12),
        bytes[chunk + 16] === 1 ? 'metre' : 'none',
      );
  }
  return null;
}

/** What a pHYs chunk holds: across 4, down 4, unit 1. */
export function physContent(given: Resolution): Uint8Array {
  const { x, y } = wholeNumbers(inUnit(given, 'metre'), given.per, 2 ** 31 - 1);
  const content = new DataView(new ArrayBuffer(9));
  content.setUint32(0, x);
  content.setUint32(4, y);
  content.setUint8(8, given.per === 'none' ? 0 : 1);
  return new Uint8Array(content.buffer);
}

export const resolutionTags = { x: 282, y: 283, unit: 296 } as const;
const tiffUnits: Readonly<Record<number, Unit>> = { 1: 'none', 2: 'inch', 3: 'centimetre' };

/** The resolution in the main directory of a TIFF file or EXIF block. */
export function resolutionOfTiff(file: Uint8Array): Resolution | null {
  return unlessBroken(() => {
    const main = mainDirectory(file);
    if (!main) return null;
    const [x, y] = [main.readRational(resolutionTags.x), main.readRational(resolutionTags.y)];
    // Without the tag it is the inch (TIFF 6.0).
    return x === null || y === null ? null : resolution(x, y, tiffUnits[main.read(resolutionTags.unit) ?? 2]);
  });
}

/** A number as a fraction of 32-bit numbers. */
function fraction(value: number): readonly [number, number] {
  for (const below of [1, 10, 100, 1000, 10_000]) {
    const above = Math.round(value * below);
    if (above < 2 ** 32 && Math.abs(above / below - value) <= value * 1e-12) return [above, below];
  }
  const below = Math.max(1, Math.min(10_000_000, Math.floor((2 ** 32 - 1) / value)));
  return [Math.min(2 ** 32 - 1, Math.round(value * below)), below];
}

/** The entries of a directory that say the resolution. */
export function resolutionEntries(given: Resolution, little: boolean): readonly NewEntry[] {
  const { x, y, per } = withoutMetre(given);
  const rational = (tag: number, value: number): NewEntry => {
    const bytes = new DataView(new ArrayBuffer(8));
    fraction(value).forEach((part, index) => {
      bytes.setUint32(4 * index, part, little);
    });
    return { tag, type: tiffTypes.rational, count: 1, value: new Uint8Array(bytes.buffer) };
  };
  const code = per === 'none' ? 1 : per === 'inch' ? 2 : 3;
  const unitBytes = Uint8Array.from(little ? [code, 0] : [0, code]);
  return [
    rational(resolutionTags.x, x),
    rational(resolutionTags.y, y),
    { tag: resolutionTags.unit, type: tiffTypes.short, count: 1, value: unitBytes },
  ];
}
