// The words of the command line: filters, settings and kernels become what they say, or are refused by the word.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applicationErrorCodes,
  ConvolveError,
  type ErrorCode,
  engineErrorCodes,
  type Failure,
  failureOf,
} from '../../../core/errors';
import { filterSchema } from '../../../core/filterSchema';
import { catalogue, defaultSettings } from '../../../core/filters';
import { noteText } from '../../../core/formats';
import { writeKernel } from '../../../core/interchange/write';
import { createKernel } from '../../../core/kernel';
import { environmentLanguage } from '../../../core/language';
import { serialiseNpy } from '../../../core/npy';
import { exitCodeHelp, exitCodeOf, exitCodes, inPhase, type Phase } from '../../../main/commandLine/exitCodes';
import { parseBorder, parseFilterArgument, parseSetting } from '../../../main/commandLine/filterArguments';
import {
  parseAnchor,
  parseDivisor,
  parseKernelArgument,
  parseOrientation,
} from '../../../main/commandLine/kernelArguments';
import { isSameFile, outputFormat } from '../../../main/commandLine/pictures';

function refusal(run: () => unknown): Failure {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('not refused');
}
const filter = (text: string, settings = {}) => parseFilterArgument(text, 'f1', 'u8', settings);

describe('--filter', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('finds nothing in %s', (word) => {
    expect(refusal(() => filter(word))).toMatchObject({ code: 'usage', actual: word });
    expect(refusal(() => filter(`gaussian:alpha=${word}`))).toMatchObject({ code: 'usage', actual: word });
    expect(refusal(() => filter(`gaussian:${word}=1`))).toMatchObject({ code: 'usage' });
  });

  it('takes a name alone, with its first value, or with keys', () => {
    expect(filter('gaussian')).toMatchObject({ kind: 'gaussian', sigma: 3 });
    expect(filter('gaussian:1.5')).toMatchObject({ sigma: 1.5 });
    expect(filter('unsharp:sigma=1.5,amount=0.8')).toMatchObject({ kind: 'unsharp', sigma: 1.5, amount: 0.8 });
    expect(filter('unsharp:1.5,amount=0.8')).toMatchObject({ sigma: 1.5, amount: 0.8 });
    expect(filter('unsharp:2,threshold=1.5')).toMatchObject({ sigma: 2, amount: 1, threshold: 1.5 });
    expect(filter('diffusion:30,stopping=rational,conductance=8')).toMatchObject({
      ...{ iterations: 30, rate: 0.2, stopping: 'rational', conductance: 8 },
    });
    expect(refusal(() => filter('diffusion:stopping=never'))).toMatchObject({
      ...{ expected: 'stopping none | exponential | rational', actual: 'never' },
    });
    expect(filter('motion:length=30,angle=-45')).toMatchObject({ length: 30, angle: -45 });
  });

  it('takes other spellings of a name, and size for the width of a box', () => {
    for (const name of ['highPass', 'high-pass', 'highpass', 'HIGH_PASS']) expect(filter(name).kind).toBe('highPass');
    expect(filter('log').kind).toBe('laplacianOfGaussian');
    expect(filter('box:size=7')).toMatchObject({ width: 7, size: 'same' });
    expect(filter('box:size=7,size=valid')).toMatchObject({ width: 7, size: 'valid' });
  });

  it('takes settings for itself alone, over those of the command', () => {
    const settings = { border: { kind: 'wrap' }, range: 'signed' };
    expect(filter('sobel', settings)).toMatchObject(settings);
    expect(filter('sobel:border=constant:0.5,alpha=colour-only,light=linear', settings)).toMatchObject({
      border: { kind: 'constant', value: 0.5 },
      alpha: 'colourOnly',
      light: 'linear',
      range: 'signed',
    });
  });

  it('takes how it is mixed with the picture before it', () => {
    expect(filter('gaussian:sigma=4,opacity=0.6,blend=soft-light,channels=blue+red')).toMatchObject({
      sigma: 4,
      mix: { opacity: 0.6, blend: 'softLight', channels: ['red', 'blue'] },
    });
    expect(filter('gaussian:channels=luminance').mix).toMatchObject({ opacity: 1, channels: 'luminance' });
    expect(filter('gaussian:opacity=1,blend=normal').mix).toBeUndefined();
    for (const word of [
      'opacity=1.5',
      'opacity=half',
      'blend=dissolve',
      'channels=alpha',
      'channels=red+red',
      'channels=',
    ])
      expect(
        refusal(() => filter(`gaussian:${word}`)),
        word,
      ).toMatchObject({ code: 'usage' });
  });

  it('takes every filter of the catalogue with every default written out', () => {
    for (const { kind, parameters, create } of catalogue) {
      if (kind === 'custom') continue;
      const words = parameters.map(({ key, default: value }) => `${key}=${value}`).join(',');
      const parsed = filter(words ? `${kind}:${words}` : kind);
      expect(parsed).toEqual(create('f1', 'u8'));
      expect(filterSchema.parse(parsed)).toEqual(parsed);
    }
  });

  it.each([
    ['median', '--filter', 'median'],
    ['gaussian:sigma=0', '--filter gaussian, sigma', '0'],
    ['gaussian:sigma=501', '--filter gaussian, sigma', '501'],
    ['box:width=4096', '--filter box, width', '4096'],
    ['gaussian:sigma=', '--filter gaussian, sigma', ''],
    ['gaussian:sigma=1,5', '--filter gaussian', '5'],
    ['gaussian:sigma=1e999', '--filter gaussian, sigma', '1e999'],
    ['gaussian:radius=3', '--filter gaussian', 'radius=3'],
    ['gaussian:', '--filter gaussian, sigma', ''],
    ['sobel:3', '--filter sobel', '3'],
    ['box:width=2.5', '--filter box, width', '2.5'],
    ['laplacian:neighbours=5', '--filter laplacian, neighbours', '5'],
    ['sobel:border=none', '--filter sobel, border', 'none'],
    ['sobel:border=constant', '--filter sobel, border', 'constant'],
    ['sobel:border=constant:x', '--filter sobel, border', 'x'],
    ['sobel:range=0', '--filter sobel, range', '0'],
    ['custom', '--filter custom', 'custom'],
  ])('refuses %s', (text, subject, actual) => {
    expect(refusal(() => filter(text))).toMatchObject({ code: 'usage', subject, actual });
  });

  it('says what it would have taken', () => {
    expect(refusal(() => filter('gaussian:sigma=999')).expected).toBe('sigma 0.1…500');
    expect(refusal(() => filter('laplacian:neighbours=5')).expected).toBe('neighbours 4 | 8');
    expect(refusal(() => filter('median')).expected).toMatch(/^gaussian, box, .*emboss$/);
  });
});

