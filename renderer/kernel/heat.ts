// Colours of signed numbers: blue for negative, orange for positive, safe for colour-blind eyes. Pure.

export type Theme = 'dark' | 'light';
export type Rgb = readonly [number, number, number];

const negative: Rgb = [0x4c, 0x8d, 0xd6];
const positive: Rgb = [0xf0, 0x95, 0x4b];
/** What 0 looks like: the raised grey of each theme, as in tokens.css. */
const zero: Readonly<Record<Theme, Rgb>> = { dark: [0x2a, 0x2b, 0x2f], light: [0xe9, 0xea, 0xed] };
/** Pure black and white: only they keep 4.5 to 1 on the middle tones too. */
const ink: Rgb = [0, 0, 0];
const paper: Rgb = [255, 255, 255];

/**
 * The colour of a value among values whose largest magnitude is `peak`. The square root lifts small weights, of which a
 * kernel has many, out of the grey without hiding their order.
 */
export function heatColour(value: number, peak: number, theme: Theme): Rgb {
  const share = peak > 0 ? Math.sqrt(Math.min(1, Math.abs(value) / peak)) : 0;
  const end = value < 0 ? negative : positive;
  const start = zero[theme];
  return [0, 1, 2].map((channel) => {
    const from = start[channel] ?? 0;
    return Math.round(from + ((end[channel] ?? 0) - from) * share);
  }) as unknown as Rgb;
}

/**
 * The colour of a weight in a picture of a kernel, each sign to its own largest magnitude: the faint surround of an unsharp
 * mask shows although its centre is a hundred times larger.
 */
export function pictureColour(value: number, peaks: SignedPeaks, theme: Theme): Rgb {
  return heatColour(value, value < 0 ? peaks.negative : peaks.positive, theme);
}

/** The largest magnitude among the negative and among the positive weights. */
export interface SignedPeaks {
  readonly negative: number;
  readonly positive: number;
}

export function signedPeaks(weights: ArrayLike<number>): SignedPeaks {
  let negative = 0;
  let positive = 0;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] ?? 0;
    if (weight < 0) negative = Math.max(negative, -weight);
    else positive = Math.max(positive, weight);
  }
  return { negative, positive };
}

/** Relative luminance of an sRGB colour (WCAG 2). */
export function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** Contrast ratio of two colours (WCAG 2), 1…21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** The text colour, light or dark, that reads better on a cell. */
export function textOn(cell: Rgb): Rgb {
  return contrast(cell, paper) >= contrast(cell, ink) ? paper : ink;
}

export function cssColour([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** Largest magnitude of some weights. */
export function peakOf(weights: ArrayLike<number>): number {
  let peak = 0;
  for (let index = 0; index < weights.length; index++) peak = Math.max(peak, Math.abs(weights[index] ?? 0));
  return peak;
}
