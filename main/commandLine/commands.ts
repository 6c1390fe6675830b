// The command line as a whole: the commands, each in a file of its own, from the words of a command line to what is to be
// printed and the exit code (exitCodes.ts).

import { Command, CommanderError } from 'commander';
import { ConvolveError, failureOf } from '../../core/errors';
import { version } from '../version';
import { addApply } from './applyCommand';
import { addBatch } from './batchCommand';
import { addCalibrate } from './calibrateCommand';
import { addCompare } from './compareCommand';
import { type CommandContext, done, type Outcome } from './context';
import { exitCodeHelp, exitCodeOf, exitCodes } from './exitCodes';
import { addInfo } from './infoCommand';
import { addReplay } from './replayCommand';
import { failureLine, failureRecord } from './report';

function commandLine(context: CommandContext): Command {
  const program = new Command('convolve')
    .description('Filters pictures by convolution kernels that one can see, edit, prove and run.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('afterAll', `\n${exitCodeHelp}`)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  addApply(program, context);
  addBatch(program, context);
  addReplay(program, context);
  addInfo(program, context);
  addCalibrate(program, context);
  addCompare(program, context);
  return program;
}

/** Commander's own refusals in the form of all others; help and version are no failures. */
function usageOf(thrown: CommanderError): ConvolveError {
  const message = thrown.message.replace(/^error: /, '').replace(/\n/g, ' ');
  return new ConvolveError(
    { code: 'usage', subject: message || 'no command', expected: 'what `convolve --help` shows' },
    thrown,
  );
}

/**
 * Runs the words of a command line, without the program's own name. `print` takes the lines that come while a command runs.
 * Never rejects.
 */
export async function run(
  words: readonly string[],
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<Outcome> {
  let outcome: Outcome = done([]);
  const finish = (result: Outcome) => {
    outcome = result;
  };
  const program = commandLine({ signal, finish, print });
  try {
    if (words.length === 0)
      return { lines: [program.helpInformation(), exitCodeHelp], notes: [], exitCode: exitCodes.usage };
    await program.parseAsync(words, { from: 'user' });
    return outcome;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return done([]);
    const refusal = thrown instanceof CommanderError ? usageOf(thrown) : thrown;
    const exitCode = exitCodeOf(refusal);
    if (!words.includes('--json')) return { lines: [], notes: [failureLine(refusal)], exitCode };
    return { lines: [JSON.stringify(failureRecord(failureOf(refusal), exitCode))], notes: [], exitCode };
  }
}