describe('settings', () => {
  it('are read in the spelling of the help', () => {
    expect(parseBorder('--border', 'zero')).toEqual({ kind: 'zero' });
    expect(parseBorder('--border', 'constant:-0.25')).toEqual({ kind: 'constant', value: -0.25 });
    expect(parseSetting('--alpha', 'alpha', 'color-only')).toEqual({ alpha: 'colourOnly' });
    expect(parseSetting('--x', 'x', '1')).toBeNull();
    expect(refusal(() => parseSetting('--size', 'size', 'full'))).toMatchObject({
      subject: '--size',
      expected: 'same | valid',
      actual: 'full',
    });
  });

  it('of kernels are read or refused by name', () => {
    expect(parseOrientation('convolution')).toBe('convolution');
    expect(parseAnchor('0,2')).toEqual([0, 2]);
    expect(parseDivisor('auto')).toBe('auto');
    expect(parseDivisor('-2.5')).toBe(-2.5);
    expect(refusal(() => parseOrientation('conv'))).toMatchObject({ subject: '--orientation', actual: 'conv' });
    for (const text of ['1', '1,2,3', '-1,0', 'a,b', '1.5,0'])
      expect(refusal(() => parseAnchor(text)).subject).toBe('--anchor');
    for (const text of ['0', 'x', '', '1/2']) expect(refusal(() => parseDivisor(text)).subject).toBe('--divisor');
  });
});

