// Kernels of other programs, read and written: the numbers that each format's own program gives for the same bytes, what is
// said of what was lost or is not said, which places are named where a text cannot be read, and round trips.

import { describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { errorText } from '../../../core/errorText';
import { denseOfKernel } from '../../../core/filterForm';
import { defaultSettings } from '../../../core/filters';
import { fillFromFormula, parseFormula } from '../../../core/formula';
import { readKernelFile, readKernelText } from '../../../core/interchange/read';
import type { KernelReading } from '../../../core/interchange/reading';
import { type WrittenFormat, writeKernel, writtenFormats } from '../../../core/interchange/write';
import {
  absentCells,
  createKernel,
  type Kernel,
  resizeKeepingAnchor,
  resolveDivisor,
  toCorrelation,
  turn,
} from '../../../core/kernel';
import { codeTargets, kernelCode, magickKernelText } from '../../../core/kernelCode';
import { editKernelCell, mirrorHorizontally, rotateQuarter } from '../../../core/kernelEdits';
import { codeWordsOf, englishWords } from './codeWordsOf';
import { correlate, picture } from './directSum';

const filter = defaultSettings('filter-1', 'u8');

const rowsOf = ({ width, weights }: Kernel) =>
  Array.from({ length: weights.length / width }, (_, y) => weights.slice(y * width, (y + 1) * width));

/** The only kernel of a reading. */
function only({ kernels }: KernelReading): Kernel {
  expect(kernels).toHaveLength(1);
  return kernels[0]?.kernel as Kernel;
}
const read = (text: string, name = '') => only(readKernelText(text, name));

function refusal(work: () => unknown): Failure {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error('not refused');
}
const hex = (text: string) => Uint8Array.from(text.match(/[0-9a-f]{2}/g) ?? [], (byte) => Number.parseInt(byte, 16));

const sharpen = [
  [0, -1, 0],
  [-1, 5, -1],
  [0, -1, 0],
];
const numbered = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
];

describe('Photoshop .acf', () => {
  const golden = hex(
    `0000 0000 0000 0000 0000 0000 0000 ffff 0000 0000 0000 ffff 0005 ffff 0000
     0000 0000 ffff 0000 0000 0000 0000 0000 0000 0000 0001 0000`,
  );
  it('reads 27 big-endian numbers: 5 × 5 weights, scale, offset in 8-bit code values', () => {
    const kernel = only(readKernelFile(golden, 'sharpen.acf'));
    expect(
      rowsOf(kernel)
        .slice(1, 4)
        .map((row) => row.slice(1, 4)),
    ).toEqual(sharpen);
    expect(kernel).toMatchObject({ width: 5, anchorX: 2, anchorY: 2, divisor: 1, bias: 0, orientation: 'correlation' });
    const biased = golden.slice();
    biased.set([0, 128], 52);
    expect(only(readKernelFile(biased, 'a.acf')).bias).toBe(128 / 255);
  });
  it('writes the same bytes, a 3 × 3 into the middle', () => {
    const kernel = createKernel(3, 3, sharpen.flat(), { divisor: 1 });
    expect(writeKernel('acf', kernel, { name: '', filter }).content).toEqual(golden);
  });
  it('finds one scale for fractions, or says how far the nearest is', () => {
    const exact = createKernel(3, 1, [0.25, 0.5, 0.125], { divisor: 1 });
    const written = writeKernel('acf', exact, { name: '', filter });
    expect(written.losses).toEqual([]);
    const back = only(readKernelFile(written.content as Uint8Array, ''));
    expect(back.divisor).toBe(8);
    expect(back.weights.slice(11, 14)).toEqual([2, 4, 1]);
    const [loss] = writeKernel('acf', createKernel(2, 1, [Math.PI, 1], { divisor: 1 }), { name: '', filter }).losses;
    expect(loss).toMatchObject({ kind: 'rounding' });
    expect(loss?.kind === 'rounding' && loss.largestError).toBeLessThan(1e-3);
    expect(
      refusal(() => writeKernel('acf', createKernel(7, 1, [1, 0, 0, 1, 0, 0, 1]), { name: '', filter })),
    ).toMatchObject({ code: 'invalidKernel', subject: 'width' });
  });
  it('notes longer files, a scale of 0 and turned bytes, and refuses shorter files', () => {
    const longer = new Uint8Array([...golden, 7]);
    expect(readKernelFile(longer, 'a.acf').notes).toEqual([{ kind: 'extraBytes', count: 1 }]);
    const scaleless = golden.slice();
    scaleless.set([0, 0], 50);
    expect(readKernelFile(scaleless, 'a.acf')).toMatchObject({
      notes: [{ kind: 'scaleZero' }],
      kernels: [{ kernel: { divisor: 1 } }],
    });
    const swapped = golden.map((_, index) => golden[index ^ 1] ?? 0);
    expect(readKernelFile(swapped, 'a.acf')).toMatchObject({ notes: [{ kind: 'littleEndian' }] });
    expect(refusal(() => readKernelFile(golden.slice(0, 53), 'a.acf'))).toMatchObject({
      code: 'fileDamaged',
      subject: 'a.acf',
    });
  });
});

