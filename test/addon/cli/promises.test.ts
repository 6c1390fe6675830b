// Promises about whole results that other programs have broken: no overflow, no darkening, no frame at the rim, the same
// result in 8 bits and in float, and a fast path that changes nothing but the time.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type NpyArray, parseNpy, serialiseNpy } from '../../../core/npy';
import { randomSource } from '../../unit/core/randomNumbers';
import { fixtures, runCommand } from './commandLine';

beforeEach(() => {
  const start = process.cwd();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-promises-'));
  process.chdir(folder);
  return () => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  };
});

/** Runs `apply` on an array and gives the result. */
async function apply(input: NpyArray, ...words: readonly string[]): Promise<NpyArray> {
  writeFileSync('a.npy', Buffer.concat(serialiseNpy(input)));
  const { code, errors } = await runCommand(['apply', 'a.npy', ...words, '-o', 'b.npy']);
  expect(code, errors).toBe(0);
  return parseNpy(readFileSync('b.npy'), 'b.npy');
}

const bytes = (width: number, height: number, value: (x: number, y: number) => number): NpyArray => ({
  item: 'u1',
  shape: [height, width],
  values: Uint8Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width))),
});
const numbers = ({ values }: NpyArray): readonly number[] => Array.from(values as ArrayLike<number>);
const mean = (array: NpyArray) => numbers(array).reduce((sum, value) => sum + value, 0) / array.values.length;
const extremes = (array: NpyArray) =>
  numbers(array).reduce<readonly [number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
/** By this program's first version, in rows of 11 pixels. */
const ofVersion1 = [
  'd8f2fffce5be9da7cfebe6',
  'e3fbffe9bd9698c0ddd9bf',
  'e7fcf9d09e97bdd8cab2a1',
  'e9f8e9b495b3d5c9aaa7ad',
  'e9efd09ea0c8c8aaa6bbb9',
  'e2dbb399baceb2a7bdc2ab',
  'cdb9969dc9c2a4b2c2ac9d',
].join('');

const borders = ['replicate', 'reflect', 'mirror', 'wrap'] as const;

describe('a project of version 1', () => {
  it('gives the bytes that it gave when it was saved', async () => {
    const input = bytes(13, 9, (x, y) => (x * 31 + y * 17 + x * y * 5) % 256);
    const project = path.join(fixtures, 'projects', 'version1.convolve');
    const result = await apply(input, '--project', project, '--backend', 'reference');
    expect(result.shape).toEqual([7, 11]);
    expect(Buffer.from(result.values as Uint8Array).toString('hex')).toBe(ofVersion1);
  });
});

describe('integers', () => {
  it('never wrap around: sharpened black and white noise is the clamped sum everywhere', async () => {
    const random = randomSource(1);
    const noise = bytes(64, 48, () => random.pick([0, 255]));
    const result = await apply(noise, '--kernel', '0 -1 0; -1 5 -1; 0 -1 0', '--border', 'wrap');
    const at = (x: number, y: number) => noise.values[((y + 48) % 48) * 64 + ((x + 64) % 64)] ?? 0;
    result.values.forEach((value, index) => {
      const [x, y] = [index % 64, Math.floor(index / 64)];
      const sum = 5 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      expect(value).toBe(Math.max(0, Math.min(255, sum)));
    });
  });

  it('keep their mean through a blur within 0.05 of a level', async () => {
    const random = randomSource(2);
    const noise = bytes(160, 120, () => random.whole(0, 255));
    for (const filter of ['gaussian:0.8', 'gaussian:5', 'box:9', 'binomial:7', 'lens:4', 'motion:11,angle=30'])
      expect(
        Math.abs(mean(await apply(noise, '--filter', filter, '--border', 'wrap')) - mean(noise)),
        filter,
      ).toBeLessThan(0.05);
  });

  it('are the same within 2 levels as float after a zero-centre mean of 8 neighbours, eight times', async () => {
    const random = randomSource(3);
    const noise = bytes(60, 40, (x, y) => Math.min(255, 100 + x + y + random.whole(0, 60)));
    const kernel = Array.from({ length: 8 }, () => ['--kernel', '1 1 1; 1 0 1; 1 1 1 / 8']).flat();
    const integer = await apply(noise, ...kernel);
    const values = Float32Array.from(noise.values, (value) => value / 255);
    const float = await apply({ item: 'f4', shape: noise.shape, values }, ...kernel);
    integer.values.forEach((value, index) => {
      expect(Math.abs(value - (float.values[index] ?? Number.NaN) * 255)).toBeLessThan(2);
    });
  });

  it('are rounded once, at the end: three filters equal one', async () => {
    const random = randomSource(4);
    const noise = bytes(40, 30, () => random.whole(0, 255));
    const twice = await apply(
      noise,
      '--kernel',
      '1 1 / 2',
      '--kernel',
      '1 1 / 2',
      '--kernel',
      '1 1 / 2',
      '--border',
      'wrap',
    );
    expect(twice).toEqual(await apply(noise, '--kernel', '1 3 3 1 / 8', '--anchor', '3,0', '--border', 'wrap'));
  });
});

describe('the rim', () => {
  it('of a flat picture stays flat under every border that repeats the picture', async () => {
    for (const border of borders)
      for (const filter of [
        'box:3',
        'box:31',
        'box:63',
        'gaussian:3',
        'binomial:5',
        'sharpen:8',
        'unsharp:4',
        'lens:7.5',
      ])
        expect(
          extremes(
            await apply(
              bytes(33, 21, () => 100),
              '--filter',
              filter,
              '--border',
              border,
            ),
          ),
          `${filter} ${border}`,
        ).toEqual([100, 100]);
  });

  it('of an opaque picture stays opaque under a border that repeats it, and fades under one that is empty', async () => {
    const opaque: NpyArray = { item: 'u1', shape: [20, 20, 4], values: new Uint8Array(1600).fill(255) };
    const alpha = ({ values }: NpyArray) => [values[3], values[(10 * 20 + 10) * 4 + 3]];
    expect(alpha(await apply(opaque, '--filter', 'gaussian:2', '--border', 'replicate'))).toEqual([255, 255]);
    const [corner, middle] = alpha(await apply(opaque, '--filter', 'gaussian:2', '--border', 'zero'));
    expect(middle).toBe(255);
    expect(corner).toBeLessThan(110);
  });

  it('of pictures smaller than the kernel is the same on both backends', async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 5],
      [2, 3],
      [6, 6],
    ] as const)
      for (const border of [...borders, 'zero', 'constant:0.5']) {
        const tiny = bytes(width, height, (x, y) => 40 * x + 17 * y + 5);
        const words = ['--filter', 'motion:31,angle=20', '--border', border];
        const [reference, cpu] = [
          await apply(tiny, ...words, '--backend', 'reference'),
          await apply(tiny, ...words, '--backend', 'cpu'),
        ];
        cpu.values.forEach((value, index) => {
          expect(
            Math.abs(value - (reference.values[index] ?? Number.NaN)),
            `${width}×${height} ${border}`,
          ).toBeLessThanOrEqual(1);
        });
      }
  });
});

