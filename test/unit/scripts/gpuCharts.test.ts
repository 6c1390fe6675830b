// The page on the GPU says what the measurements in the checkout say, and the profiler's output is read right.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chartsOf, pageWith, readResults } from '../../../scripts/gpuCharts';
import { countedRows } from '../../../scripts/gpuCounts';
import { inRoot } from '../../../scripts/paths';

it('docs/gpu.md and its charts are those of the results; `npx tsx scripts/gpuCharts.ts` draws them anew', () => {
  const results = readResults();
  const page = readFileSync(inRoot('docs', 'gpu.md'), 'utf8');
  expect(pageWith(page, results)).toBe(page);
  for (const [file, svg] of Object.entries(chartsOf(results)))
    expect(readFileSync(inRoot(...file.split('/')), 'utf8'), file).toBe(svg);
});

const header = [
  'ID',
  'Kernel Name',
  'gpu__time_duration.sum',
  'dram__bytes.sum',
  'dram__throughput.avg.pct_of_peak_sustained_elapsed',
  'smsp__issue_active.avg.pct_of_peak_sustained_active',
  'sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active',
  'l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed',
  'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum',
  'smsp__sass_thread_inst_executed_op_fadd_pred_on.sum',
  'smsp__sass_thread_inst_executed_op_fmul_pred_on.sum',
];
const lineOf = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',');

it('sums the kernels of a row and weights their shares by time', () => {
  const csv = [
    '==PROF== a line of the profiler',
    lineOf(header),
    lineOf(header.map(() => '')),
    lineOf(['0', 'fft 63 f32x4/void ""Rows""(a, b)', '1,000,000', '500', '80', '40', '0', '10', '7', '2', '1']),
    lineOf(['1', 'fft 63 f32x4/void Columns', '3,000,000', '700', '40', '80', '4', '30', '1', '0', '0']),
    '',
  ].join('\n');
  expect(countedRows(csv)).toEqual([
    {
      row: 'fft 63',
      kind: 'f32x4',
      kernels: 2,
      ms: 4,
      dramBytes: 1200,
      flops: 19,
      memoryPercent: 50,
      issuePercent: 70,
      tensorPercent: 3,
      sharedPercent: 25,
    },
  ]);
});

it('names a column that is missing', () => {
  expect(() => countedRows(lineOf(header.slice(0, 5)))).toThrow(/smsp__issue_active/);
});
