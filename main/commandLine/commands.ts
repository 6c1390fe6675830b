// The commands `apply`, `info`, `filters` and `calibrate` with their options and help, from the words of a command line to what is to be
// printed and the exit code (exitCodes.ts).

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { costKinds } from '../../core/costs';
import { ConvolveError, failureOf } from '../../core/errors';
import { oneLine } from '../../core/errorText';
import { backendChoices } from '../../core/ipc';
import { sampleTypes } from '../../core/pass';
import { parsePathChoice, pathChoices } from '../../core/paths';
import { unlessAborted } from '../unlessAborted';
import { type ApplyArguments, apply, type StackArgument } from './apply';
import { type CalibrateArguments, calibrate, calibrateLines } from './calibrate';
import { exitCodeOf, exitCodes } from './exitCodes';
import { parseNumberWord, parseSetting, type SettingsArguments, usage } from './filterArguments';
import { type KernelArguments, parseAnchor, parseDivisor, parseOrientation } from './kernelArguments';
import { readInput } from './pictures';
import {
  applyLines,
  failureLine,
  failureRecord,
  filterLines,
  filterRecords,
  type InfoRecord,
  infoLine,
  infoRecord,
} from './report';

/** Options of `apply` as commander gives them. */
interface ApplyOptions {
  readonly output: string;
  readonly border?: string;
  readonly size?: string;
  readonly alpha?: string;
  readonly light?: string;
  readonly range?: string;
  readonly orientation?: string;
  readonly anchor?: string;
  readonly divisor?: string;
  readonly bias?: string;
  readonly decimalComma?: boolean;
  readonly backend: string;
  readonly plan: string;
  readonly depth: string;
  readonly quality: string;
  readonly lossless?: boolean;
  readonly force?: boolean;
  readonly progress?: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** Options of `calibrate` as commander gives them. */
interface CalibrateOptions {
  readonly backend: string;
  readonly quick?: boolean;
  readonly check?: boolean;
  readonly megapixels: string;
  readonly kinds?: string;
  readonly busy?: boolean;
  readonly file?: string;
  readonly json?: boolean;
}

/** What a command says (lines on standard output, notes on standard error) and how it ended. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly exitCode: number;
}

const done = (lines: readonly string[], notes: readonly string[] = []): Outcome => ({
  lines,
  notes,
  exitCode: exitCodes.done,
});

/** The version in package.json: this folder is main/commandLine in the sources, dist/main or dist/test once bundled. */
function version(): string {
  const folder = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, '..', '..', 'package.json'), 'utf8'));
  return String(Object(manifest).version);
}

function choice<T extends string>(option: string, words: readonly T[], text: string): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw usage(option, words.join(' | '), text);
  return found;
}

function settingsOf(options: ApplyOptions): SettingsArguments {
  const keys = ['border', 'size', 'alpha', 'light', 'range'] as const;
  const parts = keys.map((key) => {
    const text = options[key];
    return text === undefined ? null : parseSetting(`--${key}`, key, text);
  });
  return Object.assign({}, ...parts);
}

function kernelOf(options: ApplyOptions, stack: readonly StackArgument[]): KernelArguments {
  const keys = ['orientation', 'anchor', 'divisor', 'bias'] as const;
  const given = keys.find((key) => options[key] !== undefined);
  if (given && !stack.some(({ kind }) => kind === 'kernel'))
    throw usage(`--${given}`, '--kernel beside it', 'no kernel to apply it to');
  return {
    ...(options.orientation === undefined ? {} : { orientation: parseOrientation(options.orientation) }),
    ...(options.anchor === undefined ? {} : { anchor: parseAnchor(options.anchor) }),
    ...(options.divisor === undefined ? {} : { divisor: parseDivisor(options.divisor) }),
    ...(options.bias === undefined ? {} : { bias: parseNumberWord('--bias', options.bias) }),
  };
}

