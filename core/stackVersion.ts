// Versions of the files that hold stacks, projects and receipts. Written is the oldest that can say what the stack holds, so
// that programs which know no mixes, masks, thresholds and diffusion that edges stop read the files that have none, and refuse
// the others instead of leaving them out.

import type { Filter, Stack } from './document';
import { hasOwnWeights } from './filterForm';

/** The newest version that is read. */
export const newestStackVersion = 3;

/** The oldest version that can say what a filter has. */
function versionOf(filter: Filter): number {
  if (hasOwnWeights(filter) || (filter.kind === 'unsharp' && (filter.threshold ?? 0) > 0)) return 3;
  return filter.mix === undefined && filter.mask === undefined ? 1 : 2;
}

/** The oldest version that can say what all filters have. */
export const stackVersion = (stack: Stack): number => Math.max(1, ...stack.map(versionOf));
