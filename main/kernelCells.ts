// A kernel cell by cell, however it is known: as its filter means it, or as the rank that it is held to; and what its weights
// come to.

import type { Filter } from '../core/document';
import { alphaGain, type ExplainedKernel, type PixelArithmetic } from '../core/explain';
import { filterForm } from '../core/filterForm';
import type { DiffusionStep, Epilogue, PassWork } from '../core/pass';
import { isApproximate } from '../core/rank';

/** Largest side of a kernel whose cells are all listed, and of the part that is listed of a larger one; odd. */
const listedCells = 31;

/** A kernel by its cells, however it is known. */
export interface Cells {
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly divisor: number;
  /** The weights of a row of cells; valid until the next one is asked for. */
  row(row: number): ArrayLike<number>;
}

/** Where the neighbours of a diffusion lie. */
export const diffusionWindow = { width: 3, height: 3, anchorX: 1, anchorY: 1 } as const;

function cellsOf(work: PassWork): readonly Cells[] {
  switch (work.kind) {
    case 'dense':
    case 'sparse':
    case 'fft': {
      const { width, weights } = work.weights;
      return [{ ...work.weights, row: (row) => weights.subarray(row * width, (row + 1) * width) }];
    }
    case 'box': {
      const ones = new Float64Array(work.weights.width).fill(1);
      return [{ ...work.weights, row: () => ones }];
    }
    case 'separable': {
      const { pairs, ...geometry } = work.weights;
      const weights = new Float64Array(geometry.width);
      const row = (at: number) => {
        weights.fill(0);
        for (const pair of pairs) {
          const factor = pair.column[at] ?? 0;
          for (let column = 0; column < weights.length; column += 1)
            weights[column] = (weights[column] ?? 0) + factor * (pair.row[column] ?? 0);
        }
        return weights;
      };
      return [{ ...geometry, row }];
    }
    case 'magnitude':
      return [work.x, work.y].flatMap((weights) => cellsOf({ kind: 'dense', weights }));
    case 'diffusion':
      // Each pixel has its own (diffusionCells).
      return [];
  }
}

/** The kernels as their filter means them: exactly, or as the rank that it is held to. */
export function kernelsOf(filter: Filter, work: PassWork): readonly Cells[] {
  if (isApproximate(filter)) return cellsOf(work);
  const form = filterForm(filter);
  if (form.kind === 'linear') return cellsOf(form.weights);
  return form.kind === 'magnitude' ? cellsOf({ kind: 'magnitude', x: form.x, y: form.y }) : cellsOf(work);
}

type DiffusedArithmetic = Pick<PixelArithmetic, 'channels' | 'hasAlpha' | 'alpha' | 'fullScale'>;

/**
 * The weights that a step of diffusion gives a pixel, as the kernel that does the same to it. `working`: the working values of
 * its 3 × 3 neighbourhood, row-major, channels interleaved; the corners do not count.
 */
export function diffusionCells(
  { stopping, conductance, rate }: DiffusionStep,
  working: ArrayLike<number>,
  { channels, hasAlpha, alpha, fullScale }: DiffusedArithmetic,
): Cells {
  const colours = hasAlpha ? channels - 1 : channels;
  const weights = new Float64Array(9);
  const difference = (cell: number, channel: number) =>
    ((working[cell * channels + channel] ?? 0) - (working[4 * channels + channel] ?? 0)) / fullScale;
  let rest = 1;
  for (const cell of [1, 3, 5, 7]) {
    let squares = 0;
    for (let channel = 0; channel < colours; channel += 1) squares += difference(cell, channel) ** 2 / colours;
    if (hasAlpha && alpha !== 'colourOnly') squares += difference(cell, colours) ** 2;
    const ratio = squares / conductance ** 2;
    const weight = rate * (stopping === 'exponential' ? Math.exp(-ratio) : 1 / (1 + ratio));
    weights[cell] = weight;
    rest -= weight;
  }
  weights[4] = rest;
  return { ...diffusionWindow, divisor: 1, row: (row) => weights.subarray(3 * row, 3 * row + 3) };
}

/** Σ weights / divisor through an epilogue; 0 for kernels without gain. */
export function gainOf(cells: Cells, epilogue: Epilogue): number {
  let [sum, absolute] = [0, 0];
  for (let row = 0; row < cells.height; row += 1) {
    const weights = cells.row(row);
    for (let column = 0; column < cells.width; column += 1) {
      const weight = weights[column] ?? 0;
      sum += weight;
      absolute += Math.abs(weight);
    }
  }
  return alphaGain(sum / cells.divisor, absolute / Math.abs(cells.divisor), epilogue);
}

/** The cells that are listed: all of them, or the middle around the anchor. */
export function shownCells({ width, height, anchorX, anchorY }: Cells): ExplainedKernel['shown'] {
  const along = (length: number, anchor: number) => {
    if (length <= listedCells) return { start: 0, count: length };
    const start = anchor - Math.floor(listedCells / 2);
    return { start: Math.min(length - listedCells, Math.max(0, start)), count: listedCells };
  };
  const across = along(width, anchorX);
  const down = along(height, anchorY);
  return { x: across.start, y: down.start, width: across.count, height: down.count };
}
