// What a kernel does to every spatial frequency: its complex response on a grid (fft.js), magnitude, decibels and phase,
// and the three cuts of an MTF curve with their −3 and −6 dB marks. Frequencies are in cycles per pixel, −½…½, x to the right
// and y downwards; the response belongs to the correlation that the engine computes, divisor applied, bias left out:
// H(f) = Σ w[m] · e^(2πi f·(m − anchor)) / divisor, so that a picture e^(2πi f·p) becomes H(f) · e^(2πi f·p).

import FFT from 'fft.js';
import { ConvolveError } from './errors';
import { isZeroSum, type Kernel, kernelSum, resolveDivisor, sumOf, toCorrelation } from './kernel';

/**
 * zero: the response is nowhere negative and has no imaginary part. reversing: real, and negative for some frequencies,
 * whose light and dark are exchanged. complex: it also shifts, because the weights do not mirror about the anchor.
 */
export type PhaseKind = 'zero' | 'reversing' | 'complex';

/** A response on a centred square grid, row-major: cell (x, y) is the frequency ((x − size/2)/size, (y − size/2)/size). */
export interface FrequencyResponse {
  /** A power of two. */
  readonly size: number;
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  readonly magnitude: Float64Array;
  /** H(0, 0): what a flat picture is multiplied by. Exactly 0 where the weights cancel. */
  readonly gain: number;
  /** Largest magnitude of the grid. */
  readonly peak: number;
  /** What 0 dB means: |gain|, or the peak where a flat picture becomes 0; 1 for a kernel of zeros. */
  readonly reference: number;
  readonly referenceIs: 'gain' | 'peak';
  readonly phase: PhaseKind;
}

/** Grid sizes, in cells a side. */
const smallestGrid = 256;
const largestGrid = 2048;
/** Share of Σ|w| / |divisor| below which a part of the response is rounding. */
const roundingShare = 1e-11;

/**
 * The grid's size where none is asked for: the power of two from four times the kernel's longer side on, of 256…1024, so that
 * a straight line between two cells is a fair curve.
 */
export function responseSize(kernel: Pick<Kernel, 'width' | 'height'>): number {
  const side = Math.max(kernel.width, kernel.height);
  return Math.min(1024, Math.max(smallestGrid, 2 ** Math.ceil(Math.log2(4 * side))));
}

function refuseSize(kernel: Kernel, size: number): void {
  const side = Math.max(kernel.width, kernel.height);
  if (Number.isInteger(Math.log2(size)) && size >= Math.max(2, side) && size <= largestGrid) return;
  throw new ConvolveError({
    code: 'invalidArgument',
    subject: 'size',
    expected: `a power of two of ${Math.max(2, 2 ** Math.ceil(Math.log2(side)))}…${largestGrid}`,
    actual: String(size),
  });
}

/** Real and imaginary parts of the whole grid, frequency 0 in its first cell. */
function transformed(kernel: Kernel, size: number): { readonly real: Float64Array; readonly imaginary: Float64Array } {
  const { width, height, anchorX, anchorY, weights } = kernel;
  const { divisor } = resolveDivisor(kernel);
  const transform = new FFT(size);
  const source = new Float64Array(2 * size);
  const result = new Float64Array(2 * size);
  const rows = new Map<number, Float64Array>();
  const wrapped = (value: number) => ((value % size) + size) % size;
  for (let y = 0; y < height; y++) {
    source.fill(0);
    for (let x = 0; x < width; x++) source[2 * wrapped(anchorX - x)] = (weights[y * width + x] ?? 0) / divisor;
    transform.transform(result, source);
    rows.set(wrapped(anchorY - y), result.slice());
  }
  const real = new Float64Array(size * size);
  const imaginary = new Float64Array(size * size);
  // The weights are real, so the left half is the right half's mirror image, conjugated.
  for (let x = 0; x <= size / 2; x++) {
    source.fill(0);
    for (const [y, row] of rows) {
      source[2 * y] = row[2 * x] ?? 0;
      source[2 * y + 1] = row[2 * x + 1] ?? 0;
    }
    transform.transform(result, source);
    for (let y = 0; y < size; y++) {
      const [re = 0, im = 0] = [result[2 * y], result[2 * y + 1]];
      real[y * size + x] = re;
      imaginary[y * size + x] = im;
      const mirrored = wrapped(-y) * size + wrapped(-x);
      real[mirrored] = re;
      imaginary[mirrored] = -im;
    }
  }
  return { real, imaginary };
}

