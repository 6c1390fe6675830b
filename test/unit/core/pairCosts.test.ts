// What rows and columns take follows from how the engine sums them: bytes in whole numbers where it can, mirrored taps together.

import { describe, expect, it } from 'vitest';
import { type CostTable, predictMilliseconds } from '../../../core/costs';
import type { Filter } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
import { gaussianVector } from '../../../core/kernelShapes';
import { separablePath } from '../../../core/pairWeights';
import { predictPasses } from '../../../core/passTime';
import { planStack } from '../../../core/plan';
import type { PassPath } from '../../../core/planText';
import { shippedCosts } from '../../../core/shippedCosts';
import { modelledCosts } from './modelledCosts';

const vector = gaussianVector(2, 9);
const path = (column: Float64Array, row: Float64Array, divisor = 1, epilogue?: Parameters<typeof separablePath>[1]) =>
  separablePath(
    {
      ...{ width: row.length, height: column.length, anchorX: 0, anchorY: 0, divisor },
      pairs: [{ column, row }],
    },
    epilogue,
  );

describe('rows and columns as a path', () => {
  it('say whether taps mirror each other, opposite ones too, and whether bytes are summed in whole numbers', () => {
    const plain = { kind: 'separable', width: 9, height: 9, pairs: 1 };
    expect(path(vector, vector)).toEqual(plain);
    expect(path(vector, vector.with(0, vector[1] ?? 0))).toEqual({ ...plain, uneven: true, floats: true });
    expect(path(Float64Array.of(1, 2, 1), Float64Array.of(-1, 0, 1))).toEqual({ ...plain, width: 3, height: 3 });
    // Twice as bright, or what the pixel itself is added to.
    expect(path(vector, vector, 0.5).floats).toBe(true);
    expect(path(vector, vector, 1, { result: -1, input: 2, offset: 0 }).floats).toBe(true);
    expect(path(vector, vector, 1, { result: 1, input: 0, offset: 0.1 }).floats).toBe(true);
    // An even number of taps has halves; small whole numbers are exact.
    expect(path(gaussianVector(2, 8), gaussianVector(2, 8)).floats).toBe(true);
    expect(path(Float64Array.of(1, 1), Float64Array.of(1, 1), 4).floats).toBeUndefined();
  });
});

describe('the time of rows and columns', () => {
  const made = modelledCosts();
  const curves = Object.fromEntries(
    Object.entries(made.curves).map(([kind, own]) => [kind, { ...own, uneven: 1.5 }]),
  ) as CostTable['curves'];
  const time = (rest: object, sampleType: 'u8' | 'f32', pairs = 1) =>
    predictMilliseconds({ ...made, curves }, { width: 1000, height: 1000, channels: 3, sampleType }, {
      ...{ kind: 'separable', width: 5, height: 9, pairs },
      ...rest,
    } as PassPath);

  it('of bytes in floats is half of two pairs, of floats what it is', () => {
    expect(time({}, 'u8')).toBeCloseTo(5 + 1.5 * 14, 9);
    expect(time({ floats: true }, 'u8')).toBeCloseTo((9 + 3 * 14) / 2, 9);
    expect(time({ floats: true }, 'f32')).toBeCloseTo(5 + 1.5 * 14, 9);
  });

  it('is longer where taps do not mirror each other, but for bytes in whole numbers', () => {
    expect(time({ uneven: true }, 'u8')).toBeCloseTo(26, 9);
    expect(time({ uneven: true, floats: true }, 'u8')).toBeCloseTo(1.5 * 25.5, 9);
    expect(time({ uneven: true }, 'f32')).toBeCloseTo(1.5 * 26, 9);
    expect(time({ uneven: true }, 'u8', 2)).toBeCloseTo(1.5 * 51, 9);
  });

  it('of an unsharp mask is that of its pass', () => {
    const unsharp: Filter = {
      ...catalogueEntry('unsharp').create('f1', 'u8'),
      ...{ kind: 'unsharp', sigma: 3, amount: 1, threshold: 0 },
    };
    const picture = { width: 3000, height: 2000, channels: 4, sampleType: 'u8' } as const;
    const { passes, explanations } = planStack([unsharp], picture, {}, shippedCosts.cpu);
    expect(explanations[0]?.path).toMatchObject({ kind: 'separable', floats: true });
    expect(predictPasses(passes, picture, shippedCosts.cpu)).toBeCloseTo(explanations[0]?.milliseconds ?? 0, 9);
  });
});
