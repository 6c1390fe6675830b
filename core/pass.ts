// A plan in the words the engine understands: plain data, correlation-oriented, one pass a filter. native/engine/pass.h
// holds the same types; the addon parses this form and refuses what does not fit.

import type { PassMix } from './mix';

/** How samples outside the image are found. `value` is a share of full scale, in every channel, alpha too. */
export type Border =
  | { readonly kind: 'zero' }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'replicate' }
  | { readonly kind: 'reflect' }
  | { readonly kind: 'mirror' }
  | { readonly kind: 'wrap' };
export const borderKinds = ['zero', 'constant', 'replicate', 'reflect', 'mirror', 'wrap'] as const;

/** weighted: colour weighted by alpha (premultiplied). straight: every channel alone, alpha too. colourOnly: alpha kept. */
export type AlphaMode = 'weighted' | 'straight' | 'colourOnly';
export const alphaModes = ['weighted', 'straight', 'colourOnly'] as const;

/** encoded: the stored values. linear: light, through the sRGB curve (IEC 61966-2-1). */
export type LightMode = 'encoded' | 'linear';
export const lightModes = ['encoded', 'linear'] as const;

/** same: the result has the image's size. valid: only pixels whose whole window lies inside the image. */
export type SizeMode = 'same' | 'valid';
export const sizeModes = ['same', 'valid'] as const;

/**
 * What happens to results outside 0…1 (share of full scale), at the end of each filter. clamp: cut. absolute: the
 * magnitude, cut. signed: ½ + value/2, cut. rescale: the darkest result of the whole picture to 0, the brightest to 1.
 * float: kept.
 */
export type RangeMode = 'clamp' | 'absolute' | 'signed' | 'rescale' | 'float';
export const rangeModes = ['clamp', 'absolute', 'signed', 'rescale', 'float'] as const;

/** A range mode with what it needs to be a function of one pixel: rescale carries the measured extremes. */
export type Range =
  | { readonly kind: 'clamp' | 'absolute' | 'signed' | 'float' }
  | { readonly kind: 'rescale'; readonly minimum: number; readonly maximum: number };

export type SampleType = 'u8' | 'u16' | 'f32' | 'f64';
export const sampleTypes = ['u8', 'u16', 'f32', 'f64'] as const;
export const fullScale: Readonly<Record<SampleType, number>> = { u8: 255, u16: 65535, f32: 1, f64: 1 };
export type Samples = Uint8Array | Uint16Array | Float32Array | Float64Array;

/** `length` samples of a type, all 0. */
export function createSamples(sampleType: SampleType, length: number): Samples {
  switch (sampleType) {
    case 'u8':
      return new Uint8Array(length);
    case 'u16':
      return new Uint16Array(length);
    case 'f32':
      return new Float32Array(length);
    case 'f64':
      return new Float64Array(length);
  }
}

/** Weights in correlation orientation: out(x, y) = Σ weights[j·width + i] · in(x + i − anchorX, y + j − anchorY) / divisor. */
export interface DenseWeights {
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly weights: Float64Array;
  readonly divisor: number;
}

/** One term of a sum of separable kernels: weight(i, j) = column[j] · row[i]. */
export interface RankPair {
  readonly column: Float64Array;
  readonly row: Float64Array;
}

/** Weights as a sum of r outer products, correlation-oriented; `pairs.length` is r ≥ 1. */
export interface SeparableWeights {
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly pairs: readonly RankPair[];
  readonly divisor: number;
}

/** A kernel of equal weights, 1 each: a running sum, whatever its size. */
export type BoxWeights = Omit<DenseWeights, 'weights'>;

/** After the sum: value = result · (Σ / divisor) + input · (the pixel itself) + offset (share of full scale). */
export interface Epilogue {
  readonly result: number;
  readonly input: number;
  readonly offset: number;
}

