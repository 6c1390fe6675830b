// A convolution as the formula says it, for tests of kernels: one grey picture, float64, every border, plain loops.

import type { FilterParameters } from '../../../core/document';
import { denseOf, filterForm } from '../../../core/filterForm';
import type { Border, DenseWeights } from '../../../core/pass';

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

export function picture(width: number, height: number, value: (x: number, y: number) => number): GreyPicture {
  const values = Float64Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width)));
  return { width, height, values };
}

export function at({ width, values }: GreyPicture, x: number, y: number): number {
  return values[y * width + x] ?? Number.NaN;
}

function place(position: number, size: number, kind: Border['kind']): number | null {
  if (position >= 0 && position < size) return position;
  const mod = (value: number, period: number) => ((value % period) + period) % period;
  switch (kind) {
    case 'zero':
    case 'constant':
      return null;
    case 'replicate':
      return position < 0 ? 0 : size - 1;
    case 'wrap':
      return mod(position, size);
    case 'reflect': {
      const q = mod(position, 2 * size);
      return q < size ? q : 2 * size - 1 - q;
    }
    case 'mirror': {
      if (size === 1) return 0;
      const q = mod(position, 2 * size - 2);
      return q < size ? q : 2 * size - 2 - q;
    }
  }
}

export function correlate(source: GreyPicture, weights: DenseWeights, border: Border['kind'] = 'mirror'): GreyPicture {
  return picture(source.width, source.height, (x, y) => {
    let sum = 0;
    for (let j = 0; j < weights.height; j++)
      for (let i = 0; i < weights.width; i++) {
        const px = place(x + i - weights.anchorX, source.width, border);
        const py = place(y + j - weights.anchorY, source.height, border);
        if (px !== null && py !== null) sum += (weights.weights[j * weights.width + i] ?? 0) * at(source, px, py);
      }
    return sum / weights.divisor;
  });
}

/** A whole filter on one grey picture of 0…1: its sums, its epilogue, no range mode. */
export function applyFilter(
  source: GreyPicture,
  filter: FilterParameters,
  border: Border['kind'] = 'mirror',
): GreyPicture {
  const form = filterForm(filter);
  if (form.kind === 'edges' || form.kind === 'diffusion') throw new Error(`${form.kind}: no sum`);
  const { result, input, offset } = form.epilogue;
  const sums =
    form.kind === 'linear'
      ? correlate(source, denseOf(form.weights), border).values
      : correlate(source, form.x, border).values.map((x, index) =>
          Math.hypot(x, correlate(source, form.y, border).values[index] ?? 0),
        );
  return { ...source, values: sums.map((sum, index) => sum * result + (source.values[index] ?? 0) * input + offset) };
}
