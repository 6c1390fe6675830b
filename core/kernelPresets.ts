// The shipped kernels: those that people look for by name, as data. Where a σ exists the size follows from it. What a person
// calls them is the page's business; here each has an id, a group, and the source of its numbers.

import { createKernel, type Kernel } from './kernel';
import { rotateKernel } from './kernelAlgebra';
import {
  binomialVector,
  compassGrid,
  diskGrid,
  type Grid,
  gaussianVector,
  laplacianOfGaussianVectors,
  motionGrid,
  neighbourGrid,
} from './kernelShapes';
import type { RankPair } from './pass';
import { sumOfPairs } from './separability';

export const presetGroups = ['identity', 'blur', 'sharpen', 'edges', 'relief'] as const;
export type PresetGroup = (typeof presetGroups)[number];

export interface KernelPreset {
  /** Its name for programs: never changes, unique. Compass masks end in their direction, 0…7, 45° counter-clockwise each. */
  readonly id: string;
  readonly group: PresetGroup;
  /** What a flat picture becomes: itself, 0, or half grey (0 and a bias of ½). */
  readonly flat: 'kept' | 'zero' | 'half';
  /** Paper, book or program whose numbers these are. */
  readonly source: string;
  readonly kernel: Kernel;
}

const gonzalez = 'Gonzalez and Woods, Digital Image Processing, 4th ed.';

/** Whole numbers, row by row, in a square. */
function square(weights: readonly number[], rest: Partial<Kernel> = {}): Kernel {
  const side = Math.round(Math.sqrt(weights.length));
  return createKernel(side, side, weights, { divisor: 1, ...rest });
}

function ofGrid({ width, height, weights }: Grid, rest: Partial<Kernel> = {}): Kernel {
  return createKernel(width, height, Array.from(weights), { divisor: 1, ...rest });
}

function ofPairs(pairs: readonly RankPair[], rest: Partial<Kernel> = {}): Kernel {
  const size = pairs[0]?.row.length ?? 1;
  return createKernel(size, size, Array.from(sumOfPairs(pairs, size, size)), { divisor: 1, ...rest });
}

function preset(
  id: string,
  group: PresetGroup,
  flat: KernelPreset['flat'],
  source: string,
  kernel: Kernel,
): KernelPreset {
  return { id, group, flat, source, kernel: flat === 'half' ? { ...kernel, bias: 0.5 } : kernel };
}

/** The eight 45° turns of a 3 × 3 mask, from the one that points to the right. */
function compass(
  id: string,
  group: PresetGroup,
  flat: KernelPreset['flat'],
  source: string,
  right: Kernel,
): readonly KernelPreset[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((direction) =>
    preset(`${id}${direction}`, group, flat, source, rotateKernel(right, 45 * direction).kernel),
  );
}

const gaussian = (sigma: number): Kernel => {
  const vector = gaussianVector(sigma);
  return ofPairs([{ column: vector, row: vector }], { divisor: 'auto' });
};

function binomial(size: number): Kernel {
  const vector = binomialVector(size);
  return ofPairs([{ column: vector, row: vector }], { divisor: 4 ** (size - 1) });
}

/** The narrower Gaussian minus the wider one, both on the wider one's grid and of sum 1 there. */
function differenceOfGaussians(narrow: number, wide: number): Kernel {
  const b = gaussianVector(wide);
  const a = gaussianVector(narrow, b.length);
  return ofPairs([
    { column: a, row: a },
    { column: b.map((weight) => 0 - weight), row: b },
  ]);
}

function laplacianOfGaussian(sigma: number): Kernel {
  const { smooth, curvature } = laplacianOfGaussianVectors(sigma);
  return ofPairs([
    { column: smooth, row: curvature },
    { column: curvature, row: smooth },
  ]);
}

const box = (size: number) => square(new Array<number>(size * size).fill(1), { divisor: size * size });

/** The 5 × 5 binomial taken off the picture once more: 2 · picture − binomial, over 256. */
const unsharp5 = (() => {
  const weights = binomial(5).weights.map((weight, index) => (index === 12 ? 512 - weight : 0 - weight));
  return square(weights, { divisor: 256 });
})();

