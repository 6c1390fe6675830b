// The kernels of a filter, as the tabs show them: at once where expanding them is cheap, else once the slider rests.

import { useMemo } from 'react';
import type { Filter } from '../../core/document';
import { kernelsOf, longPairs } from '../../core/filterForm';
import type { Kernel } from '../../core/kernel';
import type { SeparableWeights } from '../../core/pass';
import { useSettled } from './useSettled';

/** Largest kernel of one's own that is shown at every step of a drag, in cells a side. */
const liveSize = 63;

/** Filters whose kernel is at most about 25 × 25: expanding it follows a slider. Larger ones wait until the slider rests. */
function isCheap(filter: Filter): boolean {
  switch (filter.kind) {
    case 'gaussian':
    case 'unsharp':
    case 'localContrast':
    case 'highPass':
    case 'laplacianOfGaussian':
    case 'canny':
      return filter.sigma <= 3;
    case 'lens':
      return filter.radius <= 6;
    case 'motion':
      return filter.length <= 25;
    case 'box':
      return filter.width <= 25;
    case 'custom':
      return Math.max(filter.kernel.width, filter.kernel.height) <= liveSize;
    default:
      return true;
  }
}

export interface FilterKernels {
  /** The filter that the kernels belong to. */
  readonly shown: Filter;
  /** One; two for a gradient; none where the kernel cannot run or is known by its rows and columns only. */
  readonly kernels: readonly Kernel[];
  /** Rows and columns of a kernel too large for a grid; null for all others. */
  readonly long: SeparableWeights | null;
}

export function useFilterKernels(filter: Filter): FilterKernels {
  const shown = useSettled(filter, isCheap(filter));
  return useMemo(() => {
    try {
      return { shown, kernels: kernelsOf(shown), long: longPairs(shown) };
    } catch {
      return { shown, kernels: [], long: null };
    }
  }, [shown]);
}
