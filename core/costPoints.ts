// Measured costs written short: the sizes of each path once, and beside them the times a pixel of each kind of picture.

import {
  type CostCurve,
  type CostKind,
  type CostTable,
  costKinds,
  curveOf,
  type PathCurves,
  type TransformCosts,
} from './costs';
import { scaledTransforms } from './scaledCosts';

/** A path, or a number of pairs of the separable one. */
export const pointNames = [
  'dense',
  'whole',
  'sparse',
  'separable1',
  'separable2',
  'separable4',
  'box',
  'fft',
  'magnitude',
] as const;
export type PointName = (typeof pointNames)[number];

/** Sizes as core/costs.ts means them. A path without sizes is none of the backend's own. */
export interface CostPoints {
  /** Nanoseconds of a time of 1. */
  readonly unit: number;
  readonly sizes: Readonly<Partial<Record<PointName, readonly number[]>>>;
  readonly times: Readonly<Record<CostKind, KindTimes>>;
}

interface KindTimes extends Readonly<Partial<Record<PointName, readonly number[]>>> {
  /** None where nothing is said. */
  readonly division?: number;
  /** 1 where nothing is said. */
  readonly uneven?: number;
  readonly transforms?: TransformCosts;
}

function pointsFrom({ unit, sizes, times }: CostPoints, kind: CostKind, name: PointName): CostCurve | null {
  const own = sizes[name];
  const measured = times[kind][name];
  if (!own || !measured) return null;
  // The largest sizes may not have been measured.
  return measured.map((time, index) => [own[index] ?? 0, time * unit] as const);
}

function curvesFrom(points: CostPoints, kind: CostKind): PathCurves {
  const curve = (name: PointName) => {
    const found = pointsFrom(points, kind, name);
    return found && curveOf(found);
  };
  const separable = [1, 2, 4].flatMap((pairs) => {
    const found = curve(`separable${pairs}` as PointName);
    return found ? [{ pairs, curve: found }] : [];
  });
  const { division = 0, uneven = 1, transforms } = points.times[kind];
  return {
    dense: curve('dense') ?? [],
    whole: curve('whole'),
    sparse: curve('sparse'),
    division: division * points.unit,
    separable,
    uneven,
    box: curve('box'),
    fft: curve('fft'),
    transforms: transforms ? scaledTransforms(transforms, points.unit) : null,
    // It may fall.
    magnitude: pointsFrom(points, kind, 'magnitude') ?? [],
  };
}

/** The curves of every kind of picture. */
export function curvesOfPoints(points: CostPoints): CostTable['curves'] {
  return Object.fromEntries(costKinds.map((kind) => [kind, curvesFrom(points, kind)])) as Record<CostKind, PathCurves>;
}