const gaussian273 = [1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1];
const gaussian159 = [2, 4, 5, 4, 2, 4, 9, 12, 9, 4, 5, 12, 15, 12, 5, 4, 9, 12, 9, 4, 2, 4, 5, 4, 2];
/** Whole-number Laplacians of a Gaussian, row by row: ImageMagick's Laplacian:15 and Laplacian:19. */
export const laplacianOfGaussian5 = [
  0, 0, -1, 0, 0, 0, -1, -2, -1, 0, -1, -2, 16, -2, -1, 0, -1, -2, -1, 0, 0, 0, -1, 0, 0,
];
export const laplacianOfGaussian9 = [
  [0, -1, -1, -2, -2, -2, -1, -1, 0],
  [-1, -2, -4, -5, -5, -5, -4, -2, -1],
  [-1, -4, -5, -3, 0, -3, -5, -4, -1],
  [-2, -5, -3, 12, 24, 12, -3, -5, -2],
  [-2, -5, 0, 24, 40, 24, 0, -5, -2],
  [-2, -5, -3, 12, 24, 12, -3, -5, -2],
  [-1, -4, -5, -3, 0, -3, -5, -4, -1],
  [-1, -2, -4, -5, -5, -5, -4, -2, -1],
  [0, -1, -1, -2, -2, -2, -1, -1, 0],
].flat();

const sobel = square([-1, 0, 1, -2, 0, 2, -1, 0, 1]);
const scharr = square([-3, 0, 3, -10, 0, 10, -3, 0, 3]);
const prewitt = square([-1, 0, 1, -1, 0, 1, -1, 0, 1]);
const freiChen = square([-1, 0, 1, -Math.SQRT2, 0, Math.SQRT2, -1, 0, 1]);
/** The same slope downwards instead of to the right: a quarter turn clockwise. */
const down = (kernel: Kernel): Kernel => rotateKernel(kernel, 270).kernel;

const blurs: readonly KernelPreset[] = [
  ...[3, 5, 7].map((size) => preset(`box${size}`, 'blur', 'kept', `${gonzalez}, 3.5`, box(size))),
  ...[3, 5, 7].map((size) =>
    preset(`binomial${size}`, 'blur', 'kept', 'Jähne, Digital Image Processing, 6th ed., 11.4', binomial(size)),
  ),
  ...[0.5, 1, 2].map((sigma) => preset(`gaussian${sigma}`, 'blur', 'kept', `${gonzalez}, 3.5`, gaussian(sigma))),
  preset(
    'gaussian273',
    'blur',
    'kept',
    'Rounded Gaussian of σ 1, widely copied',
    square(gaussian273, { divisor: 273 }),
  ),
  preset(
    'gaussian159',
    'blur',
    'kept',
    'Rounded Gaussian of σ 1.4, in descriptions of Canny’s detector',
    square(gaussian159, { divisor: 159 }),
  ),
  ...[5, 15].map((radius) =>
    preset(
      `disk${radius}`,
      'blur',
      'kept',
      'Goodman, Introduction to Fourier Optics, 6.4; rim by exact area',
      ofGrid(diskGrid(radius), { divisor: 'auto' }),
    ),
  ),
  ...[0, 45, 90].map((angle) =>
    preset(
      `motion9at${angle}`,
      'blur',
      'kept',
      'MATLAB fspecial motion',
      ofGrid(motionGrid(9, angle), { divisor: 'auto' }),
    ),
  ),
  preset(
    'diagonal9',
    'blur',
    'kept',
    'Equal weights on a diagonal',
    square(
      Array.from({ length: 81 }, (_, index) => (index % 10 === 0 ? 1 : 0)),
      { divisor: 9 },
    ),
  ),
];

const sharpeners: readonly KernelPreset[] = [
  preset('sharpen4', 'sharpen', 'kept', `${gonzalez}, 3.6`, ofGrid(neighbourGrid(4, -1, 5))),
  preset(
    'sharpen8',
    'sharpen',
    'kept',
    `${gonzalez}, 3.6; also known as mean removal`,
    ofGrid(neighbourGrid(8, -1, 9)),
  ),
  preset('unsharp5', 'sharpen', 'kept', 'Picture plus picture minus 5 × 5 binomial', unsharp5),
  preset(
    'highPass3',
    'sharpen',
    'zero',
    `${gonzalez}, 3.7`,
    square([-1, -1, -1, -1, 8, -1, -1, -1, -1], { divisor: 9 }),
  ),
];

