// Everything that the Frequency tab shows of a kernel, computed in one go. Pure.

import { type Cut, decibels, type FrequencyResponse, frequencyCuts, frequencyResponse } from '../../core/frequency';
import type { Kernel } from '../../core/kernel';
import { type StepResponse, stepResponses } from '../../core/stepResponse';
import { formatNumber } from '../ui/numberText';

export interface FrequencyAnalysis {
  readonly response: FrequencyResponse;
  readonly cuts: readonly Cut[];
  readonly steps: readonly StepResponse[];
}

/** Cells a side of the map: as many as a screen shows, and never fewer than the kernel has. */
function mapSize({ width, height }: Kernel): number {
  return Math.max(256, 2 ** Math.ceil(Math.log2(Math.max(width, height))));
}

export function analyse(kernel: Kernel): FrequencyAnalysis {
  const response = frequencyResponse(kernel, mapSize(kernel));
  return { response, cuts: frequencyCuts(kernel, response), steps: stepResponses(kernel) };
}

/** Where the response is largest: cycles per pixel to the right and downwards, of the half with the larger x. */
export function peakFrequency({ size, magnitude, peak }: FrequencyResponse): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let nearest = Number.POSITIVE_INFINITY;
  magnitude.forEach((value, index) => {
    if (value < peak * (1 - 1e-9)) return;
    const x = (index % size) / size - 0.5;
    const y = Math.floor(index / size) / size - 0.5;
    const distance = Math.hypot(x, y);
    if (distance < nearest - 1e-12 || (Math.abs(distance - nearest) <= 1e-12 && x > best[0])) {
      nearest = distance;
      best = [Math.abs(x), y];
    }
  });
  return best;
}

/** The largest share of the gain, in percent, by which any edge swings beyond its two sides; null where there is no gain. */
export function largestSwing(steps: readonly StepResponse[]): number | null {
  const swings = steps.flatMap(({ overshoot, undershoot }) => (overshoot === null ? [] : [overshoot, undershoot ?? 0]));
  return swings.length === 0 ? null : Math.max(...swings);
}

/** An angle in radians to a thousandth, for people: the dust of a transform is 0. */
export function phaseWords(radians: number): string {
  return formatNumber(Math.round(1000 * radians) / 1000, 4);
}

/** A magnitude in dB to a hundredth, for people. */
export function decibelWords(value: number, reference: number): string {
  return value > 0 ? formatNumber(Math.round(100 * decibels(value, reference)) / 100) : '−∞';
}

/** The map as CSV: a head of horizontal frequencies, then a row a vertical one with the magnitudes. */
export function mapToCsv({ size, magnitude }: FrequencyResponse): string {
  const place = (index: number) => String(index / size - 0.5);
  const head = ['cycles per pixel', ...Array.from({ length: size }, (_, x) => place(x))].join(',');
  const rows = Array.from({ length: size }, (_, y) =>
    [
      place(y),
      ...Array.from(magnitude.subarray(y * size, (y + 1) * size), (value) => String(Number(value.toPrecision(9)))),
    ].join(','),
  );
  return `${[head, ...rows].join('\r\n')}\r\n`;
}