function applyArguments(input: string, options: ApplyOptions, stack: readonly StackArgument[]): ApplyArguments {
  const quality = parseNumberWord('--quality', options.quality, '1…100');
  if (!Number.isInteger(quality) || quality < 1 || quality > 100) throw usage('--quality', '1…100', options.quality);
  return {
    input,
    output: options.output,
    stack,
    settings: settingsOf(options),
    kernel: kernelOf(options, stack),
    decimalComma: options.decimalComma ?? false,
    backend: choice('--backend', backendChoices, options.backend),
    path: parsePathChoice(options.plan),
    depth: choice('--depth', ['auto', ...sampleTypes], options.depth),
    quality,
    lossless: options.lossless ?? false,
    force: options.force ?? false,
    version: version(),
  };
}

function calibrateArguments(options: CalibrateOptions): CalibrateArguments {
  const megapixels = parseNumberWord('--megapixels', options.megapixels, '0.1…100');
  if (!(megapixels >= 0.1 && megapixels <= 100)) throw usage('--megapixels', '0.1…100', options.megapixels);
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
    version: version(),
  };
}

/** Shows a share on one line that is written over in a terminal, or as lines of their own; null ends it. */
function progressShower({ progress, json }: Pick<ApplyOptions, 'progress' | 'json'>): (share: number | null) => void {
  const { stderr } = process;
  if (!progress && (!stderr.isTTY || json)) return () => undefined;
  let shown = '';
  return (share) => {
    const text = share === null ? '' : `${Math.floor(share * 100)} %`;
    if (text === shown) return;
    shown = text;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text}`);
    else if (text !== '') stderr.write(`${text}\n`);
  };
}

async function info(files: readonly string[], json: boolean, signal: AbortSignal): Promise<Outcome> {
  const records: (InfoRecord | ReturnType<typeof failureRecord>)[] = [];
  const lines: string[] = [];
  const notes: string[] = [];
  let exitCode: number = exitCodes.done;
  for (const file of files)
    try {
      const record = infoRecord(file, await unlessAborted(readInput(file), signal));
      records.push(record);
      lines.push(infoLine(record));
      notes.push(...record.warnings.map((warning) => `${oneLine(file)}: ${warning}`));
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.code === 'cancelled') throw thrown;
      exitCode = exitCodes.unreadable;
      records.push({ ...failureRecord(failure, exitCode), ...{ file } });
      if (!json) notes.push(failureLine(thrown));
    }
  if (!json) return { lines, notes, exitCode };
  return { lines: [JSON.stringify({ ok: exitCode === exitCodes.done, files: records })], notes: [], exitCode };
}

const examples = `
Examples:
  convolve apply photo.jpg --filter gaussian:sigma=3 -o soft.png
  convolve apply photo.jpg --filter unsharp:sigma=1.5,amount=0.8 --filter sobel -o edges.png
  convolve apply photo.jpg --kernel "0 -1 0; -1 5 -1; 0 -1 0" --border replicate -o sharp.jpg
  convolve apply input.npy --kernel kernel.npy --orientation convolution --backend reference -o result.npy

A filter is name:key=value,…; it takes border, size, alpha, light and range too, for itself alone.
A kernel is a file (text, or of another program: .acf .npy .mat .svg .def …) or its numbers; "/ 16" behind them is the
divisor. Without one they are taken as they stand (divisor 1). Values of bias and constant borders are shares of full scale: 0.5 is half grey.
NumPy arrays (height × width or height × width × 1…4; u1, u2, f4, f8) go in and out as numbers; the last of 2 or 4
channels is alpha, unless --alpha straight makes it a plain number. Float pictures keep their range unless told.

Exit codes: 0 done, 1 the work failed, 2 wrong command line, 3 cannot read, 4 cannot write, 130 stopped by Ctrl-C.`;

/** The commands; each hands its outcome to `finish`. */
function commandLine(signal: AbortSignal, finish: (outcome: Outcome) => void): Command {
  const program = new Command('convolve')
    .description('Filters pictures by convolution kernels that one can see, edit, prove and run.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });

  const stack: StackArgument[] = [];
  program
    .command('apply')
    .description('run filters over a picture and write the result')
    .argument('<image>', 'picture file or NumPy array')
    .requiredOption('-o, --output <file>', 'result; its ending says the format: .png .jpg .webp .tif .npy')
    .option('-f, --filter <filter>', 'a filter, such as gaussian:sigma=3; may be given again', (text) =>
      stack.push({ kind: 'filter', text }),
    )
    .option('-k, --kernel <file|text>', 'a kernel of your own; may be given again', (text) =>
      stack.push({ kind: 'kernel', text }),
    )
    .option('--border <border>', 'outside the picture: zero | constant:V | replicate | reflect | mirror | wrap')
    .option('--size <size>', 'same | valid')
    .option('--alpha <mode>', 'weighted | straight | colour-only')
    .option('--light <light>', 'encoded | linear')
    .option('--range <range>', 'clamp | absolute | signed | rescale | float')
    .option('--orientation <word>', 'how kernels are meant: correlation | convolution')
    .option('--anchor <column,row>', 'cell of the kernel on the output pixel, from 0,0')
    .option('--divisor <number>', 'divisor of kernels, or auto for their sum')
    .option('--bias <share>', 'added to the result of kernels, as a share of full scale')
    .option('--decimal-comma', 'commas in kernels are decimal commas')
    .option('--backend <name>', 'auto | reference | cpu | cuda', 'auto')
    .option('--plan <path>', pathChoices, 'auto')
    .option('--depth <type>', 'depth of the result: auto | u8 | u16 | f32 | f64', 'auto')
    .option('--quality <1-100>', 'quality of JPEG and WebP', '90')
    .option('--lossless', 'WebP without loss')
    .option('--force', 'allow the output to be the input itself')
    .option('--progress', 'print the share that is done on standard error, also where that is no terminal')
    .option('--explain', 'print the plan: which path each filter takes, and why')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (input: string, options: ApplyOptions) => {
      const progress = progressShower(options);
      const report = await apply(applyArguments(input, options, stack), signal, progress).finally(() => progress(null));
      if (options.json) finish(done([JSON.stringify({ ok: true, ...report })]));
      else finish(done(applyLines(report, options.explain ?? false), report.notes));
    });

  program
    .command('info')
    .description('print size, depth, format and profile of pictures')
    .argument('<files...>', 'picture files or NumPy arrays')
    .option('--json', 'print one JSON object')
    .action(async (files: string[], options: { json?: boolean }) =>
      finish(await info(files, options.json ?? false, signal)),
    );

  program
    .command('filters')
    .description('list the filters with their parameters, defaults and ranges')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      finish(done(options.json ? [JSON.stringify({ ok: true, filters: filterRecords() })] : filterLines())),
    );

  program
    .command('calibrate')
    .description('measure how long each path takes here, so that plans choose well and predict')
    .option('--backend <name>', 'auto | reference | cpu | cuda', 'auto')
    .option('--quick', 'only scale the shipped table by a few measurements (3 s)')
    .option('--check', 'compare the table in use with fresh measurements; stores nothing')
    .option('--megapixels <number>', 'picture of --check, in millions of pixels', '12')
    .option('--kinds <list>', `pictures of --check, such as u8x4,f32x1 (${costKinds.join(', ')})`)
    .option('--busy', 'count processor time: for a computer that does other work meanwhile')
    .option('--file <file>', 'where the table is kept; the settings folder otherwise')
    .option('--json', 'print one JSON object')
    .action(async (options: CalibrateOptions) => {
      const progress = progressShower(options);
      const report = await calibrate(calibrateArguments(options), signal, progress).finally(() => progress(null));
      if (options.json) finish(done([JSON.stringify({ ok: true, ...report })]));
      else finish(done(calibrateLines(report), report.kind === 'checked' ? report.notes : []));
    });
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

/** Runs the words of a command line, without the program's own name. Never rejects. */
export async function run(words: readonly string[], signal: AbortSignal): Promise<Outcome> {
  let outcome: Outcome = done([]);
  const program = commandLine(signal, (result) => {
    outcome = result;
  });
  try {
    if (words.length === 0)
      return { lines: [program.helpInformation().trimEnd()], notes: [], exitCode: exitCodes.usage };
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
