// Counting how often each value occurs in a picture, channel by channel, as its samples stream by. Bytes and 16-bit values
// have fixed bins; floats an axis of power-of-two bins that grows with what comes, so that every count stays exact. Pure.

import { fullScale, type Samples, type SampleType } from './pass';

export interface ChannelHistogram {
  /** Samples in each bin. */
  readonly counts: Uint32Array;
  /** Samples at 0 (or below) and at full scale (or above); of floats only those beyond, which a whole-number file would cut. */
  readonly low: number;
  readonly high: number;
}

export interface Histogram {
  readonly sampleType: SampleType;
  /** Code value at which the first bin starts, and how wide each is. */
  readonly start: number;
  readonly binWidth: number;
  /** Colour channels; alpha is none. */
  readonly channels: readonly ChannelHistogram[];
  /** Pixels counted: those that are not fully transparent. */
  readonly pixels: number;
  /** Samples that are no finite number; in no bin. */
  readonly notFinite: number;
}

/** Bins of floats; at least half of them are in use. */
const floatBins = 512;
const wholeBins = 256;

/** The smallest power of two of which at most `bins` cover minimum…maximum. */
function widthFor(minimum: number, maximum: number, bins: number, least: number): number {
  let width = least;
  while (Math.floor(maximum / width) - Math.floor(minimum / width) >= bins) width *= 2;
  return width;
}

/** Bins of one float value alone: fine enough for its neighbours to be told apart. */
const finestFor = (value: number) => 2 ** (Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** -20))) - 12);

export class HistogramCounter {
  private counts: Uint32Array[];
  private readonly low: number[];
  private readonly high: number[];
  private start = 0;
  private binWidth: number;
  private pixels = 0;
  private notFinite = 0;
  private minimum = Number.POSITIVE_INFINITY;
  private maximum = Number.NEGATIVE_INFINITY;
  private readonly colours: number;
  private readonly isFloat: boolean;

  constructor(
    private readonly sampleType: SampleType,
    private readonly channelCount: number,
    private readonly hasAlpha: boolean,
  ) {
    this.colours = hasAlpha ? channelCount - 1 : channelCount;
    this.isFloat = sampleType === 'f32' || sampleType === 'f64';
    this.binWidth = this.isFloat ? 0 : (fullScale[sampleType] + 1) / wholeBins;
    const bins = this.isFloat ? floatBins : wholeBins;
    this.counts = Array.from({ length: this.colours }, () => new Uint32Array(bins));
    this.low = new Array<number>(this.colours).fill(0);
    this.high = new Array<number>(this.colours).fill(0);
  }

  /** Counts the pixels `first`…`last` − 1 of some samples, channels interleaved. */
  add(samples: Samples, first: number, last: number): void {
    if (this.isFloat) this.makeRoom(samples, first, last);
    const { channelCount, colours, hasAlpha, start, binWidth, isFloat } = this;
    const full = fullScale[this.sampleType];
    for (let at = first * channelCount; at < last * channelCount; at += channelCount) {
      if (hasAlpha && (samples[at + colours] ?? 0) === 0) continue;
      this.pixels += 1;
      for (let channel = 0; channel < colours; channel += 1) {
        const value = samples[at + channel] ?? 0;
        if (isFloat && !Number.isFinite(value)) {
          this.notFinite += 1;
          continue;
        }
        const counts = this.counts[channel] as Uint32Array;
        const bin = isFloat ? Math.floor(value / binWidth) - start / binWidth : Math.floor(value / binWidth);
        counts[bin] = (counts[bin] ?? 0) + 1;
        if (isFloat ? value < 0 : value === 0) this.low[channel] = (this.low[channel] ?? 0) + 1;
        else if (isFloat ? value > 1 : value === full) this.high[channel] = (this.high[channel] ?? 0) + 1;
      }
    }
  }

  result(): Histogram {
    return {
      ...{ sampleType: this.sampleType, start: this.start, pixels: this.pixels, notFinite: this.notFinite },
      binWidth: this.binWidth === 0 ? 1 / floatBins : this.binWidth,
      channels: this.counts.map((counts, channel) => ({
        counts,
        low: this.low[channel] ?? 0,
        high: this.high[channel] ?? 0,
      })),
    };
  }

  /** Widens the bins until they hold these floats too: whole old bins fall into new ones. */
  private makeRoom(samples: Samples, first: number, last: number): void {
    let { minimum, maximum } = this;
    for (let at = first * this.channelCount; at < last * this.channelCount; at += this.channelCount)
      for (let channel = 0; channel < this.colours; channel += 1) {
        const value = samples[at + channel] ?? 0;
        if (!Number.isFinite(value)) continue;
        if (value < minimum) minimum = value;
        if (value > maximum) maximum = value;
      }
    if (minimum > maximum || (minimum === this.minimum && maximum === this.maximum)) return;
    this.minimum = minimum;
    this.maximum = maximum;
    const least = this.binWidth === 0 ? finestFor(Math.max(Math.abs(minimum), Math.abs(maximum))) : this.binWidth;
    const width = widthFor(minimum, maximum, floatBins, least);
    const start = Math.floor(minimum / width) * width;
    if (this.binWidth > 0)
      this.counts = this.counts.map((old) => {
        const counts = new Uint32Array(floatBins);
        for (const [bin, count] of old.entries()) {
          if (count === 0) continue;
          const place = Math.floor((this.start + bin * this.binWidth) / width) - start / width;
          counts[place] = (counts[place] ?? 0) + count;
        }
        return counts;
      });
    this.binWidth = width;
    this.start = start;
  }
}
