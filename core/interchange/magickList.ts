// ImageMagick's list of kernels: user kernels and names of built-in ones, parted by `;`, each perhaps turned into several by
// a sign in its geometry: `@` by 45°, `>` by 90°, `<` by 90° with the half turn first. Names that are no linear filter
// are refused. `@file` is refused too: no file that a text names is ever read.

import type { KernelNote } from '../formats';
import { absentCells, type Kernel, maximumKernelSize, rearranged } from '../kernel';
import { isMagickText, readMagick } from '../magickText';
import { quoted, unreadable } from '../textPlace';
import * as shapes from './magickShapes';
import { type KernelReading, plainReading, type ReadKernel } from './reading';
import { cNumber } from './scanner';

const nameWord = /^(\s*'?\s*)([A-Za-z]{2,20})\s*(?:[:@<>]|$|\s|')/;
/** `@file`: the numbers would be in another file. */
const fileName = /^\s*'?\s*@/;
const linearNames = [
  'Unity',
  'Gaussian',
  'LoG',
  'DoG',
  'Blur',
  'Comet',
  'Binomial',
  'Laplacian',
  'Sobel',
  'Roberts',
  'Prewitt',
  'Compass',
  'Kirsch',
  'FreiChen',
] as const;
type LinearName = (typeof linearNames)[number];
/** Shapes of neighbourhoods, patterns that are looked for, and distances: no sums of weights. */
const otherNames = [
  ...['Diamond', 'Square', 'Rectangle', 'Octagon', 'Disk', 'Plus', 'Cross', 'Ring'],
  ...[
    'Peaks',
    'Edges',
    'Corners',
    'Diagonals',
    'LineEnds',
    'LineJunctions',
    'Ridges',
    'ConvexHull',
    'Skeleton',
    'ThinSE',
  ],
  ...['Chebyshev', 'Manhattan', 'Octagonal', 'Euclidean'],
];

/** A quarter turn clockwise. */
function quarter(kernel: Kernel): Kernel {
  const { width, height, anchorX, anchorY } = kernel;
  const from = (index: number) => (height - 1 - (index % height)) * width + Math.floor(index / height);
  return { ...rearranged(kernel, height, width, from), anchorX: height - 1 - anchorY, anchorY: anchorX };
}

/** The cells of a 3 × 3 grid round its middle, clockwise from the upper left. */
const ring = [0, 1, 2, 5, 8, 7, 6, 3];

/** An eighth of a turn clockwise, of a 3 × 3 grid: its rim moved by one cell. */
function eighth(kernel: Kernel): Kernel {
  const from = (index: number) => {
    const place = ring.indexOf(index);
    return place < 0 ? index : (ring[(place + ring.length - 1) % ring.length] ?? 0);
  };
  return rearranged(kernel, kernel.width, kernel.height, from);
}

/** Turned clockwise by the nearest angle that its grid allows. */
function turned(kernel: Kernel, degrees: number): Kernel {
  let angle = ((degrees % 360) + 360) % 360;
  let result = kernel;
  const isSmall = kernel.width === 3 && kernel.height === 3;
  if (isSmall && angle % 90 > 22.5 && angle % 90 <= 67.5) {
    result = eighth(result);
    angle -= 45;
  }
  const quarters = Math.round(angle / 90) % 4;
  for (let count = 0; count < quarters; count++) result = quarter(result);
  return result;
}

/** The kernels that a sign, which stands at `offset`, makes of one. */
function expanded(read: ReadKernel, sign: string | undefined, source: string, offset: number): readonly ReadKernel[] {
  const angles = { '@': [0, 45, 90, 135, 180, 225, 270, 315], '>': [0, 90, 180, 270], '<': [0, 180, 270, 90] };
  if (sign !== '@' && sign !== '<' && sign !== '>') return [read];
  const { kernel, name } = read;
  if (sign === '@' && (kernel.width !== 3 || kernel.height !== 3))
    throw unreadable(source, offset, 'a kernel of 3 × 3', `“@” with ${kernel.width} × ${kernel.height} cells`);
  return angles[sign].map((angle) => ({
    name: angle === 0 ? name : `${name} ${angle}°`.trim(),
    kernel: turned(kernel, angle),
  }));
}

/** One of two σ, a radius and the like; 0 where it is not said. */
function argumentsOf(text: string, source: string, offset: number): readonly number[] {
  const values: number[] = [];
  for (const { 0: word, index } of text.matchAll(/[^\s,x]+/gi)) {
    const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(word) ? cNumber(word) : Number.NaN;
    if (!Number.isFinite(value)) throw unreadable(source, offset + index, 'a number');
    if (Math.abs(value) > maximumKernelSize) throw unreadable(source, offset + index, `at most ${maximumKernelSize}`);
    values.push(value);
  }
  return values;
}