describe('SVG feConvolveMatrix', () => {
  it('convolves: an impulse of 200 becomes what Chromium draws', () => {
    const kernel = read(
      '<feConvolveMatrix order="3" kernelMatrix="1 2 3 4 5 6 7 8 9" divisor="45" preserveAlpha="true"/>',
    );
    const impulse = picture(5, 5, (x, y) => (x === 2 && y === 2 ? 200 : 0));
    const result = correlate(impulse, denseOfKernel(kernel)).values.map(Math.round);
    expect([6, 7, 8, 11, 12, 13, 16, 17, 18].map((index) => result[index])).toEqual([4, 9, 13, 18, 22, 27, 31, 36, 40]);
  });
  it('takes columns then rows, commas, a target of the turned kernel, and the sum as the divisor where that is not 0', () => {
    const kernel = read(`<fe:feConvolveMatrix order='2,1' kernelMatrix='3,1' targetX='0'/>`);
    expect(kernel).toMatchObject({ width: 2, height: 1, anchorX: 1, divisor: 4, orientation: 'convolution' });
    expect(toCorrelation(kernel)).toMatchObject({ weights: [1, 3], anchorX: 0 });
    expect(read('<feConvolveMatrix kernelMatrix="0 1 0 1 -4 1 0 1 0" divisor="0"/>').divisor).toBe(1);
  });
  it('reads several, and says that they work on linear light unless told', () => {
    const two =
      '<filter><feConvolveMatrix order="1" kernelMatrix="2" result="a"/><feConvolveMatrix order="1" kernelMatrix="3"/></filter>';
    expect(readKernelText(two)).toMatchObject({
      kernels: [{ name: 'a' }, { name: '' }],
      notes: [{ kind: 'linearLight' }],
    });
  });
  it('names the place of what does not fit', () => {
    expect(refusal(() => read('<feConvolveMatrix order="3"\n kernelMatrix="1 2 x"/>'))).toMatchObject({
      subject: 'line 2, column 20',
      actual: '“x”',
    });
    expect(refusal(() => read('<feConvolveMatrix order="3" kernelMatrix="1 2"/>'))).toMatchObject({
      subject: 'line 1, column 46',
      expected: 'number 3 of 9',
    });
    expect(refusal(() => read('<feConvolveMatrix order="2 1" kernelMatrix="1 2 30"/>'))).toMatchObject({
      subject: 'line 1, column 49',
      expected: 'only 2 numbers',
      actual: '“30”',
    });
    expect(
      refusal(() => read('<feConvolveMatrix order="3 3" targetX="3" kernelMatrix="1 2 3 4 5 6 7 8 9"/>')),
    ).toMatchObject({ expected: '0…2' });
  });
  it('warns of more cells than browsers take', () => {
    const large = createKernel(17, 17, new Array(289).fill(1));
    expect(writeKernel('svg', large, { name: '', filter }).losses).toContainEqual({
      kind: 'cells',
      count: 289,
      limit: 256,
    });
  });
});

