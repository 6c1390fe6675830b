// How a filter's result enters the picture: how much of it, by which blend mode, in which channels. What it means for a
// pixel is in ARCHITECTURE.md; native/engine/pass.h holds the same for the engine.

import type { Size } from './geometry';

/**
 * How the filtered colour and the one before it become one. Separable modes and luminosity: W3C, "Compositing and Blending
 * Level 1", sections 9.1 and 9.2; addition is the sum, cut at full scale unless the filter's range is float.
 */
export const blendModes = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'softLight',
  'lighten',
  'darken',
  'difference',
  'luminosity',
  'addition',
] as const;
export type BlendMode = (typeof blendModes)[number];

export const colourChannels = ['red', 'green', 'blue'] as const;
export type ColourChannel = (typeof colourChannels)[number];

/**
 * all: every channel and alpha. luminance: hue and chroma stay those of the input, only its luminance (W3C's Lum) becomes
 * the filtered one. A list: these colours alone; the others, and alpha, stay as they were. The one channel of a grey picture
 * is every colour and its own luminance.
 */
export type MixChannels = 'all' | 'luminance' | readonly ColourChannel[];

/** `opacity`: 0 (the filter does nothing) to 1. */
export interface Mix {
  readonly opacity: number;
  readonly blend: BlendMode;
  readonly channels: MixChannels;
}

/** What a filter without a mix has: its result takes the place of its input. */
export const plainMix: Mix = { opacity: 1, blend: 'normal', channels: 'all' };

/** True where the result is the filtered picture itself. */
export function isPlainMix({ opacity, blend, channels }: Mix): boolean {
  return opacity === 1 && blend === 'normal' && channels === 'all';
}

/** Whether a filter's result does not simply take the place of its input. */
export function isMixed({
  mix = plainMix,
  mask,
  threshold = 0,
}: {
  readonly mix?: Mix | undefined;
  readonly mask?: unknown;
  readonly threshold?: number | undefined;
}): boolean {
  return !isPlainMix(mix) || mask !== undefined || threshold > 0;
}

/** A filter's mask as a plan names it: one sample for each pixel of its input, which main makes before the pass runs. */
export interface PlannedMask extends Size {
  readonly kind: 'mask';
  readonly filterId: string;
  /** Where its pixel (0, 0) lies in the opened picture at `level`, in pixels of that level. */
  readonly x: number;
  readonly y: number;
  readonly level: number;
}

/** A picture of the plan itself: what its first `steps` steps make; 0 is the picture that the plan begins with. */
export interface PlannedPicture {
  readonly kind: 'picture';
  readonly steps: number;
}

/** An image that the engine holds, as the addon hands it out (main/engine.ts). */
export interface ImageHandle extends Size {
  readonly kind?: undefined;
  readonly channels: number;
}

/**
 * The mix of a pass. Images are named in a plan and become the engine's own before it runs; the engine refuses names.
 * native/engine/pass.h holds the same.
 */
export interface PassMix extends Mix {
  /**
   * A share of full scale, 0 where absent: what is mixed in is the input itself in each channel, alpha too, in which the
   * result before its range differs from it by less, in the pass's light.
   */
  readonly threshold?: number;
  /** One channel of 16 bits, of the size of the input: how much of the filter each pixel gets, 0 none, 65535 all. */
  readonly mask?: PlannedMask | ImageHandle;
  /**
   * The input to mix with, where it is another than the pass's own: that of a filter of several passes. The result's pixel
   * (0, 0) lies at (x, y) of it.
   */
  readonly input?: { readonly image: PlannedPicture | ImageHandle; readonly x: number; readonly y: number };
}
