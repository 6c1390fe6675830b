// The blend modes against ImageMagick's `-compose`, an independent program: the same 8-bit pictures, one over the other.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { type BlendMode, blendModes } from '../../../core/mix';
import { loadEngine } from '../../../main/engine';
import { command, findProgram } from '../../../scripts/command';
import { densePass, fillWithNoise, weightsOf, wholeOf } from '../examples';

const convert = ['magick', 'convert'].map(findProgram).find((program) => program !== undefined);
const installed = convert !== undefined && (await command(convert, ['-version'])).stdout.includes('ImageMagick ');

/** ImageMagick's names. */
const composeNames: Readonly<Record<BlendMode, string>> = {
  normal: 'Over',
  multiply: 'Multiply',
  screen: 'Screen',
  overlay: 'Overlay',
  softLight: 'Soft_Light',
  lighten: 'Lighten',
  darken: 'Darken',
  difference: 'Difference',
  luminosity: 'Luminize',
  addition: 'Plus',
};

const engine = loadEngine();
const size = { width: 96, height: 64 };
const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Noise, and what a filter makes of it that moves it by one pixel: whole numbers, as the other program reads them. */
async function pictures() {
  const below = fillWithNoise(new Uint8Array(size.width * size.height * 3));
  const image = await engine.createImage(below, size, 3, false);
  const shift = densePass(weightsOf(3, 1, [0, 0, 1]));
  const above = new Uint8Array(below.length);
  await engine.run('cpu', [shift], image, wholeOf(size), above);
  return { below, above, image, shift };
}

async function composed(mode: BlendMode, below: Uint8Array, above: Uint8Array): Promise<Uint8Array> {
  const file = async (name: string, pixels: Uint8Array) => {
    const target = path.join(folder, name);
    await sharp(pixels, { raw: { ...size, channels: 3 } })
      .png()
      .toFile(target);
    return target;
  };
  const [under, over, out] = [await file('b.png', below), await file('s.png', above), path.join(folder, 'out.rgb')];
  execFileSync(convert ?? '', [under, over, '-compose', composeNames[mode], '-composite', '-depth', '8', out]);
  return readFileSync(out);
}

describe.skipIf(!installed)('a blend mode', () => {
  it.each(blendModes)('%s', async (blend) => {
    const { below, above, image, shift } = await pictures();
    const mixed = new Uint8Array(below.length);
    const mix = { opacity: 1, blend, channels: 'all' } as const;
    await engine.run('cpu', [{ ...shift, mix }], image, wholeOf(size), mixed);
    const other = await composed(blend, below, above);
    const apart = Array.from(mixed, (value, index) => Math.abs(value - (other[index] ?? Number.NaN)));
    if (blend !== 'luminosity') return expect(Math.max(...apart)).toBeLessThanOrEqual(1);
    // W3C keeps hue and luminance of a colour that does not fit and takes chroma from it; ImageMagick cuts each channel. Where
    // it fits they agree, but for W3C's rounded weights (0.3, 0.59, 0.11 for 0.2988, 0.5868, 0.1144): a level more.
    const lum = (pixels: Uint8Array, at: number) =>
      0.3 * (pixels[at] ?? 0) + 0.59 * (pixels[at + 1] ?? 0) + 0.11 * (pixels[at + 2] ?? 0);
    const fitting = apart.filter((_, index) => {
      const at = index - (index % 3);
      const moved = lum(above, at) - lum(below, at);
      return [0, 1, 2].every((c) => (below[at + c] ?? 0) + moved >= 1 && (below[at + c] ?? 0) + moved <= 254);
    });
    expect(fitting.length / apart.length).toBeGreaterThan(0.5);
    expect(Math.max(...fitting)).toBeLessThanOrEqual(2);
    expect(Math.max(...apart)).toBeGreaterThan(1);
  });
});