describe('libvips .mat', () => {
  it('reads size, scale and offset, and leaves out what is behind the rows', () => {
    const kernel = read('3 3 9 128\n1 2 3 99\n4 5 6\n7 8 9\nmore\n', 'a.mat');
    expect(rowsOf(kernel)).toEqual(numbered);
    expect(kernel).toMatchObject({ anchorX: 1, anchorY: 1, divisor: 9, bias: 128 / 255, orientation: 'correlation' });
    expect(read('2 1\n"1","2"', 'a.mat')).toMatchObject({ width: 2, divisor: 1, weights: [1, 2] });
  });
  it('refuses a short line by its place, a scale of 0, and MATLAB’s own files', () => {
    expect(refusal(() => readKernelText('3 2\n1 2 3\n1 2\n', 'a.mat'))).toMatchObject({
      subject: 'line 3, column 4',
      actual: 'the end of the text',
    });
    expect(refusal(() => read('2 1 0\n1 2\n', 'a.mat'))).toMatchObject({ subject: 'line 1, column 5' });
    const matlab = new TextEncoder().encode('MATLAB 5.0 MAT-file, Platform: GLNXA64'.padEnd(128));
    expect(refusal(() => readKernelFile(matlab, 'a.mat'))).toMatchObject({
      code: 'formatUnsupported',
      actual: 'MATLAB 5 data',
    });
  });
  it('is asked about where the name does not say it', () => {
    const reading = readKernelText('2 2\n1 2\n3 4');
    expect(rowsOf(only(reading))).toEqual([
      [2, 2],
      [1, 2],
      [3, 4],
    ]);
    expect(reading.other).toMatchObject({ kind: 'sizeLine', kernels: [{ kernel: { weights: [1, 2, 3, 4] } }] });
  });
});

describe('spreadsheets', () => {
  it('read decimal commas where tabs or semicolons part cells, with a head as the name', () => {
    const reading = readKernelText('blur;b;c\r\n0,5;1;0,5\r\n1;2;1\r\n');
    expect(reading).toMatchObject({
      format: 'rows',
      kernels: [{ name: 'blur', kernel: { weights: [0.5, 1, 0.5, 1, 2, 1] } }],
    });
    expect(reading.notes).toEqual([{ kind: 'decimalComma' }]);
  });
  it('ask about one column of commas', () => {
    const reading = readKernelText('0,5\n1,0\n0,5');
    expect(only(reading)).toMatchObject({ width: 2, height: 3 });
    expect(reading.other).toMatchObject({
      kind: 'decimalComma',
      kernels: [{ kernel: { width: 1, weights: [0.5, 1, 0.5] } }],
    });
    expect(readKernelText('0,5;0,25;0,5').other).toMatchObject({
      kind: 'decimalComma',
      kernels: [{ kernel: { width: 3, height: 1, weights: [0.5, 0.25, 0.5] } }],
    });
  });
  it('say that nothing tells the orientation', () => {
    expect(readKernelText('1 2 1').orientationSaid).toBe(false);
    expect(readKernelText('{"kernel":[[1,2]],"orientation":"convolution"}').orientationSaid).toBe(true);
  });
});

