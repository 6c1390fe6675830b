// The words of `convolve apply`.

import type { Command } from 'commander';
import { sampleTypes } from '../../core/pass';
import { parsePathChoice, pathChoices } from '../../core/paths';
import { type ApplyArguments, apply } from './apply';
import { type CommandContext, done, percentText, progressShower } from './context';
import { addWritingOptions, type WritingOptions, writingArguments } from './exportOptions';
import { parseNumberWord, usage } from './filterArguments';
import { applyLines } from './report';
import { addStackOptions, choice, type StackArgument, type StackOptions, stackArguments } from './stackOptions';

/** As commander gives them. */
interface ApplyOptions extends StackOptions, WritingOptions {
  readonly output: string;
  readonly page: string;
  readonly plan: string;
  readonly depth: string;
  readonly force?: boolean;
  readonly progress?: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** Throws usage. */
export function parsePage(text: string): number {
  const page = parseNumberWord('--page', text, 'a whole number from 1');
  if (!Number.isInteger(page) || page < 1) throw usage('--page', 'a whole number from 1', text);
  return page;
}

function applyArguments(input: string, options: ApplyOptions, stack: readonly StackArgument[]): ApplyArguments {
  return {
    ...stackArguments(options, stack),
    input,
    output: options.output,
    page: parsePage(options.page),
    path: parsePathChoice(options.plan),
    depth: choice('--depth', ['auto', ...sampleTypes], options.depth),
    writing: writingArguments(options),
    force: options.force ?? false,
  };
}

const examples = `
Examples:
  convolve apply photo.jpg --filter gaussian:sigma=3 -o soft.png
  convolve apply photo.jpg --filter unsharp:sigma=1.5,amount=0.8 --filter sobel -o edges.png
  convolve apply photo.jpg --kernel "0 -1 0; -1 5 -1; 0 -1 0" --border replicate -o sharp.jpg
  convolve apply input.npy --kernel kernel.npy --orientation convolution --backend reference -o result.npy

A filter is name:key=value,…; it takes border, size, alpha, light and range too, for itself alone.
A kernel is a file (text, or of another program: .acf .npy .mat .svg .def …) or its numbers; "/ 16" behind them is the
divisor. Without one they are taken as they stand (divisor 1). Values of bias and constant borders are shares of full
scale: 0.5 is half grey.
NumPy arrays (height × width or height × width × 1…4; u1, u2, f4, f8) go in and out as numbers; the last of 2 or 4
channels is alpha, unless --alpha straight makes it a plain number. Float pictures keep their range unless told.`;

export function addApply(program: Command, { signal, finish }: CommandContext): void {
  const stack: StackArgument[] = [];
  const command = program
    .command('apply')
    .description('run filters over a picture and write the result')
    .argument('<image>', 'picture file or NumPy array')
    .requiredOption('-o, --output <file>', 'result; its ending says the format: .png .jpg .webp .tif .avif .pfm .npy');
  addStackOptions(command, stack);
  addWritingOptions(command)
    .option('--page <number>', 'page or frame of a file of several, from 1', '1')
    .option('--plan <path>', pathChoices, 'auto')
    .option('--depth <type>', 'depth of the result: auto | u8 | u16 | f32 | f64', 'auto')
    .option('--force', 'allow the output to be the input itself')
    .option('--progress', 'print the share that is done on standard error, also where that is no terminal')
    .option('--explain', 'print the plan: which path each filter takes, and why')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (input: string, options: ApplyOptions) => {
      const show = progressShower(options);
      const progress = (share: number) => show(percentText(share));
      const report = await apply(applyArguments(input, options, stack), signal, progress).finally(() => show(null));
      if (options.json) finish(done([JSON.stringify({ ok: true, ...report })]));
      else finish(done(applyLines(report, options.explain ?? false), report.notes));
    });
}
