// ImageMagick's built-in kernels that are linear filters, as its program makes them (checked against what version 6.9
// prints): sizes from a radius or from σ, Gaussians normalised after they are cut, Blur and Comet sampled three times a cell.

import { createKernel, type Kernel, sumOf } from '../kernel';
import { laplacianOfGaussian5, laplacianOfGaussian9 } from '../kernelPresets';
import { binomialVector } from '../kernelShapes';

/** The least that a 16-bit build can tell from 0; its kernels end where they are smaller. */
const quantum = 1 / 65535;
const tiny = 1e-12;
/** Samples of a cell of Blur and Comet. */
const samplesOfCell = 3;

function widthFor(sigma: number, dimensions: 1 | 2): number {
  const alpha = 1 / (2 * sigma * sigma);
  const beta = 1 / (dimensions === 1 ? Math.sqrt(2 * Math.PI) * sigma : 2 * Math.PI * sigma * sigma);
  for (let width = 5; ; width += 2) {
    const reach = (width - 1) / 2;
    let line = 0;
    for (let u = -reach; u <= reach; u++) line += Math.exp(-u * u * alpha);
    const whole = (dimensions === 1 ? line : line * line) * beta;
    const last = (Math.exp(-reach * reach * alpha) * beta) / whole;
    if (last < quantum || last < tiny || width > 1023) return width - 2;
  }
}

/** Side of a square kernel: from the radius where one is given, else from σ. */
const sideOf = (radius: number, sigma: number) =>
  radius >= 1 ? Math.trunc(radius) * 2 + 1 : sigma > tiny ? widthFor(sigma, 2) : 3;

function squareOf(side: number, value: (x: number, y: number) => number): number[] {
  const reach = (side - 1) / 2;
  return Array.from({ length: side * side }, (_, index) =>
    value((index % side) - reach, Math.floor(index / side) - reach),
  );
}

const isMiddle = (x: number, y: number) => (x === 0 && y === 0 ? 1 : 0);

function gaussianAt(sigma: number): (x: number, y: number) => number {
  if (sigma <= tiny) return isMiddle;
  return (x, y) => Math.exp(-(x * x + y * y) / (2 * sigma * sigma)) / (2 * Math.PI * sigma * sigma);
}

/** Positive weights brought to a sum of 1, negative ones to −1. */
function bothNormalised(weights: readonly number[]): number[] {
  const positive = sumOf(weights.map((weight) => Math.max(0, weight))) || 1;
  const negative = -sumOf(weights.map((weight) => Math.min(0, weight))) || 1;
  return weights.map((weight) => weight / (weight >= 0 ? positive : negative));
}

const square = (side: number, weights: readonly number[]): Kernel => createKernel(side, side, weights, { divisor: 1 });

export function gaussian(radius: number, sigma: number): Kernel {
  const side = sideOf(radius, sigma);
  return square(side, bothNormalised(squareOf(side, gaussianAt(sigma))));
}

export function laplacianOfGaussian(radius: number, sigma: number): Kernel {
  const side = sideOf(radius, sigma);
  const value = (x: number, y: number) => {
    if (sigma <= tiny) return isMiddle(x, y);
    const share = (x * x + y * y) / (2 * sigma * sigma);
    return ((1 - share) * Math.exp(-share)) / (Math.PI * sigma ** 4);
  };
  return square(side, bothNormalised(squareOf(side, value)));
}

export function differenceOfGaussians(radius: number, first: number, second: number): Kernel {
  const side = sideOf(radius, Math.max(first, second));
  const [one, other] = [gaussianAt(first), gaussianAt(second)];
  return square(side, bothNormalised(squareOf(side, (x, y) => one(x, y) - other(x, y))));
}

/** A row with its anchor in the middle. */
export function blur(radius: number, sigma: number): Kernel {
  const width = radius >= 1 ? Math.trunc(radius) * 2 + 1 : sigma > tiny ? widthFor(sigma, 1) : 3;
  const anchorX = (width - 1) / 2;
  const weights = new Array<number>(width).fill(0);
  if (sigma <= tiny) weights[anchorX] = 1;
  else {
    const reach = (width * samplesOfCell - 1) / 2;
    const fine = sigma * samplesOfCell;
    for (let u = -reach; u <= reach; u++) {
      const cell = Math.trunc((u + reach) / samplesOfCell);
      weights[cell] = (weights[cell] ?? 0) + Math.exp((-u * u) / (2 * fine * fine));
    }
  }
  return createKernel(width, 1, bothNormalised(weights), { anchorX, anchorY: 0, divisor: 1 });
}

