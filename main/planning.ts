// Plans as jobs: what a stack becomes for a picture, and what its draft becomes at a coarser level. Kernels of more than a few
// cells are decomposed for it, which takes seconds at 511 × 511; those are planned on a thread (planThread.ts).

import type { CostTable, PictureKind } from '../core/costs';
import type { Stack } from '../core/document';
import { type DraftPlan, planDraft } from '../core/draft';
import { type Plan, type PlanOptions, planStack } from '../core/plan';

export interface PlanJob {
  readonly stack: Stack;
  readonly picture: PictureKind;
  readonly options: PlanOptions;
  readonly costs: CostTable;
  /** The level of a draft and the picture there, or null where none is wanted. */
  readonly draft: { readonly level: number; readonly picture: PictureKind } | null;
}

export interface Planned {
  readonly exact: Plan;
  readonly draft: DraftPlan | null;
}

/** Rejects with `cancelled` once the signal is aborted, and as planStack throws. */
export type PlanStack = (job: PlanJob, signal?: AbortSignal) => Promise<Planned>;

/** Throws as planStack. */
export function planNow({ stack, picture, options, costs, draft }: PlanJob): Planned {
  const exact = planStack(stack, picture, options, costs);
  return { exact, draft: draft === null ? null : planDraft(stack, exact, draft.level, draft.picture, costs) };
}

/** Plans in this thread. */
export const planHere: PlanStack = async (job) => planNow(job);

/** Longest side of a grid, in cells, whose plan takes a few milliseconds. */
const quickSize = 31;

/** Whether every plan of the stack is quick. Filters that are known by their rows and columns
 * are, until they are held to a rank. */
export function isQuickToPlan(stack: Stack): boolean {
  return stack.every((filter) => {
    switch (filter.kind) {
      case 'custom':
        return Math.max(filter.kernel.width, filter.kernel.height) <= quickSize;
      case 'lens':
        return 2 * filter.radius + 1 <= quickSize;
      case 'motion':
        return filter.length <= quickSize;
      case 'laplacianOfGaussian':
      case 'unsharp':
      case 'localContrast':
      case 'highPass':
      case 'gaussian':
        return filter.rank === undefined || 8 * filter.sigma <= quickSize;
      case 'differenceOfGaussians':
        return filter.rank === undefined || 8 * filter.sigma * filter.ratio <= quickSize;
      case 'box':
      case 'binomial':
        return filter.rank === undefined || filter.width <= quickSize;
      default:
        return true;
    }
  });
}
