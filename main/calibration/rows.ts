// What a calibration measures: for each path the kernels at which its curve is known, from the smallest to the largest
// that pays, each as the work of one pass; and what of them is known by their counted instructions.

import { assertNever, ConvolveError } from '../../core/errors';
import { filterForm } from '../../core/filterForm';
import { catalogueEntry } from '../../core/filters';
import { defaultAnchor } from '../../core/kernel';
import { gaussianVector } from '../../core/kernelShapes';
import type { DenseWeights, PassWork, RankPair } from '../../core/pass';
import type { PassPath } from '../../core/planText';

/** One measurement. `size`: its place on the curve of `path` (core/costs.ts says what a size is). */
export interface CostRow {
  readonly path: PassPath;
  readonly size: number;
  readonly work: PassWork;
}

const paths = {
  dense: [1, 3, 5, 7, 11, 15, 31, 63],
  /** Of whole numbers. */
  whole: [3, 5, 7, 11, 15, 31],
  /** Weights that are not 0, in a grid of the given side. */
  sparse: [
    [3, 5],
    [15, 15],
    [31, 61],
    [63, 301],
  ],
  /**
   * Row and column pairs, with the sides measured for them; the cpu sums up to 15 taps of floats in another way than 17, and
   * transforms long ones.
   */
  separable: [
    [1, [3, 5, 9, 15, 17, 31, 61, 127, 255, 511, 1201]],
    [2, [3, 7, 15, 31, 61, 127, 511]],
    [4, [5, 15, 31, 61, 127]],
  ],
  box: [3, 5, 31, 101, 255, 501, 1001],
  /** On the cpu of tiles of different size. */
  fft: [15, 31, 63, 95, 191, 255, 511],
} as const;

/** Side of two pairs that are measured with taps that mirror each other and with others. */
export const unevenSide = 15;

