// What passes that are ready to run are predicted to take, whatever plan or step they come from.

import { type CostTable, type PictureKind, predictMilliseconds } from './costs';
import type { Pass } from './pass';
import { pathOf, typeBetween } from './plan';

/**
 * Milliseconds over a whole picture, which the first pass reads as `picture`; between passes values are floats. A path that
 * the backend computes as another counts as a dense grid.
 */
export function predictPasses(passes: readonly Pass[], picture: PictureKind, costs: CostTable): number {
  return passes.reduce((sum, { work, epilogue, repeat = 1 }, index) => {
    const path = pathOf(work, epilogue);
    const between = index > 0 || (costs.backend === 'cpu' && passes.length > 1);
    const read = between ? { ...picture, sampleType: typeBetween(picture, costs) } : picture;
    const { width, height } = path;
    const once =
      predictMilliseconds(costs, read, path) ?? predictMilliseconds(costs, read, { kind: 'dense', width, height }) ?? 0;
    return sum + repeat * once;
  }, 0);
}
