// `convolve apply`: reads a picture, runs a stack over it with the same plan and engine as the window, writes the result.

import type { CostTable } from '../../core/costs';
import type { Stack } from '../../core/document';
import { errorText } from '../../core/errorText';
import { lossesBesideWarnings, lossText } from '../../core/exportLosses';
import { type ExportOptions, exportDepth } from '../../core/exportOptions';
import type { PassExplanation } from '../../core/ipc';
import type { SampleType } from '../../core/pass';
import type { PathChoice } from '../../core/paths';
import { pathText, reasonText } from '../../core/planText';
import type { Receipt } from '../../core/receipt';
import { shippedCosts } from '../../core/shippedCosts';
import { areCostsFixed, costsFile, type LoadedCosts, loadCosts, settingsFolder } from '../calibration/store';
import { exportedSize } from '../codec/exportFormat';
import { DerivedImages } from '../derivedImages';
import { type BackendName, type Engine, startEngine } from '../engine';
import { checkTargets, renderWhole, writeReceipt } from '../export';
import { makeReceipt } from '../receipt';
import { type PreparedStack, Renderer } from '../render';
import { unlessAborted } from '../unlessAborted';
import { version } from '../version';
import { inPhase } from './exitCodes';
import { checkFits, type WritingArguments } from './exportOptions';
import { usage } from './filterArguments';
import { commandLanguage } from './language';
import {
  createOutput,
  type InputPicture,
  isSameFile,
  type OutputFormat,
  outputFormat,
  readInput,
  writeOutput,
} from './pictures';
import { buildStack, requireBackend, type StackArguments } from './stackOptions';

export interface ApplyArguments extends StackArguments {
  readonly input: string;
  readonly output: string;
  /** Page or frame of a file of several, from 1. */
  readonly page: number;
  readonly path: PathChoice;
  readonly depth: SampleType | 'auto';
  readonly writing: WritingArguments;
  readonly force: boolean;
}

export interface ApplyReport {
  readonly input: string;
  readonly output: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly sampleType: SampleType;
  readonly backend: BackendName;
  readonly backendDescription: string;
  /** Where the predictions come from. */
  readonly costs: CostTable['source'];
  readonly fileBytes: number;
  /** Time of the filters alone, and of the whole command from reading to writing. */
  readonly filterMilliseconds: number;
  readonly milliseconds: number;
  /** As PassExplanation, in words. */
  readonly passes: readonly (Omit<PassExplanation, 'path' | 'reason'> & {
    readonly path: string;
    readonly reason: string;
    readonly filter: string;
  })[];
  readonly notes: readonly string[];
}

/**
 * Depth of the result: the one asked for, else the picture's own. A result that keeps values beyond full scale (range
 * float) of an integer picture is float where the format can hold that, as integers would cut it.
 */
export function resultDepth(depth: SampleType | 'auto', input: InputPicture, stack: Stack): SampleType {
  if (depth !== 'auto') return depth;
  const integer = input.sampleType === 'u8' || input.sampleType === 'u16';
  return integer && stack.at(-1)?.range === 'float' ? 'f32' : input.sampleType;
}

/** With `--alpha straight` the channels of an array of 2 or 4 are plain numbers, the last one too. */
export function hasAlpha(input: InputPicture, command: StackArguments): boolean {
  const even = input.channels === 2 || input.channels === 4;
  return even && !(input.format === 'npy' && command.settings.alpha === 'straight');
}

/** The receipt of the result; null where none is asked for. Throws usage for what an export cannot do again. */
async function receiptOf(
  renderer: Renderer,
  prepared: PreparedStack,
  input: InputPicture,
  stack: Stack,
  { writing, path }: ApplyArguments,
  format: OutputFormat,
  sampleType: SampleType,
  signal: AbortSignal,
): Promise<Receipt | null> {
  if (writing.receipt === 'none') return null;
  if (format === 'npy' || input.format === 'npy') throw usage('--receipt', 'picture files in and out', 'a NumPy array');
  if (path.kind !== 'auto') throw usage('--receipt', 'no --plan beside it', '--plan');
  const depth = exportDepth({ format, depth: 'same' }, sampleType);
  const options: ExportOptions = { ...writing, format, depth };
  const result = { ...exportedSize(prepared.size, options), sampleType: depth };
  return makeReceipt(renderer, prepared, input, stack, options, result, signal);
}

