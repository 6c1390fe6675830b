// What a multiply-add costs on each path of each backend: the numbers by which core/plan.ts chooses between paths that
// give the same result.

import type { BackendStatus } from './ipc';

/** Costs of one output sample, in units of one multiply-add of a dense pass on the same backend. */
export interface PathCosts {
  readonly dense: number;
  /** One multiply-add of a row or column pass. */
  readonly separable: number;
  /** Fixed cost of one row and column pair: writing and reading the intermediate rows. */
  readonly pair: number;
  /**
   * Largest Σ|K − K_r| as a share of Σ|K| at which K_r counts as the same kernel: one rounding of the backend's own
   * arithmetic (2⁻²⁴ for float32 sums, 2⁻⁵⁰ for float64 ones).
   */
  readonly exactness: number;
}

/**
 * Provisional: slopes and intercepts of published timings of dense and separable filters on 12-megapixel float pictures
 * (OpenCV 4.6 on two AVX-512 cores: 0.74 ms a dense tap, 1.0 to 2.2 ms a separable one; NPP on one H200: 7.5 µs a dense
 * tap, 5 µs a separable one, 0.2 ms a pass), to be replaced by measurements of these backends themselves.
 */
export const pathCosts: Readonly<Record<BackendStatus['name'], PathCosts>> = {
  reference: { dense: 1, separable: 1, pair: 2, exactness: 2 ** -50 },
  cpu: { dense: 1, separable: 1.5, pair: 4, exactness: 2 ** -24 },
  cuda: { dense: 1, separable: 0.7, pair: 20, exactness: 2 ** -24 },
};
