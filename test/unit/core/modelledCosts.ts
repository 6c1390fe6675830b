// Cost tables of a made-up computer whose numbers are easy to reckon with.

import {
  type CostCurve,
  type CostKind,
  type CostTable,
  costKinds,
  costVersion,
  type PathCurves,
} from '../../../core/costs';

const line = (first: number, slope: number): CostCurve => [
  [1, first + slope],
  [1e6, first + slope * 1e6],
];

const curves: PathCurves = {
  dense: line(1, 1),
  whole: null,
  sparse: line(1, 2),
  division: 0,
  separable: [1, 2].map((pairs) => ({ pairs, curve: line(1 + 4 * pairs, 1.5 * pairs) })),
  uneven: 1,
  box: line(20, 0),
  fft: line(300, 1),
  transforms: null,
  magnitude: line(1, 2),
};

/**
 * Nanoseconds a pixel: dense 1 + cells; sparse 1 + 2 · taps; r pairs 1 + 4 r + 1.5 r · (width + height); box 20; the
 * transform 300 + the mean of its sides. `absent` paths are not there.
 */
export function modelledCosts(
  backend: CostTable['backend'] = 'cpu',
  absent: readonly ('sparse' | 'box' | 'fft')[] = [],
): CostTable {
  const own = { ...curves, ...Object.fromEntries(absent.map((path) => [path, null])) };
  return {
    version: costVersion,
    backend,
    description: 'made up',
    engine: '0.0.0',
    source: 'measured',
    start: 0,
    curves: Object.fromEntries(costKinds.map((kind) => [kind, own])) as Record<CostKind, PathCurves>,
  };
}