const writeSettings = { name: 'mine', filter: defaultSettings('f1', 'u8') };

describe('--kernel', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-kernel-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const kernelOf = async (text: string, flags = {}, decimalComma = false) => {
    const { filter: parsed, ...rest } = await parseKernelArgument(text, 'f1', 'f32', {}, flags, decimalComma);
    if (parsed.kind !== 'custom') throw new Error('a custom filter expected');
    return { kernel: parsed.kernel, name: parsed.name, range: parsed.range, ...rest };
  };

  it('takes numbers as they stand, and a divisor behind them', async () => {
    expect(await kernelOf('0 -1 0; -1 5 -1; 0 -1 0')).toMatchObject({
      kernel: { width: 3, height: 3, divisor: 1 },
      name: '',
      range: 'float',
    });
    expect((await kernelOf('1 2 1 / 4')).kernel.divisor).toBe(4);
    expect((await kernelOf('1/4')).kernel).toMatchObject({ width: 1, height: 1, weights: [0.25] });
    expect((await kernelOf('0,5;1\n1;2', {}, true)).kernel.weights).toEqual([0.5, 1, 1, 2]);
  });

  it('takes the flags over what the text says', async () => {
    const { kernel } = await kernelOf('1 2 1 / 4', {
      divisor: 'auto',
      bias: 0.5,
      anchor: [0, 0],
      orientation: 'convolution',
    });
    expect(kernel).toMatchObject({ divisor: 'auto', bias: 0.5, anchorX: 0, anchorY: 0, orientation: 'convolution' });
  });

  it('notes weights that cancel under an automatic divisor', async () => {
    expect((await kernelOf('-1 0 1', { divisor: 'auto' })).zeroSum).toBe(true);
    expect((await kernelOf('-1 0 1')).zeroSum).toBe(false);
  });

  it('reads text files and NumPy arrays of one or two axes', async () => {
    const text = path.join(folder, 'sharpen.txt');
    writeFileSync(text, '\uFEFF0\t-1\t0\r\n-1\t5\t-1\r\n0\t-1\t0\r\n');
    expect(await kernelOf(text)).toMatchObject({
      kernel: { weights: [0, -1, 0, -1, 5, -1, 0, -1, 0] },
      name: 'sharpen',
    });
    const plane = path.join(folder, 'plane.npy');
    writeFileSync(
      plane,
      Buffer.concat(serialiseNpy({ item: 'i4', shape: [2, 3], values: Int32Array.of(1, 2, 3, 4, 5, -6) })),
    );
    expect((await kernelOf(plane)).kernel).toMatchObject({
      width: 3,
      height: 2,
      weights: [1, 2, 3, 4, 5, -6],
      divisor: 1,
    });
    const row = path.join(folder, 'row.npy');
    writeFileSync(row, Buffer.concat(serialiseNpy({ item: 'f8', shape: [2], values: Float64Array.of(0.5, 0.25) })));
    expect((await kernelOf(row)).kernel).toMatchObject({ width: 2, height: 1, weights: [0.5, 0.25] });
  });

  it('reads files of other programs, and says what they do not', async () => {
    const acf = path.join(folder, 'mine.acf');
    writeFileSync(acf, writeKernel('acf', createKernel(3, 1, [1, 2, 3], { divisor: 6 }), writeSettings).content);
    const photoshop = await kernelOf(acf);
    expect(photoshop).toMatchObject({ kernel: { width: 5, height: 5, divisor: 6 }, name: 'mine', notes: [] });
    const magick = '2x1+0+0: 1 2';
    expect(await kernelOf(magick)).toMatchObject({
      kernel: { orientation: 'convolution' },
      notes: [{ kind: 'orientation', orientation: 'convolution' }],
    });
    expect(await kernelOf(magick, { orientation: 'correlation' })).toMatchObject({
      kernel: { orientation: 'correlation' },
      notes: [],
    });
    const library = path.join(folder, 'two.def');
    writeFileSync(library, 'one 1 1 0 0 { 1 } 1 0 rgb\nother 1 1 0 0 { 2 } 1 0 rgb\n');
    const refused = failureOf(await kernelOf(library).catch((thrown: unknown) => thrown));
    expect(refused).toMatchObject({ code: 'usage', actual: '2 kernels in two.def: one, other' });
  });

  it('reads pictures as what a bright point becomes, above a zero level', async () => {
    const star = path.join(folder, 'star.png');
    const pixels = Buffer.from([0, 128, 255, 0, 0, 64]);
    await sharp(pixels, { raw: { width: 3, height: 2, channels: 1 } })
      .png()
      .toFile(star);
    const { kernel, name, notes } = await kernelOf(star);
    expect(kernel).toMatchObject({ width: 3, height: 2, orientation: 'convolution', divisor: 'auto' });
    // 128 of 255 in linear light (IEC 61966-2-1).
    expect(kernel.weights[1]).toBeCloseTo(0.2158605, 6);
    expect(kernel.weights[2]).toBe(1);
    expect({ name, notes }).toEqual({ name: 'star', notes: [{ kind: 'picture', zero: 0 }] });
    const above = await kernelOf(star, { zero: 0.5, divisor: 1 });
    expect(above.kernel).toMatchObject({ weights: [0, 0, 0.5, 0, 0, 0], divisor: 1 });
    const large = path.join(folder, 'large.png');
    await sharp({ create: { width: 512, height: 2, channels: 3, background: 'white' } })
      .png()
      .toFile(large);
    const failure = failureOf(await kernelOf(large).catch((thrown: unknown) => thrown));
    expect(failure).toMatchObject({ code: 'imageTooLarge', subject: 'large.png' });
  });

  it('refuses by file, place or field', async () => {
    const failure = async (text: string, flags = {}) =>
      failureOf(await kernelOf(text, flags).catch((thrown: unknown) => thrown));
    expect(await failure(path.join(folder, 'missing.txt'))).toMatchObject({
      code: 'fileNotFound',
      subject: 'missing.txt',
    });
    expect(await failure('folder/kernel')).toMatchObject({ code: 'fileNotFound', subject: 'kernel' });
    expect(await failure('1 2 x')).toMatchObject({ code: 'invalidKernel', subject: 'line 1, column 5' });
    expect(await failure('1 2 1', { anchor: [3, 0] })).toMatchObject({ code: 'invalidKernel', subject: 'anchor' });
    const empty = path.join(folder, 'empty.txt');
    writeFileSync(empty, '');
    expect(await failure(empty)).toMatchObject({ code: 'fileEmpty', subject: 'empty.txt' });
    const cube = path.join(folder, 'cube.npy');
    writeFileSync(cube, Buffer.concat(serialiseNpy({ item: 'f4', shape: [1, 1, 1], values: new Float32Array(1) })));
    expect(await failure(cube)).toMatchObject({ code: 'formatUnsupported', subject: 'cube.npy' });
    const odd = path.join(folder, 'odd.npy');
    writeFileSync(
      odd,
      Buffer.concat(serialiseNpy({ item: 'f4', shape: [1, 2], values: Float32Array.of(1, Number.NaN) })),
    );
    expect(await failure(odd)).toMatchObject({ code: 'invalidKernel', actual: 'NaN (row 1, column 2)' });
  });
});

