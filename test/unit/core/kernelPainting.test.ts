// Strokes of the brush over a kernel: what they cover, what they write, and symmetry locks while painting.

import { describe, expect, it } from 'vitest';
import { createKernel, type Kernel } from '../../../core/kernel';
import { type Brush, coverLine, noCoverage, nudged, nudgeStep, paint } from '../../../core/kernelPainting';
import { hasSymmetry, setSymmetrically, symmetries } from '../../../core/kernelSymmetry';

const hard: Brush = { value: 2, strength: 1, size: 1, falloff: 0 };
const zeros = (width: number, height = width): Kernel => createKernel(width, height, new Array(width * height).fill(0));

function stroke(kernel: Kernel, brush: Brush, ...cells: readonly (readonly [number, number])[]): Kernel {
  const coverage = noCoverage(kernel);
  cells.forEach(([x, y], index) => {
    const [fromX, fromY] = cells[Math.max(0, index - 1)] ?? [x, y];
    coverLine(coverage, kernel, { x: fromX, y: fromY }, { x, y }, brush);
  });
  return paint(kernel, coverage, brush);
}
const rows = ({ width, weights }: Kernel) =>
  Array.from({ length: weights.length / width }, (_, y) => weights.slice(y * width, (y + 1) * width).join(' '));

describe('a stroke', () => {
  it('of the smallest brush writes its value into the cells that it passes, and no others', () => {
    expect(rows(stroke(zeros(4), hard, [0, 0], [3, 3]))).toEqual(['2 0 0 0', '0 2 0 0', '0 0 2 0', '0 0 0 2']);
    expect(rows(stroke(zeros(5, 1), hard, [1, 0], [3, 0]))).toEqual(['0 2 2 2 0']);
  });
  it('covers a cell once, however often it goes over it', () => {
    const half = { ...hard, strength: 0.5 };
    expect(stroke(zeros(3, 1), half, [0, 0], [2, 0], [0, 0], [2, 0]).weights).toEqual([1, 1, 1]);
  });
  it('leaves no gap where the pointer jumped', () => {
    const painted = stroke(zeros(20), hard, [0, 3], [19, 12]).weights;
    for (let x = 0; x < 20; x++) expect(Array.from({ length: 20 }, (_, y) => painted[y * 20 + x])).toContain(2);
  });
  it('of a wide brush covers a disk: 3 cells across a square, 5 without its corners', () => {
    expect(rows(stroke(zeros(5), { ...hard, size: 3 }, [2, 2]))).toEqual([
      '0 0 0 0 0',
      '0 2 2 2 0',
      '0 2 2 2 0',
      '0 2 2 2 0',
      '0 0 0 0 0',
    ]);
    expect(rows(stroke(zeros(5), { ...hard, size: 5 }, [2, 2]))[0]).toBe('0 2 2 2 0');
  });
  it('of a soft brush fades outwards without a step', () => {
    const [, , row] = rows(stroke(zeros(5), { ...hard, size: 5, falloff: 1 }, [2, 2]));
    const values = (row ?? '').split(' ').map(Number);
    expect(values[2]).toBe(2);
    expect(values[1]).toBeCloseTo(1 + Math.cos((Math.PI * 1) / 2.5), 12);
    expect(values[1]).toBeGreaterThan(values[0] ?? 0);
    expect(values[0]).toBe(values[4]);
  });
  it('may begin and end outside the grid', () => {
    expect(rows(stroke(zeros(3), hard, [-2, 1], [5, 1]))).toEqual(['0 0 0', '2 2 2', '0 0 0']);
  });
});

describe('a symmetry lock', () => {
  it.each(symmetries)('%s holds after a stroke and after a typed cell, on odd and even grids', (symmetry) => {
    for (const kernel of [zeros(7), zeros(6), zeros(6, 9)]) {
      const coverage = noCoverage(kernel);
      coverLine(coverage, kernel, { x: 0, y: 1 }, { x: 2, y: 0 }, { size: 3, falloff: 0.7 });
      const painted = paint(kernel, coverage, { value: -3, strength: 0.8 }, symmetry);
      expect(hasSymmetry(painted, symmetry)).toBe(true);
      expect(painted.weights.some((weight) => weight < 0)).toBe(true);
      const typed = setSymmetrically(painted, symmetry, 1, 2, 5);
      expect(hasSymmetry(typed, symmetry)).toBe(true);
      expect(typed.weights[2 * kernel.width + 1]).toBe(5);
    }
  });
});

describe('a nudge', () => {
  it('is 1 among whole numbers, and a tenth of the decade of the largest among others', () => {
    expect(nudgeStep([1, -4, 12])).toBe(1);
    expect(nudgeStep([0, 0])).toBe(1);
    expect(nudgeStep([0.5, -0.277])).toBeCloseTo(0.01, 15);
    expect(nudgeStep([1.487, 0.2])).toBeCloseTo(0.1, 15);
  });
  it('leaves no dust of binary fractions', () => {
    expect(nudged(0.1, 2, 0.1)).toBe(0.3);
    expect(nudged(0.3, -3, 0.1)).toBe(0);
    expect(nudged(1e-5, 1, 1e-6)).toBe(0.000011);
  });
});
