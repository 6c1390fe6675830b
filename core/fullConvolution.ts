// The full convolution of two grids of weights: the weights of one correlation after another. By plain sums, or by fft.js
// where those would take too long.

import FFT from 'fft.js';
import type { WeightGrid } from './separability';

/** Multiplications up to which plain sums are fast enough: about 0.2 s. */
const plainLimit = 1e8;
/** Whole results below this size come out whole from the transform too: its error is far below ½. */
const wholeLimit = 2 ** 40;

function plain(a: WeightGrid, b: WeightGrid, width: number, result: Float64Array): void {
  for (let ay = 0; ay < a.height; ay++)
    for (let ax = 0; ax < a.width; ax++) {
      const weight = a.weights[ay * a.width + ax] ?? 0;
      if (weight === 0) continue;
      for (let by = 0; by < b.height; by++) {
        const start = (ay + by) * width + ax;
        for (let bx = 0; bx < b.width; bx++)
          result[start + bx] = (result[start + bx] ?? 0) + weight * (b.weights[by * b.width + bx] ?? 0);
      }
    }
}

/** Transforms every row and then every column of an interleaved square grid, in place. */
function transformBoth(grid: Float64Array, size: number, transform: (out: Float64Array, data: Float64Array) => void) {
  const line = new Float64Array(2 * size);
  const out = new Float64Array(2 * size);
  for (const [step, next] of [
    [1, size],
    [size, 1],
  ] as const)
    for (let row = 0; row < size; row++) {
      for (let index = 0; index < size; index++) {
        const place = 2 * (row * next + index * step);
        line[2 * index] = grid[place] ?? 0;
        line[2 * index + 1] = grid[place + 1] ?? 0;
      }
      transform(out, line);
      for (let index = 0; index < size; index++) {
        const place = 2 * (row * next + index * step);
        grid[place] = out[2 * index] ?? 0;
        grid[place + 1] = out[2 * index + 1] ?? 0;
      }
    }
}

function byTransform(a: WeightGrid, b: WeightGrid, width: number, height: number, result: Float64Array): void {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, width, height)));
  const fft = new FFT(size);
  // Both at once: a as the real part and b as the imaginary one; the imaginary part of the square is 2·a∗b.
  const grid = new Float64Array(2 * size * size);
  const put = ({ width: columns, weights }: WeightGrid, part: number, scale: number) => {
    for (let index = 0; index < weights.length; index++)
      grid[2 * (Math.floor(index / columns) * size + (index % columns)) + part] = (weights[index] ?? 0) / scale;
  };
  const largest = ({ weights }: WeightGrid) =>
    Array.from(weights).reduce((most, w) => Math.max(most, Math.abs(w)), 0) || 1;
  const [scaleA, scaleB] = [largest(a), largest(b)];
  put(a, 0, scaleA);
  put(b, 1, scaleB);
  transformBoth(grid, size, (out, data) => fft.transform(out, data));
  for (let index = 0; index < grid.length; index += 2) {
    const [re = 0, im = 0] = [grid[index], grid[index + 1]];
    grid[index] = re * re - im * im;
    grid[index + 1] = 2 * re * im;
  }
  transformBoth(grid, size, (out, data) => fft.inverseTransform(out, data));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) result[y * width + x] = ((grid[2 * (y * size + x) + 1] ?? 0) / 2) * scaleA * scaleB;
  const whole = ({ weights }: WeightGrid) => Array.from(weights).every(Number.isInteger);
  const magnitude = ({ weights }: WeightGrid) => Array.from(weights).reduce((sum, w) => sum + Math.abs(w), 0);
  if (whole(a) && whole(b) && magnitude(a) * magnitude(b) < wholeLimit)
    result.forEach((value, index) => {
      result[index] = Math.round(value) + 0;
    });
}

/**
 * (wa + wb − 1) × (ha + hb − 1) weights: c[y][x] = Σ a[j][i] · b[y − j][x − i]. Whole weights give whole numbers. Plain sums
 * up to 10⁸ multiplications; above, a transform within 10⁻¹⁴ of max|a| · max|b| · cells.
 */
export function fullConvolution(a: WeightGrid, b: WeightGrid): WeightGrid & { readonly weights: Float64Array } {
  const width = a.width + b.width - 1;
  const height = a.height + b.height - 1;
  const weights = new Float64Array(width * height);
  if (a.weights.length * b.weights.length <= plainLimit) plain(a, b, width, weights);
  else byTransform(a, b, width, height, weights);
  return { width, height, weights };
}
