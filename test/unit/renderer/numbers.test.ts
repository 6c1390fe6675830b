import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCell,
  formatEnergy,
  formatMilliseconds,
  formatNumber,
  formatShare,
  limitNumber,
  roundToStep,
} from '../../../renderer/ui/numberText';
import { placeOf, type SliderScale, stepBy, valueAt } from '../../../renderer/ui/sliderScale';

describe('numbers as they are written', () => {
  it('have no trailing zeros and no dust', () => {
    expect([0, 1, 0.1 + 0.2, -2.5, 1e-4, 123456789].map((value) => formatNumber(value))).toEqual([
      '0',
      '1',
      '0.3',
      '-2.5',
      '0.0001',
      '123457000',
    ]);
  });
  it('keep very small and very large ones readable', () => {
    expect(formatNumber(1.5e-9)).toBe('1.5e-9');
    expect(formatNumber(2e12)).toBe('2000000000000');
    expect(formatNumber(0.000123456, 3)).toBe('0.000123');
  });
  it('of a share are never nothing while there is something, nor all while something is missing', () => {
    expect([0, 1e-6, 0.000123, 0.1234, 0.99995, 1].map(formatShare)).toEqual([
      '0',
      '<0.01',
      '0.0123',
      '12.3',
      '>99.99',
      '100',
    ]);
  });
  it('fit into the cells of a grid, narrower the more columns there are', () => {
    expect([0.2768, -0.0281, 9, 1.487].map((value) => formatCell(value, 7))).toEqual(['0.277', '-0.028', '9', '1.487']);
    expect([0.2768, -0.94, -0.9999, 0.00001, -0.004, 0, 12].map((value) => formatCell(value, 15))).toEqual([
      '.28',
      '-.94',
      '-1.0',
      '1e-5',
      '-4e-3',
      '0',
      '12',
    ]);
    for (const value of [-0.999, -0.01, 0.5, -0.05]) expect(formatCell(value, 15).length).toBeLessThanOrEqual(4);
  });
  it('shares of energy are rounded, but to 100 % only where nothing is missing', () => {
    // Σσ² of a kernel with four of five parts of its energy in one pair: the sum is a rounding below 0.8.
    const eightTenths = 1 - 0.2 - 2 ** -53;
    expect(eightTenths).toBeLessThan(0.8);
    expect([eightTenths, 0.8, 1 / 3, 0.9999999, 1 - 1e-9, 1 - 1e-15, 1].map(formatEnergy)).toEqual([
      '80 %',
      '80 %',
      '33.3333 %',
      '99.9999 %',
      '99.9999 %',
      '100 %',
      '100 %',
    ]);
  });
  it('bytes and times have units', () => {
    expect([999, 1500, 2_345_678, 3.2e9].map(formatBytes)).toEqual(['999 B', '1.5 kB', '2.35 MB', '3.2 GB']);
    expect([0.91, 26.7, 1234].map(formatMilliseconds)).toEqual(['0.9 ms', '27 ms', '1.2 s']);
  });
  it('are held in their range and rounded to steps', () => {
    expect(limitNumber(7.6, 1, 7, true)).toBe(7);
    expect(limitNumber(2.4, 1, 7, true)).toBe(2);
    expect(roundToStep(0.30000000000000004, 0.1)).toBe(0.3);
    expect(roundToStep(1.234, 0.05)).toBe(1.25);
  });
});

describe('the slider', () => {
  const sigma: SliderScale = { minimum: 0.1, maximum: 500, step: 0.1, scale: 'log', whole: false };
  const amount: SliderScale = { minimum: 0, maximum: 10, step: 0.05, scale: 'linear', whole: false };
  const width: SliderScale = { minimum: 1, maximum: 4095, step: 2, scale: 'log', whole: true };
  it('places a value and finds it again', () => {
    for (const value of [0.1, 0.6, 3, 20, 62, 500]) expect(valueAt(placeOf(value, sigma), sigma)).toBeCloseTo(value, 9);
    for (const value of [0, 0.05, 1, 10]) expect(valueAt(placeOf(value, amount), amount)).toBeCloseTo(value, 9);
  });
  it('gives a log scale its middle at the geometric mean', () => {
    expect(valueAt(0.5, sigma)).toBeCloseTo(Math.sqrt(0.1 * 500), 1);
  });
  it('keeps odd widths odd, and lets a fine step reach even ones', () => {
    for (let place = 0; place <= 1; place += 0.01) expect(valueAt(place, width) % 2).toBe(1);
    expect(stepBy(5, 1, width)).toBe(7);
    expect(stepBy(5, 1, width, true)).toBe(6);
  });
  it('stays in its range', () => {
    expect([valueAt(-3, amount), valueAt(9, amount)]).toEqual([0, 10]);
    expect(stepBy(0.1, -5, sigma)).toBe(0.1);
  });
  it('steps finely by a tenth', () => {
    expect(stepBy(1, 1, amount, true)).toBeCloseTo(1.005, 12);
    expect(stepBy(0.5, 1, sigma)).toBeCloseTo(0.6, 12);
    expect(stepBy(20, 1, sigma)).toBeCloseTo(21, 12);
  });
});
