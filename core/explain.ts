// How one filter makes one pixel, number by number: what its samples are to the arithmetic, and each step from the weighted
// sum to the code value, in the order that ARCHITECTURE.md gives. Pure, in float64; code values throughout.

import type { Mix } from './mix';
import type { AlphaMode, Border, DiffusionStep, Epilogue, LightMode, Range, SampleType, SizeMode } from './pass';
import { fromLight, type ToneCurve, toLight } from './toneCurve';

/** Where the sample under a weight comes from: the picture, a pixel of it that the border repeats, or the border's own value. */
export const sampleSources = ['inside', 'repeated', 'outside'] as const;
export type SampleSource = (typeof sampleSources)[number];

/** A kernel over the samples under it, in correlation orientation. */
export interface ExplainedKernel {
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly divisor: number;
  /** The cells that are listed one by one, all of them unless the kernel is large. */
  readonly shown: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Row-major weights of the cells shown. */
  readonly weights: Float64Array;
  /** For each cell shown the stored code values of all channels. */
  readonly samples: Float64Array;
  /** For each cell shown an index of `sampleSources`. */
  readonly sources: Uint8Array;
  /** The cells that are not shown: how many, how many of them the border gave, and their products' sum in each channel. */
  readonly rest: { readonly count: number; readonly bordered: number; readonly sums: readonly number[] };
  /** Σ weight × working value of all cells, in each channel. */
  readonly sums: readonly number[];
}

/** What the arithmetic of a pass depends on, beside its samples. */
export interface PixelArithmetic {
  readonly channels: number;
  /** Whether the last channel is alpha. */
  readonly hasAlpha: boolean;
  readonly sampleType: SampleType;
  /** Code value of full scale: 255, 65535 or 1. */
  readonly fullScale: number;
  readonly alpha: AlphaMode;
  readonly light: LightMode;
  /** What the picture's values are in linear light. */
  readonly curve: ToneCurve;
  readonly range: Range;
  readonly border: Border;
  readonly size: SizeMode;
  readonly epilogue: Epilogue;
  /** Σ weights / divisor through the epilogue; 0 for kernels without gain, whose pixels keep their alpha, and without alpha. */
  readonly gain: number;
  /** In code values: a channel whose value differs from the pixel by less, before the range, stays what it was; 0: none. */
  readonly threshold: number;
}

/** The steps of a colour channel. */
export interface ColourSteps {
  readonly kind: 'colour';
  /** Σ / divisor of each kernel. */
  readonly quotients: readonly number[];
  /** The length of the two; null for one kernel. */
  readonly magnitude: number | null;
  /** The pixel itself as a working value. */
  readonly own: number;
  /** result · sum + input · own. */
  readonly combined: number;
  /** By the filtered alpha; null where colour is not weighted by alpha. */
  readonly unweighted: number | null;
  /** With the bias. */
  readonly biased: number;
  readonly ranged: number;
  /** Back on the encoded curve; null where light was not linear. */
  readonly encoded: number | null;
  /** Whether it is the pixel's own, from which it differed by less than the threshold. */
  readonly kept: boolean;
  /** What this filter gives to the next. */
  readonly value: number;
  /** What a file of this depth holds if this filter is the last. */
  readonly code: number;
}

/** The steps of alpha. */
export interface AlphaSteps {
  readonly kind: 'alpha';
  readonly quotients: readonly number[];
  readonly own: number;
  readonly combined: number;
  /** filtered: combined / gain. own: the pixel's own alpha. plain: combined as it is. */
  readonly rule: 'filtered' | 'own' | 'plain';
  readonly kept: boolean;
  readonly value: number;
  readonly code: number;
}

export type ChannelSteps = ColourSteps | AlphaSteps;

/** A filter that is a weighted sum, or the length of two, at one pixel. */
export interface SumExplanation {
  readonly kind: 'sum';
  readonly filterId: string;
  /** The pixel in the picture that the filter reads, which `valid` filters before it have made smaller. */
  readonly x: number;
  readonly y: number;
  readonly arithmetic: PixelArithmetic;
  /** Two for a gradient: across, then down. Of a diffusion that edges stop, this pixel's own weights. */
  readonly kernels: readonly ExplainedKernel[];
  /** The pixel itself, in stored code values. */
  readonly own: readonly number[];
  readonly steps: readonly ChannelSteps[];
  /** True where a weighted pixel has no alpha left: its colour is 0. */
  readonly hidden: boolean;
  /** How often the filter is applied; what is explained is the last time. */
  readonly times: number;
  /** The diffusion that gave the weights; null for a kernel. */
  readonly diffusion: DiffusionStep | null;
  /** The rank that the kernel is held to; null where it is exact. */
  readonly approximateRank: number | null;
  /** What the engine makes of the pixel, in code values: whole numbers of the picture's depth where the filter is the last. */
  readonly engine: readonly number[];
  readonly isLast: boolean;
  readonly mixed: MixedResult | null;
}

