// The rows and columns of a long kernel as lines to draw. Pure.

import type { SeparableWeights } from '../../core/pass';

/** A row, a column, or both where they are the same numbers; `pair` counts from 1. */
export interface LineOfKernel {
  readonly kind: 'row' | 'column' | 'both';
  readonly pair: number;
  readonly values: Float64Array;
}

const isSame = (a: Float64Array, b: Float64Array) => a.length === b.length && a.every((value, i) => value === b[i]);

export function linesOf({ pairs }: SeparableWeights): readonly LineOfKernel[] {
  return pairs.flatMap(({ row, column }, index): readonly LineOfKernel[] => {
    const pair = index + 1;
    if (isSame(row, column)) return [{ kind: 'both', pair, values: row }];
    return [
      { kind: 'row', pair, values: row },
      { kind: 'column', pair, values: column },
    ];
  });
}

/** Values from left to right as the `points` of an SVG polyline, zero on the picture; at most two points a unit of width. */
export function curvePoints(values: Float64Array, width: number, height: number): string {
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  const span = high - low || 1;
  const step = Math.max(1, Math.ceil(values.length / (2 * width)));
  const points: string[] = [];
  for (let index = 0; index < values.length; index += step) {
    const x = values.length === 1 ? width / 2 : (index / (values.length - 1)) * width;
    const y = 2 + (1 - ((values[index] ?? 0) - low) / span) * (height - 4);
    points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  return points.join(' ');
}
