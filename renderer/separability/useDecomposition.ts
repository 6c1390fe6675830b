// The singular value decomposition of a kernel for the page: at once for kernels up to 63 × 63, on another thread beyond.

import { type Decomposition, decompose, type WeightGrid } from '../../core/separability';
import { liveDecompositionSize } from '../kernel/separabilityFacts';
import { type ThreadWork, useThreadAnswer } from '../kernel/useThreadAnswer';

const work: ThreadWork<WeightGrid, Decomposition> = {
  compute: decompose,
  start: () => new Worker(new URL('./decomposition.worker.ts', import.meta.url), { type: 'module' }),
};

/** Null while it is being found; `failed` where the thread did. */
export function useDecomposition(grid: WeightGrid | null): Decomposition | 'failed' | null {
  const isQuick = grid === null || Math.max(grid.width, grid.height) <= liveDecompositionSize;
  return useThreadAnswer(grid, isQuick, work);
}