describe('outputs', () => {
  it('have the format of their ending', () => {
    expect(['a.PNG', 'b.jpeg', 'c.tif', 'd.webp', 'e.npy'].map(outputFormat)).toEqual([
      'png',
      'jpeg',
      'tiff',
      'webp',
      'npy',
    ]);
    for (const name of ['a', 'a.gif', 'a.png.txt', '.png'])
      expect(refusal(() => outputFormat(name)).code).toBe('usage');
  });

  it('are the input where both names lead to one file', async () => {
    expect(await isSameFile('package.json', './core/../package.json')).toBe(true);
    expect(await isSameFile('package.json', 'tsconfig.json')).toBe(false);
    expect(await isSameFile('package.json', 'not/there.json')).toBe(false);
  });
});

describe('exit codes', () => {
  const codeOf = (failure: Failure) => exitCodeOf(new ConvolveError(failure));

  /** For every way to fail, in no phase and while a file is read. */
  const codes: Readonly<Record<ErrorCode, readonly [number, number]>> = {
    cancelled: [130, 130],
    usage: [2, 2],
    invalidArgument: [2, 2],
    invalidKernel: [2, 2],
    invalidPlan: [2, 2],
    invalidFormula: [2, 2],
    backendUnavailable: [2, 2],
    maskSize: [2, 2],
    unsupported: [2, 3],
    imageTooLarge: [2, 3],
    outOfMemory: [1, 3],
    deviceFailed: [1, 3],
    internal: [1, 3],
    imageUnknown: [1, 3],
    clipboardEmpty: [1, 3],
    decodeTimeout: [1, 3],
    fileNotFound: [1, 3],
    fileUnreadable: [1, 3],
    fileIsFolder: [1, 3],
    fileEmpty: [1, 3],
    fileNotAnImage: [1, 3],
    fileDamaged: [1, 3],
    fileTooNew: [1, 3],
    libraryUnwritable: [4, 4],
    formatUnsupported: [1, 3],
    projectDamaged: [1, 3],
    pictureChanged: [1, 3],
    targetFolderMissing: [4, 4],
    targetUnwritable: [4, 4],
    targetFull: [4, 4],
    folderInUse: [4, 4],
  };

  it('follow from what went wrong, for every way to fail', async () => {
    const phased = async (phase: Phase, code: ErrorCode) =>
      exitCodeOf(await inPhase(phase, Promise.reject(new ConvolveError({ code }))).catch((thrown: unknown) => thrown));
    const found = await Promise.all(
      [...engineErrorCodes, ...applicationErrorCodes].map(
        async (code) => [code, [codeOf({ code }), await phased('read', code)]] as const,
      ),
    );
    expect(Object.fromEntries(found)).toEqual(codes);
    expect(exitCodeOf(new Error('anything'))).toBe(1);
    expect(await phased('words', 'fileDamaged')).toBe(2);
    expect(await phased('words', 'cancelled')).toBe(130);
  });

  it('are in the help, all of them', () => {
    for (const code of Object.values(exitCodes)) expect(exitCodeHelp).toMatch(new RegExp(`[:;]\\s${code} `));
  });
});

describe('the language of errors and notes', () => {
  it('is that of the first of LC_ALL, LC_MESSAGES and LANG', () => {
    expect(environmentLanguage({ LANG: 'zh_CN.UTF-8' })).toBe('zh-CN');
    expect(environmentLanguage({ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' })).toBe('en');
    expect(environmentLanguage({ LC_MESSAGES: 'zh', LANG: 'de_DE' })).toBe('zh-CN');
    expect(environmentLanguage({ LC_ALL: '', LANG: '' })).toBe('en');
    expect(environmentLanguage({})).toBe('en');
    expect(noteText({ kind: 'emptyCells', cells: 3 }, 'zh-CN')).toBe('3 个空单元格读作 0');
    expect(noteText({ kind: 'picture', zero: 0.1 })).toContain('above 0.1');
  });
});
