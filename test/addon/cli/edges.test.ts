// Edges by command line: the golden pictures of OpenCV, the same in every depth, and its file the same as the preview's.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type NpyArray, parseNpy, serialiseNpy } from '../../../core/npy';
import { golden, runCommand } from './commandLine';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-edges-'));
  return () => rmSync(folder, { recursive: true });
});

async function apply(input: string, ...words: readonly string[]): Promise<NpyArray> {
  const output = path.join(folder, 'out.npy');
  const { code, errors } = await runCommand(['apply', input, ...words, '-o', output]);
  expect(code, errors).toBe(0);
  return parseNpy(readFileSync(output), output);
}

const board = path.join(golden, 'edges', 'board320x240.npy');
const boardArray = parseNpy(readFileSync(board), board);

describe.each(['reference', 'cpu'])('canny on %s', (backend) => {
  it('finds OpenCV’s edges in every pixel where nothing is smoothed first', async () => {
    // 60 and 150 of the 1020 that Sobel's slope of a step from black to white has.
    const filter = `canny:sigma=0.1,low=${60 / 10.2},high=${150 / 10.2},border=replicate`;
    const { values } = await apply(board, '--filter', filter, '--backend', backend);
    const file = path.join(golden, 'edges', 'board320x240__canny_60_150_L2.npy');
    expect(values).toEqual(parseNpy(readFileSync(file), file).values);
  });

  it.each([
    ['u16', 65535],
    ['f32', 1],
  ] as const)('finds OpenCV’s edges of a picture that 8 bits could not hold, in %s', async (depth, full) => {
    // 600 and 1500 code values of 16 bits, of the 4 · 65535 that Sobel's slope of a step from black to white has.
    const [low, high] = [600, 1500].map((threshold) => (100 * threshold) / (4 * 65535));
    const filter = `canny:sigma=0.1,low=${low},high=${high},border=replicate`;
    const input = path.join(golden, 'edges', `dark128x96_${depth}.npy`);
    const { values } = await apply(input, '--filter', filter, '--backend', backend);
    const file = path.join(golden, 'edges', 'dark128x96__canny_L2.npy');
    const expected = parseNpy(readFileSync(file), file).values as Uint8Array;
    expect(Array.from(values as ArrayLike<number>, (value) => (value === full ? 255 : value))).toEqual([...expected]);
  });

  it('finds the same in 8 bits, 16 bits and floats, thresholds being percent', async () => {
    const bytes = boardArray.values as Uint8Array;
    const depths = [
      { item: 'u2', values: Uint16Array.from(bytes, (value) => value * 257), full: 65535 },
      { item: 'f4', values: Float32Array.from(bytes, (value) => value / 255), full: 1 },
      { item: 'f8', values: Float64Array.from(bytes, (value) => value / 255), full: 1 },
    ] as const;
    const words = ['--filter', 'canny', '--backend', backend];
    const expected = Array.from((await apply(board, ...words)).values as Uint8Array, (value) => value === 255);
    expect(expected.filter((edge) => edge).length).toBeGreaterThan(1000);
    for (const { item, values, full } of depths) {
      const file = path.join(folder, `${item}.npy`);
      writeFileSync(file, Buffer.concat(serialiseNpy({ item, shape: boardArray.shape, values })));
      const found = await apply(file, ...words);
      expect(found.item).toBe(item);
      expect(
        Array.from(found.values as ArrayLike<number>, (value) => value === full),
        item,
      ).toEqual(expected);
    }
  });
});

describe('the direction of a gradient', () => {
  it.each(['reference', 'cpu'])('is NumPy’s on %s, in the picture’s own depth', async (backend) => {
    const file = path.join(golden, 'edges', 'dark128x96__direction.npy');
    const shares = parseNpy(readFileSync(file), file).values as Float32Array;
    const words = ['--filter', 'gradientDirection:sobel,border=replicate', '--backend', backend];
    const { item, values } = await apply(path.join(golden, 'edges', 'dark128x96_u16.npy'), ...words);
    expect(item).toBe('u2');
    shares.forEach((share, at) => {
      expect(Math.abs(Number(values[at]) - share * 65535)).toBeLessThanOrEqual(0.51);
    });
  });

  it('differs by its operator, and refuses one that there is not', async () => {
    const of = async (operator: string) => (await apply(board, '--filter', `gradientDirection:${operator}`)).values;
    const sobel = await of('sobel');
    expect(await of('operator=sobel')).toEqual(sobel);
    expect(await of('scharr')).not.toEqual(sobel);
    expect(await of('prewitt')).not.toEqual(sobel);
    expect(await of('roberts')).not.toEqual(await of('prewitt'));
    const out = path.join(folder, 'no.npy');
    const refused = await runCommand(['apply', board, '--filter', 'gradientDirection:kirsch', '-o', out]);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain('sobel');
  });
});

describe('the words of canny', () => {
  it('give thresholds in either order, and a higher one fewer edges', async () => {
    const count = ({ values }: NpyArray) => Array.from(values as Uint8Array).filter((value) => value === 255).length;
    const usual = await apply(board, '--filter', 'canny:sigma=1.4,low=4,high=10');
    expect(await apply(board, '--filter', 'canny')).toEqual(usual);
    expect(await apply(board, '--filter', 'canny:1.4,low=10,high=4')).toEqual(usual);
    expect(count(await apply(board, '--filter', 'canny:high=30'))).toBeLessThan(count(usual));
    expect(count(await apply(board, '--filter', 'canny:low=10'))).toBeLessThan(count(usual));
  });

  it('are refused by name beyond their range', async () => {
    const refused = await runCommand(['apply', board, '--filter', 'canny:low=101', '-o', path.join(folder, 'no.npy')]);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain('low 0…100');
  });

  it('explain what runs', async () => {
    const out = path.join(folder, 'out.npy');
    const { output } = await runCommand([
      'apply',
      board,
      '--filter',
      'canny',
      '--plan',
      'separable',
      '--explain',
      '-o',
      out,
    ]);
    expect(output).toContain('1. canny: edges in two gradients, each separable 15 + 15, 60 multiply-adds a pixel');
  });

  it('say that a picture is too small for whole windows', async () => {
    const out = path.join(folder, 'out.npy');
    const small = path.join(golden, 'inputs', 't_5x4.npy');
    const refused = await runCommand(['apply', small, '--filter', 'canny:size=valid', '-o', out]);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain('15 × 15');
  });
});
