// A small picture of a result for the navigator: a draft at the level that fits, in the screen's colours.

import type { Stack } from '../core/document';
import { sizeAtLevel } from '../core/geometry';
import type { Thumbnail } from '../core/ipc';
import { maximumLevel } from '../core/pixelPort';
import type { Codec } from './codec/codec';
import type { Picture } from './images';
import type { Renderer } from './render';

/** `edge`: the most pixels of its longer side. */
export async function makeThumbnail(
  renderer: Renderer,
  codec: Pick<Codec, 'toScreen'>,
  picture: Picture,
  stack: Stack,
  edge: number,
  signal: AbortSignal,
): Promise<Thumbnail> {
  let level = 0;
  for (; level < maximumLevel; level += 1) {
    const { width, height } = sizeAtLevel(picture.image, level);
    if (Math.max(width, height) <= edge) break;
  }
  const { channels } = picture.image;
  const { size, pixels } = await renderer.steadily(async () => {
    const prepared =
      level === 0
        ? await renderer.prepare(picture, stack, signal)
        : await renderer.prepareDraft(picture, stack, level, signal);
    const drawn = new Uint8Array(prepared.size.width * prepared.size.height * channels);
    await renderer.run(prepared, { region: { x: 0, y: 0, ...prepared.size }, level: 0 }, drawn, signal);
    return { size: prepared.size, pixels: drawn };
  });
  const { iccProfile } = picture;
  if (iccProfile === null) return { ...size, channels, pixels };
  // The codec may take the memory with it; a profile that cannot be used leaves the pixels as they are.
  const converted = await codec
    .toScreen({ ...size, channels, pixels: Uint8Array.from(pixels) }, iccProfile, 'srgb')
    .catch(() => pixels);
  return { ...size, channels, pixels: converted };
}
