// A picture file as what may become a kernel: read like any picture, small, and never kept.

import path from 'node:path';
import { type KernelPicture, refuseLargePicture } from '../core/pictureKernel';
import type { Codec } from './codec/codec';
import { headerSize } from './codec/headerSize';
import type { DecodeLimits } from './codec/limits';
import { requirePicture } from './codec/sniff';
import { readPictureFile } from './pictureFile';

/** Reads a file. Throws as kernelPictureOf, and file codes. */
export async function readKernelPicture(codec: Codec, filePath: string, limits?: DecodeLimits): Promise<KernelPicture> {
  const name = path.basename(filePath);
  // Before a large file is read whole, where its header says so much.
  const bytes = await readPictureFile(filePath, (head) => refuseByHeader(head, name));
  return kernelPictureOf(codec, bytes, name, limits);
}

function refuseByHeader(head: Uint8Array, name: string): void {
  const size = headerSize(head, requirePicture(head, name));
  if (size) refuseLargePicture(name, size.width, size.height);
}

/** Throws as the codec for what is no picture, and imageTooLarge for more than 511 × 511 pixels. */
export async function kernelPictureOf(
  codec: Codec,
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  limits?: DecodeLimits,
): Promise<KernelPicture> {
  refuseByHeader(bytes, name);
  const decoded = await codec.decode(bytes, name, limits);
  const { width, height, channels, alpha, sampleType, samples } = decoded;
  refuseLargePicture(name, width, height);
  return { name, width, height, channels, alpha, sampleType, samples: Float32Array.from(samples) };
}
