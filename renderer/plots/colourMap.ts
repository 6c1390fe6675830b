// Colours for plots: a perceptually even map from dark to bright that colour-blind eyes read too, and a circle of colours for
// angles. Pure.

import type { Rgb } from '../kernel/heat';

/**
 * Seventeen even steps of viridis (Smith, van der Walt and Firing 2015; CC0), whose lightness rises in a straight line.
 */
const viridis: readonly Rgb[] = [
  [68, 1, 84],
  [72, 24, 106],
  [71, 45, 123],
  [66, 64, 134],
  [59, 82, 139],
  [51, 99, 141],
  [44, 114, 142],
  [38, 130, 142],
  [33, 145, 140],
  [31, 160, 136],
  [40, 174, 128],
  [63, 188, 115],
  [94, 201, 98],
  [132, 212, 75],
  [173, 220, 48],
  [216, 226, 25],
  [253, 231, 37],
];

function between(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((channel) => {
    const [from = 0, to = 0] = [a[channel], b[channel]];
    return Math.round(from + (to - from) * share);
  }) as unknown as Rgb;
}

/** The colour of a share of 0…1. */
export function evenColour(share: number): Rgb {
  const place = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * (viridis.length - 1);
  const step = Math.min(viridis.length - 2, Math.floor(place));
  return between(viridis[step] ?? [0, 0, 0], viridis[step + 1] ?? [0, 0, 0], place - step);
}

/** Blue at −π/2, dark at 0, orange at π/2, bright at ±π: angles that are opposite differ in lightness or in hue. */
const circle: readonly Rgb[] = [
  [40, 42, 48],
  [240, 149, 75],
  [246, 246, 246],
  [76, 141, 214],
  [40, 42, 48],
];

/** The colour of an angle in radians. */
export function angleColour(angle: number): Rgb {
  const turn = (((angle / (2 * Math.PI)) % 1) + 1) % 1;
  const place = turn * (circle.length - 1);
  const step = Math.min(circle.length - 2, Math.floor(place));
  return between(circle[step] ?? [0, 0, 0], circle[step + 1] ?? [0, 0, 0], place - step);
}