function builtIn(name: LinearName, given: readonly number[]): readonly Kernel[] {
  const [first = 0, second = 0, third = 0] = given;
  const [radius, sigma] = [Math.abs(first), Math.abs(second)];
  switch (name) {
    case 'Unity':
      return [shapes.unity()];
    case 'Gaussian':
      return [shapes.gaussian(radius, sigma)];
    case 'LoG':
      return [shapes.laplacianOfGaussian(radius, sigma)];
    case 'DoG':
      return [shapes.differenceOfGaussians(radius, sigma, Math.abs(third))];
    case 'Blur':
      return [turned(shapes.blur(radius, sigma), third)];
    case 'Comet':
      return [turned(shapes.comet(radius, sigma), third)];
    case 'Binomial':
      return [shapes.binomial(radius)];
    case 'Laplacian':
      return [shapes.laplacian(first)];
    case 'FreiChen': {
      const angle = second !== 0 ? second : Math.abs(first) > 30 ? first : 0;
      return shapes.freiChen(first).map((kernel) => turned(kernel, angle));
    }
    default:
      return [turned(shapes.mask(name.toLowerCase()), first)];
  }
}

const isKnown = (name: string | undefined) =>
  [...linearNames, ...otherNames].some((known) => known.toLowerCase() === name?.toLowerCase());

/** Whether a text is ImageMagick's: a geometry and a colon, or names of it throughout. */
export function looksLikeMagick(text: string): boolean {
  if (isMagickText(text) || fileName.test(text)) return true;
  if (/[[{(]/.test(text) || text.length > 100_000) return false;
  const parts = pieces(text);
  return parts.length > 0 && parts.every((part) => isMagickText(part.text) || isKnown(nameWord.exec(part.text)?.[2]));
}

function readNamed(source: string, start: number, piece: string): readonly ReadKernel[] {
  const [, before = '', word = ''] = nameWord.exec(piece) ?? [];
  const offset = start + before.length;
  const name = linearNames.find((known) => known.toLowerCase() === word.toLowerCase());
  if (name === undefined) {
    const other = otherNames.find((known) => known.toLowerCase() === word.toLowerCase());
    if (other === undefined) throw unreadable(source, offset, `one of ${linearNames.join(', ')}`);
    throw unreadable(source, offset, 'a kernel that is a sum of weights', `${quoted(other)}, a shape for morphology`);
  }
  const rest = piece.slice(before.length + word.length).replace(/'\s*$/, '');
  const [, sign, given = ''] = /^\s*:?\s*([@<>])?([\s\S]*)$/.exec(rest) ?? [];
  const behind = /([@<>])\s*$/.exec(given);
  const numbers = behind ? given.slice(0, behind.index) : given;
  const place = offset + word.length + rest.length - given.length;
  const kernels = builtIn(name, argumentsOf(numbers, source, place));
  const title = numbers.trim() === '' ? name : `${name}:${numbers.trim()}`;
  return kernels.flatMap((kernel, index) =>
    expanded(
      { name: kernels.length > 1 ? `${title} ${index + 1}` : title, kernel },
      sign ?? behind?.[1],
      source,
      start + piece.search(/[@<>]/),
    ),
  );
}

/** The places of the pieces between `;`. */
function pieces(text: string): readonly { readonly text: string; readonly offset: number }[] {
  let offset = 0;
  return text.split(';').flatMap((piece) => {
    const found = { text: piece, offset };
    offset += piece.length + 1;
    return piece.replace(/['\s]/g, '') === '' ? [] : [found];
  });
}

/** Most kernels of one list. */
const longestList = 200;

/**
 * Reads a list. The numbers are taken to be used as with `-morphology Convolve`, which turns them; the text does not say.
 * Throws ConvolveError `invalidKernel` that names line, column and token.
 */
export function readMagickList(text: string): KernelReading {
  if (fileName.test(text)) throw unreadable(text, text.indexOf('@'), 'a kernel of numbers', '“@”, the name of a file');
  const notes: KernelNote[] = [];
  const kernels = pieces(text).flatMap(({ text: piece, offset }) => {
    if (nameWord.test(piece) && !isMagickText(piece)) return readNamed(text, offset, piece);
    // The sign and a turned list are ours to read; blanks in the place of what went before keep every place what it is.
    const sign = /^[^:]*?([@<>])\s*:/.exec(piece)?.[1];
    const plain = sign === undefined ? piece : piece.replace(sign, ' ');
    const kernel = readMagick(text.slice(0, offset).replace(/[^\r\n]/g, ' ') + plain);
    const absent = absentCells(kernel);
    if (absent > 0) notes.push({ kind: 'absentCells', cells: absent });
    return expanded({ name: '', kernel }, sign, text, offset + piece.search(/[@<>]/));
  });
  if (kernels.length === 0) throw unreadable(text, text.length, 'a kernel');
  if (kernels.length > longestList) throw unreadable(text, 0, `at most ${longestList} kernels`);
  const convolved = kernels.map(({ name, kernel }) => ({
    name,
    kernel: { ...kernel, orientation: 'convolution' as const },
  }));
  return plainReading('imageMagick', convolved, { notes, orientationSaid: false });
}
