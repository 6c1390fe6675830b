// Costs: predictions never fall as the work grows, measured points become curves that do not fall, and tables that are not
// whole are refused.

import { describe, expect, it } from 'vitest';
import {
  backendNames,
  type CostTable,
  costTableSchema,
  curveOf,
  lineInstructions,
  type PictureKind,
  predictMilliseconds,
} from '../../../core/costs';
import { sampleTypes } from '../../../core/pass';
import type { PassPath } from '../../../core/planText';
import { shippedCosts } from '../../../core/shippedCosts';
import { modelledCosts } from './modelledCosts';
import { randomSource } from './randomNumbers';

const random = randomSource(5);
const whole = (most: number) => 1 + Math.floor(random.next() * most);

const square = (side: number): readonly PassPath[] => [
  { kind: 'dense', width: side, height: side },
  { kind: 'fft', width: side, height: side },
  { kind: 'box', width: side, height: side },
  { kind: 'sparse', width: 511, height: 511, taps: side },
  { kind: 'separable', width: side, height: side, pairs: 1 },
  { kind: 'separable', width: side, height: side, pairs: 7 },
];
const tables: readonly CostTable[] = [...Object.values(shippedCosts), modelledCosts()];
const pictures: readonly PictureKind[] = sampleTypes.flatMap((sampleType) =>
  [1, 2, 3, 4].map((channels) => ({ width: 3000, height: 2000, channels, sampleType })),
);

