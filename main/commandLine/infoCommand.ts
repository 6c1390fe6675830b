// The words of `convolve info` and `convolve filters`.

import type { Command } from 'commander';
import { failureOf } from '../../core/errors';
import { oneLine } from '../../core/errorText';
import { unlessAborted } from '../unlessAborted';
import { parsePage } from './applyCommand';
import { type CommandContext, done, type Outcome } from './context';
import { exitCodeOf, exitCodes, inPhase } from './exitCodes';
import { readInput } from './pictures';
import {
  failureLine,
  failureRecord,
  filterLines,
  filterRecords,
  type InfoRecord,
  infoLine,
  infoRecord,
} from './report';

async function info(files: readonly string[], page: number, json: boolean, signal: AbortSignal): Promise<Outcome> {
  const records: (InfoRecord | ReturnType<typeof failureRecord>)[] = [];
  const lines: string[] = [];
  const notes: string[] = [];
  let exitCode: number = exitCodes.done;
  for (const file of files)
    try {
      const record = infoRecord(file, await inPhase('read', unlessAborted(readInput(file, page), signal)));
      records.push(record);
      lines.push(infoLine(record));
      notes.push(...record.warnings.map((warning) => `${oneLine(file)}: ${warning}`));
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.code === 'cancelled') throw thrown;
      const own = exitCodeOf(thrown);
      // Of several, the file that cannot be read counts.
      exitCode = Math.max(exitCode, own);
      records.push({ ...failureRecord(failure, own), ...{ file } });
      if (!json) notes.push(failureLine(thrown));
    }
  if (!json) return { lines, notes, exitCode };
  return { lines: [JSON.stringify({ ok: exitCode === exitCodes.done, files: records })], notes: [], exitCode };
}

export function addInfo(program: Command, { signal, finish }: CommandContext): void {
  program
    .command('info')
    .description('print size, depth, format and profile of pictures')
    .argument('<files...>', 'picture files or NumPy arrays')
    .option('--page <number>', 'page or frame of files of several, from 1', '1')
    .option('--json', 'print one JSON object')
    .action(async (files: string[], options: { page: string; json?: boolean }) =>
      finish(await info(files, parsePage(options.page), options.json ?? false, signal)),
    );

  program
    .command('filters')
    .description('list the filters with their parameters, defaults and ranges')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      finish(done(options.json ? [JSON.stringify({ ok: true, filters: filterRecords() })] : filterLines())),
    );
}
