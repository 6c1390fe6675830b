// Pillow's call, `ImageFilter.Kernel((3, 3), (…), scale=9, offset=0)`: 3 × 3 or 5 × 5 cells, mirrored from top to bottom, the
// offset in 8-bit code values. Without a scale it is the sum, or 1 where that is 0.

import { createKernel, type Kernel, resolveDivisor } from '../kernel';
import { type KernelReading, plainReading, refusedKernel } from './reading';
import { Scanner } from './scanner';

const gap = /(?:\s+|#[^\r\n]*)*/y;
const commas = /[\s,]*/y;
const head = /(?:[\w.]{1,60}\.)?Kernel\s*\(\s*(?:size\s*=\s*)?[([]/y;

export const looksLikePillow = (text: string): boolean =>
  /\bKernel\s{0,20}\(\s{0,20}(?:size\s{0,20}=\s{0,20})?[([]/.test(text);

/** Rows from the last to the first. */
function upsideDown(weights: readonly number[], width: number): readonly number[] {
  const rows = Array.from({ length: weights.length / width }, (_, y) => weights.slice(y * width, (y + 1) * width));
  return rows.toReversed().flat();
}

/** Reads the call. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readPillow(text: string): KernelReading {
  const start = Math.max(0, text.search(/(?:[\w.]{1,60}\.)?\bKernel\s{0,20}\(/));
  const scanner = new Scanner(text, gap, start);
  scanner.need(head, '“Kernel((”');
  const place = scanner.offset;
  const width = scanner.whole(3, 5);
  scanner.need(/,/y, '“,”');
  const height = scanner.whole(3, 5);
  if (width !== height || width === 4) throw scanner.refuse('3, 3 or 5, 5', place);
  scanner.need(/[)\]]/y, '“)”');
  scanner.need(/,/y, '“,”');
  scanner.take(/kernel\s*=/y);
  scanner.need(/[([]/y, '“(”');
  const cells = new Scanner(text, commas, scanner.offset);
  const weights = cells.numbers(width * height);
  const rest = new Scanner(text, gap, cells.offset);
  rest.need(/[)\]]/y, '“)”');
  const named: Record<'scale' | 'offset', number | null> = { scale: null, offset: null };
  for (let position = 0; rest.take(/,/y) && !rest.see(/\)/y); position++) {
    const key = rest.take(/(scale|offset)\s*=/y)?.[1] ?? (['scale', 'offset'] as const)[position];
    if (key !== 'scale' && key !== 'offset') throw rest.refuse('scale or offset');
    if (rest.take(/None\b/y)) continue;
    const before = rest.offset;
    named[key] = rest.number();
    if (named.scale === 0) throw rest.refuse('a scale other than 0', before);
  }
  rest.need(/\)/y, '“)”');
  const kernel = createKernel(width, height, upsideDown(weights, width), {
    divisor: named.scale ?? resolveDivisor(createKernel(width, height, weights)).divisor,
    bias: (named.offset ?? 0) / 255,
  });
  return plainReading('pillow', [{ name: '', kernel }]);
}

/** The call for a kernel of 3 × 3 or 5 × 5 cells with its anchor in the middle, already a correlation. */
export function writePillow(kernel: Kernel): string {
  const { width, height, anchorX, anchorY, weights, bias } = kernel;
  if (width !== height || (width !== 3 && width !== 5))
    throw refusedKernel('width', '3 × 3 or 5 × 5', `${width} × ${height}`);
  const middle = (width - 1) / 2;
  if (anchorX !== middle || anchorY !== middle)
    throw refusedKernel('anchor', `${middle}, ${middle}`, `${anchorX}, ${anchorY}`);
  const cells = upsideDown(weights, width);
  const rows = Array.from({ length: height }, (_, y) => cells.slice(y * width, (y + 1) * width).join(', '));
  return (
    `from PIL import ImageFilter\n\n# Pillow mirrors its kernel from top to bottom, so the rows are written upside down.\n` +
    `kernel = ImageFilter.Kernel((${width}, ${height}), (\n    ${rows.join(',\n    ')},\n), ` +
    `scale=${resolveDivisor(kernel).divisor}, offset=${bias * 255})\n`
  );
}