describe('ImageMagick', () => {
  // What `-define morphology:showkernel=1` prints in version 6.9.11.
  it.each([
    ['Sobel', numberedRows('1 0 -1/2 0 -2/1 0 -1')],
    ['Sobel:90', numberedRows('1 2 1/0 0 0/-1 -2 -1')],
    ['Sobel:30', numberedRows('2 1 0/1 0 -1/0 -1 -2')],
    ['Sobel:-90', numberedRows('-1 -2 -1/0 0 0/1 2 1')],
    ['Roberts:45', numberedRows('1 0 0/0 -1 0/0 0 0')],
    ['Kirsch:45', numberedRows('5 5 -3/5 0 -3/-3 -3 -3')],
    ['Compass', numberedRows('1 1 -1/1 -2 -1/1 1 -1')],
    ['Laplacian:2', numberedRows('-2 1 -2/1 4 1/-2 1 -2')],
    ['Laplacian:99', numberedRows('-1 -1 -1/-1 8 -1/-1 -1 -1')],
    ['Binomial', numberedRows('1 2 1/2 4 2/1 2 1')],
    ['Unity', [[1]]],
    ['FreiChen:2', numberedRows('0.707107 1 0/1 0 -1/0 -1 -0.707107')],
    ['Gaussian:1x2', numberedRows('0.101868 0.115432 0.101868/0.115432 0.130801 0.115432/0.101868 0.115432 0.101868')],
    [
      'Blur:0,1',
      numberedRows('0.000215825 0.00579007 0.059897 0.241811 0.384572 0.241811 0.059897 0.00579007 0.000215825'),
    ],
    ['Blur:2,1,90', numberedRows('0.0606253/0.244751/0.389248/0.244751/0.0606253')],
    [
      'Comet:0,2',
      numberedRows('0.365615 0.297997 0.190027 0.0947996 0.0369957 0.0112927 0.00269582 0.00050322 7.34391e-05'),
    ],
  ])('makes %s as the program does', (text, expected) => {
    const rows = rowsOf(read(text));
    expect(rows.map((row) => row.length)).toEqual(expected.map((row) => row.length));
    for (const [index, value] of rows.flat().entries()) expect(value).toBeCloseTo(expected.flat()[index] ?? 0, 5);
  });
  it.each([
    ['LoG:0,1', 9, -7.62913e-7, 0.451863],
    ['LoG:2,1', 5, -0.0314675, 0.451863],
    ['DoG:0,1,1.6', 13, -1.41003e-7, 0.281532],
    ['DoG:2,1,2', 5, -0.0952036, 0.251143],
    ['Gaussian:0,1', 9, 1.79106e-8, 0.159156],
    ['Gaussian:2,1', 5, 0.00296902, 0.162103],
  ])('makes %s as large and as high', (text, side, corner, middle) => {
    const kernel = read(text);
    expect([kernel.width, kernel.height]).toEqual([side, side]);
    expect((kernel.weights[0] ?? 0) / corner).toBeCloseTo(1, 4);
    expect((kernel.weights[(side * side - 1) / 2] ?? 0) / middle).toBeCloseTo(1, 5);
  });
  it('reads lists, turns by the signs of the geometry, and moves the origin with them', () => {
    const list = readKernelText('3x3: 1 2 3 4 5 6 7 8 9 ; Sobel ;');
    expect(list.kernels.map(({ name }) => name)).toEqual(['', 'Sobel']);
    const eighths = readKernelText('3x3@: 1 2 3 4 5 6 7 8 9').kernels.map(({ kernel }) => rowsOf(kernel));
    expect(eighths).toHaveLength(8);
    expect(eighths[1]).toEqual([
      [4, 1, 2],
      [7, 5, 3],
      [8, 9, 6],
    ]);
    expect(eighths[2]).toEqual([
      [7, 4, 1],
      [8, 5, 2],
      [9, 6, 3],
    ]);
    expect(eighths[7]).toEqual([
      [2, 3, 6],
      [1, 5, 9],
      [4, 7, 8],
    ]);
    const halves = readKernelText('3x3<: 1 2 3 4 5 6 7 8 9').kernels.map(({ kernel }) => kernel.weights[0]);
    expect(halves).toEqual([1, 9, 3, 7]);
    const quarters = readKernelText('4x2+3+0>: 1 2 3 4 5 6 7 8').kernels.map(({ kernel }) => kernel);
    expect(quarters.map(({ width, anchorX, anchorY }) => [width, anchorX, anchorY])).toEqual([
      [4, 3, 0],
      [2, 1, 3],
      [4, 0, 1],
      [2, 0, 0],
    ]);
    expect(readKernelText('FreiChen:10').kernels).toHaveLength(9);
  });
  it('keeps which cells a kernel leaves out, through turns and a larger grid, until they hold a weight', () => {
    const text = '3x2+0+1: nan 1 2 3 - 0';
    const kernel = read(text);
    expect(kernel).toMatchObject({ weights: [0, 1, 2, 3, 0, 0], absent: [1, 0, 0, 0, 1, 0] });
    const written = (changed: Kernel) => magickKernelText({ ...changed, orientation: 'correlation' });
    expect(written(kernel)).toBe('3x2+0+1: nan,1,2 3,nan,0');
    expect(written(turn(kernel))).toBe('3x2+2+0: 0,nan,3 2,1,nan');
    expect(written(rotateQuarter(kernel))).toBe('2x3+1+2: 2,0 1,nan nan,3');
    expect(written(mirrorHorizontally(kernel))).toBe('3x2+2+1: 2,1,nan 0,nan,3');
    expect(written(resizeKeepingAnchor(kernel, 5, 3))).toBe('5x3+2+1: 0,0,nan,1,2 0,0,3,nan,0 0,0,0,0,0');
    expect(written(editKernelCell(kernel, 0, 0, 7))).toBe('3x2+0+1: 7,1,2 3,nan,0');
    expect(absentCells(fillFromFormula(kernel, parseFormula('0')))).toBe(0);
    expect(readKernelText('2x2>: nan 1 2 3').kernels.map((one) => written(one.kernel))).toEqual([
      '2x2+0+0: nan,1 2,3',
      '2x2+1+0: 2,nan 3,1',
      '2x2+1+1: 3,2 1,nan',
      '2x2+0+1: 1,3 nan,2',
    ]);
  });
  it('takes a bare kernel as turned by Convolve, and says that it is not said', () => {
    const reading = readKernelText('2x3: 1 2 3 4 5 6');
    expect(reading).toMatchObject({ format: 'imageMagick', orientationSaid: false });
    expect(only(reading)).toMatchObject({ anchorX: 0, anchorY: 1, orientation: 'convolution' });
    expect(readKernelText('2x3: 1 2 3 4 5 6', '', { orientation: 'correlation' }).kernels[0]?.kernel.orientation).toBe(
      'correlation',
    );
  });
  it('reads a command: method, scale and bias', () => {
    const command = (scale: string, rest = '') =>
      read(`magick in.png -define convolve:scale=${scale} ${rest} -morphology Correlate '3x1: 1 2 1' out.png`);
    expect(command('0.25', '-define convolve:bias=50%')).toMatchObject({
      orientation: 'correlation',
      divisor: 4,
      bias: 0.5,
    });
    expect(command('!').divisor).toBe(4);
    expect(command('50%!').divisor).toBe(8);
    expect(command('!,20%').weights).toEqual([0.25, 0.7, 0.25]);
    const sobel = read(`convert in.png -define convolve:scale='!' -morphology Convolve Sobel out.png`);
    expect(sobel).toMatchObject({ orientation: 'convolution', divisor: 4 });
    expect(read("magick in.png -define convolve:scale='^' -morphology Convolve 'Sobel' out.png").weights).toEqual(
      [1, 0, -1, 2, 0, -2, 1, 0, -1].map((weight) => weight / 4),
    );
  });
  it('refuses shapes and files by name', () => {
    expect(refusal(() => read('Diamond:2'))).toMatchObject({
      code: 'invalidKernel',
      subject: 'line 1, column 1',
      actual: '“Diamond”, a shape for morphology',
    });
    expect(refusal(() => read('@kernel.txt'))).toMatchObject({ actual: '“@”, the name of a file' });
    expect(refusal(() => read('Sobel;\n2x2@: 1 2 3 4'))).toMatchObject({
      subject: 'line 2, column 4',
      actual: '“@” with 2 × 2 cells',
    });
    expect(refusal(() => read('3x3: 1 2 3\n4 5 z 7 8 9; Sobel'))).toMatchObject({
      subject: 'line 2, column 5',
      actual: '“z”',
    });
    expect(refusal(() => read('Sobel; 3x3: 1 2 3'))).toMatchObject({ expected: 'number 4 of 9' });
  });
});

