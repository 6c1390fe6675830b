// What every writer of code needs: the kernel ready to be written, and numbers and borders as text.

import type { FilterSettings } from './document';
import type { Kernel } from './kernel';
import type { Border } from './pass';

/** What of a filter beside its kernel matters to code. */
export type CodeSettings = Pick<FilterSettings, 'border' | 'size' | 'alpha' | 'light' | 'range' | 'mix' | 'mask'> & {
  readonly threshold?: number | undefined;
};

/** What the text does not do as the filter does. */
export type CodeLoss =
  /** The target knows no such border; `used` is its nearest. */
  | { readonly kind: 'border'; readonly wanted: Border['kind']; readonly used: Border['kind'] }
  /** Every channel is filtered alone, alpha too. */
  | { readonly kind: 'alpha' }
  /** Stored values are filtered, not linear light. */
  | { readonly kind: 'light' }
  /** The result is not brought into the range as the filter's range mode does. */
  | { readonly kind: 'range'; readonly wanted: FilterSettings['range'] }
  /** The result is not mixed with the picture: opacity, blend mode, channels, threshold and mask are left out. */
  | { readonly kind: 'mix' }
  /** The result has the picture's size; it is not cropped to whole windows. */
  | { readonly kind: 'size' }
  /** Weights are rounded to 24 binary digits. */
  | { readonly kind: 'precision' }
  /** Results are rounded and cut to the program's own pixels, of 16 bits in most builds. */
  | { readonly kind: 'depth' }
  /** More weights than many devices hold as constants. */
  | { readonly kind: 'weights'; readonly count: number; readonly limit: number }
  /** So many cells that the kernel leaves out stand as 0. */
  | { readonly kind: 'absent'; readonly count: number };

/** A kernel ready to be written: correlation-oriented, the divisor a number. */
export interface CodeKernel {
  readonly kernel: Kernel;
  readonly rows: readonly (readonly number[])[];
  readonly divisor: number;
  readonly settings: CodeSettings;
  readonly words: CodeWords;
  /** Cells of the window left of, right of, above and below the anchor. */
  readonly reach: { readonly left: number; readonly right: number; readonly up: number; readonly down: number };
}

/** What comments of code say, beside what it does not keep. `border` in them is the target's own word for it, or a person's. */
export type CodeComment =
  | 'pythonImage'
  | 'cppImage'
  | 'matlabImage'
  | 'shares'
  | 'padded'
  | 'correlate'
  | 'borderFirst'
  | 'wholeWindows'
  | 'conv2'
  | 'border'
  | 'noBorder'
  | 'weights'
  | 'textureWeights'
  | 'cudaJob'
  | 'magickCorrelate';

/** The words of comments, in the language of whom the code is for: one line each. */
export interface CodeWords {
  readonly comment: (comment: CodeComment, values?: { readonly border: string }) => string;
  readonly border: (kind: Border['kind']) => string;
  /** What the code does not do as the filter does, as its own sentence. */
  readonly notKept: (loss: CodeLoss) => string;
}

export const isConstant = (border: Border): boolean => border.kind === 'zero' || border.kind === 'constant';
/** What a comment says of the filter's border where the code has no word for it. */
export const borderComment = ({ words, settings }: Pick<CodeKernel, 'words' | 'settings'>): string =>
  words.comment('border', { border: words.border(settings.border.kind) });
export const borderValue = (border: Border): number => (border.kind === 'constant' ? border.value : 0);

/** A number as a C or GLSL literal of a floating type. */
export function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

export const opencvBorders: Readonly<Record<Border['kind'], string>> = {
  zero: 'BORDER_CONSTANT',
  constant: 'BORDER_CONSTANT',
  replicate: 'BORDER_REPLICATE',
  reflect: 'BORDER_REFLECT',
  mirror: 'BORDER_REFLECT_101',
  wrap: 'BORDER_WRAP',
};
