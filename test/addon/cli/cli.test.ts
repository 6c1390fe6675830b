// The command line as people and scripts use it: files in, files out, one JSON object when asked.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '../../../core/filters';
import { type NpyArray, parseNpy, serialiseNpy } from '../../../core/npy';
import { bundleCommandLine, fixtures, runCommand, startCommand } from './commandLine';

let bundle = '';
let folder = '';
beforeAll(async () => {
  bundle = await bundleCommandLine();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-cli-'));
  const start = process.cwd();
  process.chdir(folder);
  return () => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  };
});

/** The command in this process, or in one of its own. */
const convolve = (...words: readonly string[]) => runCommand(words);
const spawned = (...words: readonly string[]) => startCommand(bundle, words, folder).end;
const photo = path.join(fixtures, 'photos', 'chelsea_451x300.png');

function writeArray(name: string, array: NpyArray): string {
  writeFileSync(path.join(folder, name), Buffer.concat(serialiseNpy(array)));
  return name;
}
const readArray = (name: string) => parseNpy(readFileSync(path.join(folder, name)), name);
const ramp = (): NpyArray => ({ item: 'u1', shape: [4, 6], values: Uint8Array.from({ length: 24 }, (_, i) => i * 10) });
/** Four rows of eight pixels, one value on the left and another on the right. */
const step = (left: number, right: number): NpyArray => ({
  item: 'u1',
  shape: [4, 8],
  values: Uint8Array.from({ length: 32 }, (_, i) => (i % 8 < 4 ? left : right)),
});

/** Runs a command that must succeed. */
async function succeed(...words: readonly string[]) {
  const end = await convolve(...words);
  expect(end.code, `${words.join(' ')}\n${end.errors}`).toBe(0);
  return end;
}

describe('convolve', () => {
  it('prints its version, its help, and its help for no words at all', async () => {
    const manifest = JSON.parse(readFileSync(path.join(fixtures, '../../package.json'), 'utf8')) as { version: string };
    expect(await spawned('--version')).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
    const help = await spawned('--help');
    expect(help).toMatchObject({ code: 0, errors: '' });
    expect(help.output).toContain('apply [options] <image>');
    expect((await spawned('apply', '--help')).output).toContain('Exit codes: 0 done');
    expect(await spawned()).toMatchObject({ code: 2, output: help.output });
  });

  it('lists every filter with its parameters', async () => {
    const { output } = await succeed('filters');
    expect(output).toMatch(/^gaussian +blur +sigma=3 \(0\.1…500\)$/m);
    const named = catalogue.filter(({ kind }) => kind !== 'custom');
    expect(output.trim().split('\n')).toHaveLength(named.length);
    const json = JSON.parse((await succeed('filters', '--json')).output) as { filters: { name: string }[] };
    expect(json.filters.map(({ name }) => name)).toContain('laplacianOfGaussian');
  });

  it('says what a picture is', async () => {
    writeArray('a.npy', ramp());
    const { output } = await succeed('info', photo, 'a.npy');
    expect(output).toContain('chelsea_451x300.png: 451 × 300, RGB, 8-bit, png');
    expect(output).toContain('a.npy: 6 × 4, grey, 8-bit, npy, 152 B');
    const json = await convolve('info', '--json', 'a.npy', 'missing.png');
    expect(json).toMatchObject({ code: 3, errors: '' });
    expect(JSON.parse(json.output)).toMatchObject({
      ok: false,
      files: [{ file: 'a.npy', width: 6, height: 4, sampleType: 'u8' }, { error: { code: 'fileNotFound' } }],
    });
  });
});

