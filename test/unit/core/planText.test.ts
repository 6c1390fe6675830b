// How a pass runs, why, and what is said of a picture that opened: every case has its sentence in both languages.

import { describe, expect, it } from 'vitest';
import { chinesePhrases } from '../../../core/errorPhrases';
import { type FilterPath, type PassReason, pathText, predictedText, reasonText } from '../../../core/planText';
import { type PictureWarning, warningText } from '../../../core/warningText';

const reasons: { readonly [K in PassReason['kind']]: Extract<PassReason, { kind: K }> } = {
  askedFor: { kind: 'askedFor' },
  variant: { kind: 'variant', name: 'shared2d' },
  fastest: { kind: 'fastest', next: { path: { kind: 'fft', width: 31, height: 29 }, milliseconds: 40.4 } },
  asFast: { kind: 'asFast', next: { path: { kind: 'box', width: 5, height: 4 }, milliseconds: 5.9 } },
  onlyPath: { kind: 'onlyPath' },
  rankReached: { kind: 'rankReached', rank: 3, exact: 2 },
  approximate: { kind: 'approximate', rank: 1, exact: 2, largestError: 0.0123 },
  twoSlopes: { kind: 'twoSlopes' },
  ownWeights: { kind: 'ownWeights' },
  wholePicture: { kind: 'wholePicture' },
};
const paths: readonly FilterPath[] = [
  { kind: 'dense', width: 9, height: 7 },
  { kind: 'separable', width: 9, height: 7, pairs: 1 },
  { kind: 'separable', width: 9, height: 7, pairs: 3 },
  { kind: 'separable', width: 601, height: 601, pairs: 1, lines: true },
  { kind: 'separable', width: 601, height: 401, pairs: 2, lines: true },
  { kind: 'magnitude', width: 3, height: 3 },
  { kind: 'diffusion', width: 3, height: 3 },
  { kind: 'sparse', width: 9, height: 7, taps: 12 },
  { kind: 'box', width: 9, height: 7 },
  { kind: 'fft', width: 9, height: 7 },
  { kind: 'edges', gradient: { kind: 'separable', width: 15, height: 15, pairs: 1 } },
];
const warnings: { readonly [K in PictureWarning['kind']]: Extract<PictureWarning, { kind: K }> } = {
  notWhole: { kind: 'notWhole' },
  onePageOnly: { kind: 'onePageOnly', page: 1, pages: 3 },
  convertedFromCmyk: { kind: 'convertedFromCmyk' },
  convertedFromIntegers: { kind: 'convertedFromIntegers' },
  samplesReplaced: { kind: 'samplesReplaced', count: 9 },
  changedSinceSaved: { kind: 'changedSinceSaved' },
  changedSinceOpened: { kind: 'changedSinceOpened' },
};
/** Two English words in a row: a sentence that was not translated. Names such as CMYK stand alone. */
const english = /[a-z]{2,} [a-z]{2,}/;

describe('the words of a plan', () => {
  it('name paths as they run', () => {
    expect(paths.map((path) => pathText(path))).toEqual([
      'dense 9×7',
      'separable 9 + 7',
      'rank 3: 3 × (9 + 7)',
      'separable 601 + 601, transformed line by line',
      'rank 2: 2 × (601 + 401), transformed line by line',
      'gradient magnitude, 2 × dense 3×3',
      'flows to four neighbours',
      'sparse 12 of 9×7',
      'running sums 9×7',
      'FFT 9×7',
      'edges in two gradients, each separable 15 + 15',
    ]);
  });

  it('give the numbers that decided', () => {
    expect(reasonText(reasons.fastest)).toBe('the fastest way to the same result; FFT 31×29 would take 40 ms');
    expect(reasonText(reasons.approximate)).toContain('largest weight error 1.23e-2');
  });

  it('say why rows and columns are transformed where they are', () => {
    const lines = { kind: 'separable', width: 601, height: 601, pairs: 1, lines: true } as const;
    expect(reasonText(reasons.onlyPath, 'en', lines)).toBe(
      'the only way to this result; rows and columns this long take less to transform, each by itself, than to sum',
    );
    expect(reasonText(reasons.onlyPath, 'zh-CN', lines)).toBe(
      '得到该结果的唯一方式；这么长的行和列，各自变换比逐项求和更省',
    );
    expect(reasonText(reasons.onlyPath, 'en', { kind: 'separable', width: 9, height: 9, pairs: 1 })).toBe(
      'the only way to this result',
    );
  });

  it.each([
    [0.03412, '0.034 ms'],
    [1.25, '1.3 ms'],
    [9.96, '10 ms'],
    [40.4, '40 ms'],
    [1234, '1200 ms'],
  ])('%s milliseconds are two digits: %s', (time, text) => expect(predictedText(time)).toBe(text));

  it('are Chinese in Chinese, with the same numbers', () => {
    const numbers = (text: string) => text.match(/[\d.e-]*\d/g)?.sort();
    const texts = [
      ...paths.map((path) => [pathText(path), pathText(path, 'zh-CN')]),
      ...Object.values(reasons).map((reason) => [reasonText(reason), reasonText(reason, 'zh-CN')]),
      ...Object.values(warnings).map((warning) => [warningText(warning), warningText(warning, 'zh-CN')]),
    ];
    for (const [first = '', second = ''] of texts) {
      expect(second).not.toMatch(english);
      expect([...new Set(numbers(second))], second).toEqual([...new Set(numbers(first))]);
    }
  });
});

describe('how engines describe themselves', () => {
  it.each([
    ['AVX-512, 2 threads', 'AVX-512，2 个线程'],
    ['SSE4, 1 thread', 'SSE4，1 个线程'],
    ['plain loops in float64, one thread', '64 位浮点朴素循环，单线程'],
    ['no NVIDIA driver', '没有 NVIDIA 驱动程序'],
    ['the NVIDIA driver supports CUDA 11.4, this build needs 12.2', 'NVIDIA 驱动程序支持 CUDA 11.4，此版本需要 12.2'],
  ])('%s', (text, chinese) => expect(chinesePhrases(text)).toBe(chinese));
});
