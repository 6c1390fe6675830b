// The singular value decomposition of a kernel for the page: at once for kernels up to 31 × 31, which takes at most a few
// frames (25 ms for one without symmetry), on another thread beyond (300 ms at 63 × 63).

import { type Decomposition, decompose, type WeightGrid } from '../../core/separability';
import { type ThreadWork, useThreadAnswer } from '../kernel/useThreadAnswer';

const quickSize = 31;

const work: ThreadWork<WeightGrid, Decomposition> = {
  compute: decompose,
  start: () => new Worker(new URL('./decomposition.worker.ts', import.meta.url), { type: 'module' }),
};

/** Null while it is being found; `failed` where the thread did. */
export function useDecomposition(grid: WeightGrid | null): Decomposition | 'failed' | null {
  const isQuick = grid === null || Math.max(grid.width, grid.height) <= quickSize;
  return useThreadAnswer(grid, isQuick, work);
}