describe('a prediction', () => {
  it('is never negative, and never falls with a kernel that is summed, on any backend, path and kind of picture', () => {
    const wrong: string[] = [];
    for (const table of tables)
      for (const picture of pictures) {
        const isSummed = (path: PassPath) => {
          const own = table.curves.u8x1.transforms !== null;
          return (
            !own || (path.kind !== 'fft' && (path.kind !== 'separable' || lineInstructions(path, picture) === null))
          );
        };
        let before = square(1).map(() => 0);
        for (let side = 1; side <= 511; side += whole(9)) {
          const now = square(side).map((path) => predictMilliseconds(table, picture, path) ?? 0);
          square(side).forEach((path, index) => {
            const [time, last] = [now[index] ?? Number.NaN, isSummed(path) ? (before[index] ?? 0) : 0];
            if (!(time >= last * (1 - 1e-12)))
              wrong.push(`${table.backend} ${picture.sampleType} × ${picture.channels}: ${path.kind} ${side}`);
          });
          before = now.map((time, index) => (isSummed(square(side)[index] as PassPath) ? time : 0));
        }
      }
    expect(wrong).toEqual([]);
  });

  it('never falls with the number of pairs or the size of the picture', () => {
    for (const table of tables)
      for (let round = 0; round < 200; round++) {
        // Longer rows and columns are transformed on the cpu.
        const [side, pairs] = [whole(table.backend === 'cpu' ? 47 : 4095), whole(60)];
        const small = { width: whole(5000), height: whole(5000), channels: whole(4), sampleType: 'u8' } as const;
        const time = (picture: PictureKind, r: number) =>
          predictMilliseconds(table, picture, { kind: 'separable', width: side, height: side, pairs: r }) ?? 0;
        expect(time(small, pairs + 1)).toBeGreaterThanOrEqual(time(small, pairs) * (1 - 1e-12));
        expect(time({ ...small, width: small.width + whole(99) }, pairs)).toBeGreaterThan(time(small, pairs));
      }
  });

  it('lies on the measured points and straight between them, and goes on beyond the last', () => {
    const table = modelledCosts();
    const picture = { width: 1000, height: 1000, channels: 3, sampleType: 'u16' } as const;
    const time = (path: PassPath) => predictMilliseconds(table, picture, path);
    expect(time({ kind: 'dense', width: 7, height: 3 })).toBeCloseTo(22, 9);
    expect(time({ kind: 'separable', width: 5, height: 9, pairs: 1 })).toBeCloseTo(5 + 1.5 * 14, 9);
    expect(time({ kind: 'separable', width: 5, height: 9, pairs: 5 })).toBeCloseTo(
      (5 / 2) * (1 + 2 * (4 + 1.5 * 14)),
      9,
    );
    expect(time({ kind: 'dense', width: 2000, height: 2000 })).toBeCloseTo(1 + 4e6, 3);
    expect(
      predictMilliseconds({ ...table, start: 0.5 }, { ...picture, width: 1 }, square(3)[0] as PassPath),
    ).toBeCloseTo(0.51, 9);
  });

  it('is unknown for a path that the backend does not have', () => {
    const table = modelledCosts('cuda', ['fft', 'sparse', 'box']);
    const picture = pictures[0] as PictureKind;
    expect(square(9).map((path) => predictMilliseconds(table, picture, path) === null)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a curve of measured points', () => {
  it('keeps points that rise', () => {
    expect(curveOf([[9, 4], [1, 2], [25, 4]])).toEqual([[1, 2], [9, 4], [25, 4]]); // biome-ignore format: points
  });

  it('takes the least of what a size and all larger ones took', () => {
    expect(curveOf([[1, 4], [9, 2], [25, 9]])).toEqual([[1, 2], [9, 2], [25, 9]]); // biome-ignore format: points
    expect(curveOf([[1, 6], [9, 8], [1, 4]])).toEqual([[1, 4], [9, 8]]); // biome-ignore format: points
  });

  it('never falls, has each size once and exceeds no point, whatever was measured', () => {
    for (let round = 0; round < 300; round++) {
      const points = Array.from({ length: whole(12) }, (_, index) => [index + 1, random.next() * 10] as const);
      const curve = curveOf(points);
      expect(curve.map(([size]) => size)).toEqual(points.map(([size]) => size));
      curve.forEach(([, time], index) => {
        expect(time).toBeGreaterThanOrEqual(curve[index - 1]?.[1] ?? 0);
        expect(time).toBeLessThanOrEqual(points[index]?.[1] ?? Number.NaN);
      });
    }
  });
});

describe('a stored table', () => {
  it('is read as it was written', () => {
    for (const table of tables) expect(costTableSchema.parse(JSON.parse(JSON.stringify(table)))).toEqual(table);
    expect(Object.values(shippedCosts).map(({ backend }) => backend)).toEqual([...backendNames]);
  });

  it.each([
    ['of another version', { version: 1 }],
    ['with a time that is no number', { start: 'soon' }],
    ['with a negative time', { start: -1 }],
    ['without curves', { curves: {} }],
  ])('%s is refused', (_, part) => {
    expect(costTableSchema.safeParse({ ...modelledCosts(), ...part }).success).toBe(false);
  });

  it('with times of 0 predicts numbers', () => {
    const { curves, ...rest } = modelledCosts();
    const separable = [1, 2].map((pairs) => ({ pairs, curve: [[2, 0], [6, 0]] })); // biome-ignore format: points
    const stored = { ...rest, curves: { ...curves, u8x1: { ...curves.u8x1, separable } } };
    const picture = { width: 100, height: 100, channels: 1, sampleType: 'u8' } as const;
    for (const path of square(9))
      expect(predictMilliseconds(costTableSchema.parse(stored), picture, path)).not.toBeNaN();
  });

  it('with a curve that falls or repeats a size is refused', () => {
    const table = modelledCosts();
    const withDense = (dense: unknown) => ({
      ...table,
      curves: { ...table.curves, u8x1: { ...table.curves.u8x1, dense } },
    });
    expect(costTableSchema.safeParse(withDense([[1, 2], [2, 2]])).success).toBe(true); // biome-ignore format: points
    for (const dense of [[], [[1, 2], [2, 1]], [[1, 2], [1, 3]], [[1, -2]], [[1]]]) // biome-ignore format: points
      expect(costTableSchema.safeParse(withDense(dense)).success, JSON.stringify(dense)).toBe(false);
  });
});
