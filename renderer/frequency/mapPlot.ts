// Draws the map of a response: magnitude in dB with contour lines, or phase, with axes in cycles per pixel and a legend. On
// the screen and in a saved picture alike.

import { decibels, type FrequencyResponse, phaseOf } from '../../core/frequency';
import { cssColour, type Rgb } from '../kernel/heat';
import { angleColour, evenColour } from '../plots/colourMap';
import { formatNumber } from '../ui/numberText';

export type MapKind = 'magnitude' | 'phase';

/** Colours of the plot's frame, from the theme. */
export interface PlotColours {
  readonly background: string;
  readonly text: string;
  readonly line: string;
}

/** Measures in CSS pixels of a plot as wide as the panel. */
export const mapLayout = { width: 344, height: 304, left: 34, top: 6, side: 260, legend: 12, legendGap: 8 } as const;

/** Decibels from the brightest to the darkest colour. */
const decibelRange = 60;

/** The dB that the brightest colour stands for: the peak, rounded up to a whole contour. */
export function topDecibels({ peak, reference }: FrequencyResponse): number {
  const step = contourStep;
  return peak > 0 ? Math.ceil(decibels(peak, reference) / step - 1e-6) * step : 0;
}
export const contourStep = 6;

/** One pixel a cell: the colours, contours lightened. */
function pixels(response: FrequencyResponse, kind: MapKind): ImageData {
  const { size, magnitude, reference } = response;
  const image = new ImageData(size, size);
  const top = topDecibels(response);
  const put = (index: number, [r, g, b]: Rgb) => image.data.set([r, g, b, 255], index * 4);
  if (kind === 'phase') {
    for (const [index, angle] of phaseOf(response).entries()) put(index, angleColour(angle));
    return image;
  }
  const levels = magnitude.map((value) => (value > 0 ? decibels(value, reference) : Number.NEGATIVE_INFINITY));
  const bandOf = (index: number) => Math.floor(Math.max(-1000, levels[index] ?? 0) / contourStep);
  levels.forEach((level, index) => {
    const colour = evenColour((level - top) / decibelRange + 1);
    const isLast = index % size === size - 1;
    const band = bandOf(index);
    const below = index + size < size * size ? bandOf(index + size) : band;
    const isContour = level > top - decibelRange && ((!isLast && bandOf(index + 1) !== band) || below !== band);
    put(index, isContour ? lighter(colour) : colour);
  });
  return image;
}

/** Towards white on dark colours, towards black on bright ones. */
function lighter([r, g, b]: Rgb): Rgb {
  const towards = r + g + b > 420 ? 0 : 255;
  return [r, g, b].map((value) => Math.round(value + (towards - value) * 0.45)) as unknown as Rgb;
}

function legend(
  context: CanvasRenderingContext2D,
  response: FrequencyResponse,
  kind: MapKind,
  colours: PlotColours,
): void {
  const { left, top, side, legend: width, legendGap } = mapLayout;
  const x = left + side + legendGap;
  for (let y = 0; y < side; y++) {
    const share = 1 - y / (side - 1);
    context.fillStyle = cssColour(kind === 'phase' ? angleColour((share - 0.5) * 2 * Math.PI) : evenColour(share));
    context.fillRect(x, top + y, width, 1);
  }
  context.fillStyle = colours.text;
  context.textAlign = 'left';
  const highest = topDecibels(response);
  const marks =
    kind === 'phase'
      ? ([
          [0, 'π'],
          [0.5, '0'],
          [1, '−π'],
        ] as const)
      : [0, 1, 2, 3, 4, 5].map((step) => [step / 5, `${formatNumber(highest - (step * decibelRange) / 5)}`] as const);
  for (const [share, text] of marks) context.fillText(text, x + width + 3, top + share * side + (share === 0 ? 8 : 3));
  context.fillText(kind === 'phase' ? 'rad' : 'dB', x, top + side + 13);
}

/** Draws into a context whose unit is a CSS pixel. */
export function drawMap(
  context: CanvasRenderingContext2D,
  response: FrequencyResponse,
  kind: MapKind,
  colours: PlotColours,
  words: { readonly x: string; readonly y: string },
): void {
  const { width, height, left, top, side } = mapLayout;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, height);
  const source = new OffscreenCanvas(response.size, response.size);
  source.getContext('2d')?.putImageData(pixels(response, kind), 0, 0);
  context.imageSmoothingEnabled = true;
  context.drawImage(source, left, top, side, side);
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.strokeRect(left - 0.5, top - 0.5, side + 1, side + 1);
  context.font = '10px "Inter Variable", "Noto Sans SC", sans-serif';
  context.fillStyle = colours.text;
  for (const [share, text] of [
    [0, '−½'],
    [0.25, '−¼'],
    [0.5, '0'],
    [0.75, '¼'],
    [1, '½'],
  ] as const) {
    context.textAlign = 'center';
    context.fillText(text, left + share * side, top + side + 13);
    context.textAlign = 'right';
    context.fillText(text, left - 5, top + share * side + (share === 0 ? 8 : share === 1 ? 0 : 3));
    context.fillRect(left + share * side - 0.5, top + side, 1, 3);
    context.fillRect(left - 3, top + share * side - 0.5, 3, 1);
  }
  context.textAlign = 'center';
  context.fillText(words.x, left + side / 2, top + side + 28);
  context.save();
  context.translate(9, top + side / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(words.y, 0, 0);
  context.restore();
  legend(context, response, kind, colours);
}
