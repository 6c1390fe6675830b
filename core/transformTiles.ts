// What the transforms of the cpu backend take, counted as it counts them itself (native/cpu/fft_plan.cpp, fft_line.cpp and
// pair_lines.cpp, whose constants these are): it takes the tiles with the least count, and computes them whole, beyond the
// picture's edge too. Costs then need no more than the time of one counted instruction.

import type { Size } from './geometry';

/** What is transformed. */
export interface TransformedPicture extends Size {
  readonly channels: number;
  /** Of these so many are filtered: the alpha of an opaque picture is not. */
  readonly filtered: number;
  /** Bytes of a real number of a transform: 4, or 8. */
  readonly bytes: 4 | 8;
}

/** Where the plane of a tile lies: in the second-level cache, about there, or beyond. */
export type PlanePlace = 0 | 1 | 2;

/** Tiles that are transformed along both sides. */
export interface GridTransform extends Size {
  /** Of all tiles of the picture, for each vector of numbers. */
  readonly instructions: number;
  readonly place: PlanePlace;
  /** Results of a tile of one transform across; down it has `stepY`. */
  readonly stepX: number;
  readonly stepY: number;
}

/** Rows and columns, each transformed along itself. */
export interface LineTransform {
  /** Of all lines of the picture, for each vector of numbers. */
  readonly instructions: number;
  /** Cells of a transform, 0 where there is none. */
  readonly down: number;
  readonly across: number;
}

const lengths = [32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192] as const;
/** Longest side of a tile. */
const longestSide = 1024;
/** Bytes of a thread for a tile, and of its planes where they are filled together. */
const mostTileBytes = 24 * 2 ** 20;
const mostTogether = 10 * 2 ** 20;
/** Instructions for a cell beside its transforms: loading, turning rows to columns, and storing a result. */
const [load, turn, store] = [12, 10, 20] as const;

const roundDown = (value: number, step: number) => Math.floor(value / step) * step;

/** Results of a transform along one side: a multiple of `coarse` where that costs little, else of 16. */
function stepOf(fits: number, coarse: number): number {
  const few = roundDown(fits, coarse);
  const most = roundDown(fits, 16);
  return few * 100 >= most * 92 ? few : most;
}

/** Additions and multiplications for a cell of a transform of 2ⁿ or 3 · 2ⁿ: steps by 3, 8 and 4, the last without twiddles. */
function countInstructions(length: number): number {
  const byThree = length % 3 === 0;
  const power = Math.log2(byThree ? length / 3 : length);
  const fours = [0, 2, 1][power % 3] ?? 0;
  const eights = (power - 2 * fours) / 3;
  const twiddles = (radix: number) => (4 * (radix - 1)) / radix;
  const steps = (byThree ? 16 / 3 + twiddles(3) : 0) + eights * (7 + twiddles(8)) + fours * (4 + twiddles(4));
  return steps - twiddles(fours > 0 ? 4 : 8);
}

const instructionsOf = new Map(lengths.map((length) => [length as number, countInstructions(length)]));
const instructions = (length: number) => instructionsOf.get(length) ?? 0;

/** Two real channels, or two places of one, share a complex plane. */
const planesOf = (tiles: number, filtered: number) => Math.floor((tiles * filtered + 1) / 2);

/** By the bytes of a plane. */
const placeOf = (bytes: number): PlanePlace => (bytes <= 600e3 ? 0 : bytes <= 2.2e6 ? 1 : 2);
/** How much longer a cell is expected to take there. */
const slowness = [1, 1.2, 1.35] as const;

/** Tiles of `tiles` transforms side by side: those with the least count that fit into a thread's memory. */
function bestTile(kernel: Size, picture: TransformedPicture, tiles: number): GridTransform | null {
  const { filtered, bytes } = picture;
  const planes = planesOf(tiles, filtered);
  const sides = lengths.filter((length) => length <= longestSide);
  let best: GridTransform | null = null;
  for (const width of sides) {
    const stepX = stepOf(width - kernel.width + 1, 32);
    for (const height of stepX > 0 ? sides : []) {
      const stepY = stepOf(height - kernel.height + 1, 32);
      if (stepY <= 0) continue;
      const cells = width * height;
      const plane = cells * 2 * bytes;
      const back = stepX / width;
      const [down, across] = [instructions(height), instructions(width)];
      const cell = down * (1 + back) + 2 * across + 4 + turn * (1 + back) + load;
      const tile = (cells * slowness[placeOf(plane)] * cell * bytes) / 4 + store * stepX * stepY;
      const count = Math.ceil(picture.width / (stepX * tiles)) * Math.ceil(picture.height / stepY);
      if (best && count * planes * tile >= best.instructions) continue;
      const kept = planes * plane <= mostTogether ? 1 : back;
      const results = tiles * stepX * stepY * (filtered + 1) * bytes;
      if (plane * (1 + (planes - 1) * kept) + results > mostTileBytes) continue;
      best = { width, height, instructions: count * planes * tile, place: placeOf(plane), stepX, stepY };
    }
  }
  return best;
}

