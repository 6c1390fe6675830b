// One stroke over the kernel grid from press to release: which kernel the brush, line, eraser or anchor gives so far. Pure but
// for the coverage that it gathers.

import type { Kernel } from '../../core/kernel';
import { setAnchor } from '../../core/kernelEdits';
import { type Brush, type CellPlace, type Coverage, coverLine, noCoverage, paint } from '../../core/kernelPainting';
import { hasSymmetry, type Symmetry, symmetrise } from '../../core/kernelSymmetry';

export type StrokeKind = 'paint' | 'line' | 'erase' | 'anchor';

export class GridStroke {
  private readonly base: Kernel;
  private coverage: Coverage;
  private last: CellPlace;

  constructor(
    private readonly kind: StrokeKind,
    kernel: Kernel,
    private readonly start: CellPlace,
    private readonly brush: Brush,
    private readonly symmetry: Symmetry | null,
  ) {
    const even = kind === 'anchor' || symmetry === null || hasSymmetry(kernel, symmetry);
    this.base = even ? kernel : symmetrise(kernel, symmetry);
    this.coverage = noCoverage(kernel);
    this.last = start;
  }

  /** The kernel after the pointer went on through these cells, at least one; they may lie outside the grid. */
  goThrough(cells: readonly CellPlace[]): Kernel {
    const end = cells.at(-1) ?? this.last;
    if (this.kind === 'anchor') return setAnchor(this.base, end.x, end.y);
    if (this.kind === 'line') {
      this.coverage = noCoverage(this.base);
      coverLine(this.coverage, this.base, this.start, end, this.brush);
    } else
      for (const cell of cells) {
        coverLine(this.coverage, this.base, this.last, cell, this.brush);
        this.last = cell;
      }
    const brush = this.kind === 'erase' ? { value: 0, strength: 1 } : this.brush;
    return paint(this.base, this.coverage, brush, this.symmetry);
  }
}
