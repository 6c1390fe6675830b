// The words of `convolve compare-backends`.

import type { Command } from 'commander';
import { backendNames } from '../../core/costs';
import { parsePathChoice, pathChoices } from '../../core/paths';
import { type CompareArguments, compare, compareLines } from './compare';
import { type CommandContext, percentText, progressShower } from './context';
import { exitCodes } from './exitCodes';
import { addStackOptions, choice, type StackArgument, type StackOptions, stackArguments } from './stackOptions';

/** As commander gives them. */
interface CompareOptions extends StackOptions {
  readonly with: string;
  readonly plan: string;
  readonly progress?: boolean;
  readonly json?: boolean;
}

function compareArguments(input: string, options: CompareOptions, stack: readonly StackArgument[]): CompareArguments {
  return {
    ...stackArguments(options, stack),
    input,
    other: choice('--with', backendNames, options.with),
    path: parsePathChoice(options.plan),
  };
}

export function addCompare(program: Command, { signal, finish }: CommandContext): void {
  const stack: StackArgument[] = [];
  const command = program
    .command('compare-backends')
    .description('run filters on two backends and say how far their results lie apart; exit code 5 where too far')
    .argument('<image>', 'picture file or NumPy array');
  addStackOptions(command, stack)
    .option('--with <name>', 'what --backend is compared with: reference | cpu | cuda', 'cpu')
    .option('--plan <path>', pathChoices, 'auto')
    .option('--progress', 'print the share that is done on standard error, also where that is no terminal')
    .option('--json', 'print one JSON object')
    .action(async (input: string, options: CompareOptions) => {
      const show = progressShower(options);
      const progress = (share: number) => show(percentText(share));
      const report = await compare(compareArguments(input, options, stack), signal, progress).finally(() => show(null));
      const exitCode = report.violated ? exitCodes.different : exitCodes.done;
      if (options.json) finish({ lines: [JSON.stringify({ ok: !report.violated, ...report })], notes: [], exitCode });
      else finish({ lines: compareLines(report), notes: report.notes, exitCode });
    });
}