/** Numbers without a pattern, 0…1, the same every time (Park and Miller 1988). */
function scatter(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

const placed = (width: number, height: number) => ({
  width,
  height,
  anchorX: defaultAnchor(width),
  anchorY: defaultAnchor(height),
});

/** A grid of weights without a pattern that sum to 1, so that no shortcut for special numbers applies. */
function grid(side: number): DenseWeights {
  const next = scatter(side + 1);
  const weights = Float64Array.from({ length: side * side }, () => 0.2 + next());
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { ...placed(side, side), weights: weights.map((weight) => weight / sum), divisor: 1 };
}

/** Whole numbers from 1 to 9 without a pattern, and without a common divisor. */
function wholeGrid(side: number): DenseWeights {
  const next = scatter(side + 1);
  const weights = Float64Array.from({ length: side * side }, () => 1 + Math.floor(9 * next()));
  return { ...placed(side, side), weights: weights.with(0, 1), divisor: 1 };
}

/** The same kernel, by a divisor that is no power of two. */
function divided({ weights, ...rest }: DenseWeights): DenseWeights {
  return { ...rest, weights: weights.map((weight) => 3 * weight), divisor: 3 };
}

/** The gradients that there are: along the diagonals of 2 × 2, and along rows and columns of 3 × 3, which is quicker. */
function gradient(kind: 'roberts' | 'sobel'): PassWork {
  const form = filterForm(catalogueEntry(kind).create('calibrate', 'u8'));
  if (form.kind !== 'magnitude') throw new ConvolveError({ code: 'internal', subject: 'calibrate', actual: kind });
  return { kind: 'magnitude', x: form.x, y: form.y };
}

/** `taps` weights scattered over a grid, its corners among them. */
function scattered(side: number, taps: number): DenseWeights {
  const next = scatter(side * taps + 1);
  const weights = new Float64Array(side * side);
  weights[0] = 0.5;
  weights[side * side - 1] = 0.7;
  for (let count = Math.min(taps, 2); count < taps; ) {
    const cell = Math.floor(next() * side * side);
    if (weights[cell] !== 0) continue;
    weights[cell] = 0.2 + next();
    count += 1;
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { ...placed(side, side), weights: weights.map((weight) => weight / sum), divisor: 1 };
}

/** Pairs of Gaussians of different widths: symmetric, as nearly all separable kernels are, or with a tap that is not. */
function pairs(side: number, count: number, uneven = false): readonly RankPair[] {
  return Array.from({ length: count }, (_, index) => {
    const even = gaussianVector(Math.max(0.3, side / (6 + index)), side);
    const vector = uneven ? even.with(0, 0.01) : even;
    return { column: vector, row: vector };
  });
}

function workOf(path: PassPath): PassWork {
  const { width, height } = path;
  const place = placed(width, height);
  switch (path.kind) {
    case 'dense':
      return {
        kind: 'dense',
        weights: path.whole ? wholeGrid(width) : path.divided ? divided(grid(width)) : grid(width),
      };
    case 'fft':
      return { kind: 'fft', weights: grid(width) };
    case 'sparse':
      return { kind: 'sparse', weights: scattered(width, path.taps) };
    case 'separable':
      return {
        kind: 'separable',
        weights: { ...place, pairs: pairs(width, path.pairs, path.uneven), divisor: path.pairs },
      };
    case 'box':
      return { kind: 'box', weights: { ...place, divisor: width * height } };
    case 'magnitude':
      return gradient(width === 2 ? 'roberts' : 'sobel');
    case 'diffusion':
      return { kind: 'diffusion', stopping: 'exponential', conductance: 0.05, rate: 0.2 };
    default:
      return assertNever(path);
  }
}

function sizeOf(path: PassPath): number {
  const { width, height } = path;
  switch (path.kind) {
    case 'dense':
    case 'magnitude':
    case 'diffusion':
      return width * height;
    case 'sparse':
      return path.taps;
    case 'separable':
    case 'box':
      return width + height;
    case 'fft':
      return (width + height) / 2;
    default:
      return assertNever(path);
  }
}

const row = (path: PassPath): CostRow => ({ path, size: sizeOf(path), work: workOf(path) });
const square = (side: number) => ({ width: side, height: side });

/** Every row of a full calibration. */
export const fullRows = (): readonly CostRow[] => [
  ...paths.dense.map((side) => row({ kind: 'dense', ...square(side) })),
  row({ kind: 'dense', ...square(1), divided: true }),
  ...paths.whole.map((side) => row({ kind: 'dense', ...square(side), whole: true })),
  ...paths.sparse.map(([side, taps]) => row({ kind: 'sparse', ...square(side), taps })),
  ...paths.separable.flatMap(([count, sides]) =>
    sides.map((side) => row({ kind: 'separable', ...square(side), pairs: count })),
  ),
  row({ kind: 'separable', ...square(unevenSide), pairs: 2, uneven: true }),
  ...paths.box.map((side) => row({ kind: 'box', ...square(side) })),
  ...paths.fft.map((side) => row({ kind: 'fft', ...square(side) })),
  ...[2, 3].map((side) => row({ kind: 'magnitude', ...square(side) })),
];

/** A few rows of each path: what a shipped table is scaled by. */
export const quickRows = (): readonly CostRow[] => [
  row({ kind: 'dense', ...square(3) }),
  row({ kind: 'dense', ...square(11) }),
  row({ kind: 'sparse', ...square(15), taps: 15 }),
  row({ kind: 'sparse', ...square(31), taps: 61 }),
  row({ kind: 'separable', ...square(9), pairs: 1 }),
  row({ kind: 'separable', ...square(31), pairs: 1 }),
  row({ kind: 'separable', ...square(31), pairs: 2 }),
  row({ kind: 'separable', ...square(511), pairs: 1 }),
  row({ kind: 'box', ...square(31) }),
  row({ kind: 'box', ...square(101) }),
  row({ kind: 'fft', ...square(31) }),
  row({ kind: 'fft', ...square(127) }),
  row({ kind: 'magnitude', ...square(3) }),
];
