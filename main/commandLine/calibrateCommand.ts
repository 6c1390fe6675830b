// The words of `convolve calibrate`.

import type { Command } from 'commander';
import { costKinds } from '../../core/costs';
import { backendChoices } from '../../core/ipc';
import { version } from '../version';
import { type CalibrateArguments, calibrate, calibrateLines } from './calibrate';
import { type CommandContext, done, percentText, progressShower } from './context';
import { parseNumberWord, usage } from './filterArguments';
import { choice } from './stackOptions';

/** As commander gives them. */
interface CalibrateOptions {
  readonly backend: string;
  readonly quick?: boolean;
  readonly check?: boolean;
  readonly megapixels?: string;
  readonly kinds?: string;
  readonly busy?: boolean;
  readonly file?: string;
  readonly json?: boolean;
}

function calibrateArguments(options: CalibrateOptions): CalibrateArguments {
  const { megapixels: word } = options;
  const megapixels = word === undefined ? null : parseNumberWord('--megapixels', word, '0.1…100');
  if (word !== undefined && !(megapixels !== null && megapixels >= 0.1 && megapixels <= 100))
    throw usage('--megapixels', '0.1…100', word);
  if (options.quick && options.check) throw usage('--quick', 'no --check beside it', '--quick --check');
  const kinds = options.kinds === undefined ? [] : options.kinds.split(',');
  return {
    backend: choice('--backend', backendChoices, options.backend),
    quick: options.quick ?? false,
    check: options.check ?? false,
    clock: options.busy ? 'processor' : 'wall',
    megapixels,
    kinds: kinds.map((kind) => choice('--kinds', costKinds, kind)),
    file: options.file ?? null,
    version,
  };
}

export function addCalibrate(program: Command, { signal, finish }: CommandContext): void {
  program
    .command('calibrate')
    .description('measure how long each path takes here, so that plans choose well and predict')
    .option('--backend <name>', 'auto | reference | cpu | cuda', 'auto')
    .option('--quick', 'only scale the shipped table by a few measurements (3 s)')
    .option('--check', 'compare the table in use with fresh measurements; stores nothing')
    .option('--megapixels <number>', 'pictures of --check, in millions of pixels (12, and 24 of some kernels)')
    .option('--kinds <list>', `pictures of --check, such as u8x4,f32x1 (${costKinds.join(', ')})`)
    .option('--busy', 'count processor time: for a computer that does other work meanwhile')
    .option('--file <file>', 'where the table is kept; the settings folder otherwise')
    .option('--json', 'print one JSON object')
    .action(async (options: CalibrateOptions) => {
      const show = progressShower(options);
      const progress = (share: number) => show(percentText(share));
      const report = await calibrate(calibrateArguments(options), signal, progress).finally(() => show(null));
      if (options.json) finish(done([JSON.stringify({ ok: true, ...report })]));
      else finish(done(calibrateLines(report), report.kind === 'checked' ? report.notes : []));
    });
}
