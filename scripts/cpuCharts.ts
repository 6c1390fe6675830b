// The page on the CPU, docs/cpu.md, drawn from the measurements in test/bench/cpu/results: its tables (between the marks
// that the page holds) and its charts.
//   npx tsx scripts/cpuCharts.ts              after results changed
//   npx tsx scripts/cpuCharts.ts RUN.json …   takes over what `npm run bench:cpu -- --json RUN.json` measured first

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Axis, logScale, type Mark, svgOf } from './chartSvg';
import { type CpuResults, type CpuRow, readCpuResults, withMeasured, writeCpuResults } from './cpuResults';
import { pageWithTables } from './pageTables';
import { inRoot } from './paths';

const pageFile = 'docs/cpu.md';
const peers = { openCvMs: 'OpenCV', libvipsMs: 'libvips' } as const;
type Peer = keyof typeof peers;

const digits = (ms: number) => (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3));
const times = (ratio: number) => `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
const allThreads = (rows: readonly CpuRow[]) => Math.max(...rows.map(({ threads }) => threads));

/** Rows as the app runs them, on all threads, that a peer ran beside. */
function raced({ rows }: CpuResults, format: string): readonly CpuRow[] {
  return rows.filter(
    (row) =>
      row.format === format &&
      row.planned &&
      row.threads === allThreads(rows) &&
      (row.openCvMs !== undefined || row.libvipsMs !== undefined),
  );
}

const ratioTo = (row: CpuRow, peer: Peer): string => {
  const theirs = row[peer];
  return theirs === undefined ? ' | ' : `${digits(theirs)} | ${times(theirs / row.ms)}`;
};

function raceTable(results: CpuResults, format: string): string {
  const integers = format.startsWith('u');
  const shown = (Object.keys(peers) as Peer[]).filter((peer) =>
    raced(results, format).some((row) => row[peer] !== undefined),
  );
  const heads = shown.map((peer) => `${peers[peer]}, ms | over ours`).join(' | ');
  return [
    `| row | path | ms | in copies | ${heads} |${integers ? ' exactly rounded |' : ''}`,
    `| --- | --- | --- | --- |${' --- |'.repeat(2 * shown.length + (integers ? 1 : 0))}`,
    ...raced(results, format).map((row) =>
      [
        `| ${row.row} | ${row.path} | ${digits(row.ms)} | ${(row.ms / row.copyMs).toFixed(1)} |`,
        `${shown.map((peer) => ratioTo(row, peer)).join(' | ')} |`,
        ...(integers ? [`${(100 * row.exactShare).toFixed(3)} % |`] : []),
      ].join(' '),
    ),
  ].join('\n');
}

// ---- Time against kernel size ---------------------------------------------------------------------------------------

type Spot = readonly [size: number, ms: number];
interface Curve {
  readonly name: string;
  readonly points: readonly Spot[];
}

/** Each path on the kernels that it is for; the transform costs the same for all. */
const curves: readonly { readonly name: string; readonly curve: string; readonly path: string }[] = [
  { name: 'dense', curve: 'dense', path: 'dense' },
  { name: 'FFT', curve: 'dense', path: 'fft' },
  { name: 'rank 4', curve: 'rank 4', path: 'separable' },
  { name: 'separable', curve: 'gaussian', path: 'separable' },
  { name: 'sparse', curve: 'motion', path: 'sparse' },
  { name: 'box', curve: 'box', path: 'box' },
];

function curvesOf({ rows }: CpuResults, format: string): readonly Curve[] {
  const threads = allThreads(rows);
  return curves
    .map(({ name, curve, path: way }) => ({
      name,
      points: rows
        .filter((row) => row.format === format && row.threads === threads && row.curve === curve && row.path === way)
        .toSorted((a, b) => a.size - b.size)
        .map(({ size, ms }) => [size, ms] as const),
    }))
    .filter(({ points }) => points.length > 1);
}

/** On straight lines over logarithmic axes; nothing outside the points. */
function timeAt(points: readonly Spot[], size: number): number | undefined {
  const after = points.findIndex(([at]) => at >= size);
  const [right, left] = [points[after], points[Math.max(0, after - 1)]];
  if (!right || !left || size < left[0]) return undefined;
  if (right[0] === left[0]) return right[1];
  const share = Math.log(size / left[0]) / Math.log(right[0] / left[0]);
  return left[1] * (right[1] / left[1]) ** share;
}

/** The first size from which `two` is the faster one. */
export function crossingOf(one: readonly Spot[], two: readonly Spot[]): Spot | undefined {
  const sizes = [...new Set([...one, ...two].map(([size]) => size))].toSorted((a, b) => a - b);
  const gaps = sizes.flatMap((size) => {
    const [a, b] = [timeAt(one, size), timeAt(two, size)];
    return a === undefined || b === undefined ? [] : [{ size, gap: Math.log(a / b), ms: b }];
  });
  for (const [i, right] of gaps.entries()) {
    const left = gaps[i - 1];
    if (!left || left.gap > 0 || right.gap <= 0) continue;
    const share = left.gap / (left.gap - right.gap);
    return [left.size * (right.size / left.size) ** share, left.ms * (right.ms / left.ms) ** share];
  }
  return undefined;
}

function crossingsOf(drawn: readonly Curve[]): readonly { name: string; at: Spot }[] {
  const fft = drawn.find(({ name }) => name === 'FFT');
  if (!fft) return [];
  return drawn.flatMap(({ name, points }) => {
    const at = name === 'FFT' ? undefined : crossingOf(points, fft.points);
    return at ? [{ name, at }] : [];
  });
}

const sizes = [3, 5, 9, 15, 31, 63, 127, 255, 511];

function pathChart(results: CpuResults, format: string): string {
  const drawn = curvesOf(results, format);
  const all = drawn.flatMap(({ points }) => points.map(([, ms]) => ms));
  const least = 10 ** Math.floor(Math.log10(Math.min(...all)));
  const most = 10 ** Math.ceil(Math.log10(Math.max(...all)));
  const decades = Array.from({ length: Math.round(Math.log10(most / least)) + 1 }, (_, i) => least * 10 ** i);
  const y: Axis = { title: 'ms, logarithmic', scale: logScale(least, most), ticks: decades };
  const x: Axis = { title: 'kernel size: cells a side, logarithmic', scale: logScale(2.7, 570), ticks: sizes };
  const marks: Mark[] = [
    ...drawn.map(({ name, points }): Mark => ({ kind: 'curve', text: name, points, dots: true })),
    ...crossingsOf(drawn).map(
      ({ at: [size, ms] }): Mark => ({ kind: 'crossing', x: size, y: ms, text: `FFT from ${Math.ceil(size)}` }),
    ),
  ];
  return svgOf({ title: `Time of each path by kernel size: 12 megapixels, ${format}, ${results.ours}`, x, y, marks });
}

const chartFormats = { 'docs/images/cpu-paths-u8.svg': 'u8 RGBA', 'docs/images/cpu-paths-f32.svg': 'f32 RGBA' };

function crossingTable(results: CpuResults): string {
  const formats = Object.values(chartFormats);
  const cell = (name: string, format: string) => {
    const drawn = curvesOf(results, format);
    const points = (wanted: string) => drawn.find((curve) => curve.name === wanted)?.points ?? [];
    const at = crossingOf(points(name), points('FFT'));
    if (at) return `${Math.ceil(at[0])}`;
    const both = points(name).find(([size]) => timeAt(points('FFT'), size) !== undefined);
    if (!both) return '';
    return (timeAt(points('FFT'), both[0]) ?? 0) < both[1] ? 'every size measured' : 'no size measured';
  };
  return [
    `| instead of | ${formats.join(' | ')} |`,
    `| --- |${' --- |'.repeat(formats.length)}`,
    ...curves
      .filter(({ name }) => name !== 'FFT')
      .map(({ name }) => `| ${name} | ${formats.map((format) => cell(name, format)).join(' | ')} |`),
  ].join('\n');
}

/** The page with the tables of these results. */
export const cpuPageWith = (page: string, results: CpuResults): string =>
  pageWithTables(pageFile, page, {
    u8: raceTable(results, 'u8 RGBA'),
    f32: raceTable(results, 'f32 RGBA'),
    crossings: crossingTable(results),
  });

export const cpuChartsOf = (results: CpuResults): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(chartFormats).map(([file, format]) => [file, pathChart(results, format)]));

function main(runs: readonly string[]): void {
  const results = runs.reduce(
    (known, run) => withMeasured(known, readFileSync(path.resolve(run), 'utf8')),
    readCpuResults(),
  );
  if (runs.length > 0) writeCpuResults(results);
  const page = inRoot(...pageFile.split('/'));
  writeFileSync(page, cpuPageWith(readFileSync(page, 'utf8'), results));
  for (const [file, svg] of Object.entries(cpuChartsOf(results))) writeFileSync(inRoot(...file.split('/')), svg);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
