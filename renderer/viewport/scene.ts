// What the viewport is to show, as one value, and where on the canvas each of the two pictures stands.

import type { Rectangle, Size } from '../../core/geometry';
import { type CompareMode, comparedParts, type SplitDirection } from './compare';
import type { Subject } from './layerFeed';

/** What is to be seen. Where no filter works, `result` is the same subject as `original`. */
export interface Scene {
  readonly imageId: number;
  readonly size: Size;
  readonly alpha: boolean;
  readonly original: Subject;
  readonly result: Subject;
  readonly compare: CompareMode;
  /** Where the split lies, as a share of the viewport's width from the left, or of its height from the top. */
  readonly split: number;
  readonly splitDirection: SplitDirection;
  readonly differenceGain: number;
  readonly clipping: boolean;
  /** Colours of signed values (`signedColours`), where the result's pixels are such; else null. */
  readonly signed: Uint8Array | null;
  /** The picture whose mask is seen over it: that of its last filter. Null where none is. */
  readonly mask: Subject | null;
}

/** How the scene is compared: a picture without filters is but the original, or differs from itself nowhere. */
export function compareOf({ result, original, compare }: Scene): CompareMode {
  return result.source === original.source && compare !== 'difference' ? 'original' : compare;
}

/** Where each picture shows on a canvas of this size, in device pixels. */
export function partsOf(scene: Scene, size: Size): Readonly<Record<'original' | 'result', Rectangle>> {
  return comparedParts(compareOf(scene), scene.split, scene.splitDirection, size);
}
