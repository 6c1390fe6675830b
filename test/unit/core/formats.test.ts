// Kernels as text: what is read and as what, which places are named where it cannot be, and that no text whatever throws
// anything else or hangs.

import { describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { type KernelTextOptions, kernelToText, noteText, parseKernelText } from '../../../core/formats';
import { createKernel, validateKernel } from '../../../core/kernel';
import { type RandomSource, randomSource } from './randomNumbers';

/** The cells row by row, and the divisor. */
function read(text: string, options?: KernelTextOptions) {
  const { kernel } = parseKernelText(text, options);
  const rows = Array.from({ length: kernel.height }, (_, y) =>
    kernel.weights.slice(y * kernel.width, (y + 1) * kernel.width),
  );
  return { rows, divisor: kernel.divisor };
}

function refusal(text: string, options?: KernelTextOptions): Failure {
  try {
    parseKernelText(text, options);
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown.failure;
    throw thrown;
  }
  throw new Error(`not refused: ${text}`);
}

const sharpen = [
  [0, -1, 0],
  [-1, 5, -1],
  [0, -1, 0],
];
const binomial = [
  [1, 2, 1],
  [2, 4, 2],
  [1, 2, 1],
];

describe('bare rows', () => {
  it.each([
    ['blanks', '0 -1 0\n-1 5 -1\n0 -1 0'],
    ['commas', '0,-1,0\n-1,5,-1\n0,-1,0\n'],
    ['commas and blanks', '0, -1, 0\n-1, 5, -1\n0 ,-1 ,0'],
    ['tabs, as from a spreadsheet', '0\t-1\t0\r\n-1\t5\t-1\r\n0\t-1\t0\r\n'],
    ['semicolons between cells', '0;-1;0\n-1;5;-1\n0;-1;0'],
    ['semicolons between rows', '0 -1 0; -1 5 -1; 0 -1 0'],
    ['semicolons between rows of commas', '0,-1,0;-1,5,-1;0,-1,0'],
    ['semicolons at the ends of rows', '0 -1 0;\n-1 5 -1;\n0 -1 0;'],
    ['slashes between rows', '0 -1 0 / -1 5 -1 / 0 -1 0'],
    ['Unicode minus', '0 \u22121 0\n\u22121 5 \u22121\n0 \u22121 0'],
    ['byte order mark, old line ends, blank lines', '\uFEFF\r0 -1 0\r\r-1 5 -1\r0 -1 0\r'],
    ['comments', '# sharpen\n0 -1 0 % first\n-1 5 -1 // second\n0 -1 0'],
    ['quotes', '"0","-1","0"\n"-1","5","-1"\n"0","-1","0"'],
    ['blanks that do not break', '0\u00A0-1\u00A00\n-1 5 -1\n0 -1 0'],
  ])('parted by %s', (_, text) => {
    expect(read(text)).toEqual({ rows: sharpen, divisor: 1 });
  });

  it('read a divisor after a slash, and keep the cells whole', () => {
    for (const text of ['1 2 1\n2 4 2\n1 2 1 / 16', '1 2 1\n2 4 2\n1 2 1\n/16', '1 2 1 / 2 4 2 / 1 2 1 / 16'])
      expect(read(text)).toEqual({ rows: binomial, divisor: 16 });
    expect(read('1 4 6 4 1 / 256')).toEqual({ rows: [[1, 4, 6, 4, 1]], divisor: 256 });
    expect(read('1 / 2 / 1')).toEqual({ rows: [[1], [2], [1]], divisor: 1 });
  });

  it('read fractions', () => {
    expect(read('1/16 2/16 1/16').rows).toEqual([[0.0625, 0.125, 0.0625]]);
    expect(read('-1/4, 1e-1, .5, +2').rows).toEqual([[-0.25, 0.1, 0.5, 2]]);
  });

  it('read decimal commas where tabs or semicolons part the cells, with a note', () => {
    expect(read('0,5;1;0,5\n1;2;1').rows).toEqual([
      [0.5, 1, 0.5],
      [1, 2, 1],
    ]);
    expect(read('0,5\t1\n1\t-2,25').rows).toEqual([
      [0.5, 1],
      [1, -2.25],
    ]);
    expect(parseKernelText('0,5\t1\n1\t2').notes).toEqual([{ kind: 'decimalComma' }]);
  });

  it('refuse a comma that could be either, until they are told', () => {
    expect(refusal('0,5 1,0\n1,0 0,5')).toMatchObject({ subject: 'line 1, column 1', actual: '“0,5”' });
    expect(read('0,5 1,0\n1,0 0,5', { decimalComma: true }).rows).toEqual([
      [0.5, 1],
      [1, 0.5],
    ]);
    expect(read('1,3\n2,5', { decimalComma: true }).rows).toEqual([[1.3], [2.5]]);
  });

  it('take an empty cell as 0, with a note', () => {
    expect(parseKernelText('1\t\t1\n\t2\t')).toMatchObject({
      kernel: { width: 3, height: 2, weights: [1, 0, 1, 0, 2, 0] },
      notes: [{ kind: 'emptyCells', cells: 3 }],
    });
    expect(read('1,,2').rows).toEqual([[1, 0, 2]]);
    for (const text of ['1,2,\n3,4,', '1,2,\n3,4', '1, 2,; 3, 4'])
      expect(read(text).rows, 'a comma at the end of a line is no cell').toEqual([
        [1, 2],
        [3, 4],
      ]);
    for (const text of ['1,2\n3,', '1,2\r\n3,\r\n', '"1","2"\n"3",""'])
      expect(parseKernelText(text), 'but an empty one where the other lines have a number').toMatchObject({
        kernel: { width: 2, height: 2, weights: [1, 2, 3, 0] },
        notes: [{ kind: 'emptyCells', cells: 1 }],
      });
    expect(read(',,\n1,2,3').rows).toEqual([
      [0, 0, 0],
      [1, 2, 3],
    ]);
  });

  it('read one line of a spreadsheet with decimal commas', () => {
    expect(parseKernelText('0,5;1;-2,25')).toMatchObject({
      kernel: { width: 3, height: 1, weights: [0.5, 1, -2.25] },
      notes: [{ kind: 'decimalComma' }, { kind: 'singleRow', cells: 3 }],
    });
    expect(read('0,5;0,25;0,5').rows, 'pairs, as MATLAB writes them').toEqual([
      [0, 5],
      [0, 25],
      [0, 5],
    ]);
    expect(read('0,5;0,25;0,5', { decimalComma: true }).rows).toEqual([[0.5, 0.25, 0.5]]);
  });

  it('note that one line is one row', () => {
    expect(parseKernelText('0 -1 0 -1 5 -1 0 -1 0')).toMatchObject({
      kernel: { width: 9, height: 1 },
      notes: [{ kind: 'singleRow', cells: 9 }],
    });
    expect(parseKernelText('7').notes).toEqual([]);
  });
});

describe('literals', () => {
  it.each([
    ['NumPy', 'np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])'],
    [
      'NumPy with a type, a name and trailing commas',
      'k = numpy.array([[0,-1,0,],[-1,5,-1,],[0,-1,0,],], dtype=np.float32)',
    ],
    ['NumPy as it prints', '[[ 0. -1.  0.]\n [-1.  5. -1.]\n [ 0. -1.  0.]]'],
    ['NumPy reshaped and cast', 'np.array([0,-1,0,-1,5,-1,0,-1,0]).reshape(3, 3).astype(np.float32)'],
    ['lists of lists', '[[0, -1, 0], [-1, 5, -1], [0, -1, 0]]'],
    ['tuples', '((0, -1, 0), (-1, 5, -1), (0, -1, 0))'],
    ['MATLAB', '[0 -1 0; -1 5 -1; 0 -1 0]'],
    ['MATLAB over lines', 'K = [0, -1, 0\n     -1, 5, -1\n     0, -1, 0];'],
    ['MATLAB with continuation and comments', '[0 -1 ... rest of the row\n 0; -1 5 -1; % middle\n 0 -1 0]'],
    ['G’MIC', '(0,-1,0;-1,5,-1;0,-1,0)'],
    ['C', 'static const float k[3][3] = {{0.f, -1.f, 0.f}, {-1.f, 5.f, -1.f}, {0.f, -1.f, 0.f}};'],
    ['C, flat with its sizes', 'float k[3][3] = {0, -1, 0, -1, 5, -1, 0, -1, 0};'],
    ['C, flat over equally long lines', 'double k[] = {\n 0, -1, 0, // top\n -1, 5, -1,\n 0, -1, 0 /* bottom */\n};'],
    ['JSON', '{"kernel": [[0, -1, 0], [-1, 5, -1], [0, -1, 0]]}'],
    ['JSON, flat with its sizes', '{"width": 3, "height": 3, "weights": [0, -1, 0, -1, 5, -1, 0, -1, 0]}'],
    ['one more pair of brackets', '[[[0, -1, 0], [-1, 5, -1], [0, -1, 0]]]'],
  ])('of %s', (_, text) => {
    expect(read(text)).toEqual({ rows: sharpen, divisor: 1 });
  });

  it('take a factor or divisor outside as the divisor', () => {
    for (const text of [
      'np.array([[1,2,1],[2,4,2],[1,2,1]]) / 16',
      '1/16 * [1 2 1; 2 4 2; 1 2 1]',
      '(1/16) * np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]])',
      '[1 2 1; 2 4 2; 1 2 1] ./ 16',
      '{"kernel":[[1,2,1],[2,4,2],[1,2,1]],"divisor":16}',
      '{{1,2,1},{2,4,2},{1,2,1}} * (1.0f / 16.0f);',
    ])
      expect(read(text), text).toEqual({ rows: binomial, divisor: 16 });
    expect(read('2*[1 2]')).toEqual({ rows: [[2, 4]], divisor: 1 });
    expect(read('-[1 2]/4')).toEqual({ rows: [[-1, -2]], divisor: 4 });
    expect(read('1/9*ones(3)')).toEqual({
      rows: [
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
      ],
      divisor: 9,
    });
    expect(read('np.ones((2, 3), np.float32) / 6')).toEqual({
      rows: [
        [1, 1, 1],
        [1, 1, 1],
      ],
      divisor: 6,
    });
  });

  it('follow MATLAB: 1 -2 is two cells, 1 - 2 is one', () => {
    expect(read('[1 -2]').rows).toEqual([[1, -2]]);
    expect(read('[1 - 2]').rows).toEqual([[-1]]);
    expect(read('[1 -2 + 5 3]').rows).toEqual([[1, 3, 3]]);
    expect(read('[a]'.replace('a', '1-2')).rows).toEqual([[-1]]);
  });

  it('compute cells with + − * / parentheses and sqrt, and no more', () => {
    expect(read('[(1/16), (2/16)*3, 2*(3+4)/7, -(1), sqrt(9)]').rows).toEqual([[0.0625, 0.375, 2, -1, 3]]);
    expect(refusal('[exp(1)]')).toMatchObject({ subject: 'line 1, column 2', actual: '“exp”' });
    expect(refusal('[2^3]')).toMatchObject({ actual: '“^”' });
  });

  it('of JSON carry anchor, bias and orientation', () => {
    const text = '{"kernel":[[1,2],[3,4]],"anchor":[0,1],"bias":0.5,"divisor":"auto","orientation":"convolution"}';
    expect(parseKernelText(text).kernel).toEqual(
      createKernel(2, 2, [1, 2, 3, 4], {
        anchorX: 0,
        anchorY: 1,
        bias: 0.5,
        divisor: 'auto',
        orientation: 'convolution',
      }),
    );
    const kernel = createKernel(3, 2, [1, 2, 3, 4, 5, 6], { divisor: 7 });
    expect(parseKernelText(JSON.stringify(kernel)).kernel).toEqual(kernel);
  });
});

describe('ImageMagick strings', () => {
  it('hold sizes, origin and numbers parted by blanks or commas', () => {
    expect(parseKernelText('3x3: 0,-1,0 -1,5,-1 0,-1,0').kernel).toMatchObject({
      weights: sharpen.flat(),
      anchorX: 1,
      anchorY: 1,
    });
    expect(parseKernelText("'3x2+2+0: 1 2 3 4 5 0x10'").kernel).toMatchObject({
      width: 3,
      height: 2,
      anchorX: 2,
      anchorY: 0,
      weights: [1, 2, 3, 4, 5, 16],
    });
    expect(parseKernelText('3: 1 1 1 1 1 1 1 1 1').kernel).toMatchObject({ width: 3, height: 3 });
  });

  it('have their origin left of and above the middle for even sizes', () => {
    expect(parseKernelText('4x4: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1').kernel).toMatchObject({ anchorX: 1, anchorY: 1 });
    expect(parseKernelText('2x3: 1 1 1 1 1 1').kernel).toMatchObject({ anchorX: 0, anchorY: 1 });
  });

  it('take absent cells as 0, with a note', () => {
    expect(parseKernelText('3x1: nan 1 -')).toMatchObject({
      kernel: { weights: [0, 1, 0] },
      notes: [
        { kind: 'absentCells', cells: 2 },
        { kind: 'singleRow', cells: 3 },
      ],
    });
    expect(refusal('2x1: nan -').code).toBe('invalidKernel');
  });

  it('are refused with too few or too many numbers, an origin outside, and as lists', () => {
    expect(refusal('3x3: 1 2 3')).toMatchObject({ code: 'invalidKernel', expected: 'number 4 of 9' });
    expect(refusal('2x1: 1 2 3')).toMatchObject({ actual: '“3”', subject: 'line 1, column 10' });
    expect(refusal('2x1+2+0: 1 2')).toMatchObject({ subject: 'line 1, column 4', expected: 'a whole number of 0…1' });
    expect(refusal('600x1: 1')).toMatchObject({ subject: 'line 1, column 1', actual: '“600x1”' });
    expect(refusal('3x1>: 1 2 3')).toMatchObject({ subject: 'line 1, column 4', expected: 'one kernel' });
    expect(refusal('2x1: 1 2; 2x1: 3 4')).toMatchObject({ subject: 'line 1, column 9', expected: 'one kernel' });
    expect(parseKernelText('2x1: 1 2;').kernel.weights).toEqual([1, 2]);
    for (const name of ['Sobel', 'Gaussian:0x2', 'Laplacian:7'])
      expect(refusal(name)).toMatchObject({ subject: 'line 1, column 1', expected: 'a kernel of numbers' });
  });
});

describe('what cannot be read', () => {
  it.each([
    ['1 2 x', 'line 1, column 5', '“x”'],
    ['1 2 3\n4 five 6', 'line 2, column 3', '“five”'],
    ['1,2,3\n4,5,6e', 'line 2, column 5', '“6e”'],
    ['[1, 2\n 3, ?]', 'line 2, column 5', '“?”'],
    ['[1,2', 'line 1, column 5', 'the end of the text'],
    ['[1,2]]', 'line 1, column 6', '“]”'],
    ['[1,,2]', 'line 1, column 4', '“,”'],
    ['[]', 'line 1, column 2', '“]”'],
    ['{"kernel": [[1, 2}', 'line 1, column 18', '“}”'],
    ['', 'line 1, column 1', 'an empty text'],
    [' \n\t ', 'line 2, column 3', 'an empty text'],
    ['# only a comment', 'line 1, column 1', '“#”'],
    ['nan 1', 'line 1, column 1', '“nan”'],
    ['1 2 / 0', 'line 1, column 7', '“0”'],
    ['[1 2]/0', 'line 1, column 7', '“0”'],
    ['1/0', 'line 1, column 3', '“0”'],
    ['1e999', 'line 1, column 1', '“1e999”'],
    ['[1 2][3 4]', 'line 1, column 6', '“[”'],
    ['system("rm")', 'line 1, column 1', '“system”'],
    ['/* open', 'line 1, column 1', '“/”'],
    ['1 2 3\n4 5\n6 7 8', 'line 2, column 4', 'the end of the line'],
    ['1 2 3\n4 5', 'line 2, column 4', 'the end of the text'],
    ['1 2\n3 4 50', 'line 2, column 5', '“50”'],
    ['1,2\n3,4,5', 'line 2, column 5', '“5”'],
    ['[[1,2],[3]]', 'line 1, column 10', '“]”'],
    ['[1 2; 3 4 5]', 'line 1, column 11', '“5”'],
    ['np.array([[1, 2],\n [3, 4, 5]])', 'line 2, column 9', '“5”'],
    ['[[1, 2],\n [3\n ]]', 'line 2, column 4', 'the end of the line'],
    ['1 1e300', 'line 1, column 3', '“1e300”'],
    ['[1 2; 3 -1e101]', 'line 1, column 9', '“-1e101”'],
    ['[1e99 2]*1e9', 'line 1, column 2', '“1e99”'],
    ['{"kernel":[[1,"a"]]}', 'line 1, column 15', '“"”'],
    ['{"kernel":[[1,2],\n[3]]}', 'line 2, column 3', '“]”'],
    ['{"kernel":[[1]],"divisor":0}', 'line 1, column 27', '“0”'],
    ['{"kernel":[[1]],"divisor":"x"}', 'line 1, column 27', '“"”'],
    ['{"kernel":[[1]],"bias":1e9}', 'line 1, column 24', '“1e9”'],
    ['{"width":2,"weights":[1,2,3]}', 'line 1, column 22', '3 numbers'],
    ['{"width":2,"height":5,"weights":[1,2,3,4]}', 'line 1, column 21', '“5”'],
    ['{"kernel":[[1]],"anchor":[1,0]}', 'line 1, column 27', '“1”'],
    ['{"kernel":[[1]],"anchor":[0]}', 'line 1, column 26', '“[”'],
    ['{"kernel":[[1]],"orientation":"up"}', 'line 1, column 31', '“"”'],
    ['{"divisor":2}', 'line 1, column 1', '“{”'],
    ['{"kernel":[[1]],}', 'line 1, column 17', '“}”'],
    ['{"kernel":[[01]]}', 'line 1, column 14', '“1”'],
    ['{"a":"\\u12"}', 'line 1, column 6', '“"”'],
    ['1 / 1e-200', 'line 1, column 1', 'one whose divisor is 1e-200'],
  ])('%j is refused at %s: %s', (text, subject, actual) => {
    expect(refusal(text)).toMatchObject({ code: 'invalidKernel', subject, actual });
  });

  it('says how many numbers a row has too few or too many', () => {
    expect(refusal('1 2 3\n4 5').expected).toBe('number 3 of row 2, as row 1 has 3');
    expect(refusal('1 2\n3 4 5').expected).toBe('the end of row 2, as row 1 has 2 numbers');
  });

  it('refuses JSON that nests too deeply, and takes what other programs add', () => {
    expect(refusal(`{"a":${'['.repeat(1e5)}`)).toMatchObject({ expected: 'at most 40 brackets inside one another' });
    const text =
      '{"name":"a\\u00e9 \\"b\\"","ok":true,"none":null,"rows":[{"x":{}}],"matrix":[[1,2]],"divisor":"auto"}';
    expect(parseKernelText(text).kernel).toMatchObject({ width: 2, height: 1, divisor: 'auto' });
  });

  it('says the cap of 511 before anything large is made', () => {
    expect(refusal('1 '.repeat(512))).toMatchObject({
      subject: 'line 1, column 1023',
      expected: 'at most 511 numbers in a row',
    });
    expect(refusal('1\n'.repeat(600))).toMatchObject({ subject: 'line 512, column 1', expected: 'at most 511 rows' });
    expect(refusal('ones(100000)')).toMatchObject({ expected: 'one or two sizes' });
    expect(refusal(' '.repeat(9e6))).toMatchObject({ subject: 'its text' });
  });
});

describe('options', () => {
  it('fill in what a text does not say, and never override what it does', () => {
    const options = { divisor: 'auto', orientation: 'convolution' } as const;
    expect(parseKernelText('1 2\n3 4', options).kernel).toMatchObject(options);
    expect(parseKernelText('1 2\n3 4 / 10', options).kernel.divisor).toBe(10);
    expect(parseKernelText('3x1: 1 2 3', options).kernel).toMatchObject(options);
  });
});

// ---- Properties -----------------------------------------------------------------------------------------------------

interface Example {
  readonly rows: readonly (readonly number[])[];
  readonly divisor: number;
}

function randomExample(random: RandomSource): Example {
  const width = random.whole(2, 7);
  const height = random.whole(2, 7);
  const number = () =>
    random.pick([
      () => random.whole(-9, 9),
      () => random.whole(-999, 999) / 1000,
      () => random.next() - 0.5,
      () => (random.next() - 0.5) * 10 ** random.whole(-30, 30),
    ])();
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => number() || 0));
  return { rows, divisor: random.pick([1, 9, 16, 256, 0.5, 1.25]) };
}

