// The ways to compare the original and the result, and which part of the viewport each takes. Pure; lengths in device pixels.

import type { Rectangle, Size } from '../../core/geometry';

export const compareModes = ['result', 'split', 'original', 'difference'] as const;
export type CompareMode = (typeof compareModes)[number];
/** Of the line between the two halves. */
export type SplitDirection = 'vertical' | 'horizontal';

/** Where each of the two shows. `split` is a share of the width from the left, or of the height from the top. */
export function comparedParts(
  compare: CompareMode,
  split: number,
  direction: SplitDirection,
  { width, height }: Size,
): { readonly original: Rectangle; readonly result: Rectangle } {
  const whole: Rectangle = { x: 0, y: 0, width, height };
  const none: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  if (compare === 'result') return { original: none, result: whole };
  if (compare === 'original') return { original: whole, result: none };
  if (compare === 'difference') return { original: whole, result: whole };
  if (direction === 'vertical') {
    const divide = Math.round(split * width);
    return { original: { ...whole, width: divide }, result: { ...whole, x: divide, width: width - divide } };
  }
  const divide = Math.round(split * height);
  return { original: { ...whole, height: divide }, result: { ...whole, y: divide, height: height - divide } };
}
