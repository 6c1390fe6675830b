// What goes wrong on the command line: one line and an exit code of its own for each kind, nothing left behind, nothing
// replaced; and Ctrl-C.

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  write('a.npy', { item: 'u1', shape: [4, 6], values: Uint8Array.from({ length: 24 }, (_, i) => i * 10) });
  write('f4.npy', { item: 'f4', shape: [2, 2, 3], values: new Float32Array(12) });
  copyFileSync(path.join(fixtures, 'gif', 'animated.gif'), path.join(folder, 'two.gif'));
  write('i4.npy', { item: 'i4', shape: [2, 2], values: new Int32Array(4) });
  writeFileSync(path.join(folder, 'cut.npy'), readFileSync(path.join(folder, 'a.npy')).subarray(0, 140));
  writeFileSync(path.join(folder, 'text.png'), 'this is a text and no picture at all');
  writeFileSync(path.join(folder, 'empty.png'), '');
  mkdirSync(path.join(folder, 'folder.npy'));
  return () => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  };
});
const write = (name: string, array: NpyArray) =>
  writeFileSync(path.join(folder, name), Buffer.concat(serialiseNpy(array)));
/** The command in this process, or in one of its own. */
const convolve = (...words: readonly string[]) => runCommand(words);
const spawned = (...words: readonly string[]) => startCommand(bundle, words, folder).end;

