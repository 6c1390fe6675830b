// What a kernel is: the stored form a person edits, and the one orientation (correlation) every engine computes.

export type Orientation = 'correlation' | 'convolution';

/** Largest width and height of a kernel, in cells. */
export const maximumKernelSize = 511;

/**
 * A kernel as it is stored and edited: row-major weights (`weights[y * width + x]`), the anchor cell that lies on the
 * output pixel, the divisor (`auto`: the sum of the weights, or 1 where that sum is zero), the bias as a share of full
 * scale, and the orientation in which the numbers are to be read.
 */
export interface Kernel {
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly weights: readonly number[];
  readonly divisor: number | 'auto';
  readonly bias: number;
  readonly orientation: Orientation;
}
