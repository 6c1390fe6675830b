// What the separability panel says of a filter's kernel: singular values, rank, energy, the work whole and as pairs, and how
// the plan runs it. Pure.

import type { CostTable, PictureKind } from '../../core/costs';
import type { Filter } from '../../core/document';
import type { Kernel } from '../../core/kernel';
import type { PassWork } from '../../core/pass';
import { planStack } from '../../core/plan';
import { decompose, defaultRankTolerance, rankError, rankOf } from '../../core/separability';
import { shippedCosts } from '../../core/shippedCosts';

/** Largest kernel whose singular values follow every change: about 20 ms at 63 × 63 without symmetry. */
export const liveDecompositionSize = 63;

/** How the plan runs the filter. */
export type Running =
  /** `withPicture`: the picture itself is added after the pairs, as in an unsharp mask. */
  | { readonly kind: 'pairs'; readonly count: number; readonly withPicture: boolean }
  | { readonly kind: Exclude<PassWork['kind'], 'separable'> };

export interface SeparabilityFacts {
  readonly singularValues: readonly number[];
  readonly rank: number;
  /** Largest rank a kernel of this size can have. */
  readonly fullRank: number;
  /** Share of Σσ² in the first `energyTerms` terms. */
  readonly energy: number;
  readonly energyTerms: number;
  /** Multiply-adds a pixel as a whole, and as `rank` pairs of a row and a column. */
  readonly dense: number;
  readonly separable: number;
  /** Smallest singular value that counts. */
  readonly threshold: number;
}

/** Everything that the panel asks at once. */
export interface FactsQuestion {
  readonly filter: Filter;
  /** Null for a kernel too large for a grid. */
  readonly kernel: Kernel | null;
  readonly costs: CostTable;
  readonly picture: PictureKind | undefined;
}

export interface FactsAnswer {
  readonly facts: SeparabilityFacts | null;
  readonly running: Running | null;
}

export function factsOf({ filter, kernel, costs, picture }: FactsQuestion): FactsAnswer {
  return {
    facts: kernel === null ? null : separabilityFacts(kernel),
    running: runningOf(filter, costs, picture),
  };
}

/** Null for a kernel with weights that are not numbers, or too large to follow changes. */
export function separabilityFacts(kernel: Kernel): SeparabilityFacts | null {
  const { width, height, weights } = kernel;
  if (Math.max(width, height) > liveDecompositionSize || !weights.every(Number.isFinite)) return null;
  const decomposition = decompose(kernel);
  const rank = rankOf(decomposition);
  // One term less than the exact rank shows what the last pair is worth; rank 1 has only the whole.
  const energyTerms = Math.max(1, rank - 1);
  return {
    singularValues: decomposition.singularValues,
    rank,
    fullRank: Math.min(width, height),
    energy: rankError(decomposition, energyTerms).energy,
    energyTerms,
    dense: width * height,
    separable: rank * (width + height),
    threshold: (decomposition.singularValues[0] ?? 0) * defaultRankTolerance,
  };
}

/** What is planned for while no picture is open. */
const usualPicture: PictureKind = { width: 4000, height: 3000, channels: 4, sampleType: 'u8' };

/** How a filter runs on a picture by the costs of a backend; null where its kernel cannot run. */
export function runningOf(
  filter: Filter,
  costs: CostTable = shippedCosts.cpu,
  picture: PictureKind = usualPicture,
): Running | null {
  try {
    const plan = planStack([{ ...filter, enabled: true, size: 'same' }], picture, {}, costs);
    const pass = plan.passes[0];
    const work = plan.steps[0]?.edges?.x ?? pass?.work;
    if (work === undefined) return null;
    if (work.kind !== 'separable') return { kind: work.kind };
    return { kind: 'pairs', count: work.weights.pairs.length, withPicture: (pass?.epilogue.input ?? 0) !== 0 };
  } catch {
    return null;
  }
}