/** Words after `apply`, the exit code, and what the one line says. */
const refusals: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['no output', ['a.npy'], 2, /required option '-o, --output <file>' not specified/],
  ['an unknown option', ['a.npy', '--blur', '3', '-o', 'b.png'], 2, /unknown option '--blur'/],
  ['an unknown filter', ['a.npy', '--filter', 'median', '-o', 'b.npy'], 2, /--filter: median; expected gaussian, /],
  [
    'a value out of range',
    ['a.npy', '--filter', 'gaussian:999', '-o', 'b.npy'],
    2,
    /gaussian, sigma: 999; expected sigma 0\.1…500/,
  ],
  ['an unknown border', ['a.npy', '--border', 'none', '-o', 'b.npy'], 2, /--border: none; expected zero \| constant:V/],
  ['a kernel flag without a kernel', ['a.npy', '--bias', '1', '-o', 'b.npy'], 2, /--bias: no kernel/],
  ['an unreadable kernel', ['a.npy', '--kernel', '1 2 x', '-o', 'b.npy'], 2, /line 1, column 5: “x”/],
  ['an empty kernel', ['a.npy', '--kernel', '', '-o', 'b.npy'], 2, /an empty text/],
  ['a kernel of NaN', ['a.npy', '--kernel', '1 nan 1', '-o', 'b.npy'], 2, /line 1, column 3: “nan”, where a number/],
  ['a name of no kernel', ['a.npy', '--kernel', 'Nonesuch', '-o', 'b.npy'], 2, /line 1, column 1: “Nonesuch”/],
  [
    'a kernel of too many cells',
    ['a.npy', '--kernel', '1 '.repeat(512), '-o', 'b.npy'],
    2,
    /“1”, where at most 511 numbers in a row/,
  ],
  ['a divisor of 0', ['a.npy', '--kernel', '1 2 1', '--divisor', '0', '-o', 'b.npy'], 2, /--divisor: 0/],
  ['an anchor outside', ['a.npy', '--kernel', '1 2 1', '--anchor', '3,0', '-o', 'b.npy'], 2, /anchor is 3, 0/],
  ['an unknown output format', ['a.npy', '-o', 'b.gif'], 2, /--output: b\.gif; expected a name that ends in \.png/],
  ['a quality out of range', ['a.npy', '-o', 'b.jpg', '--quality', '101'], 2, /--quality: 101; expected 1…100/],
  [
    'a variant without its backend',
    ['a.npy', '--filter', 'sharpen', '--plan', 'variant:shared2d', '-o', 'b.npy'],
    2,
    /--backend: auto; expected cuda/,
  ],
  ['an unknown path', ['a.npy', '--plan', 'rank:0', '-o', 'b.npy'], 2, /--plan: rank:0/],
  [
    'the input as the output',
    ['a.npy', '-o', './a.npy'],
    2,
    /--output: \.\/a\.npy; expected another file than the input, or --force/,
  ],
  ['a missing picture', ['missing.png', '-o', 'b.png'], 3, /missing\.png was not found/],
  ['a folder', ['.', '-o', 'b.png'], 3, /is a folder/],
  ['an empty file', ['empty.png', '-o', 'b.png'], 3, /empty\.png is empty/],
  ['a text', ['text.png', '-o', 'b.png'], 3, /text\.png is not a picture/],
  ['a cut array', ['cut.npy', '-o', 'b.png'], 3, /cut\.npy is damaged.*needs 24/],
  ['an array of a type that pictures do not have', ['i4.npy', '-o', 'b.png'], 3, /i4\.npy holds numbers of type i4/],
  ['a missing kernel file', ['a.npy', '--kernel', 'k.txt', '-o', 'b.npy'], 3, /k\.txt was not found/],
  ['a missing folder', ['a.npy', '-o', 'no/where/b.npy'], 4, /The folder .* does not exist/],
  ['a folder as the output', ['a.npy', '-o', 'folder.npy'], 4, /folder\.npy cannot be written/],
  [
    'a path that a gradient cannot take',
    ['a.npy', '--filter', 'sobel', '--plan', 'fft', '-o', 'b.npy'],
    2,
    /“fft”: it has two kernels, a gradient/,
  ],
  [
    'a grid too large to be written out',
    ['a.npy', '--filter', 'gaussian:500', '--plan', 'dense', '-o', 'b.npy'],
    2,
    /it has 4061 × 4061 weights, and that path needs at most 511 × 511 weights/,
  ],
  [
    'a path that does not fit',
    ['a.npy', '--filter', 'sharpen', '--plan', 'separable', '-o', 'b.npy'],
    2,
    /it has rank 2/,
  ],
  [
    'a kernel larger than the picture',
    ['a.npy', '--filter', 'box:31', '--size', 'valid', '-o', 'b.npy'],
    2,
    /box is 31 × 31 but the picture is only 6 × 4/,
  ],
  ['a receipt inside PFM', ['a.npy', '--receipt', 'inside', '-o', 'b.pfm'], 2, /--receipt: inside; expected beside/],
  ['a JPEG without loss', ['a.npy', '--lossless', '-o', 'b.jpg'], 2, /--lossless: jpeg; expected webp, avif/],
  [
    'colours of floats in another space',
    ['f4.npy', '--profile', 'display-p3', '-o', 'b.tif'],
    2,
    /colour conversion is not supported.*8 or 16 bits/,
  ],
  [
    'a size that a format cannot hold',
    ['a.npy', '--resize', '20000x20000', '-o', 'b.webp'],
    2,
    /at most 16383 pixels wide and high for WebP/,
  ],
  ['a size that memory cannot hold', ['a.npy', '--resize', '60000x60000', '-o', 'b.png'], 2, /GB of memory/],
  [
    'a page that is not there',
    ['two.gif', '--page', '9', '-o', 'b.png'],
    2,
    /two\.gif \(it is 9; it must be a page of/,
  ],
];