function numberedRows(text: string): number[][] {
  return text.split('/').map((row) => row.split(' ').map(Number));
}

describe('a refusal, whatever the format,', () => {
  const texts: readonly (readonly [text: string, place: string, name?: string])[] = [
    ['3 2\n1 2 3\n1 x 3\n', 'line 3, column 3', 'a.mat'],
    ['3 600\n', 'line 1, column 3', 'a.mat'],
    ['\\begin{bmatrix}\n1 & 2 \\\\\n3\n\\end{bmatrix}', 'line 3, column 2'],
    ['\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 & 5 \\end{bmatrix}', 'line 1, column 34'],
    ['\\frac{1}{0} \\begin{bmatrix} 1 \\end{bmatrix}', 'line 1, column 1'],
    ['| 1 | 2 |\n| 3 |', 'line 2, column 4'],
    ['| 1 |\n| 3 | 4 |', 'line 2, column 7'],
    ['IMKERNEL\nx\n2 1\n0\n1', 'line 5, column 2'],
    ['a 2 1 0 0 { 1 1e300 } 1 0 rgb', 'line 1, column 15'],
    ['a 2 1 2 0 { 1 2 } 1 0 rgb', 'line 1, column 7'],
    ['KernelFilter { name { a } coefficients { 1 2 3 } }', 'line 1, column 48'],
    ['SeparableFilter { row-vector { 1 2 } }', 'line 1, column 1'],
    ['gegl:convolution-matrix a1=1 b2=x', 'line 1, column 33'],
    ['Kernel((3, 3), (1, 2, 3))', 'line 1, column 24'],
    ["magick a.png -define convolve:scale=x -morphology Correlate '1x1: 1' b.png", 'line 1, column 37'],
    ['Diamond', 'line 1, column 1'],
    ['2x1@: 1 2', 'line 1, column 4'],
    ['h = fspecial("disc", 3)', 'line 1, column 14'],
    ['import numpy as np\nk = np.array([[1, 2],\n  [3]])\n', 'line 3, column 5'],
    ['{"kernel": [[1, 2]], "divisor": "half"}', 'line 1, column 33'],
    ['0,5;1\n2;x', 'line 2, column 3'],
    ['1\t2\n3\n', 'line 2, column 2'],
    ['1 2 1 / 2 4 2 / 1 2', 'line 1, column 20'],
    ['1/1e-200 1', 'line 1, column 1'],
  ];
  it.each(texts.map(([text, place, name = '']) => [text, place, name] as const))(
    'of %j names %s, in both languages',
    (text, place, name) => {
      const failure = refusal(() => readKernelText(text, name));
      expect(failure).toMatchObject({ code: 'invalidKernel', subject: place });
      expect(failure.actual).not.toBe('');
      const chinese = errorText(failure, 'zh-CN').replace(/“[^”]*”/g, '');
      expect(chinese.match(/[a-z]{2,} [a-z]{2,}/g), chinese).toBeNull();
    },
  );
});

