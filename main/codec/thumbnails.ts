// Small pictures of a file's pages or frames, to choose one by.

import { defaultLimits } from './limits';
import { owned, sharp } from './sharp';

/** Longest side, in pixels. */
const side = 160;
/** For all pages of one question together, in seconds. */
const longest = 10;

/** PNGs of these pages, counted from 1; null for one that cannot be read. The bytes are those of a picture that was opened. */
export async function pageThumbnails(
  bytes: Uint8Array<ArrayBuffer>,
  pages: readonly number[],
): Promise<readonly (Uint8Array | null)[]> {
  const made: (Uint8Array | null)[] = [];
  const end = performance.now() + longest * 1000;
  for (const page of pages) {
    const seconds = Math.ceil((end - performance.now()) / 1000);
    const picture =
      seconds > 0
        ? sharp(bytes, { page: page - 1, failOn: 'none', autoOrient: true, limitInputPixels: defaultLimits.pixels })
            .timeout({ seconds })
            .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
            .png()
            .toBuffer()
            .then(owned)
        : null;
    made.push(picture && (await picture.catch(() => null)));
  }
  return made;
}
