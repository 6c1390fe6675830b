// `convolve calibrate`: measures how long each path takes on this computer and keeps the table by which plans choose; or
// compares a table with fresh measurements.

import { chooseBackend } from '../../core/backends';
import type { CostKind, CostTable } from '../../core/costs';
import { ConvolveError } from '../../core/errors';
import type { BackendChoice } from '../../core/ipc';
import { predictedText } from '../../core/planText';
import { type CheckedKernel, checkCosts, summaryOf, usualKinds } from '../calibration/check';
import { measureFull, measureQuick } from '../calibration/measure';
import type { Clock } from '../calibration/stopwatch';
import { costsFile, loadCosts, settingsFolder, storeCosts } from '../calibration/store';
import { startEngine } from '../engine';

export interface CalibrateArguments {
  readonly backend: BackendChoice;
  /** Measure a few rows only, as the window does at its first start. */
  readonly quick: boolean;
  /** Compare instead of measuring anew; nothing is stored. */
  readonly check: boolean;
  readonly clock: Clock;
  /** Of the pictures of a check, in millions of pixels; null for the usual ones. */
  readonly megapixels: number | null;
  /** Kinds of pictures of a check; the usual ones where empty. */
  readonly kinds: readonly CostKind[];
  /** Where the table is kept; the user's settings folder where null. */
  readonly file: string | null;
  readonly version: string;
}

export type CalibrateReport =
  | { readonly kind: 'measured'; readonly table: CostTable; readonly file: string; readonly milliseconds: number }
  | {
      readonly kind: 'checked';
      readonly table: Pick<CostTable, 'backend' | 'description' | 'source'>;
      readonly rows: readonly CheckedKernel[];
      readonly summary: ReturnType<typeof summaryOf>;
      readonly notes: readonly string[];
    };

/** Runs the command. Throws ConvolveError; a table that was kept before is then as it was. */
export async function calibrate(
  command: CalibrateArguments,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<CalibrateReport> {
  const started = performance.now();
  const engine = await startEngine();
  const backends = engine.backends();
  const backend = chooseBackend(command.backend, backends);
  if (command.backend !== 'auto' && backend !== command.backend) {
    const actual = backends.find(({ name }) => name === command.backend)?.description ?? 'not part of this build';
    throw new ConvolveError({ code: 'backendUnavailable', subject: command.backend, actual });
  }
  const file = command.file ?? costsFile(settingsFolder());
  const { clock, version } = command;
  if (command.check) {
    const { tables, notes } = await loadCosts(file, backends, version);
    const kinds = command.kinds.length > 0 ? command.kinds : usualKinds;
    const table = tables[backend];
    const { megapixels } = command;
    const rows = await checkCosts(engine, backend, table, { signal, clock, progress, kinds, megapixels });
    const { description, source } = table;
    return { kind: 'checked', table: { backend, description, source }, rows, summary: summaryOf(rows), notes };
  }
  const measure = command.quick ? measureQuick : measureFull;
  const table = await measure(engine, backend, { signal, clock, progress, version });
  await storeCosts(file, table);
  return { kind: 'measured', table, file, milliseconds: performance.now() - started };
}

const percent = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)} %`;

function checkedLine({ picture, kernel, paths, best, chosen, regret }: CheckedKernel): string {
  const words = paths.map(
    ({ path, predicted, measured, error }) =>
      `${path} ${predictedText(measured)} (predicted ${predictedText(predicted)}, ${percent(error)})`,
  );
  const verdict = best === chosen ? 'the best' : `${percent(regret)} over ${best}`;
  return `${picture.padEnd(8)} ${kernel}: ${verdict}; ${words.join('; ')}`;
}

/** The report for people. */
export function calibrateLines(report: CalibrateReport): readonly string[] {
  if (report.kind === 'measured') {
    const { table, file, milliseconds } = report;
    return [
      `${table.backend}, ${table.description}: measured in ${(milliseconds / 1000).toFixed(1)} s, kept in ${file}`,
      'The window takes it at its next start.',
    ];
  }
  const { table, rows, summary } = report;
  return [
    `${table.backend}${table.description ? `, ${table.description}` : ''}: ${table.source} costs beside fresh measurements`,
    ...rows.map(checkedLine),
    `prediction of the chosen path within 30 %: ${summary.errorsWithin30} of ${summary.kernels}, largest error ${percent(summary.largestError)}`,
    `prediction of any path within 30 %: ${summary.allErrorsWithin30} of ${summary.paths}, median error ${percent(summary.medianError)}`,
    `choice within 10 % of the best path: ${summary.regretsWithin10} of ${summary.kernels}, largest regret ${percent(summary.largestRegret)}`,
  ];
}
