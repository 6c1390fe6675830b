// Small made pictures and the open pictures that hold them, for tests of what happens after decoding.

import type { Filter, Stack } from '../../../core/document';
import type { DecodedPicture } from '../../../main/codec/decode';
import type { DecodedSamples } from '../../../main/codec/decodedSamples';
import { carriedBy, noMetadata } from '../../../main/codec/metadata';
import { OpenPictures } from '../../../main/images';
import type { FakeEngine } from './fakeEngine';

const scales = { u8: 255, u16: 65535, f32: 1 } as const;

/** A gradient with texture: every sample differs from its neighbours, and no two rows are alike. */
export function madePicture(
  width: number,
  height: number,
  channels: number,
  sampleType: DecodedPicture['sampleType'] = 'u8',
): DecodedPicture {
  const count = width * height * channels;
  const samples: DecodedSamples =
    sampleType === 'u8'
      ? new Uint8Array(count)
      : sampleType === 'u16'
        ? new Uint16Array(count)
        : new Float32Array(count);
  for (let index = 0; index < count; index += 1) {
    const share = ((index * 7919 + Math.floor(index / width) * 104729) % 65521) / 65520;
    samples[index] = sampleType === 'f32' ? Math.fround(share * 2 - 0.5) : Math.round(share * scales[sampleType]);
  }
  return {
    width,
    height,
    channels,
    samples,
    sampleType,
    alpha: channels === 2 || channels === 4,
    format: 'png',
    profile: 'sRGB',
    iccProfile: null,
    light: { kind: 'srgb', curve: null },
    page: 1,
    pages: 1,
    metadata: noMetadata,
    carries: carriedBy(noMetadata, null, { width, height }),
    warnings: [],
  };
}

export async function openMade(engine: FakeEngine, picture: DecodedPicture, name = 'made.png') {
  const pictures = new OpenPictures(engine);
  const info = await pictures.add(picture, { name, format: 'png', fileBytes: 0, folder: null });
  return { pictures, info };
}

export function gaussian(sigma: number, id = 'blur'): Filter {
  return {
    id,
    enabled: true,
    border: { kind: 'replicate' },
    size: 'same',
    alpha: 'weighted',
    light: 'encoded',
    range: 'clamp',
    kind: 'gaussian',
    sigma,
  };
}

export const stackOf = (...filters: readonly Filter[]): Stack => filters;
