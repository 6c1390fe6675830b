// `convolve batch`: many pictures through one stack, with its words, its progress and its report.

import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { type BatchProgress, type BatchScope, batchFormats, conflictRules, linesOf } from '../../core/batch';
import type { Stack } from '../../core/document';
import { failureOf } from '../../core/errors';
import { errorText, oneLine } from '../../core/errorText';
import { lossText } from '../../core/exportLosses';
import { exportDepths } from '../../core/exportOptions';
import type { SampleType } from '../../core/pass';
import { warningText } from '../../core/warningText';
import { type BatchOrder, type BatchSummary, type FileOutcome, runBatch } from '../batch/run';
import { findSources } from '../batch/sources';
import { directCodec } from '../codec/directCodec';
import { startEngine } from '../engine';
import { OpenPictures } from '../images';
import { Renderer } from '../render';
import { costsOf } from './apply';
import { type CommandContext, type Outcome, progressShower } from './context';
import { exitCodes } from './exitCodes';
import { addWritingOptions, checkFits, type WritingOptions, writingArguments } from './exportOptions';
import { parseNumberWord, usage } from './filterArguments';
import { commandLanguage } from './language';
import { bytesText, durationText } from './report';
import {
  addStackOptions,
  buildStack,
  choice,
  requireBackend,
  type StackArgument,
  type StackArguments,
  type StackOptions,
  stackArguments,
} from './stackOptions';

/** As commander gives them. */
interface BatchOptions extends StackOptions, WritingOptions {
  readonly output: string;
  readonly name: string;
  readonly format: string;
  readonly conflict: string;
  readonly depth: string;
  readonly recursive?: boolean;
  readonly jobs: string;
  readonly memory: string;
  readonly resume?: boolean;
  readonly retry?: boolean;
  readonly progress?: boolean;
  readonly json?: boolean;
}

const maximumJobs = 64;
/** Of the computer's memory, what pictures may take at a time unless told. */
const memoryShare = 0.4;

function parseJobs(text: string): number {
  if (text === 'auto') return Math.min(os.availableParallelism(), maximumJobs);
  const jobs = parseNumberWord('--jobs', text, `auto or 1…${maximumJobs}`);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > maximumJobs)
    throw usage('--jobs', `auto or 1…${maximumJobs}`, text);
  return jobs;
}

function parseMemory(text: string): number {
  if (text === 'auto') return os.totalmem() * memoryShare;
  const megabytes = parseNumberWord('--memory', text, 'auto or a number of megabytes from 16');
  if (megabytes < 16) throw usage('--memory', 'auto or a number of megabytes from 16', text);
  return megabytes * 1e6;
}

function scopeOf({ resume, retry }: BatchOptions): BatchScope {
  if (resume && retry) throw usage('--resume', 'no --retry beside it', '--resume --retry');
  if (retry) return 'retry';
  return resume ? 'resume' : 'start';
}

async function orderOf(words: readonly string[], options: BatchOptions, stack: StackArguments): Promise<BatchOrder> {
  const sources = await findSources(words, process.cwd(), options.recursive ?? false);
  if (sources.length === 0) throw usage('images', 'files, folders or patterns with a picture in them', words.join(' '));
  const stacks = new Map<SampleType, Promise<Stack>>();
  const stackFor: BatchOrder['stackFor'] = (sampleType) => {
    // Read once, so that a kernel file that changes meanwhile does not.
    const built = stacks.get(sampleType) ?? buildStack(stack, sampleType).then((read) => read.stack);
    stacks.set(sampleType, built);
    return built;
  };
  // A filter or kernel that cannot be read is said once, not for each picture.
  await stackFor('u8');
  const format = choice('--format', batchFormats, options.format);
  const writing = writingArguments(options);
  if (format !== 'same') checkFits(writing, format);
  return {
    sources,
    folder: path.resolve(options.output),
    pattern: options.name,
    format,
    options: { ...writing, depth: choice('--depth', exportDepths, options.depth) },
    conflict: choice('--conflict', conflictRules, options.conflict),
    jobs: parseJobs(options.jobs),
    memoryBytes: parseMemory(options.memory),
    scope: scopeOf(options),
    stackFor,
  };
}

