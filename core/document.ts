// The document: immutable JSON that says which picture and which filters. It is the only edit state; pixels live in the
// engine and undo is another snapshot of this.

import type { Size } from './geometry';
import type { Kernel } from './kernel';
import type { Mask } from './mask';
import type { Mix } from './mix';
import type { AlphaMode, Border, EdgeStopping, LightMode, RangeMode, SampleType, SizeMode } from './pass';
import type { LightCurve } from './toneCurve';
import type { PictureWarning } from './warningText';

/** How much of a picture's EXIF block a file has room for: all, or not the maker note, not the longest values, nothing. */
export type ExifFit = 'whole' | 'withoutMakerNote' | 'withoutLongest' | 'nothing';

/** What a picture's file has beside the pixels, in bytes; 0 where it has none. */
export interface Carried {
  readonly profile: number;
  readonly exif: number;
  readonly xmp: number;
  readonly iptc: number;
  /** Of the EXIF block, in a JPEG file. */
  readonly exifInJpeg: ExifFit;
  /** Whether it says how large its pixels are. */
  readonly resolution: boolean;
}

/** What the page knows of an open picture. `id` names it in main; `name` is for people, never used as a path. */
export interface ImageInfo extends Size {
  readonly id: number;
  readonly name: string;
  readonly channels: number;
  /** True when the last channel is alpha (2 or 4 channels). */
  readonly alpha: boolean;
  readonly sampleType: SampleType;
  /** Which page or frame of its file it is, from 1, and how many there are. */
  readonly page: number;
  readonly pages: number;
  /** File format the picture came from, such as `jpeg`, or `clipboard`. */
  readonly format: string;
  /** Name of the embedded colour profile, or sRGB where there is none. */
  readonly profile: string;
  /** The curve that filters in linear light work by. */
  readonly light: LightCurve;
  readonly carries: Carried;
  /** Bytes of the file it came from; 0 for the clipboard. */
  readonly fileBytes: number;
  /** What a person should know of how it opened: a truncated file, a page of several. */
  readonly warnings: readonly PictureWarning[];
}

/** What every filter has beside its own parameters. */
export interface FilterSettings {
  readonly id: string;
  readonly enabled: boolean;
  readonly border: Border;
  readonly size: SizeMode;
  readonly alpha: AlphaMode;
  readonly light: LightMode;
  readonly range: RangeMode;
  /**
   * The most pairs of a row and a column that the kernel runs as: the best approximation of that rank, or the kernel itself
   * where its rank is not larger. Absent: exact. Gradients and searches for edges are always exact.
   */
  readonly rank?: number;
  /** How often the filter is applied, one time after another; 1 where absent, at most `maximumFilterRepeat`. */
  readonly repeat?: number | undefined;
  /** How its result enters the picture; where absent, it takes the place of its input. */
  readonly mix?: Mix | undefined;
  /** Where the filter works; everywhere where absent. */
  readonly mask?: Mask | undefined;
  /** The name that a person gave it; custom kernels have theirs among their parameters. */
  readonly label?: string | undefined;
}

/** Most times that a filter is repeated, and most iterations of a diffusion. */
export const maximumFilterRepeat = 200;

/** The pairs of kernels across and down that measure a gradient. */
export const gradientOperators = ['sobel', 'scharr', 'prewitt', 'roberts'] as const;
export type GradientOperator = (typeof gradientOperators)[number];

/** Each filter's own parameters; lengths are in pixels of the full-size picture, angles in degrees counter-clockwise. */
export type FilterParameters =
  | { readonly kind: 'gaussian'; readonly sigma: number }
  | { readonly kind: 'box'; readonly width: number }
  | { readonly kind: 'lens'; readonly radius: number }
  | { readonly kind: 'motion'; readonly length: number; readonly angle: number }
  | { readonly kind: 'binomial'; readonly width: number }
  /**
   * `iterations` forward differences of `rate`, stable to 1/4. Where nothing stops it, which is what an absent `stopping` means,
   * the heat equation: a blur of σ = √(2 · rate · iterations). Else Perona and Malik's diffusion, which edges much stronger than
   * `conductance`, percent of full scale, let through little of.
   */
  | {
      readonly kind: 'diffusion';
      readonly iterations: number;
      readonly rate: number;
      readonly stopping?: 'none' | EdgeStopping | undefined;
      readonly conductance?: number | undefined;
    }
  | { readonly kind: 'sharpen'; readonly neighbours: 4 | 8; readonly amount: number }
  /**
   * Picture + amount × (picture − Gaussian) in each channel where |picture − Gaussian|, before the amount, is at least
   * `threshold`, percent of full scale in the light that the filter works in; else the picture itself. A level of 255 is
   * 0.392 %; 0 where absent.
   */
  | {
      readonly kind: 'unsharp';
      readonly sigma: number;
      readonly amount: number;
      readonly threshold?: number | undefined;
    }
  /** An unsharp mask of much wider reach and less amount. */
  | { readonly kind: 'localContrast'; readonly sigma: number; readonly amount: number }
  | { readonly kind: 'highPass'; readonly sigma: number }
  /** The Gaussian of `sigma` minus the one of `ratio` times that. */
  | { readonly kind: 'differenceOfGaussians'; readonly sigma: number; readonly ratio: number }
  | { readonly kind: 'laplacianOfGaussian'; readonly sigma: number }
  | { readonly kind: 'sobel' }
  | { readonly kind: 'scharr' }
  | { readonly kind: 'prewitt' }
  | { readonly kind: 'roberts' }
  | { readonly kind: 'laplacian'; readonly neighbours: 4 | 8 }
  | { readonly kind: 'kirsch'; readonly direction: number }
  /** `low` and `high`: percent of the slope of a step from black to white; the smaller of the two is the low one. */
  | { readonly kind: 'canny'; readonly sigma: number; readonly low: number; readonly high: number }
  /**
   * The way in which each channel rises, counter-clockwise from the right: full scale is a full turn, and what is flat is 0. The
   * gradient is taken in 1/65535 of full scale, as for edges.
   */
  | { readonly kind: 'gradientDirection'; readonly operator: GradientOperator }
  | { readonly kind: 'emboss'; readonly direction: number }
  | {
      readonly kind: 'custom';
      readonly name: string;
      readonly kernel: Kernel;
      /** Where the weights were computed by one and nothing has changed them since. */
      readonly formula?: KernelFormula | undefined;
    };

/** A formula of a kernel's cells (core/formula.ts) and the values of its free variables; the weights themselves decide. */
export interface KernelFormula {
  readonly text: string;
  readonly values: Readonly<Record<string, number>>;
}

export type FilterKind = FilterParameters['kind'];
export type Filter = FilterSettings & FilterParameters;
export type Stack = readonly Filter[];

/** What is edited: the stack over one picture. `version` is the version of this form. */
export interface ConvolveDocument {
  readonly version: 1;
  readonly imageId: number | null;
  readonly stack: Stack;
}
