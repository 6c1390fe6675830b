// Measurements of one kind of picture as its curves, and as what an instruction of its transforms takes.

import {
  type CostCurve,
  curveOf,
  lineInstructions,
  type PathCurves,
  type PictureKind,
  type TransformCosts,
  transformedPicture,
} from '../../core/costs';
import { ConvolveError } from '../../core/errors';
import { gridTransform } from '../../core/transformTiles';
import { type CostRow, unevenSide } from './rows';

/** A row on a picture. */
export interface Measured {
  readonly row: CostRow;
  /** Of a pixel. */
  readonly nanoseconds: number;
  readonly picture: PictureKind;
}

/** What a row is known by. */
export function nameOf({ path }: CostRow): string {
  if (path.kind === 'separable') return path.uneven ? 'uneven' : `separable ${path.pairs}`;
  if (path.kind !== 'dense') return path.kind;
  return path.whole ? 'whole' : path.divided ? 'divided' : 'dense';
}

export const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** Nanoseconds of a counted instruction. */
const rateOf = ({ nanoseconds, picture }: Measured, instructions: number) =>
  Math.max(1e-6, (nanoseconds * picture.width * picture.height) / instructions);

function transformsOf(measured: readonly Measured[]): TransformCosts {
  const grid: [number[], number[], number[]] = [[], [], []];
  const lines: number[] = [];
  for (const one of measured) {
    const { path } = one.row;
    const tiles = path.kind === 'fft' ? gridTransform(path, transformedPicture(one.picture)) : null;
    if (tiles) grid[tiles.place].push(rateOf(one, tiles.instructions));
    const instructions = path.kind === 'separable' ? lineInstructions(path, one.picture) : null;
    if (instructions !== null) lines.push(rateOf(one, instructions));
  }
  const [near, about, beyond] = grid.map((rates) => (rates.length > 0 ? geometricMean(rates) : null));
  // The fewest rows lie between the caches. Long lines may take too long to be measured.
  const middle = about ?? near ?? beyond ?? 0;
  return {
    grid: [near ?? middle, middle, beyond ?? middle],
    lines: lines.length > 0 ? geometricMean(lines) : middle,
  };
}

/** The curves of a kind of picture. `shipped` says which paths the backend has. */
export function curvesOf(measured: readonly Measured[], shipped: PathCurves): PathCurves {
  const transformed = ({ row: { path }, picture }: Measured) =>
    shipped.transforms !== null && path.kind === 'separable' && lineInstructions(path, picture) !== null;
  const pointsOf = (name: string) =>
    measured
      .filter((one) => nameOf(one.row) === name && !transformed(one))
      .map(({ row, nanoseconds }) => [row.size, nanoseconds] as const);
  const curve = (name: string): CostCurve => {
    const points = pointsOf(name);
    if (points.length > 0) return curveOf(points);
    throw new ConvolveError({ code: 'internal', subject: 'calibrate', actual: `no ${name} row` });
  };
  const counts = new Set(measured.flatMap(({ row: { path } }) => (path.kind === 'separable' ? [path.pairs] : [])));
  const even = pointsOf('separable 2').find(([size]) => size === 2 * unevenSide)?.[1] ?? 0;
  const uneven = pointsOf('uneven')[0]?.[1] ?? 0;
  const [one, divided] = [pointsOf('dense')[0]?.[1] ?? 0, pointsOf('divided')[0]?.[1] ?? 0];
  return {
    dense: curve('dense'),
    whole: shipped.whole && curve('whole'),
    sparse: shipped.sparse && curve('sparse'),
    division: Math.max(0, divided - one),
    separable: [...counts].map((pairs) => ({ pairs, curve: curve(`separable ${pairs}`) })),
    uneven: shipped.transforms !== null && even > 0 ? Math.max(1, uneven / even) : 1,
    box: shipped.box && curve('box'),
    fft: shipped.transforms === null ? shipped.fft && curve('fft') : null,
    transforms: shipped.transforms && transformsOf(measured),
    magnitude: pointsOf('magnitude'),
  };
}
