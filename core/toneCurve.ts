// Tone curves: how stored values stand for linear light, in shares of full scale. native/engine/tone_curve.h is the same in
// C++. Beyond 1 a curve goes on; negative values mirror it.

export type ToneCurve =
  /** light = (scale · v + offset)^gamma + above for v beyond the knee, and slope · v + below up to it (ICC.1:2022, 10.18). */
  | {
      readonly kind: 'parametric';
      readonly gamma: number;
      readonly scale: number;
      readonly offset: number;
      readonly slope: number;
      readonly knee: number;
      readonly above: number;
      readonly below: number;
    }
  /** Light at evenly spaced values from 0 to 1, with straight lines between them. */
  | { readonly kind: 'sampled'; readonly samples: Float64Array };

/** IEC 61966-2-1. */
export const srgbCurve = {
  kind: 'parametric',
  gamma: 2.4,
  scale: 1 / 1.055,
  offset: 0.055 / 1.055,
  slope: 1 / 12.92,
  knee: 0.04045,
  above: 0,
  below: 0,
} as const satisfies ToneCurve;

/**
 * By which curve filters of a picture work in linear light. formula, samples: that of its profile. The others are the sRGB
 * curve, because the picture has it, or because its profile has none: it is a table (table), has another for each channel
 * (differing), or one that leads back to no value (unusable).
 */
const lightCurves = ['srgb', 'formula', 'samples', 'table', 'differing', 'unusable'] as const;
export type LightCurve = (typeof lightCurves)[number];

function rising(curve: ToneCurve, value: number): number {
  if (curve.kind === 'parametric') {
    const { gamma, scale, offset, slope, knee, above, below } = curve;
    return value > knee ? (scale * value + offset) ** gamma + above : slope * value + below;
  }
  const { samples } = curve;
  const place = value * (samples.length - 1);
  const from = Math.min(Math.floor(place), samples.length - 2);
  const [start = 0, end = 0] = samples.subarray(from, from + 2);
  return start + (end - start) * (place - from);
}

function backDown(curve: ToneCurve, light: number): number {
  if (curve.kind === 'parametric') {
    const { gamma, scale, offset, slope, knee, above, below } = curve;
    if (light <= slope * knee + below) return slope > 0 ? Math.max((light - below) / slope, 0) : 0;
    return Math.max((Math.max(light - above, 0) ** (1 / gamma) - offset) / scale, knee);
  }
  const { samples } = curve;
  if (light <= (samples[0] ?? 0)) return 0;
  // The first sample that is not below the light, or the last one.
  let low = 1;
  let high = samples.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle] ?? 0) < light) low = middle + 1;
    else high = middle;
  }
  const [start = 0, end = 1] = samples.subarray(low - 1, low + 1);
  return (low - 1 + (light - start) / (end - start)) / (samples.length - 1);
}

/** Linear light of an encoded value. */
export const toLight = (curve: ToneCurve, value: number): number =>
  value < 0 ? -rising(curve, -value) : rising(curve, value);

/** The least encoded value of linear light. */
export const fromLight = (curve: ToneCurve, light: number): number =>
  light < 0 ? -backDown(curve, -light) : backDown(curve, light);

/** Whether the engine can use it: it rises from 0 or a little more to about 1, so that there is a way back. */
export function leadsBack(curve: ToneCurve): boolean {
  const black = rising(curve, 0);
  const white = rising(curve, 1);
  if (!(black >= 0 && black < 0.5 && white >= 0.5 && white <= 1.01)) return false;
  if (curve.kind === 'sampled') {
    const { samples } = curve;
    return (
      samples.every((value, index) => index === 0 || value >= (samples[index - 1] ?? 0)) &&
      (samples.at(-1) ?? 0) > (samples.at(-2) ?? 0)
    );
  }
  const { gamma, scale, offset, slope, knee, above, below } = curve;
  const base = scale * knee + offset;
  return (
    gamma > 0 &&
    scale > 0 &&
    slope >= 0 &&
    knee >= 0 &&
    knee < 1 &&
    base >= -1e-9 &&
    Math.max(base, 0) ** gamma + above >= slope * knee + below - 1e-3
  );
}

/** Whether two curves are the same but for the rounding of 16-bit numbers. */
export function isSameCurve(one: ToneCurve, other: ToneCurve): boolean {
  const steps = 512;
  for (let step = 0; step <= steps; step += 1)
    if (Math.abs(rising(one, step / steps) - rising(other, step / steps)) > 2e-5) return false;
  return true;
}
