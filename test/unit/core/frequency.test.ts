// Frequency responses against closed formulas and direct sums, cuts and marks, phase, and the swing at an edge.

import { describe, expect, it } from 'vitest';
import {
  type Cut,
  cutsToCsv,
  decibels,
  frequencyCuts,
  frequencyResponse,
  phaseOf,
  responseSize,
} from '../../../core/frequency';
import { createKernel, type Kernel, resolveDivisor, toCorrelation } from '../../../core/kernel';
import { gaussianVector } from '../../../core/kernelShapes';
import { stepResponse, stepResponses } from '../../../core/stepResponse';
import { correlate, picture } from './directSum';
import { randomSource } from './randomNumbers';

const outer = (column: ArrayLike<number>, row: ArrayLike<number>, rest: Partial<Kernel> = {}) =>
  createKernel(
    row.length,
    column.length,
    Array.from(column).flatMap((a) => Array.from(row, (b) => a * b)),
    rest,
  );
const box = (size: number) => outer(new Array(size).fill(1), new Array(size).fill(1));
const sobel = createKernel(3, 3, [-1, 0, 1, -2, 0, 2, -1, 0, 1], { divisor: 1 });
const frequencyOf = (index: number, size: number) => [
  ((index % size) - size / 2) / size,
  (Math.floor(index / size) - size / 2) / size,
];
const cutNamed = (cuts: readonly Cut[], direction: Cut['direction']) => {
  const cut = cuts.find((one) => one.direction === direction);
  if (!cut) throw new Error(direction);
  return cut;
};

/** The definition, term by term. */
function direct(source: Kernel, fx: number, fy: number): readonly [number, number] {
  const kernel = toCorrelation(source);
  const { divisor } = resolveDivisor(kernel);
  let [re, im] = [0, 0];
  kernel.weights.forEach((weight, index) => {
    const x = (index % kernel.width) - kernel.anchorX;
    const y = Math.floor(index / kernel.width) - kernel.anchorY;
    re += (weight / divisor) * Math.cos(2 * Math.PI * (fx * x + fy * y));
    im += (weight / divisor) * Math.sin(2 * Math.PI * (fx * x + fy * y));
  });
  return [re, im];
}

/** sin(nπf) / (n sin(πf)) */
const dirichlet = (n: number, f: number) => (f === 0 ? 1 : Math.sin(n * Math.PI * f) / (n * Math.sin(Math.PI * f)));

