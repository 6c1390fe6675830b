// The options that say what is done to a picture — filters, kernels, projects, their settings, the engine — for every command that has
// them, and the stack that they mean.

import type { Command } from 'commander';
import type { Filter, Stack } from '../../core/document';
import { ConvolveError } from '../../core/errors';
import { noteText } from '../../core/formats';
import { type BackendChoice, backendChoices } from '../../core/ipc';
import type { SampleType } from '../../core/pass';
import type { Engine } from '../engine';
import { readProjectFile } from '../projects/projectFile';
import { inPhase } from './exitCodes';
import { parseFilterArgument, parseNumberWord, parseSetting, type SettingsArguments, usage } from './filterArguments';
import {
  type KernelArguments,
  parseAnchor,
  parseDivisor,
  parseKernelArgument,
  parseOrientation,
} from './kernelArguments';
import { commandLanguage } from './language';

/** One `--filter`, `--kernel` or `--project`, in the order of the command line. */
export interface StackArgument {
  readonly kind: 'filter' | 'kernel' | 'project';
  readonly text: string;
}

export interface StackArguments {
  readonly stack: readonly StackArgument[];
  readonly settings: SettingsArguments;
  readonly kernel: KernelArguments;
  readonly decimalComma: boolean;
  readonly backend: BackendChoice;
}

/** As commander gives them. */
export interface StackOptions {
  readonly border?: string;
  readonly size?: string;
  readonly alpha?: string;
  readonly light?: string;
  readonly range?: string;
  readonly orientation?: string;
  readonly anchor?: string;
  readonly divisor?: string;
  readonly bias?: string;
  readonly kernelZero?: string;
  readonly decimalComma?: boolean;
  readonly backend: string;
}

/** Adds the options to a command. Filters and kernels are put into `stack` in their order. */
export function addStackOptions(command: Command, stack: StackArgument[]): Command {
  return command
    .option('-f, --filter <filter>', 'a filter, such as gaussian:sigma=3; may be given again', (text) =>
      stack.push({ kind: 'filter', text }),
    )
    .option('-k, --kernel <file|text>', 'a kernel of your own; may be given again', (text) =>
      stack.push({ kind: 'kernel', text }),
    )
    .option('-p, --project <file>', 'all filters of a project file, as they were saved', (text) =>
      stack.push({ kind: 'project', text }),
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
    .option('--kernel-zero <share>', 'of kernels that are pictures: the grey value, in linear light, of the weight 0')
    .option('--decimal-comma', 'commas in kernels are decimal commas')
    .option('--backend <name>', 'auto | reference | cpu | cuda', 'auto');
}

export function choice<T extends string>(option: string, words: readonly T[], text: string): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw usage(option, words.join(' | '), text);
  return found;
}

function settingsOf(options: StackOptions): SettingsArguments {
  const keys = ['border', 'size', 'alpha', 'light', 'range'] as const;
  const parts = keys.map((key) => {
    const text = options[key];
    return text === undefined ? null : parseSetting(`--${key}`, key, text);
  });
  return Object.assign({}, ...parts);
}

function kernelOf(options: StackOptions, stack: readonly StackArgument[]): KernelArguments {
  const keys = ['orientation', 'anchor', 'divisor', 'bias', 'kernelZero'] as const;
  const given = keys.find((key) => options[key] !== undefined);
  if (given && !stack.some(({ kind }) => kind === 'kernel'))
    throw usage(
      given === 'kernelZero' ? '--kernel-zero' : `--${given}`,
      '--kernel beside it',
      'no kernel to apply it to',
    );
  return {
    ...(options.orientation === undefined ? {} : { orientation: parseOrientation(options.orientation) }),
    ...(options.anchor === undefined ? {} : { anchor: parseAnchor(options.anchor) }),
    ...(options.divisor === undefined ? {} : { divisor: parseDivisor(options.divisor) }),
    ...(options.bias === undefined ? {} : { bias: parseNumberWord('--bias', options.bias) }),
    ...(options.kernelZero === undefined ? {} : { zero: parseNumberWord('--kernel-zero', options.kernelZero) }),
  };
}

/** What the options say. Throws usage. */
export function stackArguments(options: StackOptions, stack: readonly StackArgument[]): StackArguments {
  return {
    stack,
    settings: settingsOf(options),
    kernel: kernelOf(options, stack),
    decimalComma: options.decimalComma ?? false,
    backend: choice('--backend', backendChoices, options.backend),
  };
}

/** The stack for a picture of the given depth, with notes on how its kernels were read. */
export async function buildStack(
  { stack: words, settings, kernel, decimalComma }: StackArguments,
  sampleType: SampleType,
): Promise<{ readonly stack: Stack; readonly notes: readonly string[] }> {
  const stack: Filter[] = [];
  const notes: string[] = [];
  for (const [index, { kind, text }] of words.entries()) {
    const id = `filter-${index + 1}`;
    if (kind === 'filter') {
      stack.push(parseFilterArgument(text, id, sampleType, settings));
      continue;
    }
    if (kind === 'project') {
      const { stack: saved } = await inPhase('read', readProjectFile(text));
      // Ids count within this stack only.
      stack.push(...saved.map((filter, place): Filter => ({ ...filter, id: `${id}-${place + 1}` })));
      continue;
    }
    const read = await parseKernelArgument(text, id, sampleType, settings, kernel, decimalComma);
    stack.push(read.filter);
    notes.push(...read.notes.map((note) => noteText(note, commandLanguage)));
    if (read.zeroSum) notes.push('the weights of the kernel cancel, so its divisor is 1');
  }
  return { stack, notes };
}

/** A backend that was asked for by name must be there; only `auto` chooses another. */
export function requireBackend(engine: Engine, choice: BackendChoice): void {
  if (choice === 'auto') return;
  const status = engine.backends().find(({ name }) => name === choice);
  if (status?.available) return;
  throw new ConvolveError({
    code: 'backendUnavailable',
    subject: choice,
    actual: status?.description ?? 'not part of this build',
  });
}