const edges: readonly KernelPreset[] = [
  preset('laplacian4', 'edges', 'zero', `${gonzalez}, 3.6`, ofGrid(neighbourGrid(4, 1, -4))),
  preset('laplacian8', 'edges', 'zero', `${gonzalez}, 3.6`, ofGrid(neighbourGrid(8, 1, -8))),
  preset(
    'laplacian121',
    'edges',
    'zero',
    'Second difference in both directions, (1, −2, 1) ⊗ (1, −2, 1)',
    square([1, -2, 1, -2, 4, -2, 1, -2, 1]),
  ),
  preset('laplacianOfGaussian5', 'edges', 'zero', 'Whole-number Laplacian of Gaussian', square(laplacianOfGaussian5)),
  preset('laplacianOfGaussian9', 'edges', 'zero', 'ImageMagick Laplacian:19 (σ 1.4)', square(laplacianOfGaussian9)),
  preset(
    'laplacianOfGaussian1.4',
    'edges',
    'zero',
    'Marr and Hildreth, Theory of Edge Detection, 1980',
    laplacianOfGaussian(1.4),
  ),
  preset(
    'differenceOfGaussians',
    'edges',
    'zero',
    'Marr and Hildreth, 1980: σ 1 and 1.6',
    differenceOfGaussians(1, 1.6),
  ),
  ...(
    [
      ['sobel', sobel, 'Sobel and Feldman, 1968'],
      ['scharr', scharr, 'Scharr, Optimale Operatoren in der Digitalen Bildverarbeitung, 2000'],
      ['prewitt', prewitt, 'Prewitt, Object Enhancement and Extraction, 1970'],
      ['freiChen', freiChen, 'Frei and Chen, Fast Boundary Detection, 1977'],
    ] as const
  ).flatMap(([id, kernel, source]) => [
    preset(`${id}X`, 'edges', 'zero', source, kernel),
    preset(`${id}Y`, 'edges', 'zero', source, down(kernel)),
  ]),
  ...(
    [
      ['robertsFalling', [1, 0, 0, -1]],
      ['robertsRising', [0, 1, -1, 0]],
      ['roberts3Falling', [0, 0, 0, 0, 1, 0, 0, 0, -1]],
      ['roberts3Rising', [0, 0, 0, 0, 0, 1, 0, -1, 0]],
    ] as const
  ).map(([id, weights]) =>
    preset(id, 'edges', 'zero', 'Roberts, Machine Perception of Three-Dimensional Solids, 1963', square(weights)),
  ),
  ...compass(
    'kirsch',
    'edges',
    'zero',
    'Kirsch, Computer Determination of the Constituent Structure of Biological Images, 1971',
    ofGrid(compassGrid([5, 5, -3, -3, -3, -3, -3, 5], 0)),
  ),
  ...compass('robinson', 'edges', 'zero', 'Robinson, Edge Detection by Compass Gradient Masks, 1977', sobel),
  ...compass('compass', 'edges', 'zero', 'Prewitt, 1970: compass gradient', square([-1, 1, 1, -1, -2, 1, -1, 1, 1])),
];

const reliefs: readonly KernelPreset[] = [
  ...compass(
    'emboss',
    'relief',
    'half',
    'Schlag, Fast Embossing Effects on Raster Image Data, Graphics Gems IV, 1994',
    ofGrid(compassGrid([-1, -1, 0, 1, 1, 1, 0, -1], 0)),
  ),
  preset('embossKept', 'relief', 'kept', 'Emboss over the picture itself', square([-2, -1, 0, -1, 1, 1, 0, 1, 2])),
];

/** Every shipped kernel, in the order of the groups. */
export const kernelPresets: readonly KernelPreset[] = [
  preset('identity', 'identity', 'kept', 'The picture itself', square([0, 0, 0, 0, 1, 0, 0, 0, 0])),
  ...blurs,
  ...sharpeners,
  ...edges,
  ...reliefs,
];
