// Portable maps read: bitmaps, grey maps and pixel maps (Netpbm's P1…P6) and their floating-point sisters (Pf and PF, by Paul
// Debevec; rows from the bottom up). The codec's build has no reader for them, and the forms are a header and plain samples.

import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import type { NetpbmFormat } from './sniff';

export interface NetpbmHeader extends Size {
  readonly format: NetpbmFormat;
  readonly channels: 1 | 3;
  readonly sampleType: 'u8' | 'u16' | 'f32';
  /** Bitmaps: 1 is black. Plain: as text. */
  readonly form: 'bits' | 'plainBits' | 'plain' | 'binary' | 'bigFloats' | 'littleFloats';
  /** White; 1 of bitmaps and floats. */
  readonly maximum: number;
  /** Where the samples begin. */
  readonly start: number;
}

const forms = { 1: 'plainBits', 2: 'plain', 3: 'plain', 4: 'bits', 5: 'binary', 6: 'binary' } as const;
const longestHeader = 65_536;

/** What the file says of itself. Throws fileDamaged. */
export function netpbmHeader(bytes: Uint8Array, name: string): NetpbmHeader {
  const damaged = (actual: string) => new ConvolveError({ code: 'fileDamaged', subject: name, actual });
  const text = Buffer.from(bytes.subarray(0, longestHeader)).toString('latin1');
  let place = 2;
  // Words between blanks and comments; exactly one blank follows the last.
  const word = (): string => {
    const found = /^(?:\s|#[^\n\r]*[\n\r])*([^\s#]+)/.exec(text.slice(place));
    if (!found) throw damaged('a header that ends too early');
    place += found[0].length;
    return found[1] ?? '';
  };
  const size = (): number => {
    const said = word();
    const length = /^\d{1,9}$/.test(said) ? Number(said) : 0;
    if (length < 1) throw damaged(`a side of ${said} pixels`);
    return length;
  };
  const kind = text[1] ?? '';
  const [width, height] = [size(), size()];
  if (/f/i.test(kind)) {
    const scale = Number(word());
    if (!Number.isFinite(scale) || scale === 0) throw damaged('a scale that is no number');
    const form = scale < 0 ? 'littleFloats' : 'bigFloats';
    const channels = kind === 'F' ? 3 : 1;
    return { format: 'pfm', width, height, channels, sampleType: 'f32', form, maximum: 1, start: place + 1 };
  }
  const form = forms[Number(kind) as keyof typeof forms];
  const bitmap = form === 'bits' || form === 'plainBits';
  const maximum = bitmap ? 1 : Number(word());
  if (!Number.isInteger(maximum) || maximum < 1 || maximum > 65535) throw damaged('a white beyond 1…65535');
  const channels = kind === '3' || kind === '6' ? 3 : 1;
  const sampleType = maximum > 255 ? 'u16' : 'u8';
  return { format: 'pnm', width, height, channels, sampleType, form, maximum, start: place + 1 };
}

/** Whole numbers as text, or the digits of a bitmap, which may stand without blanks between them. */
function plainNumbers(bytes: Uint8Array, start: number, count: number, digits: boolean): Uint16Array {
  const numbers = new Uint16Array(count);
  let found = 0;
  let inNumber = false;
  for (let place = start; place < bytes.length && (found < count || inNumber); place += 1) {
    const sign = bytes[place] ?? 0;
    const isDigit = sign >= 0x30 && sign <= 0x39;
    if (isDigit && (digits || !inNumber)) numbers[found++] = sign - 0x30;
    else if (isDigit) numbers[found - 1] = Math.min(65535, (numbers[found - 1] ?? 0) * 10 + sign - 0x30);
    inNumber = isDigit && !digits;
    // A comment.
    if (sign === 0x23) while (place < bytes.length && bytes[place] !== 0x0a) place += 1;
  }
  return numbers.subarray(0, found);
}

/** The first `count` samples as the file has them; fewer where it is cut short. */
function storedSamples(bytes: Uint8Array, { form, start, width, maximum }: NetpbmHeader, count: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + Math.min(start, bytes.length));
  const room = Math.max(0, bytes.length - start);
  switch (form) {
    case 'plain':
    case 'plainBits':
      return plainNumbers(bytes, start, count, form === 'plainBits');
    case 'bits': {
      const rowBytes = Math.ceil(width / 8);
      const bits = new Uint8Array(Math.min(count, Math.floor(room / rowBytes) * width));
      for (let index = 0; index < bits.length; index += 1) {
        const column = index % width;
        const place = ((index - column) / width) * rowBytes + (column >> 3);
        bits[index] = (view.getUint8(place) >> (7 - (column & 7))) & 1;
      }
      return bits;
    }
    case 'binary': {
      if (maximum <= 255) return bytes.subarray(start, start + count);
      const numbers = new Uint16Array(Math.min(count, room >> 1));
      for (let index = 0; index < numbers.length; index += 1) numbers[index] = view.getUint16(2 * index);
      return numbers;
    }
    case 'bigFloats':
    case 'littleFloats': {
      const floats = new Float32Array(Math.min(count, room >> 2));
      for (let index = 0; index < floats.length; index += 1)
        floats[index] = view.getFloat32(4 * index, form === 'littleFloats');
      return floats;
    }
  }
}

/**
 * The samples in whole scale, rows from the top, and whether they are all there; what is missing is 0. Throws fileDamaged
 * where there are none.
 */
export function netpbmSamples(bytes: Uint8Array, header: NetpbmHeader, name: string) {
  const { width, height, channels, sampleType, form, maximum } = header;
  const count = width * height * channels;
  const stored = storedSamples(bytes, header, count);
  if (stored.length === 0) throw new ConvolveError({ code: 'fileDamaged', subject: name, actual: 'no samples' });
  const whole = stored.length >= count;
  if (sampleType === 'f32') {
    const samples = new Float32Array(count);
    const row = width * channels;
    for (let start = 0; start < stored.length; start += row)
      samples.set(stored.subarray(start, start + row), count - row - start);
    return { samples, whole };
  }
  const samples = sampleType === 'u8' ? new Uint8Array(count) : new Uint16Array(count);
  const white = sampleType === 'u8' ? 255 : 65535;
  const inverted = form === 'bits' || form === 'plainBits';
  for (let index = 0; index < stored.length; index += 1) {
    const value = Math.min(stored[index] ?? 0, maximum);
    samples[index] = Math.round(((inverted ? maximum - value : value) * white) / maximum);
  }
  return { samples, whole };
}