describe('apply', () => {
  it('blurs a photo and says so in one line', async () => {
    const { code, output, errors } = await spawned('apply', photo, '-f', 'gaussian:sigma=3', '-o', 'soft.png');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(/^soft\.png: 451 × 300, 8-bit, \d+(\.\d)? kB, .* on (cpu|cuda)\)\n$/);
    const [before, after] = await Promise.all([sharp(photo).stats(), sharp(path.join(folder, 'soft.png')).stats()]);
    expect(after.channels).toHaveLength(3);
    after.channels.forEach((channel, index) => {
      expect(Math.abs(channel.mean - (before.channels[index]?.mean ?? 0))).toBeLessThan(1);
      expect(channel.stdev).toBeLessThan(before.channels[index]?.stdev ?? 0);
    });
  });

  it.each([
    ['png', 'png'],
    ['jpg', 'jpeg'],
    ['webp', 'webp'],
    ['tif', 'tiff'],
  ])('writes .%s by its ending', async (ending, format) => {
    await succeed('apply', photo, '--filter', 'sharpen', '-o', `a.${ending}`);
    const metadata = await sharp(path.join(folder, `a.${ending}`)).metadata();
    expect([metadata.format, metadata.width, metadata.height]).toEqual([format, 451, 300]);
  });

  it('runs several filters in order, each with its own settings', async () => {
    writeArray('a.npy', ramp());
    const words = [
      '--filter',
      'box:3,border=wrap',
      '--filter',
      'laplacian:4',
      '--border',
      'replicate',
      '--range',
      'float',
    ];
    const both = await succeed('apply', 'a.npy', ...words, '-o', 'both.npy', '--json');
    expect(JSON.parse(both.output)).toMatchObject({ ok: true, passes: [{ filter: 'box' }, { filter: 'laplacian' }] });
    await succeed('apply', 'a.npy', '--filter', 'box:3,border=wrap,range=float', '--depth', 'f64', '-o', 'first.npy');
    await succeed('apply', 'first.npy', '--filter', 'laplacian:4,border=replicate', '-o', 'second.npy');
    const [together, apart] = [readArray('both.npy'), readArray('second.npy')];
    expect(together.item).toBe('f4');
    together.values.forEach((value, index) => {
      expect(value).toBeCloseTo(apart.values[index] ?? Number.NaN, 5);
    });
  });

  it('explains its plan', async () => {
    const words = ['--filter', 'gaussian:3', '--filter', 'sobel'];
    const { output } = await succeed('apply', photo, ...words, '-o', 'a.png', '--explain');
    expect(output).toMatch(/^engine: (cpu|cuda), .+$/m);
    expect(output).toMatch(
      /^1\. gaussian: separable 25 \+ 25, 50 multiply-adds a pixel, predicted [\d.]+ ms \(the fastest way to the same result; .+ would take [\d.]+ ms\)$/m,
    );
    expect(output).toContain('2. sobel: gradient magnitude');
  });

  it('without a filter copies the pixels as they are', async () => {
    await succeed('apply', photo, '-o', 'copy.png');
    const pixels = (file: string) => sharp(file).raw().toBuffer();
    expect((await pixels(path.join(folder, 'copy.png'))).equals(await pixels(photo))).toBe(true);
  });

  it('does with orientation, anchor, divisor and bias what they say', async () => {
    const impulse = new Float32Array(25);
    impulse[12] = 1;
    writeArray('a.npy', { item: 'f4', shape: [5, 5], values: impulse });
    const around = () => [6, 7, 8, 11, 12, 13, 16, 17, 18].map((index) => readArray('b.npy').values[index]);
    const run = (kernel: string, ...words: readonly string[]) =>
      succeed('apply', 'a.npy', '--kernel', kernel, '--border', 'zero', ...words, '-o', 'b.npy');
    await run('1 2 3; 4 5 6; 7 8 9');
    expect(around()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    await run('1 2 3; 4 5 6; 7 8 9', '--orientation', 'convolution');
    expect(around()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await run('1 2 3; 4 5 6; 7 8 9', '--divisor', '2', '--bias', '0.5');
    expect(around()).toEqual([5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1]);
    await run('1 0 0; 0 0 0; 0 0 0', '--anchor', '0,0');
    expect(readArray('b.npy').values).toEqual(impulse);
  });

  it('keeps the type of an array, and both signs of a slope where the range is float', async () => {
    writeArray('up.npy', step(0, 255));
    writeArray('down.npy', step(255, 0));
    const row = async (input: string, ...range: readonly string[]) => {
      const slope = ['--kernel', '-1 0 1; -2 0 2; -1 0 1', '--border', 'replicate'];
      await succeed('apply', input, ...slope, ...range, '-o', 'b.npy');
      const { item, values } = readArray('b.npy');
      return [item, ...values.subarray(0, 8)];
    };
    expect(await row('down.npy')).toEqual(['u1', 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await row('down.npy', '--range', 'float')).toEqual(['f4', 0, 0, 0, -4, -4, 0, 0, 0]);
    expect(await row('down.npy', '--range', 'absolute')).toEqual(['u1', 0, 0, 0, 255, 255, 0, 0, 0]);
    expect(await row('down.npy', '--range', 'signed')).toEqual(['u1', 128, 128, 128, 0, 0, 128, 128, 128]);
    expect(await row('up.npy', '--range', 'rescale')).toEqual(['u1', 0, 0, 0, 255, 255, 0, 0, 0]);
    expect(await row('down.npy', '--bias', '0.5', '--divisor', '8')).toEqual([
      'u1',
      128,
      128,
      128,
      0,
      0,
      128,
      128,
      128,
    ]);
  });

  it('computes 64-bit floats in 64 bits on the reference', async () => {
    const values = Float64Array.from({ length: 30 }, (_, i) => Math.sin(i) / 3);
    writeArray('a.npy', { item: 'f8', shape: [5, 6], values });
    await succeed('apply', 'a.npy', '--kernel', '1/3', '--backend', 'reference', '-o', 'b.npy');
    const result = readArray('b.npy');
    expect(result.item).toBe('f8');
    result.values.forEach((value, index) => {
      expect(Math.abs(value - (values[index] ?? 0) / 3)).toBeLessThan(1e-16);
    });
  });

  it('cuts the rim with --size valid', async () => {
    writeArray('a.npy', ramp());
    const { output } = await succeed('apply', 'a.npy', '--filter', 'box:3', '--size', 'valid', '-o', 'b.npy');
    expect(output).toMatch(/^b\.npy: 4 × 2/);
    const values = Uint8Array.of(70, 80, 90, 100, 130, 140, 150, 160);
    expect(readArray('b.npy')).toMatchObject({ shape: [2, 4], values });
  });

  it('takes the last of four channels for alpha, and for a number with --alpha straight', async () => {
    // Opaque red beside transparent green: the hidden green must not show.
    const pixels = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((x) => (x < 4 ? [255, 0, 0, 255] : [0, 255, 0, 0]));
    writeArray('a.npy', { item: 'u1', shape: [1, 8, 4], values: Uint8Array.from(pixels) });
    const middle = async (...alpha: readonly string[]) => {
      await succeed('apply', 'a.npy', '--kernel', '1 1 1 / 3', '--border', 'replicate', ...alpha, '-o', 'b.npy');
      return [...readArray('b.npy').values.subarray(12, 20)];
    };
    expect(await middle()).toEqual([255, 0, 0, 170, 255, 0, 0, 85]);
    expect(await middle('--alpha', 'straight')).toEqual([170, 85, 0, 170, 85, 170, 0, 85]);
    expect(await middle('--alpha', 'colour-only')).toEqual([170, 85, 0, 255, 85, 170, 0, 0]);
    expect(await middle('--alpha', 'straight', '--bias', '0.2')).toEqual([221, 136, 51, 221, 136, 221, 51, 136]);
  });

  it('filters in linear light when asked', async () => {
    writeArray('a.npy', step(0, 255));
    const middle = async (light: string) => {
      await succeed(
        'apply',
        'a.npy',
        '--kernel',
        '1 1 1 / 3',
        '--border',
        'replicate',
        '--light',
        light,
        '-o',
        'b.npy',
      );
      return [...readArray('b.npy').values.subarray(3, 5)];
    };
    expect(await middle('encoded')).toEqual([85, 170]);
    expect(await middle('linear')).toEqual([156, 213]);
  });

  it('gives the same on every path that is built', async () => {
    writeArray('a.npy', ramp());
    const results = [];
    for (const plan of ['auto', 'dense', 'separable', 'rank:1']) {
      await succeed('apply', 'a.npy', '--filter', 'binomial:5', '--plan', plan, '-o', 'b.npy');
      results.push(readArray('b.npy'));
    }
    for (const result of results) expect(result).toEqual(results[0]);
  });

  it('keeps values beyond full scale in a float TIFF', async () => {
    writeArray('a.npy', step(255, 0));
    await succeed('apply', 'a.npy', '--kernel', '-1 0 1', '--range', 'float', '--border', 'replicate', '-o', 'b.tif');
    const { data, info } = await sharp(path.join(folder, 'b.tif'))
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true });
    const values = new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    expect([...values].filter((_, index) => index % info.channels === 0).slice(0, 8)).toEqual([
      0, 0, 0, -1, -1, 0, 0, 0,
    ]);
  });

  it('reads a kernel from a file, and tells what it noticed', async () => {
    writeArray('a.npy', ramp());
    writeFileSync(path.join(folder, 'k.csv'), '0;-1;0\n-1;;-1\n0;-1;0');
    const { errors } = await succeed('apply', 'a.npy', '--kernel', 'k.csv', '-o', 'b.npy');
    expect(errors).toBe('convolve: 1 empty cells were read as 0\n');
    const cancelling = await succeed('apply', 'a.npy', '--kernel', '-1 0 1', '--divisor', 'auto', '-o', 'b.npy');
    expect(cancelling.errors).toContain('the weights of the kernel cancel, so its divisor is 1');
  });

  it('prints the share that is done when asked', async () => {
    writeArray('a.npy', ramp());
    const { errors } = await spawned('apply', 'a.npy', '--filter', 'sobel', '--progress', '-o', 'b.npy');
    expect(errors).toBe('0 %\n100 %\n');
  });
});
