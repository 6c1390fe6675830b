// What a kernel makes of an edge from 0 to 1: the profile across the edge, and how far it swings beyond the two sides. That
// swing is what a person sees as halos and ringing.

import { isZeroSum, type Kernel, kernelSum, resolveDivisor, sumOf, toCorrelation } from './kernel';

/** Across which edge: brighter on the right, below, to the lower right, to the upper right. */
export const stepDirections = ['horizontal', 'vertical', 'diagonal', 'antidiagonal'] as const;
export type StepDirection = (typeof stepDirections)[number];

export interface StepResponse {
  readonly direction: StepDirection;
  /** Position of values[0] across the edge; the first bright pixel (or diagonal line of pixels) is at 0. */
  readonly start: number;
  /** Results of a picture of 0 before the edge and 1 from it on. The first is 0, the last is the gain. */
  readonly values: Float64Array;
  /** What a flat picture of 1 becomes; 0 where the weights cancel. */
  readonly gain: number;
  /** Percent of the gain by which the profile exceeds it; null where the gain is 0 and the profile is the edge's mark. */
  readonly overshoot: number | null;
  /** Percent of the gain by which the profile falls below 0 (beyond it for a negative gain); null as above. */
  readonly undershoot: number | null;
  /** Stretches of the profile outside 0…gain. 1 on each side is a halo, more are ripples. */
  readonly lobes: number;
  /** True where the profile leaves 0…gain at all. Always false for kernels without negative weights. */
  readonly rings: boolean;
}

/** Share of Σ|w| that counts as rounding. */
const roundingShare = 1e-9;

function axisOf(direction: StepDirection): readonly [number, number] {
  switch (direction) {
    case 'horizontal':
      return [1, 0];
    case 'vertical':
      return [0, 1];
    case 'diagonal':
      return [1, 1];
    case 'antidiagonal':
      return [1, -1];
  }
}

/** The profile across one edge, divisor applied, bias left out. */
export function stepResponse(source: Kernel, direction: StepDirection): StepResponse {
  const kernel = toCorrelation(source);
  const { width, height, anchorX, anchorY, weights } = kernel;
  const { divisor } = resolveDivisor(kernel);
  const [right, down] = axisOf(direction);
  const place = (index: number) => ((index % width) - anchorX) * right + (Math.floor(index / width) - anchorY) * down;
  const corners = [0, width - 1, (height - 1) * width, height * width - 1].map(place);
  const [nearest, farthest] = [Math.min(...corners), Math.max(...corners)];
  const line = new Float64Array(farthest - nearest + 1);
  weights.forEach((weight, index) => {
    const at = place(index) - nearest;
    line[at] = (line[at] ?? 0) + weight / divisor;
  });
  // At position p the weights from −p on see the bright side: the sum grows from the far end of the line.
  const values = new Float64Array(line.length + 1);
  line.toReversed().forEach((weight, index) => {
    values[index + 1] = (values[index] ?? 0) + weight;
  });
  const noGain = isZeroSum(weights);
  const gain = noGain ? 0 : kernelSum(kernel) / divisor;
  values[values.length - 1] = gain;
  const dust = (roundingShare * sumOf(weights.map(Math.abs))) / Math.abs(divisor);
  const [low, high] = [Math.min(0, gain) - dust, Math.max(0, gain) + dust];
  const sides = Array.from(values, (value) => (value > high ? 1 : value < low ? -1 : 0));
  const lobes = sides.filter((side, index) => side !== 0 && side !== sides[index - 1]).length;
  const share = (beyond: number) => (Math.abs(beyond * gain) <= dust ? 0 : Math.max(0, 100 * beyond));
  const relative = values.map((value) => value / gain);
  return {
    direction,
    start: -farthest - 1,
    values,
    gain,
    overshoot: noGain ? null : share(Math.max(...relative) - 1),
    undershoot: noGain ? null : share(-Math.min(...relative)),
    lobes,
    rings: !noGain && lobes > 0,
  };
}

/** All four profiles. */
export function stepResponses(kernel: Kernel): readonly StepResponse[] {
  return stepDirections.map((direction) => stepResponse(kernel, direction));
}
