// Measured costs written short: the sizes of each path once, and beside them the times a pixel of each kind of picture.

import { type CostCurve, type CostKind, type CostTable, costKinds, curveOf, type PathCurves } from './costs';

/** A path, or a number of pairs of the separable one. */
const names = ['dense', 'sparse', 'separable1', 'separable2', 'separable4', 'box', 'fft', 'magnitude'] as const;
type PointName = (typeof names)[number];

/** Sizes as core/costs.ts means them. A path without sizes is none of the backend's own. */
export interface CostPoints {
  /** Nanoseconds of a time of 1. */
  readonly unit: number;
  readonly sizes: Readonly<Partial<Record<PointName, readonly number[]>>>;
  readonly times: Readonly<Record<CostKind, Readonly<Partial<Record<PointName, readonly number[]>>>>>;
}

function curveFrom({ unit, sizes, times }: CostPoints, kind: CostKind, name: PointName): CostCurve | null {
  const own = sizes[name];
  const measured = times[kind][name];
  if (!own || !measured) return null;
  // The largest sizes may not have been measured.
  return curveOf(measured.map((time, index) => [own[index] ?? 0, time * unit] as const));
}

function curvesFrom(points: CostPoints, kind: CostKind): PathCurves {
  const curve = (name: PointName) => curveFrom(points, kind, name);
  const separable = [1, 2, 4].flatMap((pairs) => {
    const found = curve(`separable${pairs}` as PointName);
    return found ? [{ pairs, curve: found }] : [];
  });
  return {
    dense: curve('dense') ?? [],
    sparse: curve('sparse'),
    separable,
    box: curve('box'),
    fft: curve('fft'),
    magnitude: curve('magnitude') ?? [],
  };
}

/** The curves of every kind of picture. */
export function curvesOfPoints(points: CostPoints): CostTable['curves'] {
  return Object.fromEntries(costKinds.map((kind) => [kind, curvesFrom(points, kind)])) as Record<CostKind, PathCurves>;
}
