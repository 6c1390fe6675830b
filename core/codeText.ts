// What every writer of code needs: the kernel ready to be written, and numbers and borders as text.

import type { FilterSettings } from './document';
import type { Kernel } from './kernel';
import type { Border } from './pass';

/** What of a filter beside its kernel matters to code. */
export type CodeSettings = Pick<FilterSettings, 'border' | 'size' | 'alpha' | 'light' | 'range' | 'mix' | 'mask'> & {
  readonly threshold?: number | undefined;
};

/** A kernel ready to be written: correlation-oriented, the divisor a number. */
export interface CodeKernel {
  readonly kernel: Kernel;
  readonly rows: readonly (readonly number[])[];
  readonly divisor: number;
  readonly settings: CodeSettings;
  /** Cells of the window left of, right of, above and below the anchor. */
  readonly reach: { readonly left: number; readonly right: number; readonly up: number; readonly down: number };
}

export const isConstant = (border: Border): boolean => border.kind === 'zero' || border.kind === 'constant';
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
