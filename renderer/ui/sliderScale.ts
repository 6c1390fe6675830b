// Between a parameter's value and its place on a slider, on a linear or a logarithmic scale. Pure.

import { limitNumber, roundToStep } from './numberText';

export interface SliderScale {
  readonly minimum: number;
  readonly maximum: number;
  readonly step: number;
  readonly scale: 'linear' | 'log';
  readonly whole: boolean;
}

/** Place of a value on the slider, 0…1. A log scale that starts at 0 is taken as linear. */
export function placeOf(value: number, scale: SliderScale): number {
  const { minimum, maximum } = scale;
  if (maximum <= minimum) return 0;
  const place =
    scale.scale === 'log' && minimum > 0
      ? Math.log(Math.max(value, minimum) / minimum) / Math.log(maximum / minimum)
      : (value - minimum) / (maximum - minimum);
  return Math.min(1, Math.max(0, place));
}

/** Value at a place 0…1, rounded to the slider's step; `fine` rounds to a tenth of it. */
export function valueAt(place: number, scale: SliderScale, fine = false): number {
  const { minimum, maximum } = scale;
  const share = Math.min(1, Math.max(0, place));
  const raw =
    scale.scale === 'log' && minimum > 0
      ? minimum * (maximum / minimum) ** share
      : minimum + share * (maximum - minimum);
  return settle(raw, scale, fine);
}

/** The value `count` steps away; `fine` steps are a tenth as long, or 1 for whole numbers. Log scales step by about 5 % where that is more. */
export function stepBy(value: number, count: number, scale: SliderScale, fine = false): number {
  const coarse = stepAt(value, scale);
  const step = !fine ? coarse : scale.whole ? 1 : coarse / 10;
  return settle(value + count * step, scale, fine);
}

function stepAt(value: number, scale: SliderScale): number {
  if (scale.scale !== 'log') return scale.step;
  const share = roundToStep(Math.abs(value) * 0.05, scale.step);
  return Math.max(scale.step, share);
}

function settle(value: number, scale: SliderScale, fine: boolean): number {
  if (scale.whole) {
    // Whole numbers keep to the slider's own grid (odd widths step by 2 from an odd minimum) unless stepped finely.
    const step = fine ? 1 : scale.step;
    const onGrid = scale.minimum + Math.round((value - scale.minimum) / step) * step;
    return limitNumber(onGrid, scale.minimum, scale.maximum, true);
  }
  return limitNumber(roundToStep(value, fine ? scale.step / 10 : scale.step), scale.minimum, scale.maximum, false);
}
