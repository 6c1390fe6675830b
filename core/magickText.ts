// ImageMagick's user kernel string, `WxH+X+Y: v v v …`: values parted by white space or commas, `nan` or a lone `-` for a
// cell that is not in the neighbourhood (0 in a sum). Sizes and origin as its own parser fills them in. Named kernels,
// lists of kernels, the expansion signs @ > < and `@file` are refused: those are not one kernel of numbers.

import { ConvolveError } from './errors';
import { createKernel, type Kernel, maximumKernelSize } from './kernel';
import { unreadable } from './textPlace';

const geometry = /^\s*(?:'\s*)?(?:(\d{1,9})?(?:x(\d{1,9}))?)([+-]\d{1,9})?([+-]\d{1,9})?([@<>])?\s{0,20}:/;
const value = /^[+-]?(?:0x[0-9a-f]{1,12}|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i;

/** True where a text begins as a geometry and a colon. */
export function isMagickText(text: string): boolean {
  const found = geometry.exec(text);
  return found !== null && (found[1] !== undefined || found[2] !== undefined);
}

function refuse(subject: 'width' | 'height' | 'anchor', expected: string, actual: string): ConvolveError {
  return new ConvolveError({ code: 'invalidKernel', subject, expected, actual });
}

/** A kernel and how many of its cells were absent. Throws ConvolveError: `invalidKernel`, or `unsupported` for a list. */
export function readMagick(text: string): { readonly kernel: Kernel; readonly absentCells: number } {
  const found = geometry.exec(text);
  if (!found) throw unreadable(text, 0, 'a geometry such as 3x3:');
  const width = Number(found[1] ?? found[2]);
  const height = Number(found[2] ?? found[1]);
  for (const [field, size] of [
    ['width', width],
    ['height', height],
  ] as const)
    if (size < 1 || size > maximumKernelSize) throw refuse(field, `1…${maximumKernelSize}`, String(size));
  if (found[5])
    throw new ConvolveError({ code: 'unsupported', subject: `“${found[5]}”`, actual: 'a list of turned kernels' });
  const anchorX = found[3] === undefined ? Math.floor((width - 1) / 2) : Number(found[3]);
  const anchorY = found[4] === undefined ? Math.floor((height - 1) / 2) : Number(found[4]);
  if (anchorX < 0 || anchorX >= width || anchorY < 0 || anchorY >= height)
    throw refuse('anchor', `0…${width - 1}, 0…${height - 1}`, `${anchorX}, ${anchorY}`);

  const weights: number[] = [];
  let absentCells = 0;
  for (const { 0: token, index } of text.slice(found[0].length).matchAll(/[^\s,']+/g)) {
    const offset = found[0].length + index;
    if (token.startsWith(';') || token.includes(';')) {
      const rest = text.slice(offset + token.indexOf(';')).replace(/[;\s']/g, '');
      if (rest !== '')
        throw new ConvolveError({ code: 'unsupported', subject: 'a list of kernels', expected: 'one kernel' });
      const before = token.slice(0, token.indexOf(';'));
      if (before !== '') weights.push(cell(before, offset));
      break;
    }
    weights.push(cell(token, offset));
    if (weights.length > width * height) throw unreadable(text, offset, 'the end of the text');
  }
  if (weights.length < width * height) throw unreadable(text, text.length, `${width * height} numbers`);
  if (absentCells === weights.length) throw unreadable(text, found[0].length, 'a number');
  const kernel = createKernel(width, height, weights, { anchorX, anchorY, divisor: 1 });
  return { kernel, absentCells };

  function cell(token: string, offset: number): number {
    if (token === '-' || /^nan$/i.test(token)) {
      absentCells += 1;
      return 0;
    }
    const number = value.test(token) ? hexadecimal(token) : Number.NaN;
    if (!Number.isFinite(number)) throw unreadable(text, offset, 'a number');
    return number;
  }
}

/** As Number, and also for a signed hexadecimal, which Number does not take. */
function hexadecimal(token: string): number {
  return token.startsWith('-') ? -Number(token.slice(1)) : Number(token.replace(/^\+/, ''));
}