/** The same kernel in the words of each program. */
const writers: readonly ((example: Example) => string)[] = [
  ({ rows, divisor }) => `${rows.map((row) => row.join(' ')).join('\n')} / ${divisor}`,
  ({ rows, divisor }) => `${rows.map((row) => row.join(', ')).join('\r\n')}\r\n / ${divisor}\r\n`,
  ({ rows, divisor }) => `${rows.map((row) => row.join('\t')).join('\n')}\n/ ${divisor}`,
  ({ rows, divisor }) => `${rows.map((row) => row.join(' ')).join('; ')} / ${divisor}`,
  ({ rows, divisor }) => `np.array([${rows.map((row) => `[${row.join(', ')}]`).join(',\n  ')}]) / ${divisor}`,
  ({ rows, divisor }) => `[${rows.map((row) => row.join(' ')).join('; ')}]/${divisor};`,
  ({ rows, divisor }) => `1/${divisor} * [${rows.map((row) => row.join(',')).join('\n')}]`,
  ({ rows, divisor }) => `float k[${rows.length}][${rows[0]?.length}] = {${rows.flat().join(', ')}} / ${divisor}`,
  ({ rows, divisor }) => JSON.stringify({ kernel: rows, divisor }),
];

describe('round trips', () => {
  it('400 random kernels come back the same from every program’s words', () => {
    const random = randomSource(42);
    for (let round = 0; round < 400; round++) {
      const example = randomExample(random);
      const text = random.pick(writers)(example);
      expect(read(text), text).toEqual(example);
    }
  });

  it('a kernel written as text comes back the same', () => {
    const random = randomSource(43);
    for (let round = 0; round < 100; round++) {
      const { rows, divisor } = randomExample(random);
      const kernel = createKernel(rows[0]?.length ?? 0, rows.length, rows.flat(), { divisor });
      expect(parseKernelText(kernelToText(kernel)).kernel).toEqual(kernel);
    }
  });
});