/** How what a filter made enters its input; the steps end before that, `engine` holds what comes of it. */
export interface MixedResult {
  readonly mix: Mix;
  readonly masked: boolean;
}

/** A search for edges at one pixel: there is no sum that gives its value. Lengths are percent of a step from black to white. */
export interface EdgeExplanation {
  readonly kind: 'edges';
  readonly filterId: string;
  readonly x: number;
  readonly y: number;
  /** Of the channel with the longest gradient. */
  readonly channel: number;
  readonly across: number;
  readonly down: number;
  readonly length: number;
  /** Of its two neighbours across the edge: to the side where the gradient comes from, and where it points. */
  readonly neighbours: readonly [number, number];
  readonly low: number;
  readonly high: number;
  /**
   * flat: not above the low threshold. thinned: a neighbour across the edge is as steep or steeper. weak: between the
   * thresholds, an edge only if its line reaches a strong pixel. strong: above the high one.
   */
  readonly verdict: 'flat' | 'thinned' | 'weak' | 'strong';
  readonly isEdge: boolean;
  readonly kernelSize: number;
  readonly engine: readonly number[];
  readonly isLast: boolean;
  readonly mixed: MixedResult | null;
}

/** The direction of a gradient at one pixel. */
export interface DirectionExplanation {
  readonly kind: 'direction';
  readonly filterId: string;
  readonly x: number;
  readonly y: number;
  /** Of each colour channel: the gradient to the right and downwards, in whole steps of 1/65535 of full scale. */
  readonly across: readonly number[];
  readonly down: readonly number[];
  /** Degrees counter-clockwise from the right, 0 ≤ angle < 360; 0 where both are 0. */
  readonly angles: readonly number[];
  /** angle / 360 in code values, through the range. */
  readonly values: readonly number[];
  readonly fullScale: number;
  readonly range: 'plain' | 'signed';
  readonly engine: readonly number[];
  readonly isLast: boolean;
  readonly mixed: MixedResult | null;
}

/** Degrees counter-clockwise from the right in which a gradient rises: 0 ≤ angle < 360, 0 where it is 0. */
export function gradientAngle(across: number, down: number): number {
  if (across === 0 && down === 0) return 0;
  const angle = (Math.atan2(0 - down, across) * 180) / Math.PI;
  return angle < 0 ? angle + 360 : angle;
}

export type PixelExplanation = SumExplanation | EdgeExplanation | DirectionExplanation;

type SampleArithmetic = Pick<PixelArithmetic, 'channels' | 'hasAlpha' | 'fullScale' | 'alpha' | 'light' | 'curve'>;

const isWeighted = ({ hasAlpha, alpha }: Pick<PixelArithmetic, 'hasAlpha' | 'alpha'>) =>
  hasAlpha && alpha === 'weighted';

/** A channel of a stored pixel as the sum sees it: linear light where asked, then colour times alpha where weighted. */
export function workingValue(
  stored: ArrayLike<number>,
  at: number,
  channel: number,
  arithmetic: SampleArithmetic,
): number {
  const { channels, hasAlpha, fullScale, light, curve } = arithmetic;
  const value = stored[at + channel] ?? 0;
  if (hasAlpha && channel === channels - 1) return value;
  const lit = light === 'linear' ? toLight(curve, value / fullScale) * fullScale : value;
  return isWeighted(arithmetic) ? lit * ((stored[at + channels - 1] ?? 0) / fullScale) : lit;
}

/** What lies outside the picture where the border repeats none of its pixels: stored code values of every channel. */
export function outsidePixel(border: Border, { channels, fullScale }: SampleArithmetic): readonly number[] {
  return Array.from({ length: channels }, () => (border.kind === 'constant' ? border.value * fullScale : 0));
}

/** The share of Σ|w| below which a kernel counts as one without gain. */
const zeroGain = 1e-3;

/** `sum` and `absolute`: Σ w and Σ |w|, over the divisor. */
export function alphaGain(sum: number, absolute: number, { result, input }: Epilogue): number {
  const gain = result * sum + input;
  return Math.abs(gain) >= zeroGain * (Math.abs(result) * absolute + Math.abs(input)) ? gain : 0;
}