describe('a refusal', () => {
  it.each(refusals)('of %s', async (_, words, code, message) => {
    const before = readdirSync(folder).sort();
    const source = readFileSync(path.join(folder, 'a.npy'));
    const end = await convolve('apply', ...words);
    expect(end.errors).toMatch(message);
    expect(end.errors).toMatch(/^convolve: [^\n]+\n$/);
    expect({ code: end.code, output: end.output }).toEqual({ code, output: '' });
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readFileSync(path.join(folder, 'a.npy')).equals(source)).toBe(true);
  });

  it('of an unknown command, and of a file, come out of the program itself as they should', async () => {
    expect(await spawned('aply')).toEqual({
      code: 2,
      output: '',
      errors: "convolve: unknown command 'aply' (Did you mean apply?); expected what `convolve --help` shows.\n",
    });
    expect(await spawned('info', 'missing.png')).toEqual({
      code: 3,
      output: '',
      errors: 'convolve: missing.png was not found. Check its name and folder.\n',
    });
  });

  it('is one JSON object with --json', async () => {
    const end = await spawned('apply', 'missing.png', '-o', 'b.png', '--json');
    expect({ code: end.code, errors: end.errors }).toEqual({ code: 3, errors: '' });
    expect(JSON.parse(end.output)).toEqual({
      ok: false,
      exitCode: 3,
      error: {
        code: 'fileNotFound',
        subject: 'missing.png',
        message: 'missing.png was not found. Check its name and folder.',
      },
    });
    const usage = await convolve('apply', '--json');
    expect(JSON.parse(usage.output)).toMatchObject({ ok: false, exitCode: 2, error: { code: 'usage' } });
  });

  it('of what cannot be done has one code in every command', async () => {
    const codeOf = async (...words: readonly string[]) => (await convolve(...words)).code;
    expect(await codeOf('info', 'two.gif', '--page', '9')).toBe(2);
    expect(await codeOf('info', 'two.gif', 'missing.png')).toBe(3);
    expect(await codeOf('batch', 'two.gif', '--format', 'pfm', '--receipt', 'inside', '-o', 'out')).toBe(2);
    expect(await codeOf('batch', 'two.gif', '--format', 'jpeg', '--lossless', '-o', 'out')).toBe(2);
    expect(await codeOf('compare-backends', 'a.npy', '-f', 'sobel', '--plan', 'fft', '--with', 'reference')).toBe(2);
    expect(readdirSync(folder)).not.toContain('out');
  });

  it('names why a backend is not there; another is never taken in its place', async () => {
    const { code, output, errors } = await convolve('apply', 'a.npy', '--backend', 'cuda', '-o', 'b.npy');
    if (code === 0) expect(output).toMatch(/on cuda\)\n$/);
    else {
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(/^convolve: The engine cuda is not available \(.+\)\. Use “auto”\.\n$/);
      expect(readdirSync(folder)).not.toContain('b.npy');
    }
  });

  it('of the input as the output is lifted by --force', async () => {
    expect((await convolve('apply', 'a.npy', '--kernel', '2', '-o', 'a.npy', '--force')).code).toBe(0);
    expect(parseNpy(readFileSync(path.join(folder, 'a.npy')), 'a').values[3]).toBe(60);
  });
});

describe('Ctrl-C', () => {
  it('stops a long filter at once, with nothing left behind', async () => {
    write('large.npy', { item: 'f4', shape: [1500, 1500], values: new Float32Array(1500 * 1500) });
    writeFileSync(path.join(folder, 'b.npy'), 'the file from before');
    const waves = Array.from({ length: 63 }, (_, y) => Array.from({ length: 63 }, (_, x) => Math.sin(x * y)).join(' '));
    writeFileSync(path.join(folder, 'k.txt'), waves.join('\n'));
    const before = readdirSync(folder).sort();
    const words = ['apply', 'large.npy', '--kernel', 'k.txt', '--plan', 'dense', '--backend', 'reference'];
    const running = startCommand(bundle, [...words, '--progress', '-o', 'b.npy'], folder);
    // The first share is printed when the filter starts; the whole would take many seconds.
    await new Promise<void>((resolve) => running.process.stderr?.once('data', () => resolve()));
    const stopped = performance.now();
    running.process.kill('SIGINT');
    const { code, output, errors } = await running.end;
    expect({ code, output }).toEqual({ code: 130, output: '' });
    expect(errors).toMatch(/convolve: Cancelled\. Nothing was changed\.\n$/);
    expect(performance.now() - stopped).toBeLessThan(5000);
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readFileSync(path.join(folder, 'b.npy'), 'utf8')).toBe('the file from before');
  });
});
