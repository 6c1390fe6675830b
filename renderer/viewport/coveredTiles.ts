// Which tiles are hidden by others that are drawn over them: most, while an older result stays until a newer one is whole. Pure.

import { intersect, type Rectangle } from '../../core/geometry';

/** Whether boxes of one sheet, of which none overlap, cover all of a box. */
export function isCovered(box: Rectangle, sheet: readonly Rectangle[]): boolean {
  let left = box.width * box.height;
  for (const cover of sheet) {
    const { width, height } = intersect(box, cover);
    left -= width * height;
  }
  return left <= 0;
}
