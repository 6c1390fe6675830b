// Pictures as NumPy arrays: height × width, or height × width × 1…4 channels, of u1, u2, f2, f4 or f8, each value kept as it
// is. 0…255, 0…65535 and 0…1 are dark to bright, as everywhere.

import { ConvolveError } from '../../core/errors';
import type { Size } from '../../core/geometry';
import { type NpyItem, parseNpy, serialiseNpy } from '../../core/npy';
import type { Samples, SampleType } from '../../core/pass';

const sampleTypes: Partial<Record<NpyItem, SampleType>> = { u1: 'u8', u2: 'u16', f4: 'f32', f8: 'f64' };

export interface ArrayPicture extends Size {
  /** width × height × channels, rows top to bottom without padding. */
  readonly samples: Samples;
  readonly channels: number;
  readonly sampleType: SampleType;
  /** True where the array had a third axis, also of length 1. */
  readonly channelAxis: boolean;
}

/** Reads a picture. Throws fileDamaged or formatUnsupported, naming the file. */
export function decodeNpy(bytes: Uint8Array, name: string): ArrayPicture {
  // Truth values and 64-bit integers have no full scale that a picture could mean.
  const { item, shape, values } = parseNpy(bytes, name, ['f2']);
  const refuse = (expected: string, actual: string) =>
    new ConvolveError({ code: 'formatUnsupported', subject: name, expected, actual });
  const sampleType = sampleTypes[item];
  if (!sampleType) throw refuse('numbers of type u1, u2, f2, f4 or f8', `numbers of type ${item}`);
  const [height = 0, width = 0, channels = 1] = shape;
  const fits =
    (shape.length === 2 || shape.length === 3) && height >= 1 && width >= 1 && channels >= 1 && channels <= 4;
  if (!fits)
    throw refuse('the shape (height, width) or (height, width, 1…4)', `an array of shape (${shape.join(', ')})`);
  return { width, height, channels, sampleType, samples: values as Samples, channelAxis: shape.length === 3 };
}

function itemOf(samples: Samples): NpyItem {
  if (samples instanceof Uint8Array) return 'u1';
  if (samples instanceof Uint16Array) return 'u2';
  return samples instanceof Float32Array ? 'f4' : 'f8';
}

/** The file as pieces to write one after another; its type is the samples' own. */
export function encodeNpy({
  width,
  height,
  channels,
  samples,
  channelAxis,
}: Omit<ArrayPicture, 'sampleType'>): readonly Uint8Array[] {
  const shape = channelAxis ? [height, width, channels] : [height, width];
  return serialiseNpy({ item: itemOf(samples), shape, values: samples });
}
