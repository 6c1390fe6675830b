// The mask of a filter as the viewport shows it over the picture.

import type { Filter, ImageInfo } from '../../core/document';
import type { Subject } from '../viewport/layerFeed';

let last: { readonly mask: object; readonly key: number } = { mask: {}, key: 0 };

/** Null for a filter without a mask. */
export function maskSubject(image: ImageInfo, filter: Filter | null): Subject | null {
  const mask = filter?.mask;
  if (filter === null || mask === undefined) return null;
  // Masks are snapshots: another one has other tiles, however it looks.
  if (last.mask !== mask) last = { mask, key: last.key + 1 };
  return {
    source: `${image.id}:mask:${last.key}`,
    imageId: image.id,
    stack: [filter],
    size: { width: image.width, height: image.height },
    origin: { x: 0, y: 0 },
  };
}