/** Half a Gaussian from the anchor to the right. */
export function comet(cells: number, sigma: number): Kernel {
  const width = cells >= 1 ? Math.trunc(cells) : sigma > tiny ? (widthFor(sigma, 1) - 1) / 2 + 1 : 1;
  const weights = new Array<number>(width).fill(0);
  if (sigma <= tiny) weights[0] = 1;
  else {
    const fine = sigma * samplesOfCell;
    for (let u = 0; u < width * samplesOfCell; u++) {
      const cell = Math.trunc(u / samplesOfCell);
      weights[cell] = (weights[cell] ?? 0) + Math.exp((-u * u) / (2 * fine * fine));
    }
  }
  return createKernel(width, 1, bothNormalised(weights), { anchorX: 0, anchorY: 0, divisor: 1 });
}

export function binomial(radius: number): Kernel {
  const side = radius < 1 ? 3 : Math.trunc(radius) * 2 + 1;
  const line = binomialVector(side);
  return square(
    side,
    squareOf(side, (x, y) => (line[x + (side - 1) / 2] ?? 0) * (line[y + (side - 1) / 2] ?? 0)),
  );
}

const laplacians: Readonly<Record<number, readonly number[]>> = {
  0: [-1, -1, -1, -1, 8, -1, -1, -1, -1],
  1: [0, -1, 0, -1, 4, -1, 0, -1, 0],
  2: [-2, 1, -2, 1, 4, 1, -2, 1, -2],
  3: [1, -2, 1, -2, 4, -2, 1, -2, 1],
  5: [-4, -1, 0, -1, -4, -1, 2, 3, 2, -1, 0, 3, 4, 3, 0, -1, 2, 3, 2, -1, -4, -1, 0, -1, -4],
  7: [
    [-10, -5, -2, -1, -2, -5, -10],
    [-5, 0, 3, 4, 3, 0, -5],
    [-2, 3, 6, 7, 6, 3, -2],
    [-1, 4, 7, 8, 7, 4, -1],
    [-2, 3, 6, 7, 6, 3, -2],
    [-5, 0, 3, 4, 3, 0, -5],
    [-10, -5, -2, -1, -2, -5, -10],
  ].flat(),
  15: laplacianOfGaussian5,
  19: laplacianOfGaussian9,
};

/** A type that does not exist is type 0, as there. */
export function laplacian(type: number): Kernel {
  const weights = laplacians[Math.trunc(type)] ?? laplacians[0] ?? [];
  return square(Math.sqrt(weights.length), weights);
}

const h = Math.SQRT1_2;
const frei: Readonly<Record<number, readonly number[]>> = {
  0: [1, 0, -1, Math.SQRT2, 0, -Math.SQRT2, 1, 0, -1],
  1: [h, 0, -h, 1, 0, -1, h, 0, -h],
  2: [h, 1, 0, 1, 0, -1, 0, -1, -h],
  11: [h, 0, -h, 1, 0, -1, h, 0, -h],
  12: [h, 1, h, 0, 0, 0, h, 1, h],
  13: [1, -h, 0, -h, 0, h, 0, h, -1],
  14: [0, h, -1, -h, 0, h, 1, -h, 0],
  15: [0, -0.5, 0, 0.5, 0, 0.5, 0, -0.5, 0],
  16: [0.5, 0, -0.5, 0, 0, 0, -0.5, 0, 0.5],
  // The last row's first number has the program's own sign.
  17: [1 / 6, -2 / 6, 1 / 6, -2 / 6, 4 / 6, -2 / 6, -1 / 6, -2 / 6, 1 / 6],
  18: [-2 / 6, 1 / 6, -2 / 6, 1 / 6, 4 / 6, 1 / 6, -2 / 6, 1 / 6, -2 / 6],
  19: new Array<number>(9).fill(1 / 3),
};

/** One kernel, or the nine of type 10. A type that does not exist is type 0. */
export function freiChen(type: number): readonly Kernel[] {
  const types = Math.trunc(type) === 10 ? [11, 12, 13, 14, 15, 16, 17, 18, 19] : [Math.trunc(type)];
  return types.map((one) => square(3, frei[one] ?? frei[0] ?? []));
}

export const masks: Readonly<Record<string, readonly number[]>> = {
  sobel: [1, 0, -1, 2, 0, -2, 1, 0, -1],
  roberts: [0, 0, 0, 1, -1, 0, 0, 0, 0],
  prewitt: [1, 0, -1, 1, 0, -1, 1, 0, -1],
  compass: [1, 1, -1, 1, -2, -1, 1, 1, -1],
  kirsch: [5, -3, -3, 5, 0, -3, 5, -3, -3],
};

export const mask = (name: string): Kernel => square(3, masks[name] ?? []);
export const unity = (): Kernel => square(1, [1]);
