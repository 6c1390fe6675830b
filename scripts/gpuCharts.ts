// The page on the GPU, docs/gpu.md, drawn from the measurements in test/gpu/results: its tables (between the marks that the
// page holds) and its three charts.
//   npx tsx scripts/gpuCharts.ts                  after results changed
//   npx tsx scripts/gpuCharts.ts ROOFLINE.csv     takes over what a profiler counted (test/gpu/run.sh, step roofline) first

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Axis, logScale, type Mark, svgOf } from './chartSvg';
import { type CountedRow, countedRows } from './gpuCounts';
import { pageWithTables } from './pageTables';
import { root } from './paths';

interface VariantRow {
  readonly row: string;
  readonly kind: string;
  readonly variant: string;
  readonly ms: number;
  readonly largestDifference: number;
}
interface VariantResults {
  readonly variants: readonly {
    readonly name: string;
    readonly idea: string;
    readonly origin: string;
    readonly statedError: number;
  }[];
  readonly rows: readonly VariantRow[];
}
interface StencilResults {
  readonly rows: readonly {
    readonly stencil: string;
    readonly kind: string;
    readonly steps: number;
    readonly msPerStep: number;
    readonly copyMs: number;
  }[];
}
interface SpreadResults {
  readonly rows: readonly {
    readonly devices: number;
    readonly dense63Ms: number;
    readonly stackOfThreeMs: number;
    readonly batchOfEightMs: number;
  }[];
}
interface EngineResults {
  readonly rows: readonly { readonly row: string; readonly kind: string; readonly ms: number }[];
}
export interface Results {
  readonly variants: VariantResults;
  readonly stencil: StencilResults;
  readonly spread: SpreadResults;
  readonly engine: EngineResults;
  readonly counted: readonly CountedRow[];
}

const resultsFolder = path.join(root, 'test/gpu/results');
const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(resultsFolder, file), 'utf8')) as T;

export function readResults(): Results {
  return {
    variants: read('variants-12mp.json'),
    stencil: read('stencil-12mp.json'),
    spread: read('spread-24mp.json'),
    engine: read('h200-12mp.json'),
    counted: read<{ rows: readonly CountedRow[] }>('roofline-12mp.json').rows,
  };
}

const shownKind = 'f32x4';
const shownRows = ['dense 3', 'dense 7', 'dense 15', 'dense 31', 'Gaussian 31'];
const engineTime = ({ engine }: Results, row: string, kind = shownKind) =>
  engine.rows.find((one) => one.row === row && one.kind === kind)?.ms;
const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3));

/** Columns of the table of variants: the engine, its transform where it is the better plan, then each variant. */
function variantTable(results: Results): string {
  const { rows, variants } = results.variants;
  const timeOf = (row: string, variant: string) =>
    rows.find((one) => one.row === row && one.variant === variant && one.kind === shownKind)?.ms;
  const line = (name: string, times: readonly (number | undefined)[]) =>
    `| ${name} | ${times.map((time) => (time === undefined ? '' : digits(time))).join(' | ')} |`;
  return [
    `| | ${shownRows.join(' | ')} |`,
    `| --- |${' --- |'.repeat(shownRows.length)}`,
    line(
      '**engine**',
      shownRows.map((row) => timeOf(row, 'engine')),
    ),
    line(
      '**engine, FFT**',
      shownRows.map((row) => (row === 'dense 31' ? engineTime(results, 'fft 31') : undefined)),
    ),
    ...variants.map(({ name }) =>
      line(
        name,
        shownRows.map((row) => timeOf(row, name)),
      ),
    ),
  ].join('\n');
}

function ideaTable({ variants: { variants, rows } }: Results): string {
  const worst = (name: string) =>
    Math.max(
      ...rows.filter((row) => row.variant === name && row.kind === shownKind).map((row) => row.largestDifference),
    );
  return [
    '| variant | idea | from | largest error seen |',
    '| --- | --- | --- | --- |',
    ...variants.map(({ name, idea, origin }) => `| ${name} | ${idea} | ${origin} | ${worst(name).toExponential(1)} |`),
  ].join('\n');
}

function stencilTable({ stencil }: Results): string {
  const kinds = [...new Set(stencil.rows.map((row) => row.kind))];
  const steps = [...new Set(stencil.rows.map((row) => row.steps))];
  const heat = stencil.rows.filter((row) => row.stencil === 'heat 5-point');
  return [
    `| steps | ${kinds.join(' | ')} |`,
    `| --- |${' --- |'.repeat(kinds.length)}`,
    ...steps.map((count) => {
      const cells = kinds.map((kind) => heat.find((row) => row.kind === kind && row.steps === count));
      return `| ${count} | ${cells.map((cell) => cell?.msPerStep.toFixed(3) ?? '').join(' | ')} |`;
    }),
    `| one copy | ${kinds.map((kind) => heat.find((row) => row.kind === kind)?.copyMs.toFixed(3) ?? '').join(' | ')} |`,
  ].join('\n');
}

function spreadTable({ spread }: Results): string {
  return [
    '| devices | dense 63 × 63 on a resident photo | stack of three on it | eight new photos through that stack |',
    '| --- | --- | --- | --- |',
    ...spread.rows.map(
      (row) =>
        `| ${row.devices} | ${row.dense63Ms.toFixed(1)} | ${row.stackOfThreeMs.toFixed(1)} | ${row.batchOfEightMs.toFixed(1)} |`,
    ),
  ].join('\n');
}

