// What `npm run bench:cpu -- --json FILE` measured, kept in test/bench/cpu/results as one short line for each path of each
// row; the page docs/cpu.md is drawn from it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { inRoot } from './paths';

const timing = z.object({ cpuMinimumMs: z.number() });
const benchSchema = z.object({
  ours: z.string(),
  peers: z.array(z.string()),
  settings: z.array(
    z.object({
      format: z.string(),
      width: z.number(),
      height: z.number(),
      threads: z.number(),
      rows: z.array(
        z.object({
          row: z.string(),
          curve: z.string(),
          size: z.number(),
          copyFloor: timing,
          paths: z.array(
            z.object({
              path: z.string(),
              planned: z.boolean(),
              refusal: z.string().optional(),
              exactShare: z.number().optional(),
              timing: timing.optional(),
            }),
          ),
          peers: z.array(z.object({ family: z.string(), threads: z.number(), timing })),
        }),
      ),
    }),
  ),
});

const rowSchema = z.object({
  format: z.string(),
  width: z.number(),
  height: z.number(),
  threads: z.number(),
  row: z.string(),
  /** Rows of one curve differ by size alone; empty for the others. */
  curve: z.string(),
  /** Cells a side. */
  size: z.number(),
  path: z.string(),
  planned: z.boolean(),
  /**
   * CPU time of all threads over their number, least of the rounds, as all times here: what the clock would have shown
   * without other programs.
   */
  ms: z.number(),
  /** Samples that equal the exactly rounded value. */
  exactShare: z.number(),
  /** A streaming copy of the picture. */
  copyMs: z.number(),
  /** The best function of each peer; missing where it has none, or was not there. */
  openCvMs: z.number().optional(),
  libvipsMs: z.number().optional(),
});
export type CpuRow = z.infer<typeof rowSchema>;
const resultsSchema = z.object({ ours: z.string(), peers: z.array(z.string()), rows: z.array(rowSchema) });
export type CpuResults = z.infer<typeof resultsSchema>;

const resultsFile = inRoot('test', 'bench', 'cpu', 'results', 'bench.json');

export function readCpuResults(): CpuResults {
  if (!existsSync(resultsFile)) return { ours: '', peers: [], rows: [] };
  return resultsSchema.parse(JSON.parse(readFileSync(resultsFile, 'utf8')));
}

/** Four digits are more than a clock is worth. */
const rounded = (ms: number): number => Number(ms.toPrecision(4));

function rowsOf({ settings }: z.infer<typeof benchSchema>): readonly CpuRow[] {
  return settings.flatMap(({ format, width, height, threads, rows }) =>
    rows.flatMap(({ row, curve, size, copyFloor, paths, peers }) => {
      const best = (family: string) => {
        const times = peers
          .filter((peer) => peer.family === family)
          .map((peer) => peer.timing.cpuMinimumMs / peer.threads);
        return times.length === 0 ? undefined : rounded(Math.min(...times));
      };
      return paths.flatMap(({ path, planned, exactShare, timing: taken }) =>
        taken === undefined
          ? []
          : [
              {
                format,
                width,
                height,
                threads,
                row,
                curve,
                size,
                path,
                planned,
                ms: rounded(taken.cpuMinimumMs / threads),
                exactShare: exactShare ?? 0,
                copyMs: rounded(copyFloor.cpuMinimumMs / threads),
                openCvMs: best('OpenCV'),
                libvipsMs: best('libvips'),
              },
            ],
      );
    }),
  );
}

const rowKeyOf = ({ format, width, height, threads, row }: CpuRow) => [format, width, height, threads, row].join();
const keyOf = (row: CpuRow) => [rowKeyOf(row), row.path].join();

const formatOrder = ['u8 RGBA', 'u8 RGB', 'u8 grey', 'u16 RGBA', 'f32 RGBA', 'f32 grey'];
const curveOrder = ['dense', 'gaussian', 'box', '', 'motion', 'rank 4'];
const inOrder = (a: CpuRow, b: CpuRow) =>
  formatOrder.indexOf(a.format) - formatOrder.indexOf(b.format) ||
  a.width - b.width ||
  a.threads - b.threads ||
  curveOrder.indexOf(a.curve) - curveOrder.indexOf(b.curve) ||
  a.size - b.size;

/**
 * The results with the rows of another run of the bench: those that were measured again are replaced, and paths that were
 * planned before are so no longer where the run planned another.
 */
export function withMeasured(results: CpuResults, json: string): CpuResults {
  const measured = benchSchema.parse(JSON.parse(json));
  const rows = rowsOf(measured);
  const again = new Set(rows.map(keyOf));
  const plannedAgain = new Set(rows.filter(({ planned }) => planned).map(rowKeyOf));
  const older = results.rows
    .filter((row) => !again.has(keyOf(row)))
    .map((row) => ({ ...row, planned: row.planned && !plannedAgain.has(rowKeyOf(row)) }));
  return {
    ours: measured.ours,
    peers: measured.peers.length > 0 ? measured.peers : results.peers,
    rows: [...older, ...rows].toSorted(inOrder),
  };
}

export function writeCpuResults({ ours, peers, rows }: CpuResults): void {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  writeFileSync(
    resultsFile,
    `{\n  "ours": ${JSON.stringify(ours)},\n  "peers": ${JSON.stringify(peers)},\n  "rows": [\n${lines}\n  ]\n}\n`,
  );
}
