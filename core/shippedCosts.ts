// The cost tables that the program starts with, before anything was measured on the computer it runs on.

import { curvesOfPoints } from './costPoints';
import {
  type CostCurve,
  type CostKind,
  type CostTable,
  type CostTables,
  costKinds,
  costVersion,
  type PathCurves,
} from './costs';
import { cpuPoints, cpuStart } from './shippedCpu';
import { cudaPoints } from './shippedCuda';

/** A straight line as a curve; slope in nanoseconds for a unit of size. */
const line = (first: number, slope: number): CostCurve => [
  [1, first + slope],
  [1e6, first + slope * 1e6],
];

const channelsOf = (kind: CostKind) => Number(kind.at(-1));

function everyKind(curves: (kind: CostKind) => PathCurves): CostTable['curves'] {
  return Object.fromEntries(costKinds.map((kind) => [kind, curves(kind)])) as Record<CostKind, PathCurves>;
}

/** Plain loops in float64: a multiply-add is a multiply-add on every path, in nanoseconds of a sample. */
const plainLoops: CostTable['curves'] = everyKind((kind) => {
  const [channels, load, multiplyAdd, pair] = [channelsOf(kind), 4, 1.2, 2.4];
  const sums = line(channels * load, channels * multiplyAdd);
  return {
    dense: sums,
    whole: null,
    sparse: null,
    division: 0,
    separable: [1, 2].map((pairs) => ({
      pairs,
      curve: line(channels * (load + pairs * pair), channels * pairs * multiplyAdd),
    })),
    uneven: 1,
    box: null,
    fft: null,
    transforms: null,
    magnitude: line(channels * load, 2 * channels * multiplyAdd),
  };
});

const shipped = { version: costVersion, engine: '', source: 'shipped', description: '' } as const;

/** Threads of the cpu whose costs are shipped. */
export const shippedThreads = 2;

export const shippedCosts: CostTables = {
  reference: { ...shipped, backend: 'reference', start: 0.02, curves: plainLoops },
  cpu: {
    ...shipped,
    backend: 'cpu',
    start: cpuStart,
    curves: curvesOfPoints(cpuPoints),
  },
  cuda: {
    ...shipped,
    backend: 'cuda',
    start: 0.05,
    curves: curvesOfPoints(cudaPoints),
  },
};
