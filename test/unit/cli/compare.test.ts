// How far two results lie apart, and what is said about it.

import { describe, expect, it } from 'vitest';
import { type CompareReport, compareLines, differenceOf } from '../../../main/commandLine/compare';

describe('the difference of two results', () => {
  it('counts levels of integers, of which one is allowed', () => {
    const law = Uint8Array.of(10, 20, 30, 40);
    expect(differenceOf(Uint8Array.of(10, 20, 30, 40), law, 'u8')).toEqual({
      largest: 0,
      equalShare: 1,
      violated: false,
    });
    expect(differenceOf(Uint8Array.of(11, 20, 30, 40), law, 'u8')).toEqual({
      largest: 1,
      equalShare: 0.75,
      violated: false,
    });
    expect(differenceOf(Uint8Array.of(10, 20, 32, 40), law, 'u8')).toMatchObject({ largest: 2, violated: true });
  });

  it('is a share of the larger of full scale and the value for floats', () => {
    const law = Float32Array.of(0.5, 1000, 0);
    expect(differenceOf(Float32Array.of(0.5, 1000.0078, 0), law, 'f32').violated).toBe(false);
    expect(differenceOf(Float32Array.of(0.5002, 1000, 0), law, 'f32')).toMatchObject({ violated: true });
  });

  it('takes what is no number as equal only to the same', () => {
    const special = Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY);
    expect(differenceOf(special, special, 'f32')).toMatchObject({ largest: 0, equalShare: 1 });
    expect(differenceOf(Float32Array.of(0, Number.POSITIVE_INFINITY), special, 'f32').violated).toBe(true);
    expect(differenceOf(Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY), special, 'f32').violated).toBe(true);
  });
});

describe('the report of compare-backends', () => {
  const filter = { filter: 'gaussian', sampleType: 'u8', paths: ['separable 9 + 9', 'separable 9 + 9'] } as const;
  const report: CompareReport = {
    ...{ input: 'photo.jpg', width: 4, height: 3, channels: 3, violated: false, notes: [] },
    backends: [
      { name: 'cpu', description: 'AVX2' },
      { name: 'cuda', description: 'a device' },
    ],
    filters: [{ ...filter, milliseconds: [1, 2], largest: 1, equalShare: 0.99999999, violated: false }],
  };

  it('says how far apart, and never that nearly all is all', () => {
    expect(compareLines(report)).toEqual([
      'photo.jpg: 4 × 3',
      'cpu: AVX2',
      'cuda: a device',
      'result, after 1. gaussian (separable 9 + 9 on cpu, separable 9 + 9 on cuda): largest difference 1 level, 99.9999 % of the samples equal',
      'cpu and cuda agree',
    ]);
  });

  it('says where they do not agree', () => {
    const filters = [{ ...filter, milliseconds: [1, 2], largest: 3, equalShare: 0.5, violated: true }];
    const lines = compareLines({ ...report, filters, violated: true });
    expect(lines.at(-2)).toContain('largest difference 3 levels, 50 % of the samples equal — too far apart');
    expect(lines.at(-1)).toContain('do not agree');
  });
});
