// The kernel inside an ImageMagick command line: `-define convolve:scale=… -define convolve:bias=… -morphology Correlate '…'`.
// The method says the orientation; the scale multiplies, or normalises by its signs.

import { type Kernel, resolveDivisor, sumOf } from '../kernel';
import { unreadable } from '../textPlace';
import { readMagickList } from './magickList';
import { type KernelReading, plainReading } from './reading';

const method = /-morphology\s{1,20}(Correlate|Convolve)(?::\d{1,6})?\s{1,20}(?:'([^']*)'|"([^"]*)"|([^\s'"]{1,400}))/i;
const plainConvolve = /-convolve\s{1,20}(?:'([^']*)'|"([^"]*)"|([^\s'"]{1,4000}))/i;

export const looksLikeMagickCommand = (text: string): boolean => method.test(text) || plainConvolve.test(text);

/** The last `name=value` of a -define or -set. */
function defined(text: string, name: string): { readonly value: string; readonly offset: number } | null {
  const found = [...text.matchAll(new RegExp(`convolve:${name}=['"]?([^\\s'"\\\\]{1,80})`, 'gi'))].at(-1);
  return found ? { value: found[1] ?? '', offset: found.index + found[0].length - (found[1] ?? '').length } : null;
}

/** A number that another program has written as 1 / n. */
function tidied(value: number): number {
  const whole = Math.round(value);
  return whole !== 0 && Math.abs(value - whole) <= 1e-12 * Math.abs(value) ? whole : value;
}

/** Both signs divided by their own sum. */
function bothNormalised({ weights }: Kernel): readonly number[] {
  const positive = sumOf(weights.map((weight) => Math.max(0, weight))) || 1;
  const negative = -sumOf(weights.map((weight) => Math.min(0, weight))) || 1;
  return weights.map((weight) => weight / (weight >= 0 ? positive : negative));
}

function scaled(kernel: Kernel, text: string, { value, offset }: { value: string; offset: number }): Kernel {
  const found =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)?(%)?([!^]?)(?:,([+-]?(?:\d+\.?\d*|\.\d+)))?(%)?([!^]?)%?$/i.exec(value);
  if (!found) throw unreadable(text, offset, 'a scale such as 0.0625 or !');
  const [, number, percent, sign = '', share, shareSign, lastSign = ''] = found;
  const factor = (number === undefined ? 1 : Number(number)) / (percent === undefined ? 1 : 100);
  if (factor === 0 || !Number.isFinite(factor)) throw unreadable(text, offset, 'a scale other than 0');
  const flag = sign || lastSign;
  const weights = flag === '^' ? bothNormalised(kernel) : kernel.weights;
  const whole = resolveDivisor({ ...kernel, divisor: 'auto' });
  // A kernel whose weights cancel is divided by its positive part.
  const sum = whole.note === 'zeroSum' ? sumOf(weights.map((weight) => Math.max(0, weight))) || 1 : whole.divisor;
  const divisor = tidied((flag === '!' ? sum : 1) / factor);
  if (share === undefined) return { ...kernel, weights, divisor };
  const identity = Number(share) / (shareSign === undefined && percent === undefined ? 1 : 100);
  const anchor = kernel.anchorY * kernel.width + kernel.anchorX;
  return {
    ...kernel,
    divisor: 1,
    weights: weights.map((weight, index) => weight / divisor + (index === anchor ? identity : 0)),
  };
}

/** Reads the kernel of a command. Throws as the reading of the kernel itself; places are those of the whole command. */
export function readMagickCommand(text: string): KernelReading {
  const found = method.exec(text) ?? plainConvolve.exec(text);
  if (!found) throw unreadable(text, 0, '“-morphology Correlate”');
  const isMethod = /^-m/i.test(found[0]);
  const content =
    (isMethod ? [found[2], found[3], found[4]] : [found[1], found[2], found[3]]).find((part) => part !== undefined) ??
    '';
  const start = found.index + found[0].lastIndexOf(content);
  // All but the kernel blanked, so that every place stays what it is.
  const reading = readMagickList(text.slice(0, start).replace(/[^\r\n]/g, ' ') + content);
  const [scale, bias] = [defined(text, 'scale'), defined(text, 'bias')];
  const orientation = /correlate/i.test(found[1] ?? '') && isMethod ? 'correlation' : 'convolution';
  const share =
    bias === null
      ? 0
      : /^[+-]?[\d.]{1,30}(?:e[+-]?\d{1,3})?%$/i.test(bias.value)
        ? Number.parseFloat(bias.value) / 100
        : Number.NaN;
  if (bias !== null && !Number.isFinite(share)) throw unreadable(text, bias.offset, 'a bias in percent');
  const kernels = reading.kernels.map(({ name, kernel }) => {
    const oriented: Kernel = { ...kernel, orientation, bias: share };
    return { name, kernel: scale ? scaled(oriented, text, scale) : oriented };
  });
  return plainReading('imageMagick', kernels, { notes: reading.notes, orientationSaid: isMethod });
}