describe('a frequency response', () => {
  it('is the direct sum at every frequency, for odd, even and lopsided kernels in both orientations', () => {
    const random = randomSource(11);
    for (const [width, height] of [
      [1, 1],
      [3, 3],
      [2, 5],
      [8, 1],
      [7, 6],
    ] as const)
      for (const orientation of ['correlation', 'convolution'] as const) {
        const weights = Array.from({ length: width * height }, () => random.next() - 0.3);
        const anchorX = random.whole(0, width - 1);
        const anchorY = random.whole(0, height - 1);
        const kernel = createKernel(width, height, weights, { anchorX, anchorY, orientation, divisor: 1.7 });
        const { size, real, imaginary } = frequencyResponse(kernel, 16);
        for (let index = 0; index < size * size; index++) {
          const [fx = 0, fy = 0] = frequencyOf(index, size);
          const [re, im] = direct(kernel, fx, fy);
          expect(real[index]).toBeCloseTo(re, 12);
          expect(imaginary[index]).toBeCloseTo(im, 12);
        }
      }
  });

  it('of a box is a product of Dirichlet kernels, negative in places', () => {
    const response = frequencyResponse(box(5), 64);
    response.real.forEach((re, index) => {
      const [fx = 0, fy = 0] = frequencyOf(index, 64);
      expect(re).toBeCloseTo(dirichlet(5, fx) * dirichlet(5, fy), 12);
    });
    expect(response).toMatchObject({ phase: 'reversing', referenceIs: 'gain', gain: 1 });
    expect(response.peak).toBeCloseTo(1, 12);
    expect(new Set(Array.from(phaseOf(response), (angle) => Math.abs(angle)))).toEqual(new Set([0, Math.PI]));
  });

  it('of a Gaussian is a Gaussian of σ 1/(2πσ)', () => {
    const response = frequencyResponse(outer(gaussianVector(2, 33), gaussianVector(2, 33)));
    response.magnitude.forEach((value, index) => {
      const [fx = 0, fy = 0] = frequencyOf(index, response.size);
      const expected = Math.exp(-2 * Math.PI ** 2 * 4 * (fx * fx + fy * fy));
      expect(Math.abs(value - expected)).toBeLessThan(1e-8);
    });
    expect(response.phase).toBe('zero');
  });

  it('of Sobel is 8πi f for low frequencies: a derivative, against its peak', () => {
    const response = frequencyResponse(sobel, 256);
    expect(response).toMatchObject({ gain: 0, referenceIs: 'peak', phase: 'complex' });
    const centre = 128 * 256 + 128;
    for (const step of [1, 2, 4]) {
      const f = step / 256;
      expect(response.imaginary[centre + step]).toBeCloseTo(8 * Math.sin(2 * Math.PI * f), 12);
      expect((response.imaginary[centre + step] ?? 0) / (2 * Math.PI * f)).toBeCloseTo(8, 1);
      expect(response.imaginary[centre + 256 * step]).toBeCloseTo(0, 12);
    }
    expect(response.reference).toBeCloseTo(8, 12);
    expect(phaseOf(response)[centre + 4]).toBeCloseTo(Math.PI / 2, 12);
    const turned = frequencyResponse({ ...sobel, orientation: 'convolution' }, 256);
    expect(turned.imaginary[centre + 4]).toBeCloseTo(-(response.imaginary[centre + 4] ?? 0), 12);
  });

  it('of a lone 1 beside the anchor shifts: magnitude 1, phase 2πf', () => {
    const response = frequencyResponse(createKernel(3, 1, [0, 0, 1]), 32);
    expect(Math.min(...response.magnitude)).toBeCloseTo(1, 12);
    expect(phaseOf(response)[16 * 32 + 16 + 3]).toBeCloseTo((2 * Math.PI * 3) / 32, 12);
    expect(response.phase).toBe('complex');
  });

  it('says what a pattern of that frequency becomes', () => {
    const kernel = createKernel(3, 3, [1, 2, 0, -1, 4, 3, 0, 1, 2], { divisor: 3 });
    const source = picture(16, 16, (x, y) => Math.cos((2 * Math.PI * (3 * x + 2 * y)) / 16));
    const weights = { ...kernel, weights: Float64Array.from(kernel.weights), divisor: 3 };
    const result = correlate(source, weights, 'wrap');
    const response = frequencyResponse(kernel, 16);
    const cell = (8 + 2) * 16 + 8 + 3;
    result.values.forEach((value, index) => {
      const angle = (2 * Math.PI * (3 * (index % 16) + 2 * Math.floor(index / 16))) / 16;
      const [re = 0, im = 0] = [response.real[cell], response.imaginary[cell]];
      expect(value).toBeCloseTo(re * Math.cos(angle) - im * Math.sin(angle), 12);
    });
  });

  it('takes a kernel of zeros, the largest kernel, and refuses sizes that cannot hold it', () => {
    expect(frequencyResponse(createKernel(1, 1, [0]))).toMatchObject({ gain: 0, peak: 0, reference: 1, phase: 'zero' });
    expect(responseSize({ width: 511, height: 3 })).toBe(1024);
    expect(responseSize({ width: 3, height: 3 })).toBe(256);
    for (const size of [100, 2, 4096, 0, Number.NaN])
      expect(() => frequencyResponse(box(3), size)).toThrow(/size.*a power of two of 4…2048/);
  });
});

describe('cuts', () => {
  it('of a Gaussian fall to −3 and −6 dB where the formula says, in all three directions', () => {
    const kernel = outer(gaussianVector(1.5, 25), gaussianVector(1.5, 25));
    const response = frequencyResponse(kernel);
    for (const cut of frequencyCuts(kernel, response)) {
      expect(cut.marks.map(({ level, falling }) => [level, falling])).toEqual([
        [-3, true],
        [-6, true],
      ]);
      for (const { level, frequency } of cut.marks) {
        const expected = Math.sqrt(((-level / 20) * Math.LN10) / (2 * Math.PI ** 2)) / 1.5;
        expect(Math.abs(frequency - expected), `${cut.direction} ${level}`).toBeLessThan(
          cut.direction === 'radial' ? 1e-4 : 1e-8,
        );
      }
      expect(cut.phase).toBeNull();
    }
  });

  it('differ by direction, and are exact between the cells of the grid', () => {
    const kernel = outer([1], [1, 1, 1, 1, 1]);
    const [horizontal, vertical] = frequencyCuts(kernel, frequencyResponse(kernel, 64));
    expect(vertical?.marks).toEqual([]);
    const [mark] = horizontal?.marks ?? [];
    expect(Math.abs(dirichlet(5, mark?.frequency ?? 0))).toBeCloseTo(10 ** (-3 / 20), 9);
    expect(horizontal?.frequencies.at(-1)).toBe(0.5);
    expect(horizontal?.phase?.some((angle) => angle === Math.PI)).toBe(true);
  });

  it('of a band pass rise and fall, against its peak', () => {
    const cuts = frequencyCuts(sobel, frequencyResponse(sobel));
    const { marks } = cutNamed(cuts, 'horizontal');
    expect(marks.map(({ level, falling }) => [level, falling])).toEqual([
      [-6, false],
      [-3, false],
      [-3, true],
      [-6, true],
    ]);
    expect(marks[1]?.frequency).toBeCloseTo(Math.asin(10 ** (-3 / 20)) / (2 * Math.PI), 9);
    expect(cutNamed(cuts, 'vertical').magnitude.every((value) => value < 1e-12)).toBe(true);
  });

  it('are written as CSV', () => {
    const kernel = createKernel(3, 1, [1, 0, 1]);
    const response = frequencyResponse(kernel, 4);
    const lines = cutsToCsv(frequencyCuts(kernel, response).slice(0, 2), response.reference).split('\r\n');
    expect(lines[0]).toBe('cycles per pixel,horizontal,horizontal dB,vertical,vertical dB');
    expect(lines[1]).toBe('0,1,0.0000,1,0.0000');
    expect(lines).toHaveLength(5);
    expect(decibels(0.5, 1)).toBeCloseTo(-6.0206, 4);
  });
});