/** The four quarters exchanged, so that frequency 0 lies in the middle. */
function centred(values: Float64Array, size: number): Float64Array {
  const half = size / 2;
  return values.map((_, index) => {
    const x = ((index % size) + half) % size;
    const y = (Math.floor(index / size) + half) % size;
    return values[y * size + x] ?? 0;
  });
}

/**
 * The response of a kernel with finite weights. `size` is a power of two, not smaller than the kernel's longer side and at
 * most 2048. Throws ConvolveError `invalidArgument` for any other size.
 */
export function frequencyResponse(source: Kernel, size = responseSize(source)): FrequencyResponse {
  refuseSize(source, size);
  const kernel = toCorrelation(source);
  const { divisor } = resolveDivisor(kernel);
  const parts = transformed(kernel, size);
  const real = centred(parts.real, size);
  const imaginary = centred(parts.imaginary, size);
  const magnitude = real.map((re, index) => Math.hypot(re, imaginary[index] ?? 0));
  const peak = magnitude.reduce((most, value) => Math.max(most, value), 0);
  const noGain = isZeroSum(kernel.weights);
  const gain = noGain ? 0 : kernelSum(kernel) / divisor;
  const dust = (roundingShare * sumOf(kernel.weights.map(Math.abs))) / Math.abs(divisor);
  const phase: PhaseKind = imaginary.some((im) => Math.abs(im) > dust)
    ? 'complex'
    : real.some((re) => re < -dust)
      ? 'reversing'
      : 'zero';
  return {
    size,
    real,
    imaginary,
    magnitude,
    gain,
    peak,
    reference: (noGain ? peak : Math.abs(gain)) || 1,
    referenceIs: noGain ? 'peak' : 'gain',
    phase,
  };
}

/** 20 · log₁₀(value / reference); −∞ for 0. */
export function decibels(value: number, reference: number): number {
  return 20 * Math.log10(value / reference);
}

/** Phase in radians, −π…π, of each cell of the grid; 0 where the magnitude is only rounding of the peak. */
export function phaseOf(response: FrequencyResponse): Float64Array {
  const dust = roundingShare * response.peak;
  return response.real.map((re, index) => phaseAngle(re, response.imaginary[index] ?? 0, dust));
}

function phaseAngle(re: number, im: number, dust: number): number {
  if (Math.hypot(re, im) <= dust) return 0;
  return Math.atan2(Math.abs(im) <= dust ? 0 : im, re);
}

export type CutDirection = 'horizontal' | 'vertical' | 'radial';
export const markLevels = [-3, -6] as const;

/** Where a cut passes a level: `falling` with rising frequency, or not. */
export interface CutMark {
  /** dB against the response's reference. */
  readonly level: (typeof markLevels)[number];
  /** Cycles per pixel, 0…½. */
  readonly frequency: number;
  readonly falling: boolean;
}

/** Magnitudes from frequency 0 to ½. radial: the mean over all angles. */
export interface Cut {
  readonly direction: CutDirection;
  readonly frequencies: Float64Array;
  readonly magnitude: Float64Array;
  /** Radians; null for the radial cut, and where the response has no phase. */
  readonly phase: Float64Array | null;
  /** By rising frequency. Empty where the cut passes neither level. */
  readonly marks: readonly CutMark[];
}

/** The response of a row of numbers at one frequency, as real and imaginary part. */
function responseOfLine(line: Float64Array, anchor: number, frequency: number): readonly [number, number] {
  let re = 0;
  let im = 0;
  line.forEach((weight, index) => {
    const angle = 2 * Math.PI * frequency * (index - anchor);
    re += weight * Math.cos(angle);
    im += weight * Math.sin(angle);
  });
  return [re, im];
}

/** Angles of the half circle over which the radial cut takes its mean; the other half is its mirror image. */
const radialAngles = 180;

