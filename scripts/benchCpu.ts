// `npm run bench:cpu`: builds the native bench with the peers that are there, asks core/paths.ts how the app would run
// each row, and measures. `--install-peers` brings OpenCV (by apt) and libvips' headers (from npm, of the version that
// sharp's own libvips has); `--plot FILE.svg` draws every path's time against kernel size instead; `--costs FILE` plans by
// a measured table. Everything else is the bench's own (`npm run bench:cpu -- --help`).

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { type CostTable, costTableSchema, type PictureKind } from '../core/costs';
import type { LinearWeights } from '../core/filterForm';
import { choosePath } from '../core/paths';
import { shippedCosts } from '../core/shippedCosts';
import { type Measurements, plotOf, plotWords } from './benchPlot';
import { buildAddon, buildBench, type VipsFiles } from './build';
import { command, lastLines } from './command';
import { runTask, say, TaskError } from './console';
import { cacheFolder, calledFrom, inRoot } from './paths';
import { provideSystemRequirements } from './systemRequirements';

interface BenchWords {
  readonly installPeers: boolean;
  readonly plot: string | undefined;
  readonly costs: string | undefined;
  readonly json: string | undefined;
  readonly native: readonly string[];
}

function readWords(words: readonly string[]): BenchWords {
  const native: string[] = [];
  const files = new Map<string, string>();
  let installPeers = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--install-peers') installPeers = true;
    else if (word === '--plot' || word === '--costs' || word === '--json') {
      const file = words[++i];
      if (file === undefined) throw new TaskError(`${word}: expected a file, got nothing.`, 'Name one.', 2);
      files.set(word, path.resolve(calledFrom, file));
    } else native.push(word);
  }
  return { installPeers, plot: files.get('--plot'), costs: files.get('--costs'), json: files.get('--json'), native };
}

// ---- libvips: the library inside sharp's package, and the headers that belong to it ---------------------------------

const platformPackage = `@img/sharp-libvips-${process.platform}-${process.arch}`;
const headerPackage = '@img/sharp-libvips-dev';
const headerFolder = path.join(cacheFolder, 'peers');

function platformFolder(): string | undefined {
  try {
    return path.dirname(createRequire(inRoot('package.json')).resolve(`${platformPackage}/package`));
  } catch {
    return undefined; // sharp has no libvips of its own here
  }
}

function findVips(): VipsFiles | undefined {
  const folder = platformFolder();
  const headers = path.join(headerFolder, 'node_modules', headerPackage, 'include');
  if (!folder || !existsSync(path.join(headers, 'vips', 'vips.h'))) return undefined;
  const library = readdirSync(path.join(folder, 'lib')).find((name) => name.startsWith('libvips-cpp'));
  if (!library) return undefined;
  return {
    headers,
    configuration: path.join(folder, 'lib', 'glib-2.0', 'include'),
    library: path.join(folder, 'lib', library),
  };
}

async function fetchVipsHeaders(): Promise<void> {
  const folder = platformFolder();
  if (!folder) {
    say('libvips', `sharp brings none for ${process.platform} ${process.arch}, so that it is not measured`);
    return;
  }
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  mkdirSync(headerFolder, { recursive: true });
  const words = ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await command('npm', [...words, '--prefix', headerFolder, `${headerPackage}@${version}`]);
  if (result.code !== 0) throw new TaskError(`npm could not fetch ${headerPackage}.`, result.stderr.trim());
  say('libvips', `headers of ${version} are there`);
}

// ---- The plan -------------------------------------------------------------------------------------------------------

interface DescribedRow {
  readonly row: string;
  readonly paths: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly divisor: number;
  readonly weights?: readonly number[];
  readonly taps?: readonly number[];
}

interface Description {
  /** By the name that the bench looks plans up with. */
  readonly pictures: readonly (PictureKind & { readonly name: string })[];
  readonly rows: readonly DescribedRow[];
}

/** The row's kernel as the filter of that name knows it: outer products keep their row and column. */
function weightsOf(row: DescribedRow): LinearWeights {
  const { width, height, anchorX, anchorY, divisor, taps, weights } = row;
  const shape = { width, height, anchorX, anchorY, divisor };
  if (!taps) return { kind: 'dense', weights: { ...shape, weights: Float64Array.from(weights ?? []) } };
  if (taps.every((tap) => tap === 1)) return { kind: 'box', weights: shape };
  const vector = Float64Array.from(taps);
  return { kind: 'separable', weights: { ...shape, pairs: [{ column: vector, row: vector }] } };
}

/** The table of the cpu backend from the file that `npm run calibrate` leaves in the user's folder. */
function readCosts(file: string): CostTable {
  const { tables } = z.object({ tables: z.array(costTableSchema) }).parse(JSON.parse(readFileSync(file, 'utf8')));
  const table = tables.find(({ backend }) => backend === 'cpu');
  if (!table) throw new TaskError(`${file} holds no costs of the cpu backend.`, 'Run `npm run calibrate` first.', 2);
  return table;
}

/** A gradient magnitude has one path only. */
function plan({ pictures, rows }: Description, costs: CostTable): object {
  const linear = rows.filter(({ paths }) => !paths.includes('magnitude'));
  const planned = (row: DescribedRow, picture: PictureKind) => {
    const { work, milliseconds } = choosePath(weightsOf(row), { kind: 'auto' }, { costs, picture });
    return [row.row, { path: work.kind, milliseconds }];
  };
  return Object.fromEntries(
    pictures.map(({ name, ...picture }) => [name, Object.fromEntries(linear.map((row) => planned(row, picture)))]),
  );
}

/** Writes what the app plans for every row on the pictures that `words` ask for. */
async function writePlan(program: string, words: readonly string[], costs: CostTable): Promise<string> {
  const described = await command(program, [...words, '--rows', '.', '--describe']);
  if (described.code !== 0)
    throw new TaskError(lastLines(described.output, 30), 'Mend the words and run this again.', 2);
  const file = path.join(cacheFolder, 'bench-plan.json');
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(file, JSON.stringify(plan(JSON.parse(described.stdout) as Description, costs)));
  return file;
}

await runTask(async () => {
  const words = readWords(process.argv.slice(2));
  await provideSystemRequirements(['build', 'test', ...(words.installPeers ? (['peers'] as const) : [])]);
  if (words.installPeers) await fetchVipsHeaders();
  await buildAddon();
  const program = await buildBench(findVips());
  const costs = words.costs ? readCosts(words.costs) : shippedCosts.cpu;
  if (words.native.includes('--help')) return (await command(program, ['--help'], { show: true })).code;
  const native = words.plot ? [...plotWords, ...words.native] : words.native;
  const measured = path.join(cacheFolder, 'bench.json');
  const file = words.json ?? measured;
  const planned = ['--plan', await writePlan(program, native, costs), '--json', file];
  const result = await command(program, [...planned, ...native], { show: true });
  if (words.plot && result.code <= 1) {
    writeFileSync(words.plot, plotOf(JSON.parse(readFileSync(file, 'utf8')) as Measurements));
    say('Plot', words.plot);
  }
  return result.code;
});
