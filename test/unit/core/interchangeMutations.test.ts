// Damaged files of every format: whatever the bytes, reading gives kernels that can run or a refusal, never anything else and
// never without end. CONVOLVE_MUTATIONS sets how many a format.

import { describe, expect, it } from 'vitest';
import { ConvolveError } from '../../../core/errors';
import { defaultSettings } from '../../../core/filters';
import { readKernelFile } from '../../../core/interchange/read';
import { writeKernel, writtenFormats } from '../../../core/interchange/write';
import { createKernel, validateKernel } from '../../../core/kernel';
import { codeTargets, kernelCode } from '../../../core/kernelCode';
import { serialiseNpy } from '../../../core/npy';
import { englishWords } from './codeWordsOf';
import { type RandomSource, randomSource } from './randomNumbers';

const count = Number(process.env.CONVOLVE_MUTATIONS ?? 150);

const kernel = createKernel(3, 3, [1, 2, -3.5, 4, 0.25, 6, -7, 8, 9], { divisor: 4, bias: 0.5 });
const settings = { name: 'mine', filter: defaultSettings('filter-1', 'u8') };
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** A NumPy file of 3 × 3 numbers of any type, all their bytes alike. */
function npyOf(descr: string, byteCount: number): Uint8Array {
  const [header] = serialiseNpy({ item: 'f8', shape: [3, 3], values: new Float64Array(9) });
  const text = new TextDecoder().decode(header).replace("'<f8'", `'${descr}'`);
  return Uint8Array.of(...header.subarray(0, 10), ...bytesOf(text.slice(10)), ...new Uint8Array(byteCount).fill(1));
}

/** A ZIP with one member that is stored as it is. */
function storedZip(name: string, content: Uint8Array): Uint8Array {
  const pieces = (...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]) =>
    numbers.flatMap(([bytes, value]) => Array.from({ length: bytes }, (_, byte) => (value >>> (8 * byte)) & 0xff));
  const sizes = [
    [4, 0],
    [4, content.length],
    [4, content.length],
    [2, name.length],
    [2, 0],
  ] as const;
  const local = [...pieces([4, 0x04034b50], [2, 20], [2, 0], [2, 0], [4, 0], ...sizes), ...bytesOf(name), ...content];
  const entry = [
    ...pieces([4, 0x02014b50], [2, 20], [2, 20], [2, 0], [2, 0], [4, 0], ...sizes),
    ...pieces([2, 0], [2, 0], [2, 0], [4, 0], [4, 0]),
    ...bytesOf(name),
  ];
  const end = pieces([4, 0x06054b50], [2, 0], [2, 0], [2, 1], [2, 1], [4, entry.length], [4, local.length], [2, 0]);
  return Uint8Array.of(...local, ...entry, ...end);
}

/** One or more valid files of each format, with the ending of their names. */
const files: readonly (readonly [name: string, ending: string, content: string | Uint8Array])[] = [
  ...writtenFormats.map((format) => {
    const { content, ending } = writeKernel(format, kernel, settings);
    return [format, ending, content] as const;
  }),
  ...codeTargets.map(
    (target) => [`${target} code`, '.txt', kernelCode(target, kernel, settings.filter, englishWords).text] as const,
  ),
  ['ImageMagick list', '.txt', '3x3+1+1@: 1,2,nan - 5 6 7 8 0x1F; Sobel:90 ; DoG:0,1,1.6; Blur:2,1,90>; 2x1: 1 -1'],
  ['MATLAB calls', '.m', "h = 2/9*fspecial('gaussian', [5 5], 1.5); % comment\n"],
  ['Aseprite library', '.def', '# c\nblur 3 1 1 0 { 1 2 1 } auto auto rgba\n"b c" 1 2 0 0 { 1 -1 } 2 128 rgb\n'],
  [
    'PixInsight library',
    '.txt',
    'SeparableFilter { name { a } row-vector { 1 2 1 } col-vector { 1 3 1 } }\nKernelFilter { name { b } coefficients { 1 2 3 4 } }',
  ],
  ['decimal commas', '.csv', 'name;x\r\n0,5;-1,25\r\n"1";2\r\n'],
  ['a NumPy array of halves', '.npy', npyOf('<f2', 18)],
  ['a NumPy array of 64-bit integers', '.npy', npyOf('>i8', 72)],
  ['a NumPy archive', '.npz', storedZip('one.npy', npyOf('|b1', 9))],
  ['a table', '.md', '| a | b |\n|---|:-:|\n| 1 | -2 |\n| 3.5 | 4 |\n'],
  ['IMKERNEL', '.krn', 'IMKERNEL\nnoted\n3 1\n1\n1 2.5 1\n'],
  ['prose', '.txt', '1 2 1 / 2 4 2 / 1 2 1 / 16'],
  [
    'feConvolveMatrix in a page',
    '.svg',
    '<svg><filter><feConvolveMatrix order="2,1" kernelMatrix="1 -1" targetX="0" bias=".5"/></filter></svg>',
  ],
];

const tokens = [
  'nan',
  '-',
  '1e999',
  '0x',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  ',',
  '\n',
  '\u0000',
  '"',
  '/0',
  '×',
  '@',
  '\\frac{1}{0}',
  '<',
  '99999999',
  '#',
  '%',
];

function mutated(bytes: Uint8Array, random: RandomSource): Uint8Array {
  const list = Array.from(bytes);
  for (let change = random.whole(1, 6); change > 0; change--) {
    const place = random.whole(0, list.length);
    switch (random.whole(0, 5)) {
      case 0:
        list.splice(place, 1, random.whole(0, 255));
        break;
      case 1:
        list.splice(place, random.whole(1, 20));
        break;
      case 2:
        list.splice(place, 0, ...new TextEncoder().encode(random.pick(tokens)));
        break;
      case 3:
        list.splice(place, 0, ...list.slice(random.whole(0, list.length), random.whole(0, list.length)));
        break;
      case 4:
        list.splice(
          place,
          0,
          ...new Array<number>(random.whole(1, 300)).fill(random.pick([32, 35, 40, 45, 48, 57, 91, 124])),
        );
        break;
      default:
        list.length = place;
    }
  }
  return Uint8Array.from(list);
}

describe('damaged files', () => {
  it.each(files)(
    'of %s are read or refused',
    (name, ending, content) => {
      const random = randomSource(name.length * 7919 + name.charCodeAt(0));
      const bytes = bytesOf(content);
      expect(readKernelFile(bytes, `mine${ending}`).kernels.length).toBeGreaterThan(0);
      let refused = 0;
      for (let round = 0; round < count; round++) {
        const damaged = mutated(bytes, random);
        try {
          const { kernels } = readKernelFile(damaged, `mine${ending}`);
          expect(kernels.length).toBeGreaterThan(0);
          for (const found of kernels) validateKernel(found.kernel);
        } catch (thrown) {
          if (!(thrown instanceof ConvolveError))
            throw new Error(`${name}, round ${round}: ${JSON.stringify(new TextDecoder().decode(damaged))}`, {
              cause: thrown,
            });
          expect(thrown.failure.code, JSON.stringify(thrown.failure)).not.toBe('internal');
          refused += 1;
        }
      }
      expect(refused).toBeGreaterThan(0);
    },
    600_000,
  );
});