/** null: no tile fits, and the kernel is summed. */
export function gridTransform(kernel: Size, picture: TransformedPicture): GridTransform | null {
  const tiles = picture.filtered % 2 === 0 ? 1 : 2;
  const best = bestTile(kernel, picture, tiles);
  // Nothing to pair with.
  if (best && tiles === 2 && picture.width <= best.stepX) return bestTile(kernel, picture, 1);
  return best;
}

/** Rows or columns of a picture, each transformed along itself. */
interface Lines {
  readonly taps: number;
  /** Results of a line. */
  readonly results: number;
  readonly across: boolean;
  /** Transforms side by side. */
  readonly tiles: number;
  /** That may wait between columns and rows. */
  readonly mostRows: number;
  readonly bytes: number;
}

/** Of a tile that a view needs a part of, so much counts as computed in vain. */
const partly = 0.4;

interface Line {
  /** As the engine weighs lengths: long ones leave the caches, which is hardly measured, and views need parts of tiles. */
  readonly taken: number;
  /** Of its whole tiles. */
  readonly instructions: number;
  readonly length: number;
}

function bestLine({ taps, results, across, tiles, mostRows, bytes }: Lines): Line {
  let best: Line = { taken: Number.POSITIVE_INFINITY, instructions: 0, length: 0 };
  for (const length of lengths) {
    const fits = length - taps + 1;
    const step = stepOf(across ? fits : Math.min(fits, Math.max(mostRows, 32)), 128);
    if (step <= 0) continue;
    const strip = length * 2 * 16 * bytes;
    const slow = strip <= 300e3 ? 1 : strip <= 600e3 ? 1.15 : 1.5;
    const cells = (length * bytes) / 4;
    const cell = 2 * instructions(length) + 4 + load + (across ? 2 * turn : 0);
    const count = Math.ceil(results / (step * tiles));
    const taken = (count + partly) * (cells * slow * cell + store * step);
    if (taken < best.taken) best = { taken, instructions: count * (cells * cell + store * step), length };
  }
  return best;
}

/** Shorter sides are summed without a look. */
const leastTaps = 48;
/** Bytes of rows that may wait between columns and rows. */
const mostWaiting = 46 * 2 ** 20;
/** Fewer rows than this are not worth a transform. */
const leastRows = 32;
/** Transforms have to win so much. */
const worthwhile = 0.85;
/** Instructions of a tap: bytes of one pair in whole numbers, floats, doubles. */
const [byteTap, tap, doubleTap] = [0.56, 0.78, 1.05] as const;

/** `pairs` of a row and a column. null: they are summed, which takes less. */
export function lineTransforms(
  { width, height, pairs }: Size & { readonly pairs: number },
  picture: TransformedPicture & { readonly ofBytes: boolean },
): LineTransform | null {
  const { channels, filtered, bytes, ofBytes } = picture;
  const tiles = filtered % 2 === 0 || channels === 4 ? 1 : 2;
  const planes = planesOf(tiles, filtered);
  const mostRows = Math.floor(Math.floor(mostWaiting / (picture.width * channels * bytes)) / pairs);
  const both = width > 1 && height > 1;
  if (Math.max(width, height) < leastTaps || (both ? mostRows < leastRows : pairs > 1)) return null;
  const one = { tiles, bytes, mostRows: both ? mostRows : Number.POSITIVE_INFINITY };
  const none: Line = { taken: 0, instructions: 0, length: 0 };
  const down = height > 1 ? bestLine({ ...one, taps: height, results: picture.height, across: false }) : none;
  const across = width > 1 ? bestLine({ ...one, taps: width, results: picture.width, across: true }) : none;
  // For each result and channel: a sum of two pairs takes 4.
  const each = down.taken / picture.height + across.taken / picture.width;
  const transformed = (pairs * planes * each) / filtered + 4 * (pairs - 1);
  const summed = (bytes === 8 ? doubleTap : ofBytes && pairs === 1 ? byteTap : tap) * pairs * (width + height);
  if (transformed >= worthwhile * summed) return null;
  return {
    instructions: pairs * planes * (down.instructions * picture.width + across.instructions * picture.height),
    down: down.length,
    across: across.length,
  };
}