/** What the result does not have of the picture, in words. */
function lossesOf(
  input: InputPicture,
  format: OutputFormat,
  sampleType: SampleType,
  command: ApplyArguments,
): readonly string[] {
  if (format === 'npy') return [];
  const image = { ...input, alpha: hasAlpha(input, command), sampleType, pages: 1 };
  const losses = lossesBesideWarnings(image, { ...command.writing, format, depth: 'same' });
  return losses.map((loss) => lossText(loss, commandLanguage));
}

/** The costs that the window plans by, so that both take the same paths. */
export async function costsOf(engine: Engine): Promise<LoadedCosts> {
  if (areCostsFixed()) return { tables: shippedCosts, notes: [] };
  return loadCosts(costsFile(settingsFolder()), engine.backends(), version);
}

/** Runs the command. Throws ConvolveError; then the output is as it was, and nothing else is left behind. */
export async function apply(
  command: ApplyArguments,
  signal: AbortSignal,
  progress: (share: number) => void = () => undefined,
): Promise<ApplyReport> {
  const started = performance.now();
  const format = outputFormat(command.output);
  if (format !== 'npy') checkFits(command.writing, format);
  if (!command.force && (await isSameFile(command.input, command.output)))
    throw usage('--output', 'another file than the input, or --force', command.output);

  if (command.path.kind === 'variant' && command.backend !== 'cuda')
    throw usage('--backend', 'cuda, which has the variants', command.backend);
  await checkTargets(command.output, command.writing);
  const input = await inPhase('read', unlessAborted(readInput(command.input, command.page), signal));
  const { stack, notes: stackNotes } = await buildStack(command, input.sampleType);
  const notes = [...stackNotes];
  const engine = await startEngine();
  requireBackend(engine, command.backend);
  const { samples: stored, channels, light } = input;
  const image = await inPhase(
    'read',
    engine.createImage(stored, input, channels, hasAlpha(input, command), light.curve),
  );
  const derived = new DerivedImages();
  try {
    const { tables, notes: costNotes } = await costsOf(engine);
    notes.push(...costNotes);
    const renderer = new Renderer(engine, () => command.backend, tables);
    const source = { image, light, atLevel: (level: number) => engine.reduce(image, level), derived };
    const filterStart = performance.now();
    progress(0);
    const sampleType = resultDepth(command.depth, input, stack);
    const { prepared, output, receipt } = await renderer.steadily(async () => {
      const prepared = await renderer.prepare(source, stack, signal, { path: command.path });
      const options = { ...command.writing, depth: 'same' } as const;
      const receipt = await receiptOf(renderer, prepared, input, stack, command, format, sampleType, signal);
      const output = createOutput(format, prepared.size, input, sampleType, options, receipt);
      await renderWhole(renderer, prepared, output.samples, { signal, progress });
      return { prepared, output, receipt };
    });
    const filterMilliseconds = performance.now() - filterStart;
    const { backend } = prepared;
    notes.push(...lossesOf(input, format, sampleType, command));
    for (const { name, failure } of renderer.backends())
      if (failure) notes.push(`${name} failed, ${backend} did the work: ${errorText(failure, commandLanguage)}`);
    for (const { filterId, reason } of prepared.explanations)
      if (reason.kind === 'approximate') {
        const kind = stack.find(({ id }) => id === filterId)?.kind ?? '';
        notes.push(`${kind} ran as rank ${reason.rank} of ${reason.exact}: the result is approximate`);
      }
    const pieces = await unlessAborted(output.encode(), signal);
    const fileBytes = await writeOutput(command.output, pieces, signal);
    if (receipt && command.writing.receipt === 'beside') await writeReceipt(command.output, receipt, pieces);
    return {
      input: command.input,
      output: command.output,
      ...(format === 'npy' ? prepared.size : exportedSize(prepared.size, command.writing)),
      channels: input.channels,
      sampleType: output.sampleType,
      backend,
      backendDescription: engine.backends().find(({ name }) => name === backend)?.description ?? '',
      costs: tables[prepared.backend].source,
      fileBytes,
      filterMilliseconds,
      milliseconds: performance.now() - started,
      passes: prepared.explanations.map(
        ({ filterId, path, reason, multiplyAddsPerPixel, milliseconds, keptBytes }) => ({
          filterId,
          path: pathText(path),
          reason: reasonText(reason, 'en', path),
          multiplyAddsPerPixel,
          milliseconds,
          keptBytes,
          filter: stack.find(({ id }) => id === filterId)?.kind ?? '',
        }),
      ),
      notes: [...input.warnings, ...notes],
    };
  } finally {
    derived.release();
    image.release();
  }
}
