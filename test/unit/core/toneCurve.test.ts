// Tone curves: sRGB's values, the way back, and which curves have none.

import { describe, expect, it } from 'vitest';
import { fromLight, isSameCurve, leadsBack, srgbCurve, type ToneCurve, toLight } from '../../../core/toneCurve';

const gamma = (value: number): ToneCurve => ({ ...srgbCurve, gamma: value, scale: 1, offset: 0, slope: 0, knee: 0 });
const sampled = (...samples: number[]): ToneCurve => ({ kind: 'sampled', samples: Float64Array.from(samples) });

describe('the sRGB curve', () => {
  it('has the standard’s values', () => {
    expect(toLight(srgbCurve, 0.5)).toBeCloseTo(0.21404114, 8);
    expect(toLight(srgbCurve, 0.04)).toBeCloseTo(0.04 / 12.92, 12);
    expect(fromLight(srgbCurve, 0.5)).toBeCloseTo(0.73535698, 8);
  });
});

describe('a curve', () => {
  for (const [what, curve] of [
    ['of sRGB', srgbCurve],
    ['of a power', gamma(2.19921875)],
    ['of samples', sampled(0, 0.1, 0.3, 0.6, 1)],
  ] as const)
    it(`${what} leads back to every value, below 0 and above 1 too`, () => {
      for (let step = -200; step <= 200; step += 1)
        expect(fromLight(curve, toLight(curve, step / 100))).toBeCloseTo(step / 100, 6);
    });

  it('of samples is straight between them, and leads back to the least value of a level start', () => {
    const curve = sampled(0, 0, 0.5, 1);
    expect(toLight(curve, 0.5)).toBeCloseTo(0.25, 12);
    expect(fromLight(curve, 0)).toBe(0);
    expect(fromLight(curve, 0.25)).toBeCloseTo(0.5, 12);
  });

  it('is refused where it falls, ends level, is too dark at white or too bright at black', () => {
    for (const curve of [sampled(0, 0.6, 0.5, 1), sampled(0, 1, 1), sampled(0, 0.2), sampled(0.7, 1), gamma(-1)])
      expect(leadsBack(curve)).toBe(false);
    for (const curve of [srgbCurve, gamma(1.8), sampled(0, 0, 1)]) expect(leadsBack(curve)).toBe(true);
  });

  it('is the same as another within the rounding of 16-bit numbers', () => {
    const table = Float64Array.from(
      { length: 1024 },
      (_, i) => Math.round(toLight(srgbCurve, i / 1023) * 65535) / 65535,
    );
    expect(isSameCurve({ kind: 'sampled', samples: table }, srgbCurve)).toBe(true);
    expect(isSameCurve(gamma(2.2), srgbCurve)).toBe(false);
  });
});
