// ImageMagick's user kernel string, `WxH+X+Y: v v v …`: values parted by white space or commas, `nan` or a lone `-` for a
// cell that is not in the neighbourhood (0 in a sum). Sizes and origin as its own parser fills them in. Named kernels,
// lists of kernels, the expansion signs @ > < and `@file` are refused: those are not one kernel of numbers.

import { createKernel, type Kernel, maximumKernelSize } from './kernel';
import { refuseHuge } from './placedNumbers';
import { quoted, unreadable } from './textPlace';

const geometry = /^\s*(?:'\s*)?(?:(\d{1,9})?(?:x(\d{1,9}))?)([+-]\d{1,9})?([+-]\d{1,9})?([@<>])?\s{0,20}:/d;
const value = /^[+-]?(?:0x[0-9a-f]{1,12}|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i;

/** True where a text begins as a geometry and a colon. */
export function isMagickText(text: string): boolean {
  const found = geometry.exec(text);
  return found !== null && (found[1] !== undefined || found[2] !== undefined);
}

/** The kernel of a text. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readMagick(text: string): Kernel {
  const found = geometry.exec(text);
  if (!found) throw unreadable(text, 0, 'a geometry such as 3x3:');
  const width = Number(found[1] ?? found[2]);
  const height = Number(found[2] ?? found[1]);
  /** Where a group of the geometry begins. */
  const placeOf = (group: number) => found.indices?.[group]?.[0] ?? 0;
  for (const [size, group] of [
    [width, found[1] === undefined ? 2 : 1],
    [height, found[2] === undefined ? 1 : 2],
  ] as const)
    if (size < 1 || size > maximumKernelSize)
      throw unreadable(text, placeOf(group), `a whole number of 1…${maximumKernelSize}`);
  if (found[5]) throw unreadable(text, placeOf(5), 'one kernel', `${quoted(found[5])}, a list of turned kernels`);
  const anchorX = found[3] === undefined ? Math.floor((width - 1) / 2) : Number(found[3]);
  const anchorY = found[4] === undefined ? Math.floor((height - 1) / 2) : Number(found[4]);
  for (const [anchor, size, group] of [
    [anchorX, width, 3],
    [anchorY, height, 4],
  ] as const)
    if (anchor < 0 || anchor >= size) throw unreadable(text, placeOf(group), `a whole number of 0…${size - 1}`);

  const weights: number[] = [];
  const absent: number[] = [];
  for (const { 0: token, index } of text.slice(found[0].length).matchAll(/[^\s,']+/g)) {
    const offset = found[0].length + index;
    if (token.startsWith(';') || token.includes(';')) {
      const rest = text.slice(offset + token.indexOf(';')).replace(/[;\s']/g, '');
      if (rest !== '')
        throw unreadable(text, offset + token.indexOf(';'), 'one kernel', `${quoted(';')}, a list of kernels`);
      const before = token.slice(0, token.indexOf(';'));
      if (before !== '') weights.push(cell(before, offset));
      break;
    }
    weights.push(cell(token, offset));
    if (weights.length > width * height) throw unreadable(text, offset, 'the end of the text');
  }
  if (weights.length < width * height)
    throw unreadable(text, text.length, `number ${weights.length + 1} of ${width * height}`);
  if (!absent.includes(0)) throw unreadable(text, found[0].length, 'a number');
  const kept = absent.includes(1) ? { absent } : {};
  return createKernel(width, height, weights, { anchorX, anchorY, divisor: 1, ...kept });

  function cell(token: string, offset: number): number {
    const isThere = !(token === '-' || /^nan$/i.test(token));
    absent.push(isThere ? 0 : 1);
    if (!isThere) return 0;
    const number = value.test(token) ? hexadecimal(token) : Number.NaN;
    if (!Number.isFinite(number)) throw unreadable(text, offset, 'a number');
    refuseHuge(text, { value: number, start: offset, end: offset + token.length });
    return number;
  }
}

/** As Number, and also for a signed hexadecimal, which Number does not take. */
function hexadecimal(token: string): number {
  return token.startsWith('-') ? -Number(token.slice(1)) : Number(token.replace(/^\+/, ''));
}
