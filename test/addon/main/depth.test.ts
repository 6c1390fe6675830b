// Depth through filters: 16 bits stay 16, floats stay floats, and a smooth slope in 8 bits shows no bands where dither is asked
// for.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter, FilterParameters } from '../../../core/document';
import { type ExportOptions, standardExport } from '../../../core/exportOptions';
import { catalogue, catalogueEntry } from '../../../core/filters';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { directCodec } from '../../../main/codec/directCodec';
import { type Engine, startEngine } from '../../../main/engine';
import { exportPicture } from '../../../main/export';
import { OpenPictures } from '../../../main/images';
import { Renderer } from '../../../main/render';
import { madePicture } from '../../unit/main/pictures';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  engine = await startEngine();
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-depth-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function exported(picture: DecodedPicture, filter: Filter, change: Partial<ExportOptions>) {
  const options = { ...standardExport, ...change };
  const pictures = new OpenPictures(engine);
  const info = await pictures.add(picture, { name: 'x', format: 'png', fileBytes: 0, folder: null });
  const target = path.join(folder, 'out');
  const parts = { renderer: new Renderer(engine, () => 'cpu'), codec: directCodec };
  await pictures.use(info.id, (open) => exportPicture(parts, open, [filter], target, options));
  await pictures.close(info.id);
  return decodePicture(await readFile(target), 'out');
}

const filterOf = (parameters: FilterParameters): Filter => ({
  ...catalogueEntry(parameters.kind).create('f', 'u16'),
  ...parameters,
});
const mean = (samples: Iterable<number>): number => {
  let [sum, count] = [0, 0];
  for (const value of samples) {
    sum += value;
    count += 1;
  }
  return sum / count;
};

/** 4096 levels of 16 bits in rows of 512. */
const ramp: DecodedPicture = {
  ...madePicture(512, 64, 1, 'u16'),
  samples: Uint16Array.from({ length: 512 * 64 }, (_, index) => Math.floor(index / 8) * 16),
};

describe('a 16-bit ramp', () => {
  it('sharpened keeps its mean within a thousandth, in 16 bits', async () => {
    const result = await exported(ramp, filterOf({ kind: 'sharpen', neighbours: 4, amount: 1 }), {});
    expect(result.sampleType).toBe('u16');
    expect(Math.abs(mean(result.samples) / mean(ramp.samples) - 1)).toBeLessThan(0.001);
  });

  it('blurred has thousands of levels, not 256', async () => {
    const result = await exported(ramp, filterOf({ kind: 'gaussian', sigma: 1 }), {});
    expect(new Set(result.samples).size).toBeGreaterThan(4000);
  });

  for (const { kind } of catalogue)
    it(`keeps 16 bits through ${kind}`, async () => {
      const filter = catalogueEntry(kind).create('f', 'u16');
      const result = await exported(ramp, filter, { format: 'tiff' });
      expect([result.sampleType, result.width, result.height]).toEqual(['u16', 512, 64]);
    });
});

describe('a blurred slope from 10 to 20 over 2000 pixels', () => {
  const slope: DecodedPicture = {
    ...madePicture(2000, 5, 1),
    samples: Uint8Array.from({ length: 2000 * 5 }, (_, index) => Math.round(10 + (10 * (index % 2000)) / 1999)),
  };
  const blur = filterOf({ kind: 'gaussian', sigma: 60 });
  const longestRun = (samples: ArrayLike<number>): number => {
    let [longest, run] = [1, 1];
    for (let x = 1; x < 2000; x += 1) {
      run = samples[x] === samples[x - 1] ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
    return longest;
  };

  it('has no run of equal values above 100 with dither, at the same mean; without it, it is rounded', async () => {
    const floats = await exported(
      { ...slope, samples: Float32Array.from(slope.samples, (v) => v / 255), sampleType: 'f32' },
      blur,
      {
        format: 'tiff',
      },
    );
    const plain = await exported(slope, blur, {});
    const dithered = await exported(slope, blur, { dither: true });
    expect(longestRun(plain.samples)).toBeGreaterThan(100);
    expect(longestRun(dithered.samples)).toBeLessThan(100);
    const exact = Float64Array.from(floats.samples, (value) => value * 255);
    expect(Math.abs(mean(dithered.samples) - mean(exact))).toBeLessThan(0.02);
    let off = 0;
    for (const [index, value] of plain.samples.entries()) if (value !== Math.floor(exact[index]! + 0.5)) off += 1;
    // Floats of the slope are rounded themselves: halves may fall to either side.
    expect(off / plain.samples.length).toBeLessThan(0.001);
  });
});
