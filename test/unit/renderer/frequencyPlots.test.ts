// The numbers and colours of the Frequency tab's plots.

import { describe, expect, it } from 'vitest';
import { createKernel } from '../../../core/kernel';
import { analyse, largestSwing, mapToCsv, peakFrequency, phaseWords } from '../../../renderer/frequency/analysis';
import { axisTop, wordPlaces } from '../../../renderer/frequency/cutPlot';
import { topDecibels } from '../../../renderer/frequency/mapPlot';
import { luminance } from '../../../renderer/kernel/heat';
import { angleColour, evenColour } from '../../../renderer/plots/colourMap';

const sharpen = createKernel(3, 3, [0, -1, 0, -1, 5, -1, 0, -1, 0]);
const box = createKernel(3, 3, new Array(9).fill(1));

describe('the analysis of a kernel', () => {
  it('says angles without the dust of the transform', () => {
    expect([-8.66e-17, Math.PI, -0.5].map(phaseWords)).toEqual(['0', '3.142', '-0.5']);
  });

  it('finds the peak and where it is', () => {
    const { response, cuts, steps } = analyse(sharpen);
    expect(response.peak).toBeCloseTo(9, 12);
    expect(peakFrequency(response)).toEqual([0.5, -0.5]);
    expect(topDecibels(response)).toBe(24);
    expect(axisTop(cuts, response.reference)).toBeGreaterThanOrEqual(5);
    // A step of 1 swings by 1 beyond each side, of a gain of 1.
    expect(largestSwing(steps)).toBeCloseTo(200, 9);
  });
  it('keeps to the axis of a blur, which does not ring', () => {
    const { response, cuts, steps } = analyse(box);
    expect(peakFrequency(response)).toEqual([0, 0]);
    expect(axisTop(cuts, response.reference)).toBe(1);
    expect(largestSwing(steps)).toBe(0);
    expect(largestSwing(analyse(createKernel(3, 1, [-1, 0, 1])).steps)).toBeNull();
  });
  it('writes the map with its frequencies', () => {
    const lines = mapToCsv(analyse(box).response).trimEnd().split('\r\n');
    expect(lines).toHaveLength(257);
    expect(lines[0]).toMatch(/^cycles per pixel,-0\.5,-0\.49609375,/);
    expect(lines[129]?.split(',')[129]).toBe('1');
  });
});

describe('the colours of plots', () => {
  it('rise evenly in lightness', () => {
    // L* of CIELAB, from the luminance.
    const lightness = Array.from({ length: 17 }, (_, step) => 116 * Math.cbrt(luminance(evenColour(step / 16))) - 16);
    const steps = lightness.slice(1).map((value, index) => value - (lightness[index] ?? 0));
    for (const step of steps) expect(Math.abs(step - 75 / 16)).toBeLessThan(2);
  });
  it('meet at both ends of the circle of angles', () => {
    expect(angleColour(Math.PI)).toEqual(angleColour(-Math.PI));
    expect(luminance(angleColour(Math.PI))).toBeGreaterThan(luminance(angleColour(0)) + 0.5);
  });
});

it('the words at the two lines lie apart, and above the axis, however close to it the lines are', () => {
  expect(wordPlaces(60, 90, 140)).toEqual([58, 99]);
  for (const [upper, lower] of [
    [138, 139],
    [130, 131],
    [100, 128],
  ] as const) {
    const [first, second] = wordPlaces(upper, lower, 140);
    expect(second - first).toBeGreaterThanOrEqual(10);
    expect(second).toBeLessThanOrEqual(138);
  }
});
