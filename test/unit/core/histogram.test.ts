import { describe, expect, it } from 'vitest';
import { type Histogram, HistogramCounter } from '../../../core/histogram';

const bins = ({ channels, start, binWidth }: Histogram, channel = 0) =>
  [...(channels[channel]?.counts ?? [])].flatMap((count, bin) => (count > 0 ? [[start + bin * binWidth, count]] : []));

describe('a histogram', () => {
  it('counts bytes one by one, and those at black and at white', () => {
    const counter = new HistogramCounter('u8', 3, false);
    counter.add(Uint8Array.of(0, 10, 255, 0, 11, 255, 3, 11, 254), 0, 3);
    const found = counter.result();
    expect(bins(found, 0)).toEqual([
      [0, 2],
      [3, 1],
    ]);
    expect(bins(found, 1)).toEqual([
      [10, 1],
      [11, 2],
    ]);
    expect(found.channels.map(({ low, high }) => [low, high])).toEqual([
      [2, 0],
      [0, 0],
      [0, 2],
    ]);
  });
  it('puts 256 values of 16 bits into a bin, and clips only at the very ends', () => {
    const counter = new HistogramCounter('u16', 1, false);
    counter.add(Uint16Array.of(0, 1, 255, 256, 65534, 65535), 0, 6);
    const found = counter.result();
    expect(bins(found)).toEqual([
      [0, 3],
      [256, 1],
      [65280, 2],
    ]);
    expect(found.channels[0]).toMatchObject({ low: 1, high: 1 });
  });
  it('leaves out what is fully transparent, and alpha itself', () => {
    const counter = new HistogramCounter('u8', 2, true);
    counter.add(Uint8Array.of(7, 255, 9, 0, 7, 1), 0, 3);
    expect(counter.result()).toMatchObject({ pixels: 2 });
    expect(bins(counter.result())).toEqual([[7, 2]]);
  });
  it('finds its axis for floats, in any order of the bands, and loses no sample', () => {
    const values = Float32Array.from({ length: 4000 }, (_, index) => Math.sin(index) * 1.7 + 0.2);
    const whole = new HistogramCounter('f32', 1, false);
    whole.add(values, 0, 4000);
    const pieces = new HistogramCounter('f32', 1, false);
    for (let first = 0; first < 4000; first += 100) pieces.add(values, first, first + 100);
    expect(pieces.result()).toEqual(whole.result());
    const { channels, start, binWidth } = whole.result();
    expect(channels[0]?.counts.reduce((sum, count) => sum + count, 0)).toBe(4000);
    expect(channels[0]?.low).toBe(values.filter((value) => value < 0).length);
    expect(channels[0]?.high).toBe(values.filter((value) => value > 1).length);
    expect(3.4 / binWidth).toBeGreaterThan(256);
    expect(start).toBeLessThanOrEqual(-1.5);
    expect(start).toBeGreaterThan(-1.5 - binWidth);
  });
  it('holds one value, huge ones and none at all; what is no number is counted apart', () => {
    const flat = new HistogramCounter('f32', 1, false);
    flat.add(Float32Array.of(0.5, 0.5, Number.NaN, Number.POSITIVE_INFINITY), 0, 4);
    expect(bins(flat.result())).toEqual([[0.5, 2]]);
    expect(flat.result().notFinite).toBe(2);
    const wide = new HistogramCounter('f64', 1, false);
    wide.add(Float64Array.of(0, 1e-9), 0, 2);
    wide.add(Float64Array.of(-3e30, 5e30), 0, 2);
    expect(wide.result().channels[0]?.counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    const none = new HistogramCounter('f32', 1, false);
    none.add(Float32Array.of(Number.NaN), 0, 1);
    expect(bins(none.result())).toEqual([]);
  });
});
