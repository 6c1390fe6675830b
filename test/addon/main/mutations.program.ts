// Decodes mutated pictures — flipped bits, cut ends, pieces swapped, doubled or zeroed — from a seed, in a process of its own:
// what crashes or hangs ends it. Prints one line of JSON: how each kind ended, the slowest, and the memory at the start, in
// the middle and at the end. Arguments: the folder of the fixtures, how many, the seed.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { failureOf } from '../../../core/errors';
import { decodePicture } from '../../../main/codec/decode';
import { randomSource } from '../../unit/core/randomNumbers';

export interface MutationReport {
  readonly decoded: number;
  readonly warned: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly slowestMilliseconds: number;
  /** Resident bytes after a tenth of the pictures, after half and after all. */
  readonly resident: readonly [number, number, number];
}

const sources = [
  'exif/F_orient6_thumb.jpg',
  'jpeg/progressive.jpg',
  'jpeg/cmyk_icc.jpg',
  'jpeg/17x13_420.jpg',
  'png/rgba16_interlaced.png',
  'png/pal8_trns.png',
  'icc/displayp3.png',
  'webp/lossy_alpha.webp',
  'webp/animated.webp',
  'tiff/rgb16_bigendian_tiled.tif',
  'tiff/rgb32f_lzw_predictor3.tif',
  'tiff/multipage_3.tif',
  'gif/animated_interlaced_delta.gif',
  'avif/lossless_alpha.avif',
];

async function run(folder: string, count: number, seed: number): Promise<MutationReport> {
  const random = randomSource(seed);
  const files = sources.map((file) => readFileSync(path.join(folder, file)));
  const mutate = (source: Buffer): Uint8Array => {
    const bytes = Uint8Array.from(source);
    const place = () => random.whole(0, bytes.length - 1);
    // Headers hold what is most easily believed.
    const early = () => random.whole(0, Math.min(bytes.length - 1, 200));
    switch (random.whole(0, 5)) {
      case 0:
        for (let flips = random.whole(1, 20); flips > 0; flips -= 1) {
          const at = place();
          bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 7));
        }
        return bytes;
      case 1:
        return bytes.subarray(0, random.whole(1, bytes.length));
      case 2: {
        const length = Math.min(random.whole(1, 64), Math.floor(bytes.length / 2));
        const [from, to] = [random.whole(0, bytes.length - length), random.whole(0, bytes.length - length)];
        const [a, b] = [bytes.slice(from, from + length), bytes.slice(to, to + length)];
        bytes.set(b, from);
        bytes.set(a, to);
        return bytes;
      }
      case 3:
        return Uint8Array.from(Buffer.concat([bytes.subarray(0, place()), bytes]));
      case 4:
        bytes.fill(random.pick([0, 255]), place());
        return bytes;
      default:
        for (let changes = random.whole(1, 4); changes > 0; changes -= 1) bytes[early()] = random.whole(0, 255);
        return bytes;
    }
  };
  const refused: Record<string, number> = {};
  const resident = [0, 0, 0] as [number, number, number];
  let [decoded, warned, slowest] = [0, 0, 0];
  const limits = { pixels: 50_000_000, memoryBytes: 5e8, seconds: 10 };
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    try {
      const picture = await decodePicture(mutate(files[index % files.length] ?? Buffer.alloc(1)), 'mutated', limits);
      decoded += 1;
      if (picture.warnings.length > 0) warned += 1;
      if (picture.samples.length !== picture.width * picture.height * picture.channels)
        throw new Error('samples do not fit the size');
    } catch (thrown) {
      const { code, actual } = failureOf(thrown);
      // Anything that is not a refusal with a reason is a defect.
      if (code === 'internal') throw new Error(`picture ${index}: ${actual}`);
      refused[code] = (refused[code] ?? 0) + 1;
    }
    slowest = Math.max(slowest, performance.now() - started);
    if (index === Math.floor(count / 10)) resident[0] = process.memoryUsage.rss();
    if (index === Math.floor(count / 2)) resident[1] = process.memoryUsage.rss();
  }
  resident[2] = process.memoryUsage.rss();
  return { decoded, warned, refused, slowestMilliseconds: slowest, resident };
}

const [folder = '.', count = '0', seed = '1'] = process.argv.slice(2);
void run(folder, Number(count), Number(seed)).then((report) =>
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0)),
);
