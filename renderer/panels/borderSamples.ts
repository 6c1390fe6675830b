// Which sample of a short row each border shows beyond its ends; for the drawing that a border is chosen by. Pure.

import { sampleAt } from '../../core/border';
import type { Border } from '../../core/pass';

/** Samples inside the drawing: a b c d. */
export const insideCount = 4;
/** Samples drawn beyond each end. */
export const outsideCount = 3;

/** The whole row of the drawing, left to right: an index inside, or null. */
export function drawnSamples(kind: Border['kind']): readonly (number | null)[] {
  return Array.from({ length: insideCount + 2 * outsideCount }, (_, place) =>
    sampleAt(kind, place - outsideCount, insideCount),
  );
}
