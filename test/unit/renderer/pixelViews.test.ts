// Views made of drawn pixels: the signed difference, the marks on clipped values, and which part of the view shows what.

import { describe, expect, it } from 'vitest';
import { comparedParts } from '../../../renderer/viewport/compare';
import { markClipped, paintSigned, signedColours, signedDifference } from '../../../renderer/viewport/pixelViews';

const rgba = (...values: readonly number[]) => Uint8ClampedArray.from(values);

describe('the difference', () => {
  it('is grey where nothing changed, brighter or darker by the change times the gain, and cut at the ends', () => {
    const result = rgba(10, 20, 30, 255, 13, 18, 230, 255);
    signedDifference(rgba(10, 20, 30, 255, 10, 20, 30, 255), result, 4);
    expect([...result]).toEqual([128, 128, 128, 255, 140, 120, 255, 255]);
  });
  it('leaves what is transparent in either', () => {
    const result = rgba(9, 9, 9, 255);
    signedDifference(rgba(9, 9, 9, 0), result, 1);
    expect(result[3]).toBe(0);
  });
});

describe('clipped values', () => {
  it('are blue at black and orange at white; others and transparent ones stay', () => {
    const pixels = rgba(0, 90, 90, 255, 90, 255, 0, 255, 1, 2, 254, 255, 0, 0, 0, 0);
    markClipped(pixels);
    expect([...pixels]).toEqual([76, 141, 214, 255, 240, 149, 75, 255, 1, 2, 254, 255, 0, 0, 0, 0]);
  });
});

describe('the two halves', () => {
  const size = { width: 100, height: 60 };
  it('meet at the split, side by side or one above the other', () => {
    expect(comparedParts('split', 0.25, 'vertical', size)).toEqual({
      original: { x: 0, y: 0, width: 25, height: 60 },
      result: { x: 25, y: 0, width: 75, height: 60 },
    });
    expect(comparedParts('split', 0.25, 'horizontal', size)).toEqual({
      original: { x: 0, y: 0, width: 100, height: 15 },
      result: { x: 0, y: 15, width: 100, height: 45 },
    });
  });
  it('are the whole view and nothing, or both the whole', () => {
    expect(comparedParts('result', 0.5, 'vertical', size).original.width).toBe(0);
    expect(comparedParts('original', 0.5, 'vertical', size).result.width).toBe(0);
    const { original, result } = comparedParts('difference', 0.5, 'vertical', size);
    expect([original.width, result.width]).toEqual([100, 100]);
  });
});

describe('signed colours', () => {
  const table = signedColours('dark');
  it('are blue below zero, orange above and grey at it, by the channel farthest from zero', () => {
    const pixels = rgba(0, 127, 128, 255, 255, 100, 128, 255, 127, 128, 127, 255, 9, 9, 9, 0);
    paintSigned(pixels, table);
    expect([...pixels]).toEqual([0x4c, 0x8d, 0xd6, 255, 0xf0, 0x95, 0x4b, 255, 0x2a, 0x2b, 0x2f, 255, 9, 9, 9, 0]);
  });
  it('tell every step from zero apart by how far it is', () => {
    const distance = (byte: number) =>
      [0, 1, 2].reduce((sum, at) => sum + Math.abs((table[byte * 3 + at] ?? 0) - (table[127 * 3 + at] ?? 0)), 0);
    for (let byte = 129; byte < 255; byte += 1) expect(distance(byte + 1)).toBeGreaterThanOrEqual(distance(byte));
    for (let byte = 126; byte > 0; byte -= 1) expect(distance(byte - 1)).toBeGreaterThanOrEqual(distance(byte));
  });
});