describe('at an edge', () => {
  it('a sharpening of 5 swings 100 % over and under across straight edges', () => {
    const sharpen = createKernel(3, 3, [0, -1, 0, -1, 5, -1, 0, -1, 0], { divisor: 1 });
    const horizontal = stepResponse(sharpen, 'horizontal');
    expect(horizontal).toMatchObject({ start: -2, gain: 1, overshoot: 100, undershoot: 100, lobes: 2, rings: true });
    expect([...horizontal.values]).toEqual([0, -1, 2, 1]);
    expect(stepResponse(sharpen, 'diagonal')).toMatchObject({ overshoot: 200, undershoot: 200 });
  });

  it('a kernel without negative weights never swings', () => {
    for (const kernel of [box(4), outer(gaussianVector(3), gaussianVector(3)), createKernel(3, 1, [0, 0, 1])])
      for (const step of stepResponses(kernel))
        expect(step).toMatchObject({ overshoot: 0, undershoot: 0, lobes: 0, rings: false });
  });

  it('a windowed sinc ripples', () => {
    const taps = Array.from({ length: 21 }, (_, i) =>
      i === 10 ? 1 : Math.sin((Math.PI * (i - 10)) / 3) / ((Math.PI * (i - 10)) / 3),
    );
    const step = stepResponse(createKernel(21, 1, taps), 'horizontal');
    expect(step.overshoot).toBeGreaterThan(5);
    expect(step.overshoot).toBeLessThan(15);
    expect(step.lobes).toBeGreaterThanOrEqual(4);
  });

  it('an edge filter has no level to swing about', () => {
    expect(stepResponse(sobel, 'horizontal')).toMatchObject({
      gain: 0,
      overshoot: null,
      undershoot: null,
      rings: false,
    });
    expect([...stepResponse(sobel, 'horizontal').values]).toEqual([0, 4, 4, 0]);
    expect(stepResponse(sobel, 'vertical').lobes).toBe(0);
  });

  it('is what the sums of a picture with that edge say, whatever anchor and orientation', () => {
    const random = randomSource(3);
    for (const orientation of ['correlation', 'convolution'] as const) {
      const weights = Array.from({ length: 20 }, () => random.next() - 0.4);
      const kernel = createKernel(5, 4, weights, { anchorX: 1, anchorY: 3, orientation });
      const run = toCorrelation(kernel);
      const dense = { ...run, weights: Float64Array.from(run.weights), divisor: resolveDivisor(run).divisor };
      const edge = (bright: (x: number, y: number) => boolean) =>
        correlate(
          picture(41, 41, (x, y) => (bright(x - 20, y - 20) ? 1 : 0)),
          dense,
          'replicate',
        );
      const cases = [
        ['horizontal', edge((x) => x >= 0), [1, 0]],
        ['vertical', edge((_, y) => y >= 0), [0, 1]],
        ['diagonal', edge((x, y) => x + y >= 0), [1, 0]],
        ['antidiagonal', edge((x, y) => x - y >= 0), [1, 0]],
      ] as const;
      for (const [direction, result, [dx, dy]] of cases) {
        const { start, values } = stepResponse(kernel, direction);
        values.forEach((value, index) => {
          const p = start + index;
          expect(result.values[(20 + p * dy) * 41 + 20 + p * dx], `${direction} ${p}`).toBeCloseTo(value, 12);
        });
      }
    }
  });
});
