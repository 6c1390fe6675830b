// NumPy arrays as pictures: their shape and type are kept, and what is no picture is refused by name.

import { describe, expect, it } from 'vitest';
import { ConvolveError } from '../../../core/errors';
import { type NpyArray, serialiseNpy } from '../../../core/npy';
import { decodeNpy, encodeNpy } from '../../../main/codec/npy';

const file = (array: NpyArray) => Buffer.concat(serialiseNpy(array));

describe('a NumPy picture', () => {
  it.each([
    ['u1', 'u8', [2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6), false],
    ['u2', 'u16', [2, 3, 1], Uint16Array.of(1, 2, 3, 4, 5, 65535), true],
    ['f4', 'f32', [1, 3, 2], Float32Array.of(1, 2, -3, Number.NaN, 5, 6), true],
    ['f8', 'f64', [1, 1, 4], Float64Array.of(0.1, 0.2, 0.3, 0.4), true],
  ] as const)('of %s keeps its type, shape and values', (item, sampleType, shape, values, channelAxis) => {
    const bytes = file({ item, shape, values });
    const picture = decodeNpy(bytes, 'a.npy');
    const [height, width, channels = 1] = shape;
    expect(picture).toEqual({ width, height, channels, sampleType, samples: values, channelAxis });
    expect(Buffer.concat(encodeNpy(picture)).equals(bytes)).toBe(true);
  });

  it('is refused where its shape or type is none of a picture', () => {
    const refused = (array: NpyArray) => {
      expect(() => decodeNpy(file(array), 'a.npy')).toThrow(ConvolveError);
      expect(() => decodeNpy(file(array), 'a.npy')).toThrow(/formatUnsupported: a\.npy/);
    };
    refused({ item: 'u1', shape: [4], values: new Uint8Array(4) });
    refused({ item: 'u1', shape: [1, 2, 2, 1], values: new Uint8Array(4) });
    refused({ item: 'u1', shape: [2, 2, 5], values: new Uint8Array(20) });
    refused({ item: 'u1', shape: [0, 4], values: new Uint8Array(0) });
    refused({ item: 'i2', shape: [2, 2], values: new Int16Array(4) });
  });
});
