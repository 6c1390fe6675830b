// The page on the CPU says what the measurements in the checkout say; the bench's own JSON is read right.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cpuChartsOf, cpuPageWith, crossingOf } from '../../../scripts/cpuCharts';
import { readCpuResults, withMeasured } from '../../../scripts/cpuResults';
import { inRoot } from '../../../scripts/paths';

it('docs/cpu.md and its charts are those of the results; `npx tsx scripts/cpuCharts.ts` draws them anew', () => {
  const results = readCpuResults();
  const page = readFileSync(inRoot('docs', 'cpu.md'), 'utf8');
  expect(cpuPageWith(page, results)).toBe(page);
  for (const [file, svg] of Object.entries(cpuChartsOf(results)))
    expect(readFileSync(inRoot(...file.split('/')), 'utf8'), file).toBe(svg);
});

it('finds where one path becomes faster than another, on lines over logarithmic axes', () => {
  const growing = [
    [1, 1],
    [100, 10_000],
  ] as const;
  const level = [
    [1, 100],
    [100, 100],
  ] as const;
  const [size, ms] = crossingOf(growing, level) ?? [0, 0];
  expect(size).toBeCloseTo(10);
  expect(ms).toBeCloseTo(100);
  expect(crossingOf(level, growing), 'never the other way').toBeUndefined();
  expect(crossingOf(growing.slice(0, 1), level), 'not where one was not measured').toBeUndefined();
});

/** Of `threads` threads that were busy for that long each. */
const timing = (ms: number, threads: number) => ({
  medianMs: 4 * ms,
  minimumMs: 3 * ms,
  cpuMs: 2 * threads * ms,
  cpuMinimumMs: threads * ms,
  rounds: 3,
});
const run = (ms: number, path = 'dense') =>
  JSON.stringify({
    ours: 'AVX2, 2 threads',
    peers: ['OpenCV 4', 'libvips 8'],
    floors: 'AVX2',
    settings: [
      {
        format: 'u8 RGBA',
        width: 4000,
        height: 3000,
        threads: 2,
        rows: [
          {
            row: 'dense 3',
            curve: 'dense',
            size: 3,
            copyFloor: timing(5, 2),
            paths: [
              { path, planned: true, exactShare: 0.9995, timing: timing(ms, 2) },
              { path: 'sparse', planned: false, refusal: 'too full' },
            ],
            peers: [
              { name: 'filter2D', family: 'OpenCV', threads: 1, share: 1, timing: timing(40, 1) },
              { name: 'filter2D in strips', family: 'OpenCV', threads: 2, share: 1, timing: timing(30, 2) },
            ],
          },
        ],
      },
    ],
  });

it('keeps the CPU time over threads of each path, and that of the best function of each peer, and replaces what is measured again', () => {
  const nothing = { ours: '', peers: [], rows: [] };
  const once = withMeasured(nothing, run(10));
  expect(once.rows).toEqual([
    {
      format: 'u8 RGBA',
      width: 4000,
      height: 3000,
      threads: 2,
      row: 'dense 3',
      curve: 'dense',
      size: 3,
      path: 'dense',
      planned: true,
      ms: 10,
      exactShare: 0.9995,
      copyMs: 5,
      openCvMs: 30,
      libvipsMs: undefined,
    },
  ]);
  expect(withMeasured(once, run(9)).rows.map(({ ms }) => ms)).toEqual([9]);
  const another = withMeasured(once, run(8, 'fft')).rows.map(({ path, planned, ms }) => ({ path, planned, ms }));
  expect(another, 'what is no longer planned').toEqual([
    { path: 'dense', planned: false, ms: 10 },
    { path: 'fft', planned: true, ms: 8 },
  ]);
});
