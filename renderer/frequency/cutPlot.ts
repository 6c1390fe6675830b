// Draws the cuts of a response as modulation transfer curves, with the −3 and −6 dB levels and where the curves pass them.

import type { Cut, CutDirection, FrequencyResponse } from '../../core/frequency';
import { formatNumber } from '../ui/numberText';
import type { PlotColours } from './mapPlot';

export const cutLayout = { width: 344, height: 176, left: 34, top: 8, right: 10, bottom: 34 } as const;

export interface CutColours extends PlotColours {
  readonly grid: string;
  readonly mark: string;
  readonly curves: Readonly<Record<CutDirection, string>>;
}

const dashes: Readonly<Record<CutDirection, readonly number[]>> = { horizontal: [], vertical: [5, 3], radial: [1, 3] };

/** The largest value that the axis reaches, relative to the reference: at least 1, in round steps. */
export function axisTop(cuts: readonly Cut[], reference: number): number {
  const most = Math.max(1, ...cuts.map(({ magnitude }) => magnitude.reduce((a, b) => Math.max(a, b), 0) / reference));
  const step = most <= 1.2 ? 0.2 : most <= 3 ? 0.5 : 10 ** Math.floor(Math.log10(most));
  return Math.ceil(most / step - 1e-9) * step;
}

/**
 * Baselines of the words at two lines, of which the second is the lower: above the one and below the other, or, where a high peak
 * leaves no room for that over `bottom`, one above the other.
 */
export function wordPlaces(upper: number, lower: number, bottom: number): readonly [number, number] {
  const second = Math.min(lower + 9, bottom - 2);
  return [Math.min(upper - 2, second - 10), second];
}

/** Draws into a context whose unit is a CSS pixel. */
export function drawCuts(
  context: CanvasRenderingContext2D,
  cuts: readonly Cut[],
  { reference }: FrequencyResponse,
  colours: CutColours,
  word: string,
): void {
  const { width, height, left, top, right, bottom } = cutLayout;
  const [w, h] = [width - left - right, height - top - bottom];
  const highest = axisTop(cuts, reference);
  const x = (frequency: number) => left + 2 * frequency * w;
  const y = (value: number) => top + (1 - value / reference / highest) * h;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, height);
  context.font = '10px "Inter Variable", "Noto Sans SC", sans-serif';
  context.lineWidth = 1;
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    context.fillStyle = colours.grid;
    context.fillRect(left, top + share * h, w, 1);
    context.fillStyle = colours.text;
    context.textAlign = 'right';
    context.fillText(formatNumber((1 - share) * highest, 2), left - 5, top + share * h + 4);
  }
  context.textAlign = 'center';
  for (const [frequency, text] of [
    [0, '0'],
    [0.125, '⅛'],
    [0.25, '¼'],
    [0.375, '⅜'],
    [0.5, '½'],
  ] as const) {
    context.fillStyle = colours.grid;
    context.fillRect(x(frequency), top, 1, h);
    context.fillStyle = colours.text;
    context.fillText(text, x(frequency), top + h + 13);
  }
  context.fillText(word, left + w / 2, top + h + 28);
  context.setLineDash([2, 3]);
  context.strokeStyle = colours.mark;
  const lineOf = (level: number) => y(reference * 10 ** (level / 20));
  const words = wordPlaces(lineOf(-3), lineOf(-6), top + h);
  for (const [index, level] of [-3, -6].entries()) {
    const place = lineOf(level);
    context.beginPath();
    context.moveTo(left, place);
    context.lineTo(left + w, place);
    context.stroke();
    context.fillStyle = colours.mark;
    context.textAlign = 'right';
    context.fillText(`−${-level} dB`, left + w, words[index] ?? place);
  }
  for (const { direction, frequencies, magnitude, marks } of cuts) {
    context.setLineDash([...dashes[direction]]);
    context.strokeStyle = colours.curves[direction];
    context.lineWidth = 1.6;
    context.beginPath();
    for (const [index, value] of magnitude.entries()) context.lineTo(x(frequencies[index] ?? 0), y(value));
    context.stroke();
    context.fillStyle = colours.curves[direction];
    for (const { level, frequency } of marks) {
      context.beginPath();
      context.arc(x(frequency), y(reference * 10 ** (level / 20)), 2.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.setLineDash([]);
}