function countedTable({ counted }: Results): string {
  return [
    '| row | ms | bytes moved, MB | memory, % | instructions issued, % | tensor cores, % | shared memory, % | bound by |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...counted.map((row) =>
      [
        `| ${row.row} ${row.kind}`,
        row.ms.toFixed(3),
        (row.dramBytes / 1e6).toFixed(0),
        row.memoryPercent.toFixed(0),
        row.issuePercent.toFixed(0),
        row.tensorPercent.toFixed(0),
        row.sharedPercent.toFixed(0),
        `${bindingOf(row)} |`,
      ].join(' | '),
    ),
  ].join('\n');
}

/** What a row comes nearest to. Below two thirds of everything it waits: for latencies, barriers, the end of the launch. */
function bindingOf({ memoryPercent, issuePercent }: CountedRow): string {
  if (memoryPercent >= 66 && memoryPercent >= issuePercent) return 'memory';
  return issuePercent >= 66 ? 'instructions' : 'latency';
}

function variantChart(results: Results): string {
  const { rows, variants } = results.variants;
  const copy = engineTime(results, 'copy') ?? 0;
  const names = ['engine', ...variants.map(({ name }) => name)];
  const x: Axis = { title: 'ms, logarithmic', scale: logScale(0.05, 50), ticks: [0.1, 0.3, 1, 3, 10, 30] };
  const marks: Mark[] = [{ kind: 'line', x: copy, text: `copy ${copy.toFixed(3)}` }];
  const labels: string[] = [];
  for (const row of shownRows)
    for (const name of names) {
      const found = rows.find((one) => one.row === row && one.variant === name && one.kind === shownKind);
      if (!found) continue;
      if (name === 'engine') labels.push(`# ${row}`);
      const fft = name === 'engine' && row === 'dense 31' ? engineTime(results, 'fft 31') : undefined;
      if (fft !== undefined) {
        marks.push({ kind: 'bar', row: labels.length, x: fft, strong: true, text: digits(fft) });
        labels.push('engine, FFT');
      }
      marks.push({ kind: 'bar', row: labels.length, x: found.ms, strong: name === 'engine', text: digits(found.ms) });
      labels.push(name);
    }
  return svgOf({ title: 'Teaching variants beside the engine: 12 megapixels, f32×4, one H200', x, labels, marks });
}

function stencilChart({ stencil }: Results): string {
  const heat = stencil.rows.filter((row) => row.stencil === 'heat 5-point');
  const kinds = ['f32x4', 'f32x3', 'f32x1'];
  return svgOf({
    title: 'Heat, time of one step among k, over the time of one copy',
    x: { title: 'k, steps', scale: logScale(0.9, 70), ticks: [1, 2, 4, 8, 16, 32, 64] },
    y: { title: 'copies a step', scale: logScale(0.5, 3), ticks: [0.5, 0.7, 1, 1.5, 2, 3] },
    marks: [
      { kind: 'level', y: 1, text: 'one copy' },
      ...kinds.map(
        (kind): Mark => ({
          kind: 'curve',
          text: kind,
          points: heat
            .filter((row) => row.kind === kind)
            .map((row) => [row.steps, row.msPerStep / row.copyMs] as const),
        }),
      ),
    ],
  });
}

/** Ceilings: the copy of the measurements, and every lane of 132 multiprocessors at 1.98 GHz. */
function rooflineChart(results: Results): string {
  const copy = engineTime(results, 'copy') ?? 1;
  const bandwidth = (2 * 4000 * 3000 * 16) / (copy * 1e-3) / 1e12;
  const peak = (132 * 128 * 2 * 1.98e9) / 1e12;
  const counted = results.counted.filter((row) => row.flops > 0 && row.tensorPercent < 5);
  return svgOf({
    title: 'Roofline of one H200, float32: counted by ncu',
    x: {
      title: 'operations for each byte of device memory',
      scale: logScale(0.5, 2000),
      ticks: [1, 3, 10, 30, 100, 300, 1000],
    },
    y: { title: 'tera-operations a second', scale: logScale(2, 100), ticks: [3, 10, 30, 100] },
    marks: [
      {
        kind: 'curve',
        text: `copy ${bandwidth.toFixed(2)} TB/s, lanes ${peak.toFixed(0)} TFLOP/s`,
        points: [
          [0.5, bandwidth * 0.5],
          [peak / bandwidth, peak],
          [2000, peak],
        ],
      },
      ...counted.map(
        (row): Mark => ({
          kind: 'point',
          x: row.flops / row.dramBytes,
          y: row.flops / (row.ms * 1e-3) / 1e12,
          strong: row.kind === shownKind,
          text: row.kind === shownKind ? row.row : '',
        }),
      ),
    ],
  });
}

/** The page with its tables replaced: each stands between `<!-- name -->` and `<!-- /name -->`. */
export function pageWith(page: string, results: Results): string {
  const tables = {
    variants: variantTable(results),
    ideas: ideaTable(results),
    stencil: stencilTable(results),
    spread: spreadTable(results),
    counted: countedTable(results),
  };
  return pageWithTables('docs/gpu.md', page, tables);
}

export const chartsOf = (results: Results): Readonly<Record<string, string>> => ({
  'docs/images/gpu-variants.svg': variantChart(results),
  'docs/images/gpu-stencil.svg': stencilChart(results),
  'docs/images/gpu-roofline.svg': rooflineChart(results),
});

function main([csv]: readonly string[]): void {
  if (csv !== undefined) {
    const rows = countedRows(readFileSync(csv, 'utf8'));
    const text = `{\n  "rows": [\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]\n}\n`;
    writeFileSync(path.join(resultsFolder, 'roofline-12mp.json'), text);
  }
  const results = readResults();
  const page = path.join(root, 'docs/gpu.md');
  writeFileSync(page, pageWith(readFileSync(page, 'utf8'), results));
  for (const [file, svg] of Object.entries(chartsOf(results))) writeFileSync(path.join(root, file), svg);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
