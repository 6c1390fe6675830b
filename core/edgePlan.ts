// Planning a search for edges: its gradient's two kernels as they run, and what is left to do with the picture of edges.

import type { FilterSettings } from './document';
import { ConvolveError } from './errors';
import type { FilterForm } from './filterForm';
import type { EdgeFilter, LinearWork, Pass, RangeMode, SeparableWeights } from './pass';
import type { ChosenPath } from './paths';
import type { FilterPath, PassReason } from './planText';

export type EdgeForm = Extract<FilterForm, { kind: 'edges' }>;

interface PlannedEdges {
  readonly edges: EdgeFilter;
  readonly path: FilterPath;
  readonly reason: PassReason;
  readonly multiplyAddsPerPixel: number;
  readonly milliseconds: null;
}

function linearWork({ work }: ChosenPath): LinearWork {
  if (work.kind !== 'magnitude' && work.kind !== 'diffusion') return work;
  throw new ConvolveError({ code: 'internal', subject: 'edges', actual: `a ${work.kind} as the path of one kernel` });
}

/** The search for a filter's edges; `choose` says how each of the two kernels runs. */
export function planEdges(
  { border, size, alpha, light }: Pick<FilterSettings, 'border' | 'size' | 'alpha' | 'light'>,
  { x, y, low, high, use }: EdgeForm,
  choose: (weights: SeparableWeights) => ChosenPath,
): PlannedEdges {
  const across = choose(x);
  const down = choose(y);
  const used = use === undefined ? {} : { use };
  const kernels = { x: linearWork(across), y: linearWork(down) };
  return {
    edges: { ...kernels, border, size, alpha, light, low, high, norm: 'l2', ...used },
    path: { kind: 'edges', gradient: across.path, ...used },
    reason: { kind: 'wholePicture' },
    multiplyAddsPerPixel: across.multiplyAddsPerPixel + down.multiplyAddsPerPixel,
    // Thinning and following are not part of the measured curves.
    milliseconds: null,
  };
}

/**
 * What follows a picture of edges to give it `share` of its brightness and its range: nothing where neither changes 0 and 1,
 * which is all that it holds.
 */
export function passesAfterEdges(range: RangeMode, share = 1): readonly Pass[] {
  if (range !== 'signed' && share === 1) return [];
  const weights = { width: 1, height: 1, anchorX: 0, anchorY: 0, weights: Float64Array.of(1), divisor: 1 };
  return [
    {
      work: { kind: 'dense', weights },
      border: { kind: 'replicate' },
      size: 'same',
      alpha: 'colourOnly',
      light: 'encoded',
      epilogue: { result: share, input: 0, offset: 0 },
      range: { kind: range === 'signed' ? 'signed' : 'clamp' },
    },
  ];
}
