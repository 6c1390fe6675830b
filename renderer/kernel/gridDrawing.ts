// Draws the kernel grid on a canvas: cells in the colours of one signed scale, their numbers where there is room, the anchor.
// A 63 × 63 grid takes about a millisecond, so that it follows the pointer.

import { isAbsent, type Kernel } from '../../core/kernel';
import type { CellPlace } from '../../core/kernelPainting';
import { formatCell } from '../ui/numberText';
import { cellBox, type GridGeometry } from './gridGeometry';
import { cssColour, heatColour, type Rgb, type Theme, textOn } from './heat';

const font = '"Inter Variable", "Noto Sans SC", system-ui, sans-serif';

export interface GridDrawing {
  readonly kernel: Kernel;
  readonly geometry: GridGeometry;
  /** Largest magnitude: the end of the colour scale. */
  readonly peak: number;
  readonly theme: Theme;
  /** What of the grid is in sight, in CSS pixels from its top left corner. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** A cell that is framed, or null. */
  readonly framed: CellPlace | null;
}

/** The colour of a weight; equal weights, of which kernels have many, are looked up. */
function colourScale(peak: number, theme: Theme): (weight: number) => Rgb {
  const known = new Map<number, Rgb>();
  return (weight) => {
    const found = known.get(weight);
    if (found !== undefined) return found;
    const colour = heatColour(weight, peak, theme);
    known.set(weight, colour);
    return colour;
  };
}

/** Steps of the colour scale on each side of 0, finer than the 8 bits of a screen. */
const scaleSteps = 512;
const scales = new Map<Theme, readonly Rgb[]>();

/** Colours from −1 to 1 in equal steps of the root of the weight, as heatColour has them. */
function scaleOf(theme: Theme): readonly Rgb[] {
  const known = scales.get(theme);
  if (known !== undefined) return known;
  const made = Array.from({ length: 2 * scaleSteps + 1 }, (_, step) => {
    const root = (step - scaleSteps) / scaleSteps;
    return heatColour(Math.sign(root) * root * root, 1, theme);
  });
  scales.set(theme, made);
  return made;
}

/** The picture of all cells that was drawn last, to be drawn over: one for each frame of a stroke would be a waste. */
let lastPicture: OffscreenCanvas | null = null;

function pictureOf(columns: number, rows: number): OffscreenCanvas {
  if (lastPicture === null || lastPicture.width !== columns || lastPicture.height !== rows)
    lastPicture = new OffscreenCanvas(columns, rows);
  return lastPicture;
}

/** All cells as pixels of a picture, then as large as the grid: for cells too small for numbers. */
function drawPicture(context: CanvasRenderingContext2D, drawing: GridDrawing): void {
  const { kernel, geometry, peak, theme } = drawing;
  const { width: columns, height: rows, weights } = kernel;
  const image = new ImageData(columns, rows);
  const scale = scaleOf(theme);
  for (let index = 0; index < weights.length; index++) {
    const share = peak > 0 ? (weights[index] ?? 0) / peak : 0;
    const step = Math.round(Math.sign(share) * Math.sqrt(Math.abs(share)) * scaleSteps);
    const [r, g, b] = scale[scaleSteps + step] ?? [0, 0, 0];
    const at = index * 4;
    image.data[at] = r;
    image.data[at + 1] = g;
    image.data[at + 2] = b;
    image.data[at + 3] = 255;
  }
  const picture = pictureOf(columns, rows);
  picture.getContext('2d')?.putImageData(image, 0, 0);
  // Cells smaller than a pixel are averaged, larger ones keep their edges.
  context.imageSmoothingEnabled = geometry.cellWidth * devicePixelRatio < 1;
  context.drawImage(picture, 0, 0, geometry.width, geometry.height);
  if (geometry.gap === 0) return;
  for (let x = 1; x <= columns; x++) {
    const right = Math.round(x * geometry.cellWidth);
    context.clearRect(right - geometry.gap, 0, geometry.gap, geometry.height);
  }
  for (let y = 1; y <= rows; y++) {
    const bottom = Math.round(y * geometry.cellHeight);
    context.clearRect(0, bottom - geometry.gap, geometry.width, geometry.gap);
  }
}

