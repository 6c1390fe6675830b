// GEGL's and GIMP's convolution matrix as a property list: `gegl:convolution-matrix a1=0 … e5=0 divisor=1 offset=0`. The
// letter is the column, the digit the row; 5 × 5 cells, a correlation with its anchor at c3. The offset is a share of full
// scale. `normalize`, which is on unless said, takes the size of the sum as divisor and 0, ½ or 1 as offset where the sum is
// positive, 0 or negative.

import { createKernel, type Kernel, resolveDivisor, sumOf } from '../kernel';
import { type KernelReading, plainReading, refusedKernel } from './reading';
import { Scanner } from './scanner';

const side = 5;
const gap = /[\s()"',]*/y;
const key = /([a-e][1-5]|[a-z][a-z-]{1,40})[\s"']*[=:\s][\s"']*/y;
const word = /[\w:.#+-]{1,100}/y;

export const looksLikeGegl = (text: string): boolean =>
  /\bgegl:convolution-matrix\b/.test(text) || /(?:^|[\s(])(?:[a-e][1-5][\s"']*[= ][^=]{1,40}){3}/.test(text);

/** Reads the properties; cells that are not named are 0. Throws ConvolveError `invalidKernel` that names the place. */
export function readGegl(text: string): KernelReading {
  const scanner = new Scanner(text, gap);
  const weights = new Array<number>(side * side).fill(0);
  const properties = { divisor: 1, offset: 0 };
  let normalize = true;
  let cells = 0;
  scanner.take(/gegl:convolution-matrix\b/y);
  while (!scanner.atEnd) {
    const place = scanner.offset;
    const [, name = ''] = scanner.need(key, 'a property such as a1=0');
    if (/^[a-e][1-5]$/.test(name)) {
      weights[(Number(name[1]) - 1) * side + name.charCodeAt(0) - 97] = scanner.number();
      cells += 1;
    } else if (name === 'divisor' || name === 'offset') {
      properties[name] = scanner.number();
      if (properties.divisor === 0) throw scanner.refuse('a divisor other than 0', place);
    } else {
      const value = scanner.need(word, 'a value')[0];
      if (name === 'normalize') normalize = !/^(false|no|0)$/i.test(value);
    }
  }
  if (cells === 0) throw scanner.refuse('a property such as a1=0');
  const sum = sumOf(weights);
  const normalised = { divisor: Math.abs(sum) || 1, offset: sum > 0 ? 0 : sum === 0 ? 0.5 : 1 };
  const { divisor, offset } = normalize ? normalised : properties;
  return plainReading('gegl', [{ name: '', kernel: createKernel(side, side, weights, { divisor, bias: offset }) }]);
}

/** The properties of a kernel of at most 5 × 5 cells round its anchor, already a correlation. */
export function writeGegl(kernel: Kernel, border: string, alphaWeight: boolean): string {
  const { divisor } = resolveDivisor(kernel);
  const values = new Map<string, number>();
  kernel.weights.forEach((weight, index) => {
    if (weight === 0) return;
    const x = (index % kernel.width) - kernel.anchorX + 2;
    const y = Math.floor(index / kernel.width) - kernel.anchorY + 2;
    if (x < 0 || y < 0 || x >= side || y >= side)
      throw refusedKernel('width', 'at most 2 cells on each side of the anchor', `${kernel.width} × ${kernel.height}`);
    values.set(`${'abcde'[x]}${y + 1}`, weight);
  });
  const rows = [1, 2, 3, 4, 5].map((row) =>
    [...'abcde'].map((column) => `${column}${row}=${values.get(`${column}${row}`) ?? 0}`).join(' '),
  );
  return (
    `gegl:convolution-matrix\n  ${rows.join('\n  ')}\n` +
    `  divisor=${divisor} offset=${kernel.bias} normalize=false alpha-weight=${alphaWeight} border=${border}\n`
  );
}
