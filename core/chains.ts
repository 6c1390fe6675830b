// Where a pass stands among the passes that run with it, and what that does to a transform: the CPU computes a stack tile by
// tile through all its passes, and a transform's own tiles are then computed more than once.

import type { CostTable } from './costs';
import type { FilterForm } from './filterForm';
import type { PassPath } from './planText';

/** `later`: another pass comes before it. `reachAfter`: pixels that all passes after it look around themselves. */
export interface ChainPlace {
  readonly later: boolean;
  readonly reachAfter: number;
}

export const alone: ChainPlace = { later: false, reachAfter: 0 };

function reachOf(form: FilterForm): number {
  const { width, height } = form.kind === 'linear' ? form.weights.weights : form.x;
  return Math.max(width, height) - 1;
}

/** The place of each filter of a stack. A search for edges ends a chain: what it finds is a picture of its own. */
export function placesIn(forms: readonly FilterForm[]): readonly ChainPlace[] {
  let reachAfter = 0;
  return forms
    .map((form, index) => ({ form, index }))
    .reverse()
    .map(({ form, index }): ChainPlace => {
      if (form.kind === 'edges') reachAfter = 0;
      const place = { later: index > 0, reachAfter };
      reachAfter += reachOf(form);
      return place;
    })
    .reverse();
}

/** Longest side of a later pass that the CPU transforms; beyond it its tiles would need too much memory, and it sums. */
const longestLater = 65;
/**
 * How many times longer a transform takes before passes that reach this far, in pixels: its tiles do not fit theirs. Measured
 * with kernels of 15 to 241 cells before passes that reach 2 to 500 pixels; 2 to 6, and 4 to 9 beyond the limit.
 */
const near = { reach: 300, factor: 3 };
const farFactor = 9;

/** How much longer a path takes at its place than alone; Infinity where the backend would not take it. */
export function slowness(path: PassPath, { later, reachAfter }: ChainPlace, { backend }: CostTable): number {
  if (path.kind !== 'fft' || backend !== 'cpu') return 1;
  if (later && Math.max(path.width, path.height) > longestLater) return Number.POSITIVE_INFINITY;
  if (reachAfter === 0) return 1;
  return reachAfter <= near.reach ? near.factor : farFactor;
}
