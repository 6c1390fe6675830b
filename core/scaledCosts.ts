// Costs as multiples of others: of fewer threads, of a slower computer, or written in another unit.

import type { CostCurve, PathCurves, TransformCosts } from './costs';
import type { PassPath } from './planText';

export function scaledTransforms(
  { grid: [near, about, beyond], lines }: TransformCosts,
  factor: number,
): TransformCosts {
  return { grid: [near * factor, about * factor, beyond * factor], lines: lines * factor };
}

const scaledCurve = (curve: CostCurve, factor: number): CostCurve =>
  curve.map(([size, nanoseconds]) => [size, nanoseconds * factor] as const);

/** Of which paths' times others are multiples: rows and columns that are transformed differ from those that are summed. */
export type ScaledPath = PassPath['kind'] | 'lines';

/** The curves, each path's times so many times as long. */
export function scaledCurves(curves: PathCurves, factor: (path: ScaledPath) => number): PathCurves {
  const { whole, sparse, box, fft, transforms } = curves;
  return {
    dense: scaledCurve(curves.dense, factor('dense')),
    whole: whole && scaledCurve(whole, factor('dense')),
    sparse: sparse && scaledCurve(sparse, factor('sparse')),
    division: curves.division * factor('dense'),
    separable: curves.separable.map(({ pairs, curve }) => ({ pairs, curve: scaledCurve(curve, factor('separable')) })),
    uneven: curves.uneven,
    box: box && scaledCurve(box, factor('box')),
    fft: fft && scaledCurve(fft, factor('fft')),
    transforms: transforms && {
      grid: scaledTransforms(transforms, factor('fft')).grid,
      lines: transforms.lines * factor('lines'),
    },
    magnitude: scaledCurve(curves.magnitude, factor('magnitude')),
  };
}