/** Progress on one line: `123 of 1000, 2 failed, 4.2 a second, 3 min left`. */
export function progressText({ total, done, skipped, failed, rate, secondsLeft }: BatchProgress): string {
  const parts = [`${done + skipped + failed} of ${total}`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (rate > 0) parts.push(`${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)} a second`);
  if (secondsLeft !== null) parts.push(`${durationText(secondsLeft)} left`);
  return parts.join(', ');
}

const nameOf = (file: string) => oneLine(path.relative(process.cwd(), file) || file);

function fileLine(outcome: FileOutcome): string | null {
  switch (outcome.kind) {
    case 'done':
      return `${nameOf(outcome.source)} → ${nameOf(outcome.target)}, ${bytesText(outcome.fileBytes)}`;
    case 'skipped':
      if (outcome.reason === 'earlier') return null;
      return `${nameOf(outcome.source)}: skipped, ${nameOf(outcome.target)} is there already${outcome.changed ? ', and is older than the picture' : ''}`;
    case 'failed':
      return null;
  }
}

const withMessage = (outcome: FileOutcome) =>
  outcome.kind === 'failed' ? { ...outcome, message: errorText(outcome.failure, commandLanguage) } : outcome;

/** The report at the end for people: the failures by name, then the counts. */
function summaryOf(summary: BatchSummary): Outcome {
  const { done, skipped, failures, warned, left, milliseconds } = summary;
  const said = warned.flatMap(({ source, warnings, losses }) =>
    [
      ...warnings.map((warning) => warningText(warning, commandLanguage)),
      ...losses.map((loss) => lossText(loss, commandLanguage)),
    ].map((text) => ({ name: nameOf(source), text })),
  );
  const notes = [...linesOf(said, commandLanguage)];
  if (left.taken > 0)
    notes.push(
      `${left.taken} left as they were: files of their names are there already, made by whatever filters${left.changed > 0 ? `; of ${left.changed} the picture has changed since` : ''}. \`--conflict overwrite\` does them again.`,
    );
  notes.push(...failures.map(({ source, failure }) => `${nameOf(source)}: ${errorText(failure, commandLanguage)}`));
  if (failures.length > 0) notes.push('`--retry` does the failed ones again.');
  const parts = [`${done} done`, ...(skipped > 0 ? [`${skipped} skipped`] : []), `${failures.length} failed`];
  const exitCode = failures.length === 0 ? exitCodes.done : exitCodes.failed;
  return { lines: [`${parts.join(', ')}, ${durationText(milliseconds / 1000)}`], notes, exitCode };
}

async function batch(
  words: readonly string[],
  options: BatchOptions,
  stack: readonly StackArgument[],
  { signal, print }: CommandContext,
): Promise<Outcome> {
  const meant = stackArguments(options, stack);
  const order = await orderOf(words, options, meant);
  const engine = await startEngine();
  requireBackend(engine, meant.backend);
  const { tables } = await costsOf(engine);
  const renderer = new Renderer(engine, () => meant.backend, tables);
  const show = progressShower(options);
  const event = (record: object) => print(JSON.stringify(record));
  if (options.json) event({ event: 'start', total: order.sources.length, jobs: order.jobs, folder: order.folder });
  const finished = (outcome: FileOutcome, progress: BatchProgress) => {
    if (options.json) {
      event({ event: 'file', ...withMessage(outcome), progress });
      return;
    }
    const line = fileLine(outcome);
    // A line of output must not stand behind the progress.
    if (line !== null && process.stderr.isTTY) show(null);
    if (line !== null) print(line);
    show(progressText(progress));
  };
  try {
    const work = runBatch({ pictures: new OpenPictures(engine), renderer, codec: directCodec }, order, {
      signal,
      finished,
    });
    const summary = await work.finally(() => show(null));
    const outcome = summaryOf(summary);
    if (!options.json) return outcome;
    const { failures, warned: _warned, ...counts } = summary;
    const record = { event: 'end', ok: failures.length === 0, exitCode: outcome.exitCode, ...counts };
    return { lines: [JSON.stringify(record)], notes: [], exitCode: outcome.exitCode };
  } catch (thrown) {
    const { code } = failureOf(thrown);
    if (code !== 'cancelled') throw thrown;
    const stopped = '`--resume` goes on where it was stopped.';
    if (options.json)
      return {
        lines: [JSON.stringify({ event: 'end', ok: false, exitCode: exitCodes.stopped, stopped: true })],
        notes: [],
        exitCode: exitCodes.stopped,
      };
    return {
      lines: [],
      notes: [`${errorText(failureOf(thrown), commandLanguage)} ${stopped}`],
      exitCode: exitCodes.stopped,
    };
  }
}

const examples = `
Examples:
  convolve batch 'in/*.jpg' --filter gaussian:sigma=3 -o out
  convolve batch photos --recursive --filter sharpen --name '{name}-sharp' --format jpeg --quality 92 -o out
  convolve batch 'in/*.tif' --project look.convolve -o out
  convolve batch scans --filter unsharp:1.5 -o out --resume        # goes on after Ctrl-C or a crash
  convolve batch scans --filter unsharp:1.5 -o out --retry --json  # only what failed, as lines of JSON

Images are files, folders (their pictures; with --recursive those of their folders too, which the output then has as
well) and patterns; links to folders are not followed where folders are gone through. A result whose name is taken is left
unless --conflict says otherwise, also where its picture or the filters have changed: --conflict overwrite does all again.
In names, {name} is the source's name, {number} its place in the batch, {format} the result's format;
the ending follows the format. No result replaces a picture that the batch reads. The output folder keeps a small journal
until everything is done; --resume and --retry read it.`;

export function addBatch(program: Command, context: CommandContext): void {
  const stack: StackArgument[] = [];
  const command = program
    .command('batch')
    .description('run filters over many pictures')
    .argument('<images...>', 'picture files, folders or patterns such as "in/*.jpg"')
    .requiredOption('-o, --output <folder>', 'folder of the results; made where it is missing')
    .option('--name <pattern>', 'names of the results, with {name}, {number} and {format}', '{name}')
    .option('--format <format>', `${batchFormats.join(' | ')}; same falls back to png`, 'same')
    .option('--conflict <rule>', `where a result's name is taken: ${conflictRules.join(' | ')}`, 'skip')
    .option('--recursive', 'folders with all that is in them')
    .option('--jobs <number>', `pictures at a time: auto or 1…${maximumJobs}`, 'auto')
    .option('--memory <megabytes>', 'for the pictures at a time: auto or a number of megabytes', 'auto')
    .option('--resume', 'go on with the batch that the output folder has begun')
    .option('--retry', 'only what failed in the batch before');
  addStackOptions(command, stack);
  addWritingOptions(command)
    .option('--depth <type>', `depth of the results: ${exportDepths.join(' | ')}`, 'same')
    .option('--progress', 'print progress on standard error, also where that is no terminal')
    .option('--json', 'print a line of JSON for each event')
    .addHelpText('after', examples)
    .action(async (words: string[], options: BatchOptions) =>
      context.finish(await batch(words, options, stack, context)),
    );
}
