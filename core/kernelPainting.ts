// Painting weights: what a stroke of the brush covers, and the kernel after it. A stroke covers each cell at most once, so
// going over a cell again changes nothing, and a hard brush at full strength writes its value to the last digit.

import type { Kernel } from './kernel';
import { type Symmetry, spreadOverGroups } from './kernelSymmetry';

/** Largest brush, in cells across. */
export const maximumBrushSize = 63;

/** What a stroke writes and how. */
export interface Brush {
  /** The weight that covered cells move to. */
  readonly value: number;
  /** How far they move: 0 not at all, 1 all the way. */
  readonly strength: number;
  /** Cells across, an odd number from 1 to 63. */
  readonly size: number;
  /** Share of the radius over which the brush fades out: 0 hard, 1 from the middle on. */
  readonly falloff: number;
}

/** A cell by column and row. */
export interface CellPlace {
  readonly x: number;
  readonly y: number;
}

/** A stroke so far: for each cell, row by row, how much of the brush came over it, 0…1. */
export type Coverage = Float64Array<ArrayBuffer>;

/** Coverage at a distance from the middle of the brush, in cells; a raised cosine over the fading part. */
function coverageAt(distance: number, { size, falloff }: Pick<Brush, 'size' | 'falloff'>): number {
  const radius = size / 2;
  if (distance >= radius) return 0;
  const hard = radius * (1 - falloff);
  return distance <= hard ? 1 : 0.5 + 0.5 * Math.cos((Math.PI * (distance - hard)) / (radius - hard));
}

/** Distance of a cell's middle from the line between two others. */
function distanceToLine(x: number, y: number, from: CellPlace, to: CellPlace): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / squared));
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
}

/** A stroke over no cell yet. */
export function noCoverage({ width, height }: Pick<Kernel, 'width' | 'height'>): Coverage {
  return new Float64Array(width * height);
}

/** Adds a straight piece of a stroke to `coverage`, in place. The two ends may be the same cell, or lie outside the grid. */
export function coverLine(
  coverage: Coverage,
  { width, height }: Pick<Kernel, 'width' | 'height'>,
  from: CellPlace,
  to: CellPlace,
  brush: Pick<Brush, 'size' | 'falloff'>,
): void {
  const reach = Math.ceil(brush.size / 2);
  const [left, right] = [
    Math.max(0, Math.min(from.x, to.x) - reach),
    Math.min(width - 1, Math.max(from.x, to.x) + reach),
  ];
  const [top, bottom] = [
    Math.max(0, Math.min(from.y, to.y) - reach),
    Math.min(height - 1, Math.max(from.y, to.y) + reach),
  ];
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const index = y * width + x;
      const covered = coverageAt(distanceToLine(x, y, from, to), brush);
      if (covered > (coverage[index] ?? 0)) coverage[index] = covered;
    }
}

/**
 * The kernel after a stroke: every covered weight moves towards the brush's value by coverage × strength. With a symmetry
 * all cells of a group are covered as much as the one that is covered most.
 */
export function paint(
  kernel: Kernel,
  coverage: Coverage,
  { value, strength }: Pick<Brush, 'value' | 'strength'>,
  symmetry: Symmetry | null = null,
): Kernel {
  const spread = symmetry === null ? coverage : spreadOverGroups(kernel, coverage, symmetry);
  const weights = kernel.weights.map((weight, index) => {
    const share = (spread[index] ?? 0) * strength;
    if (share === 0) return weight;
    return share === 1 ? value : weight + (value - weight) * share;
  });
  return { ...kernel, weights };
}

/** What one notch of the wheel changes: 1 where all weights are whole numbers, else a tenth of the largest's decade. */
export function nudgeStep(weights: readonly number[]): number {
  if (weights.every(Number.isInteger)) return 1;
  const peak = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  return 10 ** (Math.floor(Math.log10(peak)) - 1);
}

/** A weight `count` notches of `step` away, without the dust of binary fractions. */
export function nudged(weight: number, count: number, step: number): number {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 6);
  const moved = Number((weight + count * step).toFixed(Math.min(20, digits)));
  return moved === 0 ? 0 : moved;
}