describe('the fast path', () => {
  const binomial = [1, 4, 6, 4, 1];
  const rows = (nudge: number) =>
    binomial
      .map((down, y) => binomial.map((across, x) => down * across + (x === 1 && y === 2 ? nudge : 0)).join(' '))
      .join('; ');

  it('changes nothing but the values that the kernel changes', async () => {
    const random = randomSource(5);
    const colours = Uint8Array.from({ length: 31 * 23 * 4 }, () => random.whole(0, 255));
    const input: NpyArray = { item: 'u1', shape: [23, 31, 4], values: colours };
    for (const border of ['mirror', 'zero', 'wrap']) {
      const separable = await apply(input, '--kernel', `${rows(0)} / 256`, '--border', border);
      const nearly = await apply(input, '--kernel', `${rows(1e-3)} / 256.001`, '--border', border);
      expect([nearly.item, nearly.shape]).toEqual([separable.item, separable.shape]);
      nearly.values.forEach((value, index) => {
        expect(Math.abs(value - (separable.values[index] ?? Number.NaN))).toBeLessThanOrEqual(1);
      });
    }
  });

  it('gives the same bytes as the slow one for whole numbers, at exact halves too', async () => {
    const random = randomSource(6);
    const noise = bytes(50, 40, () => random.whole(0, 255));
    const kernel = ['--kernel', `${rows(0)} / 2`, '--divisor', '256'];
    expect(await apply(noise, ...kernel, '--plan', 'separable')).toEqual(
      await apply(noise, ...kernel, '--plan', 'dense'),
    );
  });
});
