// How a pass runs, why, and what is said of a picture that opened: every case has its sentence in both languages.

import { describe, expect, it } from 'vitest';
import { chinesePhrases } from '../../../core/errorPhrases';
import { type PassPath, type PassReason, pathText, reasonText } from '../../../core/planText';
import { type PictureWarning, warningText } from '../../../core/warningText';

const work = { rank: 2, inPairs: 36, dense: 81 };
const reasons: { readonly [K in PassReason['kind']]: Extract<PassReason, { kind: K }> } = {
  askedFor: { kind: 'askedFor' },
  denseIsCheap: { kind: 'denseIsCheap', dense: 9 },
  notSeparable: { kind: 'notSeparable' },
  pairsCostMore: { kind: 'pairsCostMore', ...work },
  pairsCostLess: { kind: 'pairsCostLess', ...work },
  rankReached: { kind: 'rankReached', rank: 3, exact: 2 },
  approximate: { kind: 'approximate', rank: 1, exact: 2, largestError: 0.0123 },
  twoSlopes: { kind: 'twoSlopes' },
};
const paths: readonly PassPath[] = [
  { kind: 'dense', width: 9, height: 7, pairs: 1 },
  { kind: 'separable', width: 9, height: 7, pairs: 1 },
  { kind: 'separable', width: 9, height: 7, pairs: 3 },
  { kind: 'magnitude', width: 3, height: 3, pairs: 1 },
];
const warnings: { readonly [K in PictureWarning['kind']]: Extract<PictureWarning, { kind: K }> } = {
  notWhole: { kind: 'notWhole' },
  firstPageOnly: { kind: 'firstPageOnly', pages: 3 },
  convertedFromCmyk: { kind: 'convertedFromCmyk' },
  samplesReplaced: { kind: 'samplesReplaced', count: 9 },
};
/** Two English words in a row: a sentence that was not translated. Names such as CMYK stand alone. */
const english = /[a-z]{2,} [a-z]{2,}/;

describe('the words of a plan', () => {
  it('name paths as they run', () => {
    expect(paths.map((path) => pathText(path))).toEqual([
      'dense 9×7',
      'separable 9 + 7',
      'rank 3: 3 × (9 + 7)',
      'gradient magnitude, 2 × dense 3×3',
    ]);
  });

  it('give the numbers that decided', () => {
    expect(reasonText(reasons.pairsCostLess)).toBe('rank 2: 36 multiply-adds instead of 81, same result');
    expect(reasonText(reasons.approximate)).toContain('largest weight error 1.23e-2');
  });

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
