// What passes that are ready to run are predicted to take, whatever plan or step they come from.

import { type CostTable, type PictureKind, predictMilliseconds } from './costs';
import { assertNever } from './errors';
import type { Pass, PassWork } from './pass';
import { typeBetween } from './plan';
import type { PassPath } from './planText';

function pathOf(work: PassWork): PassPath {
  switch (work.kind) {
    case 'dense':
    case 'fft':
    case 'box': {
      const { width, height } = work.weights;
      return { kind: work.kind, width, height };
    }
    case 'sparse': {
      const { width, height, weights } = work.weights;
      return {
        kind: 'sparse',
        width,
        height,
        taps: weights.reduce((count, weight) => count + (weight === 0 ? 0 : 1), 0),
      };
    }
    case 'separable': {
      const { width, height, pairs } = work.weights;
      return { kind: 'separable', width, height, pairs: pairs.length };
    }
    case 'magnitude':
      return { kind: 'magnitude', width: work.x.width, height: work.x.height };
    case 'diffusion':
      return { kind: 'diffusion', width: 3, height: 3 };
    default:
      return assertNever(work);
  }
}

/**
 * Milliseconds over a whole picture, which the first pass reads as `picture`; between passes values are floats. A path that
 * the backend computes as another counts as a dense grid.
 */
export function predictPasses(passes: readonly Pass[], picture: PictureKind, costs: CostTable): number {
  return passes.reduce((sum, { work, repeat = 1 }, index) => {
    const path = pathOf(work);
    const between = index > 0 || (costs.backend === 'cpu' && passes.length > 1);
    const read = between ? { ...picture, sampleType: typeBetween(picture, costs) } : picture;
    const { width, height } = path;
    const once =
      predictMilliseconds(costs, read, path) ?? predictMilliseconds(costs, read, { kind: 'dense', width, height }) ?? 0;
    return sum + repeat * once;
  }, 0);
}