/** Mean magnitude on the circle of one frequency, in straight lines between the grid's cells. */
function radialMean({ size, magnitude }: FrequencyResponse, frequency: number): number {
  const radius = frequency * size;
  const cell = (x: number, y: number) => magnitude[(y % size) * size + (x % size)] ?? 0;
  let sum = 0;
  for (let step = 0; step < radialAngles; step++) {
    const angle = ((step + 0.5) * Math.PI) / radialAngles;
    const x = size / 2 + radius * Math.cos(angle);
    const y = size / 2 + radius * Math.sin(angle);
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - left, y - top];
    const upper = cell(left, top) * (1 - right) + cell(left + 1, top) * right;
    const lower = cell(left, top + 1) * (1 - right) + cell(left + 1, top + 1) * right;
    sum += upper * (1 - down) + lower * down;
  }
  return sum / radialAngles;
}

/** Where `curve` passes `limit` between two frequencies, to 2⁻⁴⁰ of their distance. */
function passing(curve: (frequency: number) => number, limit: number, from: number, to: number): number {
  const above = curve(from) > limit;
  let [low, high] = [from, to];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (curve(middle) > limit === above) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function cutOf(
  direction: CutDirection,
  response: FrequencyResponse,
  curve: (frequency: number) => number,
  phase: ((frequency: number) => number) | null,
): Cut {
  const frequencies = Float64Array.from({ length: response.size / 2 + 1 }, (_, index) => index / response.size);
  const magnitude = frequencies.map(curve);
  const marks = markLevels.flatMap((level) => {
    const limit = response.reference * 10 ** (level / 20);
    const found: CutMark[] = [];
    for (let index = 1; index < magnitude.length; index++) {
      const falling = (magnitude[index - 1] ?? 0) > limit;
      if (falling === (magnitude[index] ?? 0) > limit) continue;
      const [from = 0, to = 0] = [frequencies[index - 1], frequencies[index]];
      found.push({ level, frequency: passing(curve, limit, from, to), falling });
    }
    return found;
  });
  return {
    direction,
    frequencies,
    magnitude,
    phase: phase && frequencies.map(phase),
    marks: marks.sort((a, b) => a.frequency - b.frequency),
  };
}

/**
 * The horizontal, vertical and radial cut of a kernel and its response. The first two are exact sums at every frequency;
 * the radial one is in straight lines between the grid's cells, within about (π · side / size)² / 8 of the reference.
 */
export function frequencyCuts(source: Kernel, response: FrequencyResponse): readonly Cut[] {
  const kernel = toCorrelation(source);
  const { width, height, anchorX, anchorY, weights } = kernel;
  const { divisor } = resolveDivisor(kernel);
  const columns = new Float64Array(width);
  const rows = new Float64Array(height);
  weights.forEach((weight, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    columns[x] = (columns[x] ?? 0) + weight / divisor;
    rows[y] = (rows[y] ?? 0) + weight / divisor;
  });
  const dust = roundingShare * response.peak;
  const lineCut = (direction: CutDirection, line: Float64Array, anchor: number) =>
    cutOf(
      direction,
      response,
      (frequency) => Math.hypot(...responseOfLine(line, anchor, frequency)),
      response.phase === 'zero' ? null : (frequency) => phaseAngle(...responseOfLine(line, anchor, frequency), dust),
    );
  return [
    lineCut('horizontal', columns, anchorX),
    lineCut('vertical', rows, anchorY),
    cutOf('radial', response, (frequency) => radialMean(response, frequency), null),
  ];
}

/** The cuts as CSV with a header: frequency, then magnitude and dB of each; a magnitude of 0 has an empty dB cell. */
export function cutsToCsv(cuts: readonly Cut[], reference: number): string {
  const header = ['cycles per pixel', ...cuts.flatMap(({ direction }) => [direction, `${direction} dB`])];
  const frequencies = Array.from(cuts[0]?.frequencies ?? []);
  const lines = frequencies.map((frequency, index) => {
    const cells = cuts.flatMap(({ magnitude }) => {
      const value = magnitude[index] ?? 0;
      return [String(value), value > 0 ? decibels(value, reference).toFixed(4) : ''];
    });
    return [String(frequency), ...cells].join(',');
  });
  return `${[header.join(','), ...lines].join('\r\n')}\r\n`;
}