/** Each cell as a box of its own with its number. */
function drawCells(context: CanvasRenderingContext2D, drawing: GridDrawing): void {
  const { kernel, geometry, peak, theme, left, top, width, height } = drawing;
  const { cellWidth, cellHeight, fontSize, precision, columns, rows } = geometry;
  const colourOf = colourScale(peak, theme);
  const first = { x: Math.max(0, Math.floor(left / cellWidth)), y: Math.max(0, Math.floor(top / cellHeight)) };
  const last = {
    x: Math.min(columns - 1, Math.floor((left + width) / cellWidth)),
    y: Math.min(rows - 1, Math.floor((top + height) / cellHeight)),
  };
  context.font = `${fontSize}px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let y = first.y; y <= last.y; y++)
    for (let x = first.x; x <= last.x; x++) {
      const index = y * columns + x;
      const weight = kernel.weights[index] ?? 0;
      const box = cellBox(geometry, { x, y });
      const colour = colourOf(weight);
      context.fillStyle = cssColour(colour);
      context.beginPath();
      context.roundRect(box.left - left, box.top - top, box.width, box.height, 2);
      context.fill();
      context.fillStyle = cssColour(textOn(colour));
      const [middle, centre] = [box.left - left + box.width / 2, box.top - top + box.height / 2 + 0.5];
      const text = isAbsent(kernel, index) ? '–' : formatCell(weight, precision);
      context.fillText(text, middle, centre, box.width - 1);
    }
}

/** The anchor: a dot in the corner of a cell that holds a number, a ring round a smaller one. */
function drawAnchor(context: CanvasRenderingContext2D, { kernel, geometry, left, top }: GridDrawing): void {
  const box = cellBox(geometry, { x: kernel.anchorX, y: kernel.anchorY });
  const dot = geometry.fontSize > 0;
  const x = box.left - left + (dot ? 5.5 : box.width / 2);
  const y = box.top - top + (dot ? 5.5 : box.height / 2);
  const radius = dot ? 3 : Math.max(3, Math.min(6, Math.min(box.width, box.height) / 2 - 1));
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  if (dot) {
    context.fillStyle = '#ffffff';
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = 'rgb(0 0 0 / 65%)';
    context.stroke();
    return;
  }
  context.lineWidth = 3;
  context.strokeStyle = 'rgb(0 0 0 / 70%)';
  context.stroke();
  context.lineWidth = 1.5;
  context.strokeStyle = '#ffffff';
  context.stroke();
}

function drawFrame(context: CanvasRenderingContext2D, { geometry, left, top }: GridDrawing, cell: CellPlace): void {
  const box = cellBox(geometry, cell);
  const grow = geometry.fontSize > 0 ? 0 : 1;
  const frame = [
    box.left - left - grow + 0.5,
    box.top - top - grow + 0.5,
    box.width + 2 * grow - 1,
    box.height + 2 * grow - 1,
  ] as const;
  context.lineWidth = 3;
  context.strokeStyle = 'rgb(0 0 0 / 70%)';
  context.strokeRect(...frame);
  context.lineWidth = 1;
  context.strokeStyle = '#ffffff';
  context.strokeRect(...frame);
}

/** Draws what is in sight on a canvas that is `width` × `height` CSS pixels large. */
export function drawGrid(canvas: HTMLCanvasElement, drawing: GridDrawing): void {
  const scale = devicePixelRatio;
  const [pixelWidth, pixelHeight] = [Math.round(drawing.width * scale), Math.round(drawing.height * scale)];
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
  }
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, drawing.width, drawing.height);
  if (drawing.geometry.fontSize === 0) drawPicture(context, drawing);
  else drawCells(context, drawing);
  drawAnchor(context, drawing);
  if (drawing.framed !== null) drawFrame(context, drawing, drawing.framed);
}