/** The range mode on code values. */
function inRange(range: Range, value: number, fullScale: number): number {
  const cut = (number: number) => Math.min(fullScale, Math.max(0, number));
  switch (range.kind) {
    case 'clamp':
      return cut(value);
    case 'absolute':
      return Math.min(Math.abs(value), fullScale);
    case 'signed':
      return cut((fullScale + value) / 2);
    case 'float':
      return value;
    case 'rescale':
      return range.maximum === range.minimum
        ? 0
        : (value - range.minimum * fullScale) / (range.maximum - range.minimum);
  }
}

/** As a file of this depth holds it: whole numbers are rounded half away from zero and cut to what the depth can hold. */
function codeValue(value: number, sampleType: SampleType, fullScale: number): number {
  if (sampleType === 'f64') return value;
  if (sampleType === 'f32') return Math.fround(value);
  if (Number.isNaN(value)) return 0;
  return Math.min(fullScale, Math.max(0, Math.round(value)));
}

/** Below this share of full scale a pixel counts as fully transparent. */
const transparent = 1e-6;

/** From the sums of one kernel, or two, to the code value of every channel. `own`: the pixel's stored code values. */
export function channelSteps(
  arithmetic: PixelArithmetic,
  kernels: readonly Pick<ExplainedKernel, 'sums' | 'divisor'>[],
  own: readonly number[],
): { readonly steps: readonly ChannelSteps[]; readonly hidden: boolean } {
  const { channels, hasAlpha, sampleType, fullScale, range, epilogue, light, curve, gain, threshold } = arithmetic;
  const weighted = isWeighted(arithmetic);
  const colours = hasAlpha ? channels - 1 : channels;
  const summed = (channel: number) => {
    const quotients = kernels.map(({ sums, divisor }) => (sums[channel] ?? 0) / divisor);
    const magnitude = quotients.length > 1 ? Math.hypot(...quotients) : null;
    const ownWorking = workingValue(own, 0, channel, arithmetic);
    const sum = (magnitude ?? quotients[0] ?? 0) * epilogue.result;
    // Not 0 · own: an infinite pixel would make that no number.
    const combined = epilogue.input === 0 ? sum : sum + epilogue.input * ownWorking;
    return { quotients, magnitude, own: ownWorking, combined };
  };
  let alphaSteps: AlphaSteps | null = null;
  let filteredAlpha = fullScale;
  if (hasAlpha) {
    const { quotients, own: ownAlpha, combined } = summed(colours);
    const { alpha } = arithmetic;
    const keepsOwn = alpha === 'colourOnly' || (alpha === 'straight' ? kernels.length > 1 : gain === 0);
    const rule = keepsOwn ? 'own' : alpha === 'straight' ? 'plain' : 'filtered';
    filteredAlpha = rule === 'own' ? ownAlpha : rule === 'plain' ? combined : combined / gain;
    const kept = Math.abs(filteredAlpha - ownAlpha) < threshold;
    const ranged = range.kind === 'float' ? filteredAlpha : Math.min(fullScale, Math.max(0, filteredAlpha));
    const value = kept ? ownAlpha : ranged;
    const code = codeValue(value, sampleType, fullScale);
    alphaSteps = { kind: 'alpha', quotients, own: ownAlpha, combined, rule, kept, value, code };
  }
  const hidden = weighted && Math.abs(filteredAlpha) < transparent * fullScale;
  // A hidden colour is none to keep.
  const ownIsHidden = weighted && Math.abs(own[colours] ?? 0) < transparent * fullScale;
  const steps: ChannelSteps[] = [];
  for (let channel = 0; channel < colours; channel += 1) {
    const { quotients, magnitude, own: ownWorking, combined } = summed(channel);
    const unweighted = !weighted ? null : hidden ? 0 : combined / (filteredAlpha / fullScale);
    const biased = hidden ? 0 : (unweighted ?? combined) + epilogue.offset * fullScale;
    const ranged = inRange(range, biased, fullScale);
    const encoded = light === 'linear' ? fromLight(curve, ranged / fullScale) * fullScale : null;
    const lit = workingValue(own, 0, channel, { ...arithmetic, alpha: 'straight' });
    const kept = !ownIsHidden && Math.abs(biased - lit) < threshold;
    const value = kept ? (own[channel] ?? 0) : (encoded ?? ranged);
    const code = codeValue(value, sampleType, fullScale);
    const made = {
      ...{ quotients, magnitude, own: ownWorking, combined, unweighted, biased, ranged, encoded },
      ...{ kept, value, code },
    };
    steps.push({ kind: 'colour', ...made });
  }
  if (alphaSteps !== null) steps.push(alphaSteps);
  return { steps, hidden };
}
