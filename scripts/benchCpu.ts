// `npm run bench:cpu`: builds the native bench with the peers that are there, asks core/paths.ts how the app would run
// each row, and measures. Options but the first three below go to the bench (test/bench/cpu).

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { type CostTable, costTableSchema, type PictureKind, predictMilliseconds } from '../core/costs';
import type { LinearWeights } from '../core/filterForm';
import { choosePath } from '../core/paths';
import { shippedCosts } from '../core/shippedCosts';
import { buildAddon, buildBench, type VipsFiles } from './build';
import { command, lastLines } from './command';
import { runTask, say, TaskError } from './console';
import { cacheFolder, calledFrom, inRoot } from './paths';
import { provideSystemRequirements } from './systemRequirements';

const usage = `npm run bench:cpu -- [options]: the cpu backend beside OpenCV and libvips, on the same buffers
  --install-peers     brings them first: OpenCV by apt, libvips' headers by npm; the table has no column of one that is missing
  --costs FILE        plans by a costs.json of \`npm run calibrate\` instead of the shipped table
  --json FILE         all that was measured; \`npx tsx scripts/cpuCharts.ts FILE\` draws docs/cpu.md with it
  --rows REGEX        rows by name, such as 'dense (3|5)$' or gaussian; the extra ones (rank-4, motion, gaussian of 127
                      and more) only if named
  --formats REGEX     formats by name, such as 'u8 RGBA|f32 grey'
  --megapixels LIST   12,24 unless said; 4000 x 3000 is 12
  --threads LIST      1,all unless said
  --path NAME         dense, separable, sparse, box, fft, magnitude, or every for all that fit a row; the planned one unless said
  --begin LIST        bytes behind a cache line's first one where results begin: 16 unless said, as in JavaScript's memory;
                      0,16 shows both, in turns
  --quick             12 megapixels, all threads, RGBA only, short turns; what else is said still holds
  --no-peers          ours alone
  --slow-peers        also what takes libvips minutes
Everything together takes long; \`npm run bench:cpu -- --quick\` some minutes. Ends with 1 where a result was not right.
`;

interface BenchWords {
  readonly installPeers: boolean;
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
    else if (word === '--costs' || word === '--json') {
      const file = words[++i];
      if (file === undefined) throw new TaskError(`${word}: expected a file, got nothing.`, 'Name one.', 2);
      files.set(word, path.resolve(calledFrom, file));
    } else native.push(word);
  }
  return { installPeers, costs: files.get('--costs'), json: files.get('--json'), native };
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

function plan({ pictures, rows }: Description, costs: CostTable): object {
  const planned = (row: DescribedRow, picture: PictureKind) => {
    if (row.paths.includes('magnitude')) {
      const path = { kind: 'magnitude', width: row.width, height: row.height } as const;
      return [row.row, { path: path.kind, milliseconds: predictMilliseconds(costs, picture, path) }];
    }
    const { work, milliseconds } = choosePath(weightsOf(row), { kind: 'auto' }, { costs, picture });
    return [row.row, { path: work.kind, milliseconds }];
  };
  // Peers know no alpha: all channels are filtered.
  const ofPicture = (picture: PictureKind) =>
    Object.fromEntries(rows.map((row) => planned(row, { ...picture, alpha: false })));
  return Object.fromEntries(pictures.map(({ name, ...picture }) => [name, ofPicture(picture)]));
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
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  const words = readWords(process.argv.slice(2));
  await provideSystemRequirements(['build', 'test', ...(words.installPeers ? (['peers'] as const) : [])]);
  if (words.installPeers) await fetchVipsHeaders();
  await buildAddon();
  const program = await buildBench(findVips());
  const costs = words.costs ? readCosts(words.costs) : shippedCosts.cpu;
  const written = words.json ? ['--json', words.json] : [];
  const planned = ['--plan', await writePlan(program, words.native, costs), ...written];
  return (await command(program, [...planned, ...words.native], { show: true })).code;
});
