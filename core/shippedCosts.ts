// The cost tables that the program starts with, before anything was measured on the computer it runs on.

import { type CostCurve, type CostKind, type CostTable, type CostTables, costKinds, type PathCurves } from './costs';

/** A straight line as a curve; slope in nanoseconds for a unit of size. */
const line = (first: number, slope: number): CostCurve => [
  [1, first + slope],
  [1e6, first + slope * 1e6],
];

const channelsOf = (kind: CostKind) => Number(kind.at(-1));

function everyKind(curves: (kind: CostKind) => PathCurves): CostTable['curves'] {
  return Object.fromEntries(costKinds.map((kind) => [kind, curves(kind)])) as Record<CostKind, PathCurves>;
}

/** `load`, `dense`, `separable` and `pair` in nanoseconds of a sample: fixed, a multiply-add of each path, a pair. */
function modelled(load: number, dense: number, separable: number, pair: number): (kind: CostKind) => PathCurves {
  return (kind) => {
    const channels = channelsOf(kind);
    return {
      dense: line(channels * load, channels * dense),
      sparse: null,
      separable: [1, 2].map((pairs) => ({
        pairs,
        curve: line(channels * (load + pairs * pair), channels * pairs * separable),
      })),
      box: null,
      fft: null,
      magnitude: line(channels * load, 2 * channels * dense),
    };
  };
}

const shipped = { version: 1, engine: '', source: 'shipped', description: '' } as const;

export const shippedCosts: CostTables = {
  /** Plain loops: a multiply-add is a multiply-add on every path. */
  reference: {
    ...shipped,
    backend: 'reference',
    start: 0.02,
    curves: everyKind(modelled(4, 1.2, 1.2, 2.4)),
  },
  cpu: {
    ...shipped,
    backend: 'cpu',
    start: 0.05,
    curves: everyKind(modelled(0.4, 0.02, 0.03, 0.08)),
  },
  cuda: {
    ...shipped,
    backend: 'cuda',
    start: 0.05,
    curves: everyKind(modelled(0.002, 0.00005, 0.000035, 0.001)),
  },
};
