// SVG's feConvolveMatrix: the attributes of its tags, read without a parser of XML because nothing else of it matters. The
// element convolves: order columns then rows, kernelMatrix row by row, target counted in the turned kernel.
// Source: Filter Effects Module Level 1, 9.10.

import type { CodeSettings } from '../codeText';
import { createKernel, type Kernel, maximumKernelSize, resolveDivisor, rewriteAs } from '../kernel';
import { checkCount, type PlacedNumber, valuesOf } from '../placedNumbers';
import { unreadable } from '../textPlace';
import { type KernelReading, plainReading, type ReadKernel } from './reading';
import { Scanner } from './scanner';

const tag = /<\s{0,20}(?:[\w-]{1,40}:)?feConvolveMatrix\b/gi;
const attribute = /([\w:-]{1,60})\s{0,40}=\s{0,40}(?:"([^"]*)"|'([^']*)')/y;
const space = /\s*/y;
const commas = /[\s,]*/y;
/** Cells that browsers based on Chromium take; more make the picture transparent. */
export const svgLimit = 256;

export const isSvg = (text: string): boolean => text.search(tag) >= 0;

/** A value of an attribute and where it begins. */
interface Value {
  readonly text: string;
  readonly offset: number;
}

/** The attributes of the tag that begins at an offset. */
function attributesAt(text: string, start: number): ReadonlyMap<string, Value> {
  const scanner = new Scanner(text, space, start);
  const found = new Map<string, Value>();
  while (!scanner.see(/\/?>/y)) {
    const { offset } = scanner;
    const [whole, name = '', quoted, single] = scanner.need(attribute, 'an attribute or “>”');
    const value = quoted ?? single ?? '';
    found.set(name, { text: value, offset: offset + whole.length - 1 - value.length });
  }
  return found;
}

function readElement(source: string, start: number): ReadKernel {
  const attributes = attributesAt(source, start);
  const numbers = (name: string): readonly PlacedNumber[] => {
    const value = attributes.get(name);
    return value ? new Scanner(source, commas, value.offset, value.offset + value.text.length).rest() : [];
  };
  const refuse = (name: string, expected: string, place = 0) =>
    unreadable(source, numbers(name)[place]?.start ?? attributes.get(name)?.offset ?? start, expected);
  const single = (name: string): number | undefined => {
    const values = numbers(name);
    if (values.length > 1) throw refuse(name, 'one number', 1);
    return values[0]?.value;
  };
  const order = attributes.has('order') ? valuesOf(numbers('order')) : [3];
  const [width = 0, height = width] = order;
  const isSize = (size: number) => Number.isInteger(size) && size >= 1 && size <= maximumKernelSize;
  if (order.length > 2 || !isSize(width) || !isSize(height))
    throw refuse(
      'order',
      `one or two whole numbers of 1…${maximumKernelSize}`,
      order.length > 2 ? 2 : isSize(width) ? 1 : 0,
    );
  const matrix = attributes.get('kernelMatrix');
  if (matrix === undefined) throw unreadable(source, start, 'an attribute kernelMatrix');
  const weights = numbers('kernelMatrix');
  checkCount(source, weights, width * height, matrix.offset + matrix.text.length);
  const target = (name: string, size: number): number => {
    const value = single(name) ?? Math.floor(size / 2);
    if (!Number.isInteger(value) || value < 0 || value >= size) throw refuse(name, `0…${size - 1}`);
    return value;
  };
  const divisor = single('divisor') ?? 0;
  const kernel = createKernel(width, height, valuesOf(weights), {
    // The target counts in the turned kernel, the anchor in the kernel as it is written.
    anchorX: width - 1 - target('targetX', width),
    anchorY: height - 1 - target('targetY', height),
    divisor: divisor || resolveDivisor(createKernel(width, height, valuesOf(weights))).divisor,
    bias: single('bias') ?? 0,
    orientation: 'convolution',
  });
  return { name: attributes.get('result')?.text ?? '', kernel };
}

/** Reads every feConvolveMatrix of a text. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readSvg(text: string): KernelReading {
  const places = [...text.matchAll(tag)].slice(0, 200);
  const kernels = places.map((place) => readElement(text, place.index + place[0].length));
  const linear = kernels.length > 0 && !/color-interpolation-filters\s{0,20}[=:]\s{0,20}["']?\s{0,20}sRGB/i.test(text);
  return plainReading('svg', kernels, { notes: linear ? [{ kind: 'linearLight' }] : [] });
}

/** The element with every attribute written out. */
export function writeSvg(source: Kernel, settings: CodeSettings): string {
  const kernel = rewriteAs(source, 'convolution');
  const { width, height, anchorX, anchorY, weights } = kernel;
  const rows = Array.from({ length: height }, (_, y) => weights.slice(y * width, (y + 1) * width).join(' '));
  const edge = {
    zero: 'none',
    constant: 'none',
    replicate: 'duplicate',
    reflect: 'duplicate',
    mirror: 'duplicate',
    wrap: 'wrap',
  };
  return (
    `<feConvolveMatrix order="${width} ${height}"\n` +
    `  kernelMatrix="${rows.join('\n                ')}"\n` +
    `  divisor="${resolveDivisor(kernel).divisor}" bias="${kernel.bias}"\n` +
    `  targetX="${width - 1 - anchorX}" targetY="${height - 1 - anchorY}"\n` +
    `  edgeMode="${edge[settings.border.kind]}" preserveAlpha="${settings.alpha === 'colourOnly'}"\n` +
    `  color-interpolation-filters="${settings.light === 'linear' ? 'linearRGB' : 'sRGB'}" />\n`
  );
}