/** The teaching variants; native/engine/pass.h holds the same. cufft exists only in builds that link that library. */
export const variantNames = [
  'naive1d',
  'naive2d',
  'constant',
  'shared1d',
  'shared2d',
  'texture',
  'separable',
  'winograd',
  'tensor',
  'cufft',
] as const;
export type VariantName = (typeof variantNames)[number];

/** How much of an edge of strength s lets diffusion through: exp(−(s / k)²), or 1 / (1 + (s / k)²). */
export const edgeStoppings = ['exponential', 'rational'] as const;
export type EdgeStopping = (typeof edgeStoppings)[number];

/**
 * One step of edge-preserving diffusion: every number of a pixel moves by rate · Σ g(s) · (neighbour − pixel) over its four
 * neighbours (Perona and Malik, "Scale-Space and Edge Detection Using Anisotropic Diffusion", IEEE TPAMI 12(7), 1990). All
 * numbers of a pixel share one g; what s is, with alpha and in linear light, is in native/engine/pass.h.
 */
export interface DiffusionStep {
  readonly stopping: EdgeStopping;
  /** k, a share of full scale, 1e-6 or more. */
  readonly conductance: number;
  /** 0…1/4. */
  readonly rate: number;
}

/**
 * What the arithmetic of a pass is: one linear kernel, the length of the gradient sqrt(x² + y²) of two, or a step of
 * edge-preserving diffusion, whose weights are each pixel's own. dense, sparse
 * and fft mean the same and differ in how they are computed: all weights, those that are not 0, or overlap-save with the
 * fast Fourier transform. `variant`: by that teaching variant of the cuda backend (native/cuda/variants); other backends
 * compute it as dense.
 */
export type PassWork =
  | { readonly kind: 'dense' | 'sparse' | 'fft'; readonly weights: DenseWeights; readonly variant?: VariantName }
  | { readonly kind: 'separable'; readonly weights: SeparableWeights }
  | { readonly kind: 'box'; readonly weights: BoxWeights }
  | { readonly kind: 'magnitude'; readonly x: DenseWeights; readonly y: DenseWeights }
  | ({ readonly kind: 'diffusion' } & DiffusionStep);

/** One filter, ready to run. Its input is the result of the pass before it, or the image. */
export interface Pass {
  readonly work: PassWork;
  readonly border: Border;
  readonly size: SizeMode;
  readonly alpha: AlphaMode;
  readonly light: LightMode;
  readonly epilogue: Epilogue;
  readonly range: Range;
  /**
   * How often the pass is applied, each time wholly and to the result of the time before; 1 where absent, at most
   * `maximumRepeat`. A pass with repeat n means n equal passes.
   */
  readonly repeat?: number;
  /** How the result enters its input, after the range; a pass that repeats has none. Absent: the result as it is. */
  readonly mix?: PassMix;
}

/** Most times that one pass is repeated; native/engine/plan.h holds the same limit. */
export const maximumRepeat = 1000;

/** A work of one kernel. */
export type LinearWork = Exclude<PassWork, { kind: 'magnitude' | 'diffusion' }>;

/**
 * The search for edges in a whole picture (Canny: thinning and two thresholds), which no tile can do for itself. `x` and `y`
 * are the gradient to the right and downwards, of one size and anchor; `low` and `high` shares of full scale of its length,
 * |x| + |y| or sqrt(x² + y²). weighted alpha is the picture on black. native/engine/edge_picture.h holds the same.
 */
export interface EdgeFilter {
  readonly x: LinearWork;
  readonly y: LinearWork;
  readonly border: Border;
  readonly size: SizeMode;
  readonly alpha: AlphaMode;
  readonly light: LightMode;
  readonly low: number;
  readonly high: number;
  readonly norm: 'l1' | 'l2';
  /**
   * What becomes of the gradient; its edges where absent. direction: in each colour channel the way its brightness rises,
   * counter-clockwise from the right, as a share of a full turn; 0 where it is flat. Floating point, full scale being 1.
   */
  readonly use?: 'direction';
}
