// Kernels from formulas: the numbers, the order of operations, free variables, and refusals that name their place.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { chinesePhrases } from '../../../core/errorPhrases';
import { ConvolveError } from '../../../core/errors';
import { fillFromFormula, formulaFunctions, parseFormula, sampleFormula, startingValue } from '../../../core/formula';
import { createKernel } from '../../../core/kernel';
import { gaussianVector } from '../../../core/kernelShapes';
import { randomSource } from './randomNumbers';

const blank = (width: number, height: number, rest = {}) =>
  createKernel(width, height, new Array<number>(width * height).fill(0), rest);
const resultOf = (text: string, values = {}) => sampleFormula(parseFormula(text), blank(1, 1), values).weights[0];

function failureOf(text: string) {
  try {
    parseFormula(text);
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error(`${text} was read`);
}

describe('a formula', () => {
  it('of a Gaussian gives the Gaussian, and names its free variable', () => {
    const formula = parseFormula('exp(-(x^2+y^2)/(2*s^2))');
    expect(formula.variables).toEqual(['s']);
    const vector = gaussianVector(1.5, 9);
    const peak = vector[4] ?? 0;
    const { weights } = fillFromFormula(blank(9, 9), formula, { s: 1.5 });
    weights.forEach((weight, index) => {
      const expected = ((vector[index % 9] ?? 0) * (vector[Math.floor(index / 9)] ?? 0)) / peak ** 2;
      expect(weight).toBeCloseTo(expected, 14);
    });
  });

  it.each([
    ['-2^2', -4],
    ['2^3^2', 512],
    ['2^-1', 0.5],
    ['-2^-2', -0.25],
    ['(-2)^2', 4],
    ['2**3', 8],
    ['2*-3', -6],
    ['1-2-3', -4],
    ['12/2/3', 2],
    ['1+2*3', 7],
    ['-1 % 3', 2],
    ['--3', 3],
    ['+3', 3],
    ['1e-3*1E3', 1],
    ['.5+1.', 1.5],
    ['1 < 2', 1],
    ['3 <= 2', 0],
    ['1 + 1 == 2', 1],
    ['if(2 > 1, 10, 20)', 10],
    ['1 > 2 ? 10 : 0 < 1 ? 20 : 30', 20],
    ['max(1, 5, 3) - min(4, 2)', 3],
    ['2 × 3 − 4 ÷ 2', 4],
    ['cos(π) + sin(pi/2)', 0],
    ['log(e)', 1],
    ['sinc(0) + sinc(1)', 1],
    ['mod(-1, 4)', 3],
    ['clamp(9, 0, 2)', 2],
    ['hypot(3, 4)', 5],
  ])('%s is %d', (text, expected) => {
    expect(resultOf(text)).toBeCloseTo(expected, 14);
  });

  it('measures x and y from the anchor, y downwards, theta counter-clockwise', () => {
    const grid = blank(3, 2, { anchorX: 0, anchorY: 1 });
    const sample = (text: string) => sampleFormula(parseFormula(text), grid).weights;
    expect(sample('x')).toEqual([0, 1, 2, 0, 1, 2]);
    expect(sample('y')).toEqual([-1, -1, -1, 0, 0, 0]);
    expect(sample('w*10+h')).toEqual(new Array(6).fill(32));
    expect(sample('r')[2]).toBeCloseTo(Math.sqrt(5), 14);
    expect(sample('theta/pi')[0], 'above the anchor').toBe(0.5);
    const left = sampleFormula(parseFormula('theta'), blank(3, 3)).weights;
    expect(left[3], 'left of the anchor').toBe(Math.PI);
    expect(left[5], 'right of the anchor').toBe(0);
  });

  it('lists free variables once, in order, and starts sigma at what the grid holds', () => {
    const formula = parseFormula('a*x + b*sin(a) + sigma + constructor');
    expect(formula.variables).toEqual(['a', 'b', 'sigma', 'constructor']);
    expect(startingValue('a', 9, 9)).toBe(1);
    expect(startingValue('sigma', 9, 99)).toBeCloseTo(4.5 / 4.06, 12);
    expect(resultOf('toString + 1')).toBe(2);
    expect(resultOf('a + b', { a: 4 })).toBe(5);
  });

  it('keeps size, anchor, divisor, bias and orientation of the kernel that it fills', () => {
    const kernel = blank(3, 3, { anchorX: 2, divisor: 7, bias: 0.25, orientation: 'convolution' as const });
    expect(fillFromFormula(kernel, parseFormula('1'))).toEqual({ ...kernel, weights: new Array(9).fill(1) });
  });

  it('names the cells whose results are not finite', () => {
    const formula = parseFormula('sin(r)/r');
    expect(sampleFormula(formula, blank(5, 5)).unusable).toEqual([{ x: 2, y: 2, value: Number.NaN }]);
    expect(() => fillFromFormula(blank(5, 5), formula)).toThrow(/NaN \(row 3, column 3\)/);
    expect(sampleFormula(parseFormula('1/x'), blank(3, 1)).unusable).toEqual([
      { x: 1, y: 0, value: Number.POSITIVE_INFINITY },
    ]);
    expect(() => fillFromFormula(blank(1, 1), parseFormula('a'), { a: Number.NaN })).toThrow(/row 1, column 1/);
  });
});

describe('a formula that cannot be read', () => {
  it.each([
    ['', 1, 'an empty text'],
    ['x +', 4, 'the end of the text'],
    ['x + * y', 5, '“*”'],
    ['2x', 2, '“x”'],
    ['2 (x)', 3, '“(”'],
    ['x y', 3, '“y”'],
    ['(x + 1', 7, 'the end of the text'],
    ['x + 1)', 6, '“)”'],
    ['()', 2, '“)”'],
    ['exp x', 5, '“x”'],
    ['exp + 1', 4, '“+”'],
    ['3*foo(x)', 3, '“foo”'],
    ['atan2(x)', 1, '1'],
    ['exp(x, y)', 1, '2'],
    ['exp(1 2)', 7, '“2”'],
    ['max(1,,2)', 7, '“,”'],
    ['max(1,)', 7, '“)”'],
    ['x, y', 2, '“,”'],
    ['x;', 2, '“;”'],
    ['x = 1', 3, '“=”'],
    ['x[0]', 2, '“[”'],
    ['x.y', 2, '“.y”'],
    ['"x"', 1, '“"”'],
    ['x ? 1', 6, 'the end of the text'],
    ['x && y', 3, '“&”'],
    ['!x', 1, '“!”'],
    ['1e', 3, 'the end of the text'],
    ['1.2.3', 4, '“.3”'],
    ['x²', 1, '“x”'],
    ['`x`', 1, '“`”'],
    ['1e999', 1, '“1e999”'],
  ])('%s names column %d and %s', (text, column, actual) => {
    const failure = failureOf(text);
    expect(failure).toMatchObject({ code: 'invalidKernel', subject: `line 1, column ${column}`, actual });
    expect(chinesePhrases(failure.expected ?? ''), 'in Chinese').toMatch(/[一-龥]/);
  });

  it('names the line too', () => {
    expect(failureOf('x +\n  ?').subject).toBe('line 2, column 3');
  });

  it('is refused where it is too long or too deep, and works again after that', () => {
    expect(failureOf('1+'.repeat(600)).expected).toBe('at most 1000 characters');
    expect(failureOf(`${'('.repeat(100)}1${')'.repeat(100)}`).expected).toMatch(/at most 64 brackets/);
    expect(failureOf('-'.repeat(500)).expected).toMatch(/at most 64 brackets/);
    expect(failureOf('2^'.repeat(400)).expected).toMatch(/at most 64 brackets/);
    expect(resultOf(`${'('.repeat(30)}1${')'.repeat(30)}`)).toBe(1);
    expect(resultOf(`0${'+1'.repeat(499)}`)).toBe(499);
  });

  it('never fails in another way, whatever the text', () => {
    const random = randomSource(5);
    const words = [
      'x',
      'y',
      '(',
      ')',
      '+',
      '-',
      '^',
      '**',
      ',',
      '.',
      '1',
      'e',
      'exp(',
      '?',
      '[',
      ';',
      '"',
      '²',
      ' ',
      '<=',
      'π',
    ];
    let read = 0;
    for (let count = 0; count < 5000; count++) {
      const text = Array.from({ length: random.whole(1, 14) }, () => random.pick(words)).join('');
      try {
        sampleFormula(parseFormula(text), blank(2, 2));
        read += 1;
      } catch (thrown) {
        if (!(thrown instanceof ConvolveError)) throw new Error(text, { cause: thrown });
        expect(thrown.failure.subject, text).toMatch(/^line 1, column \d+$/);
      }
    }
    expect(read).toBeGreaterThan(50);
  });

  it('has the usual functions', () => {
    for (const name of ['exp', 'sqrt', 'sin', 'cos', 'tan', 'atan2', 'log', 'abs', 'min', 'max', 'floor', 'pow'])
      expect(formulaFunctions).toContain(name);
  });

  it('is read without eval or Function, which the page’s security policy forbids', () => {
    const require = createRequire(import.meta.url);
    for (const name of ['jsep', 'fft.js']) {
      const code = readFileSync(require.resolve(name), 'utf8');
      expect(code.length).toBeGreaterThan(5000);
      expect(code, name).not.toMatch(/\beval\b|\bnew\s+Function\b|(?<![\w.])Function\s*\(/);
    }
  });
});