describe('libraries', () => {
  it('of Aseprite: any number of entries, auto as the program has it', () => {
    const reading = readKernelText(
      `# mine\nblur 3 3 1 1 { 1 2 3 4 5 6 7 8 9 } auto 0 rgba\n"edge two" 2 1 0 0\n { 1 -1 } auto auto rgb\ndark 1 1 0 0 { -2 } auto auto rgb`,
    );
    expect(reading).toMatchObject({ format: 'aseprite', orientationSaid: false });
    expect(reading.kernels.map(({ name }) => name)).toEqual(['blur', 'edge two', 'dark']);
    expect(reading.kernels.map(({ kernel }) => [kernel.divisor, kernel.bias])).toEqual([
      [45, 0],
      [1, 128 / 255],
      [2, 1],
    ]);
    expect(refusal(() => read('a 3 1 1 0 { 1 2 x } 1 0 rgb'))).toMatchObject({
      subject: 'line 1, column 17',
      actual: '“x”',
    });
  });
  it('of PixInsight: a separable block is its outer product', () => {
    const reading = readKernelText(
      'SeparableFilter {\n name { Gauss (3) }\n row-vector { 1 2 1 }\n col-vector { 1, 3, 1 }\n}\nKernelFilter { name { Edge } coefficients { 0 1 0 1 -4 1 0 1 0 } }',
    );
    expect(reading.kernels.map(({ name }) => name)).toEqual(['Gauss (3)', 'Edge']);
    expect(rowsOf(reading.kernels[0]?.kernel as Kernel)).toEqual([
      [1, 2, 1],
      [3, 6, 3],
      [1, 2, 1],
    ]);
    expect(refusal(() => read('KernelFilter { name { a } coefficients { 1 2 } }'))).toMatchObject({
      expected: 'as many coefficients as a square has',
    });
  });
});

describe('programs that know odd sizes only', () => {
  const even = createKernel(4, 2, [1, 2, 3, 4, 5, 6, 7, -8], { anchorX: 3, anchorY: 1, divisor: 1 });
  it('get rows and columns of 0 round the anchor: the same filter, and no loss to tell of', () => {
    const imageJ = writeKernel('imageJ', even, { name: '', filter });
    expect(imageJ.content).toBe('1 2 3 4 0 0 0\n5 6 7 -8 0 0 0\n0 0 0 0 0 0 0\n');
    expect(imageJ.losses).toEqual([]);
  });
  it('and of PixInsight’s the sides are as long as one another', () => {
    const pixInsight = writeKernel('pixInsight', even, { name: 'mine', filter });
    const [back] = readKernelText(String(pixInsight.content)).kernels;
    expect(back?.kernel).toMatchObject({ width: 7, height: 7, anchorX: 3, anchorY: 3 });
    expect(back?.kernel.weights.slice(14, 21)).toEqual([1, 2, 3, 4, 0, 0, 0]);
    expect(pixInsight.losses.map(({ kind }) => kind)).toEqual(['orientation']);
    const pair = writeKernel('pixInsight', createKernel(2, 1, [1, -1], { divisor: 1 }), { name: 'pair', filter });
    expect(rowsOf(readKernelText(String(pair.content)).kernels[0]?.kernel as Kernel)).toEqual([
      [0, 0, 0],
      [1, -1, 0],
      [0, 0, 0],
    ]);
  });
  it('refuses what such a grid would be too large for', () => {
    const corner = createKernel(400, 1, new Array<number>(400).fill(1), { anchorX: 399 });
    expect(refusal(() => writeKernel('imageJ', corner, { name: '', filter }))).toMatchObject({ subject: 'width' });
  });
});

