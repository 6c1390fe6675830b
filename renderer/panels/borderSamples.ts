// Which sample of a short row each border shows beyond its ends; for the drawing that a border is chosen by. Pure.

import type { Border } from '../../core/pass';

/** Samples inside the drawing: a b c d. */
export const insideCount = 4;
/** Samples drawn beyond each end. */
export const outsideCount = 3;

/**
 * The index inside 0…count−1 that is read at `position` (which may lie outside), or null where the border has a value of
 * its own: zero and constant.
 */
export function sampleAt(kind: Border['kind'], position: number, count: number): number | null {
  const modulo = (value: number, period: number) => ((value % period) + period) % period;
  if (position >= 0 && position < count) return position;
  switch (kind) {
    case 'zero':
    case 'constant':
      return null;
    case 'replicate':
      return position < 0 ? 0 : count - 1;
    case 'reflect': {
      const at = modulo(position, 2 * count);
      return at < count ? at : 2 * count - 1 - at;
    }
    case 'mirror': {
      const at = modulo(position, Math.max(1, 2 * count - 2));
      return at < count ? at : 2 * count - 2 - at;
    }
    case 'wrap':
      return modulo(position, count);
  }
}

/** The whole row of the drawing, left to right: an index inside, or null. */
export function drawnSamples(kind: Border['kind']): readonly (number | null)[] {
  return Array.from({ length: insideCount + 2 * outsideCount }, (_, place) =>
    sampleAt(kind, place - outsideCount, insideCount),
  );
}
