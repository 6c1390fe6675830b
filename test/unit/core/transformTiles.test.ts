// The tiles and lines that predictions count are those that the engine takes: it is held against the same file by
// test/native/cpu_transform_plan_test.cpp.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { transformedPicture } from '../../../core/costs';
import type { SampleType } from '../../../core/pass';
import { gridTransform, lineTransforms } from '../../../core/transformTiles';

interface Expected {
  readonly picture: {
    readonly sampleType: SampleType;
    readonly channels: number;
    readonly width: number;
    readonly height: number;
  };
  readonly grids: readonly { readonly kernel: number; readonly width?: number }[];
  readonly lines: readonly { readonly kernel: number; readonly pairs: number; readonly down?: number }[];
}

const file = path.resolve(import.meta.dirname, '..', '..', 'fixtures', 'transforms.json');
const expected: readonly Expected[] = JSON.parse(readFileSync(file, 'utf8'));
const square = (side: number) => ({ width: side, height: side });

describe('transforms', () => {
  it.each(expected)('are the tiles and lines that the engine takes for $picture', ({ picture, grids, lines }) => {
    const transformed = transformedPicture(picture);
    const foundGrids = grids.map(({ kernel }) => {
      const tile = gridTransform(square(kernel), transformed);
      if (tile === null) return { kernel };
      const { width, height, stepX, stepY } = tile;
      return { kernel, width, height, stepX, stepY };
    });
    expect(foundGrids).toEqual(grids);
    const foundLines = lines.map(({ kernel, pairs }) => {
      const of = { ...transformed, ofBytes: picture.sampleType === 'u8' };
      const found = lineTransforms({ ...square(kernel), pairs }, of);
      return found === null ? { kernel, pairs } : { kernel, pairs, down: found.down, across: found.across };
    });
    expect(foundLines).toEqual(lines);
  });

  const grey = (width: number, height: number) => transformedPicture({ width, height, channels: 1, sampleType: 'u8' });
  const instructions = (kernel: number, width: number, height: number) =>
    gridTransform(square(kernel), grey(width, height))?.instructions ?? Number.NaN;

  it('take whole tiles: as much where another picture needs as many, more where it needs another row of them', () => {
    // 1024 × 1024 cells with 896 × 896 results, two side by side.
    expect(instructions(127, 3584, 2688)).toBe(instructions(127, 3264, 2448));
    expect(instructions(127, 3584, 2689)).toBeGreaterThan(instructions(127, 3584, 2688));
    // A picture that its tiles fit badly takes nearly as long as one half as large again.
    expect(instructions(255, 3264, 2448) / instructions(255, 4000, 3000)).toBeGreaterThan(0.8);
  });

  it('of no less than 100 pictures never take less than of smaller ones', () => {
    for (let width = 1000; width < 6000; width += 49)
      for (const kernel of [15, 127, 401]) {
        expect(instructions(kernel, width + 49, 3000)).toBeGreaterThanOrEqual(instructions(kernel, width, 3000));
        const lines = (side: number) =>
          lineTransforms({ ...square(601), pairs: 1 }, { ...grey(width + side, 3000), ofBytes: true })?.instructions;
        expect(lines(49)).toBeGreaterThanOrEqual(lines(0) ?? Number.NaN);
      }
  });

  it('leave the alpha of pictures out, two planes for three channels of two tiles', () => {
    const of = (channels: number, alpha: boolean) =>
      gridTransform(square(15), transformedPicture({ width: 4480, height: 3360, channels, sampleType: 'u8', alpha }));
    // 40 × 30 tiles: three planes of two tiles each, or two planes of one.
    expect((of(4, true)?.instructions ?? 0) / (of(4, false)?.instructions ?? 1)).toBeCloseTo(3 / 4, 9);
    expect(of(4, true)).toEqual(of(3, false));
  });

  it('fit no grid that leaves no results, whose kernel is summed', () => {
    expect(gridTransform(square(1025), grey(4000, 3000))).toBeNull();
    expect(lineTransforms({ ...square(47), pairs: 9 }, { ...grey(4000, 3000), ofBytes: false })).toBeNull();
  });
});
