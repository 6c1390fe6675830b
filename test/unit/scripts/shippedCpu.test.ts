// The shipped table is the least of its calibrations.
import { expect, test } from 'vitest';
import type { CostTable, PathCurves } from '../../../core/costs';
import { costKinds } from '../../../core/costs';
import { shippedCosts } from '../../../core/shippedCosts';
import { shippedCpuText } from '../../../scripts/shippedCpu';

const curvesOf = (dense: PathCurves['dense']): CostTable['curves'] =>
  Object.fromEntries(
    costKinds.map((kind) => [kind, { ...shippedCosts.cpu.curves[kind], dense }]),
  ) as CostTable['curves'];
const tableOf = (start: number, dense: PathCurves['dense']): CostTable => ({
  ...shippedCosts.cpu,
  start,
  curves: curvesOf(dense),
});

test('an instruction of a transform takes the least, and a division, of each kind of picture', () => {
  const timed = (near: number, lines: number, division: number): CostTable => ({
    ...shippedCosts.cpu,
    curves: Object.fromEntries(
      costKinds.map((kind): [string, PathCurves] => [
        kind,
        { ...shippedCosts.cpu.curves[kind], division, transforms: { grid: [near, 0.02, 0.03], lines } },
      ]),
    ) as CostTable['curves'],
  });
  const text = shippedCpuText([timed(0.011, 0.02, 0.5), timed(0.0123, 0.0187, 0)]);
  expect(text.split('      transforms: { grid: [11, 20, 30], lines: 18.7 },\n')).toHaveLength(costKinds.length + 1);
  expect(text.split('      division: 0,\n')).toHaveLength(costKinds.length + 1);
  // Bytes alone are multiplied several at a time, and no transform is known by its size.
  expect(text.split('      whole: [')).toHaveLength(4);
  expect(text).not.toContain('fft: [');
});

test('each time is the least of its calibrations, in picoseconds, of every size that one of them has', () => {
  const one = tableOf(0.0212, [
    [1, 0.25],
    [9, 0.5],
  ]);
  const other = tableOf(0.0312, [
    [1, 0.2],
    [9, 0.61234],
    [25, 1.23456],
  ]);
  const text = shippedCpuText([one, other]);
  expect(text).toContain('export const cpuStart = 0.021;');
  expect(text).toContain('    dense: [1, 9, 25],\n');
  expect(text.split('      dense: [200, 500, 1230],\n')).toHaveLength(costKinds.length + 1);
  expect(text).toContain('    separable1: [6, 10, ');
});
