// How much of a formula lies beyond its grid: a Gaussian of σ 5 on 11 × 11 cells keeps only half of its light.

import { type Formula, type FormulaValues, startingValue } from './formula';
import type { Kernel } from './kernel';

/** How many times as large the grid is on which the whole of a formula is measured. */
const measuredTimes = 3;
/** Grids beyond this would take too long to be measured while one types. */
const largestMeasured = 63;
/** Share of Σ|w| on the rim of the large grid above which a formula does not fade out, and nothing can be said. */
const fadedShare = 1e-3;

/**
 * Share (0…1) of Σ|w| that lies outside the kernel's grid. null where the formula does not fade out within three times the
 * grid, has cells there that are no numbers, or the grid is larger than 63 cells a side.
 */
export function shareBeyondGrid(
  formula: Formula,
  { width, height, anchorX, anchorY }: Pick<Kernel, 'width' | 'height' | 'anchorX' | 'anchorY'>,
  values: FormulaValues,
): number | null {
  if (Math.max(width, height) > largestMeasured) return null;
  // w, h and what is left free mean the real grid's everywhere, so that a formula does not stretch with what is measured.
  const given = formula.variables.map((name) =>
    Object.hasOwn(values, name) ? (values[name] ?? Number.NaN) : startingValue(name, width, height),
  );
  const columns = width * measuredTimes;
  const rows = height * measuredTimes;
  let [total, rim, inside] = [0, 0, 0];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column - width - anchorX, row - height - anchorY];
      const size = Math.abs(formula.evaluate({ x, y, width, height, values: given }));
      if (!Number.isFinite(size)) return null;
      total += size;
      if (column === 0 || row === 0 || column === columns - 1 || row === rows - 1) rim += size;
      if (column >= width && column < 2 * width && row >= height && row < 2 * height) inside += size;
    }
  if (total === 0 || rim / total > fadedShare) return null;
  return Math.max(0, 1 - inside / total);
}