describe('properties and calls', () => {
  it('of GEGL: the letter is the column', () => {
    const kernel = read('gegl:convolution-matrix b3=1 c3=2 normalize=false divisor=4 offset=0.25 border=clamp');
    expect(rowsOf(kernel)[2]).toEqual([0, 1, 2, 0, 0]);
    expect(kernel).toMatchObject({ anchorX: 2, divisor: 4, bias: 0.25 });
    expect(read('gegl:convolution-matrix b3=1 c3=2')).toMatchObject({ divisor: 3, bias: 0 });
    expect(read('gegl:convolution-matrix b3=-1 c3=1')).toMatchObject({ divisor: 1, bias: 0.5 });
  });
  it('of Pillow: mirrored from top to bottom', () => {
    const kernel = read('ImageFilter.Kernel((3, 3), (7, 8, 9, 4, 5, 6, 1, 2, 3), scale=45, offset=128)');
    expect(rowsOf(kernel)).toEqual(numbered);
    expect(kernel).toMatchObject({ divisor: 45, bias: 128 / 255, orientation: 'correlation' });
    expect(read('Kernel(size=(3, 3), kernel=[0, 1, 0, 1, -4, 1, 0, 1, 0])').divisor).toBe(1);
  });
  it('of MATLAB’s fspecial', () => {
    expect(rowsOf(read("fspecial('sobel')"))).toEqual([
      [1, 2, 1],
      [0, 0, 0],
      [-1, -2, -1],
    ]);
    expect(read("h = fspecial('average', [2 3]);")).toMatchObject({ width: 3, height: 2 });
    const gaussian = read("fspecial('gaussian',5,1)");
    expect(gaussian.weights[12]).toBeCloseTo(0.1621028, 7);
    // MATLAB's documented fspecial('unsharp').
    expect(read("fspecial('unsharp')").weights.map((weight) => Number(weight.toFixed(4)))).toEqual([
      -0.1667, -0.6667, -0.1667, -0.6667, 4.3333, -0.6667, -0.1667, -0.6667, -0.1667,
    ]);
    expect(read("fspecial('log',5,0.5)").weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(0, 12);
    expect(refusal(() => read("fspecial('gabor')"))).toMatchObject({ actual: "“'”" });
  });
});

describe('documents', () => {
  it('of LaTeX, with a factor', () => {
    const kernel = read('K = \\frac{1}{16}\\begin{bmatrix} 1 & 2 & 1 \\\\ 2 & 4 & 2 \\\\ 1 & 2 & 1 \\end{bmatrix}');
    expect(kernel).toMatchObject({ width: 3, height: 3, divisor: 16 });
    expect(read('\\begin{pmatrix} \\frac{1}{2} & -1/4 \\end{pmatrix}').weights).toEqual([0.5, -0.25]);
  });
  it('of Markdown, with or without a head', () => {
    expect(rowsOf(read('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n'))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(refusal(() => read('| a | b |\n|---|---|\n| 1 | x |'))).toMatchObject({ subject: 'line 3, column 7' });
  });
  it('of the IM toolkit', () => {
    expect(read('IMKERNEL\nmy kernel\n3 1\n0\n1 2 1\n')).toMatchObject({ weights: [1, 2, 1] });
  });
});

describe('NumPy files', () => {
  it('read what NumPy saves, and write 200 bytes for 3 × 3', () => {
    const written = writeKernel('npy', createKernel(3, 3, numbered.flat(), { divisor: 1 }), { name: '', filter });
    const bytes = written.content as Uint8Array;
    expect(bytes).toHaveLength(200);
    expect([bytes[8], bytes[9]]).toEqual([0x76, 0]);
    expect(rowsOf(only(readKernelFile(bytes, 'k.npy')))).toEqual(numbered);
  });
});

// Not symmetric, an anchor off the middle, a divisor and a bias: what a format loses shows.
const whole = createKernel(3, 3, [1, 2, 3, 4, 5, 6, 7, 8, -9], { anchorX: 1, anchorY: 1, divisor: 27, bias: 0 });
const odd = { ...whole, anchorX: 2, anchorY: 0, bias: 0.25 };

describe('a kernel written and read again', () => {
  const same = (a: Kernel, b: Kernel, fields: readonly (keyof Kernel)[]) => {
    const [x, y] = [toCorrelation(a), toCorrelation(b)].map((kernel) => ({
      ...kernel,
      divisor: resolveDivisor(kernel).divisor,
    }));
    for (const field of fields) expect(x?.[field], field).toEqual(y?.[field]);
  };
  const back = (format: WrittenFormat, kernel: Kernel): Kernel => {
    const { content, ending } = writeKernel(format, kernel, { name: 'mine', filter });
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return only(readKernelFile(bytes, `mine${ending}`, { orientation: 'correlation' }));
  };
  it.each(writtenFormats.filter((format) => format !== 'acf' && format !== 'gegl'))(
    'keeps every number in %s',
    (format) => {
      for (const kernel of [whole, { ...whole, orientation: 'convolution' as const }])
        same(back(format, kernel), kernel, ['weights', 'width', 'height']);
    },
  );
  it.each(['json', 'svg'] as const)('keeps all in %s', (format) => {
    for (const kernel of [whole, odd, { ...odd, orientation: 'convolution' as const }]) {
      expect(writeKernel(format, kernel, { name: '', filter: { ...filter, border: { kind: 'wrap' } } }).losses).toEqual(
        [],
      );
      same(back(format, kernel), kernel, ['weights', 'anchorX', 'anchorY', 'divisor', 'bias']);
    }
  });
  it.each(['acf', 'gegl'] as const)('keeps a 3 × 3 in the middle of %s', (format) => {
    const kernel = back(format, whole);
    expect([6, 7, 8, 11, 12, 13, 16, 17, 18].map((index) => kernel.weights[index])).toEqual(whole.weights);
    expect(kernel).toMatchObject({ divisor: 27, bias: 0, anchorX: 2, anchorY: 2 });
  });
  it.each(codeTargets)('keeps anchor, divisor, bias and orientation as %s code', (target) => {
    for (const kernel of [whole, odd]) {
      for (const language of ['en', 'zh-CN'] as const) {
        const { text } = kernelCode(target, kernel, filter, codeWordsOf(language));
        const reading = readKernelText(text);
        expect(reading.orientationSaid).toBe(true);
        same(only(reading), kernel, ['weights', 'anchorX', 'anchorY', 'divisor', 'bias']);
      }
    }
  });
  it.each(['json', 'magickString'] as const)('keeps in %s which cells are left out', (format) => {
    const kernel = createKernel(2, 2, [0, 1, 0, 2], { absent: [1, 0, 0, 0], divisor: 1, anchorX: 0, anchorY: 0 });
    expect(writeKernel(format, kernel, { name: '', filter }).losses.map(({ kind }) => kind)).not.toContain('absent');
    same(back(format, kernel), kernel, ['weights', 'absent', 'anchorX']);
  });
  it('says in all others and in code how many cells stand as 0 that are left out', () => {
    const kernel = createKernel(3, 3, [0, 1, 0, 1, 4, 1, 0, 1, 0], { absent: [1, 0, 1, 0, 1, 0, 1, 0, 1] });
    const told = { kind: 'absent', count: 4 };
    for (const format of writtenFormats.filter((one) => one !== 'json' && one !== 'magickString'))
      expect(writeKernel(format, kernel, { name: '', filter }).losses, format).toContainEqual(told);
    for (const target of codeTargets.filter((one) => one !== 'imageMagick'))
      expect(kernelCode(target, kernel, filter, englishWords).losses, target).toContainEqual(told);
    expect(kernelCode('imageMagick', kernel, filter, englishWords).text).toContain('nan,1,nan 1,4,1 nan,1,nan');
  });
  it('refuses marks of absent cells in JSON that do not fit, by their place', () => {
    const json = (marks: string) => `{"kernel": [[0, 1]],\n"absent": ${marks}}`;
    expect(read(json('[1, 0]')).absent).toEqual([1, 0]);
    expect(refusal(() => read(json('[1]')))).toMatchObject({ subject: 'line 2, column 11', expected: '2 numbers' });
    expect(refusal(() => read(json('[1, 2]')))).toMatchObject({ subject: 'line 2, column 15', expected: '0 or 1' });
  });
  it('lists what the numbers alone do not say', () => {
    const kinds = (format: WrittenFormat, kernel: Kernel) =>
      writeKernel(format, kernel, { name: '', filter }).losses.map(({ kind }) => kind);
    expect(kinds('csv', odd)).toEqual(['orientation', 'anchor', 'divisor', 'bias']);
    expect(kinds('numpyArray', odd)).toEqual(['orientation', 'anchor', 'bias']);
    expect(kinds('vips', odd)).toEqual(['anchor', 'depth']);
    expect(kinds('csv', createKernel(3, 3, sharpen.flat(), { divisor: 1 }))).toEqual([]);
  });
});