describe('any text', () => {
  const alphabet = [
    ...'0123456789.,;:/*+-=()[]{}"\'#%@<>|& \t\n\r\\eExXfnan',
    'np.array(',
    'ones(',
    '...',
    '//',
    '/*',
    '\u2212',
    '\u0000',
    '中',
    '1e',
    '3x3:',
  ];

  function mutate(text: string, random: RandomSource): string {
    let result = text;
    for (let edit = random.whole(1, 6); edit > 0; edit--) {
      const from = random.whole(0, result.length);
      const to = Math.min(result.length, from + random.whole(0, 5));
      const insert = Array.from({ length: random.whole(0, 4) }, () => random.pick(alphabet)).join('');
      result = result.slice(0, from) + insert + result.slice(to);
    }
    return result;
  }

  it('2 000 mutations give a kernel that is valid or a ConvolveError, quickly', () => {
    const random = randomSource(2000);
    const started = performance.now();
    let readable = 0;
    for (let round = 0; round < 2000; round++) {
      const text = mutate(random.pick(writers)(randomExample(random)), random);
      try {
        const { kernel, notes } = parseKernelText(text);
        validateKernel(kernel);
        for (const note of notes) expect(noteText(note)).not.toBe('');
        readable += 1;
      } catch (thrown) {
        expect(thrown, text).toBeInstanceOf(ConvolveError);
      }
    }
    expect(readable, 'some mutations are harmless').toBeGreaterThan(50);
    expect(readable, 'most are not').toBeLessThan(1900);
    expect(performance.now() - started).toBeLessThan(20000);
  });

  it.each([
    ['digits', '1'.repeat(1e5)],
    ['digits and a letter', `${'1'.repeat(1e5)}x`],
    ['blanks', `1${' '.repeat(1e5)}x`],
    ['blanks before a name', `${' '.repeat(1e5)}Sobel${' '.repeat(1e5)}x`],
    ['brackets', '['.repeat(1e5)],
    ['parentheses', `${'('.repeat(1e5)}1${')'.repeat(1e5)}`],
    ['signs', `[${'-'.repeat(1e5)}1]`],
    ['open comments', '/*'.repeat(1e5)],
    ['closed comments', `[1${'/**/'.repeat(1e5)}]`],
    ['slashes', ' / 1'.repeat(1e5)],
    ['quotes', "'".repeat(1e5)],
    ['letters', 'a'.repeat(1e5)],
    ['a declaration', `a${' '.repeat(1e5)}= [1]`],
    ['commas', `[1${',1'.repeat(1e5)}]`],
    ['semicolons', ';'.repeat(1e5)],
    ['line ends', `1\n${'\n'.repeat(1e5)}2 x`],
    ['continuations', `[1${' ...\n'.repeat(1e5)}]`],
    ['JSON brackets', `{"kernel":${'['.repeat(1e5)}`],
    ['an ImageMagick string', `3x3:${' 1;'.repeat(1e5)}`],
  ])('endless %s never hang', (_, text) => {
    const started = performance.now();
    try {
      validateKernel(parseKernelText(text).kernel);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(ConvolveError);
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('never runs code', () => {
    for (const text of [
      'process.exit(3)',
      '__import__("os").system("x")',
      '[(() => 1)()]',
      '$(1)',
      '{"__proto__":{"kernel":[[1]]}}',
    ])
      expect(refusal(text).code, text).toMatch(/invalidKernel|unsupported/);
  });
});
