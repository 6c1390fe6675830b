// Draws a histogram: each channel of the result as a filled curve, the original's as a line. Pure but for the canvas.

import type { Histogram } from '../../core/histogram';
import { fullScale } from '../../core/pass';

export interface HistogramAxis {
  /** Code values at the left and the right end. */
  readonly from: number;
  readonly to: number;
}

/** The values that both histograms reach, and the whole range of the depth. */
export function axisOf(histograms: readonly Histogram[]): HistogramAxis {
  const reach = histograms.flatMap(({ sampleType, start, binWidth, channels }) => {
    const full = fullScale[sampleType];
    if (sampleType === 'u8' || sampleType === 'u16') return [0, full + 1];
    const used = channels.flatMap(({ counts }) => {
      const first = counts.findIndex((count) => count > 0);
      return first < 0
        ? []
        : [start + first * binWidth, start + (counts.findLastIndex((count) => count > 0) + 1) * binWidth];
    });
    return [0, full, ...used];
  });
  return { from: Math.min(...reach), to: Math.max(...reach) };
}

export interface HistogramColours {
  readonly channels: readonly string[];
  readonly line: string;
  readonly text: string;
  /** Of overlapping fills. */
  readonly blend: GlobalCompositeOperation;
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly axis: HistogramAxis;
  readonly isLog: boolean;
  readonly colours: HistogramColours;
  /** The channels drawn. */
  readonly channels: readonly number[];
}

/** Samples a unit of value in each column of the drawing, so that axes of other bins are drawn alike. */
function columnsOf(histogram: Histogram, channel: number, { from, to }: HistogramAxis, width: number): Float64Array {
  const columns = new Float64Array(width);
  const { start, binWidth, channels } = histogram;
  const counts = channels[channel]?.counts ?? [];
  const perColumn = (to - from) / width;
  for (const [bin, count] of counts.entries()) {
    if (count === 0) continue;
    const left = (start + bin * binWidth - from) / perColumn;
    const right = left + binWidth / perColumn;
    const first = Math.max(0, Math.floor(left + 1e-9));
    const last = Math.min(width - 1, Math.max(first, Math.ceil(right - 1e-9) - 1));
    for (let column = first; column <= last; column++)
      columns[column] = Math.max(columns[column] ?? 0, count / binWidth);
  }
  return columns;
}

/** Heights 0…1. The tallest column that is not at an end is the top, so that clipped values do not flatten the rest. */
function heightsOf(all: readonly Float64Array[], isLog: boolean): readonly Float64Array[] {
  let top = 0;
  for (const columns of all) for (let at = 1; at < columns.length - 1; at++) top = Math.max(top, columns[at] ?? 0);
  if (top === 0) for (const columns of all) top = Math.max(top, columns[0] ?? 0, columns.at(-1) ?? 0);
  const scale = (value: number) => (isLog ? Math.log1p(value) / Math.log1p(top) : value / top);
  return all.map((columns) => columns.map((value) => (value === 0 ? 0 : Math.min(1, scale(value)))));
}

export function drawHistogram(
  context: CanvasRenderingContext2D,
  result: Histogram | null,
  original: Histogram | null,
  drawing: Drawing,
): void {
  const { width, height, axis, isLog, colours, channels } = drawing;
  const toX = (value: number) => ((value - axis.from) / (axis.to - axis.from)) * width;
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  for (const share of [0.25, 0.5, 0.75]) {
    context.beginPath();
    context.moveTo(Math.round(share * width) + 0.5, 0);
    context.lineTo(Math.round(share * width) + 0.5, height);
    context.stroke();
  }
  const columns = (histogram: Histogram | null) =>
    histogram === null
      ? []
      : heightsOf(
          channels.map((channel) => columnsOf(histogram, channel, axis, width)),
          isLog,
        );
  context.globalCompositeOperation = colours.blend;
  for (const [index, heights] of columns(result).entries()) {
    context.fillStyle = colours.channels[channels[index] ?? 0] ?? colours.text;
    context.globalAlpha = channels.length > 1 ? 0.75 : 0.9;
    context.beginPath();
    context.moveTo(0, height);
    for (const [x, share] of heights.entries()) {
      context.lineTo(x, height - share * height);
      context.lineTo(x + 1, height - share * height);
    }
    context.lineTo(width, height);
    context.fill();
  }
  context.globalCompositeOperation = 'source-over';
  context.globalAlpha = 1;
  for (const [index, heights] of columns(original).entries()) {
    context.strokeStyle = channels.length > 1 ? (colours.channels[channels[index] ?? 0] ?? colours.text) : colours.text;
    context.lineWidth = 1;
    context.beginPath();
    for (const [x, share] of heights.entries()) context.lineTo(x + 0.5, height - share * (height - 1) - 0.5);
    context.stroke();
  }
  // Where black and white lie on the axis of floats.
  const first = result ?? original;
  if (first === null || first.sampleType === 'u8' || first.sampleType === 'u16') return;
  context.strokeStyle = colours.text;
  context.setLineDash([3, 3]);
  for (const value of [0, 1]) {
    const x = Math.round(toX(value)) + 0.5;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
  }
  context.setLineDash([]);
}
