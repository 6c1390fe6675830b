// Masks as the engine's images: a filter's mask for a place of the picture, feathered by the engine's own Gaussian.

import type { CostTable } from '../core/costs';
import { ConvolveError } from '../core/errors';
import { catalogueEntry } from '../core/filters';
import { type Mask, scaleMask, smallestFeather } from '../core/mask';
import { maskChange } from '../core/maskChange';
import type { PlannedMask } from '../core/mix';
import { planStack } from '../core/plan';
import { contentKey } from './contentKey';
import type { DerivedImages } from './derivedImages';
import type { BackendName, Engine, EngineImage, MaskBefore } from './engine';

/** The picture that a mask lies on: whole, and made smaller. */
interface MaskedPicture {
  readonly image: EngineImage;
  atLevel(level: number): Promise<EngineImage>;
}

/** Where its pixel (0, 0) lies, and its size, in pixels of the level. */
export type MaskPlace = Pick<PlannedMask, 'x' | 'y' | 'width' | 'height' | 'level'>;

/** Throws `maskSize` for a mask that was made on a picture of another size; `subject` names its filter. */
export function requireSize(mask: Mask, { width, height }: EngineImage, subject: string): void {
  if (mask.width === width && mask.height === height) return;
  throw new ConvolveError({
    code: 'maskSize',
    subject,
    expected: `${mask.width} × ${mask.height}`,
    actual: `${width} × ${height}`,
  });
}

/** Whether a part of the mask is the same, byte for byte, as made alone: a feather looks beyond it. */
export const isCheapInParts = ({ feather }: Mask): boolean => feather < smallestFeather;

/** What an image of a mask depends on, as the key under which it is kept. */
export const maskKey = (mask: Mask, { x, y, width, height, level }: MaskPlace, backend: BackendName): string =>
  contentKey(['mask', mask, x, y, width, height, level, ...(mask.feather < smallestFeather ? [] : [backend])]);

/** What a mask at a place was made of last. */
interface MadeMask {
  readonly mask: Mask;
  readonly place: MaskPlace;
}

/** The masks that were made last of each picture, from which the next ones are made where strokes alone tell them apart. */
export class LastMasks {
  private readonly last = new WeakMap<DerivedImages, MadeMask>();

  /** What a mask, which is the last one from now on, can be made from; undefined where all of it is to be made. */
  next(derived: DerivedImages, mask: Mask, place: MaskPlace, backend: BackendName): MaskBefore | undefined {
    const before = this.last.get(derived);
    if (place.level !== 0) return undefined;
    this.last.set(derived, { mask, place });
    if (
      before === undefined ||
      (['x', 'y', 'width', 'height'] as const).some((key) => before.place[key] !== place[key])
    )
      return undefined;
    const change = maskChange(before.mask, mask);
    const image = change && derived.peek(maskKey(before.mask, before.place, backend));
    // Nothing has changed: one pixel is the least that is computed.
    return image ? { image, change: { ...change, width: change.width || 1, height: change.height || 1 } } : undefined;
  }
}

/**
 * The mask at a place, in one channel of 16 bits. At a coarser level its lengths are so much shorter, which is a draft: the
 * exact one at that level is the mean of level 0. Rejects with `cancelled` when the signal aborts.
 */
export async function makeMask(
  engine: Engine,
  picture: MaskedPicture,
  mask: Mask,
  place: MaskPlace,
  { backend, costs }: { readonly backend: BackendName; readonly costs: CostTable },
  signal: AbortSignal,
  before?: MaskBefore,
): Promise<EngineImage> {
  const { x, y, width, height, level } = place;
  const scaled = level === 0 ? mask : scaleMask(mask, 1 / 2 ** level);
  const source = scaled.luminance === undefined ? null : await picture.atLevel(level);
  const sharp = await engine.rasteriseMask(scaled, { x, y, width, height }, source, signal, before);
  if (scaled.feather < smallestFeather) return sharp;
  const gaussian = catalogueEntry('gaussian').create('feather', 'u16');
  const feather = { ...gaussian, kind: 'gaussian', sigma: scaled.feather, border: { kind: 'replicate' } } as const;
  const { passes } = planStack([feather], sharp, {}, costs);
  try {
    return await engine.apply(backend, passes, sharp, 'u16', signal);
  } finally {
    sharp.release();
  }
}
