// Colours as CIE L*a*b* and how far apart they are (CIE 1976), for tests that compare colours of two spaces.

import type { ScreenSpace } from '../../../core/pixelPort';

export type Triple = readonly [number, number, number];

/** Linear RGB to XYZ under D65: IEC 61966-2-1 and Display P3, from their primaries. */
const matrices: Readonly<Record<ScreenSpace, readonly [Triple, Triple, Triple]>> = {
  srgb: [
    [0.4123908, 0.3575843, 0.1804808],
    [0.212639, 0.7151687, 0.0721923],
    [0.0193308, 0.1191948, 0.9505322],
  ],
  displayP3: [
    [0.4865709, 0.2656677, 0.1982173],
    [0.2289746, 0.6917385, 0.0792869],
    [0, 0.0451134, 1.0439444],
  ],
};

const light = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** CIE L*a*b* of numbers of 0…1 of a space, relative to the space's own white. */
export function labOf(space: ScreenSpace, rgb: Triple): Triple {
  const [red, green, blue] = [light(rgb[0]), light(rgb[1]), light(rgb[2])];
  const along = ([r, g, b]: Triple) => {
    const share = (r * red + g * green + b * blue) / (r + g + b);
    return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
  };
  const rows = matrices[space];
  const [x, y, z] = [along(rows[0]), along(rows[1]), along(rows[2])];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** ΔE*ab. */
export const colourDifference = (a: Triple, b: Triple) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
