// `convolve compare-backends`: runs a stack on two backends and says how far their results lie apart, after each filter and
// at the end.

import { chooseBackend } from '../../core/backends';
import type { Stack } from '../../core/document';
import type { BackendStatus } from '../../core/ipc';
import { createSamples, fullScale, type Samples, type SampleType } from '../../core/pass';
import type { PathChoice } from '../../core/paths';
import { pathText } from '../../core/planText';
import { DerivedImages } from '../derivedImages';
import { startEngine } from '../engine';
import { renderWhole } from '../export';
import { Renderer } from '../render';
import { unlessAborted } from '../unlessAborted';
import { costsOf, hasAlpha, resultDepth } from './apply';
import { inPhase } from './exitCodes';
import { usage } from './filterArguments';
import { readInput } from './pictures';
import { buildStack, requireBackend, type StackArguments } from './stackOptions';

type BackendName = BackendStatus['name'];

/** How far two results may lie apart: whole levels of integers, and shares of the larger of full scale and the value. */
export const mostLevels = 1;
export const mostShare = 1e-5;

/** `backend` is compared with `other`. */
export interface CompareArguments extends StackArguments {
  readonly input: string;
  readonly other: BackendName;
  readonly path: PathChoice;
}

/** How far two arrays of samples lie apart. */
export interface Difference {
  /** Integers: levels. Floats: a share of the larger of full scale and the second value. Infinite where only one is a number. */
  readonly largest: number;
  /** Share of the samples that are equal, 0…1. */
  readonly equalShare: number;
  /** Whether `largest` is more than it may be. */
  readonly violated: boolean;
}

/** The result after a filter and all before it, on both backends. */
export interface ComparedFilter extends Difference {
  readonly filter: string;
  readonly sampleType: SampleType;
  /** How each backend computes the filter, the first's first. */
  readonly paths: readonly string[];
  /** Of the whole stack up to this filter, the first backend's first. */
  readonly milliseconds: readonly number[];
}

export interface CompareReport {
  readonly input: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly backends: readonly { readonly name: BackendName; readonly description: string }[];
  /** One for each filter; the last is the result's. */
  readonly filters: readonly ComparedFilter[];
  readonly violated: boolean;
  readonly notes: readonly string[];
}

/** Compares arrays of one type and length; `b` is what relative differences are taken of. */
export function differenceOf(a: Samples, b: Samples, sampleType: SampleType): Difference {
  const integers = sampleType === 'u8' || sampleType === 'u16';
  const full = fullScale[sampleType];
  let largest = 0;
  let equal = 0;
  for (let index = 0; index < a.length; index += 1) {
    const [one = 0, other = 0] = [a[index], b[index]];
    if (Object.is(one, other) || one === other) {
      equal += 1;
      continue;
    }
    const distance = Math.abs(one - other) / (integers ? 1 : Math.max(full, Math.abs(other)));
    largest = Math.max(largest, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance);
  }
  const violated = largest > (integers ? mostLevels : mostShare);
  return { largest, equalShare: a.length === 0 ? 1 : equal / a.length, violated };
}

/** Runs the command. Throws ConvolveError, also where one of the backends is not there or fails. */
export async function compare(
  command: CompareArguments,
  signal: AbortSignal,
  progress: (share: number) => void = () => undefined,
): Promise<CompareReport> {
  if (command.stack.length === 0) throw usage('--filter', 'at least one filter, kernel or project to compare', 'none');
  if (command.path.kind === 'variant')
    throw usage('--plan', 'a path that both backends have', `variant:${command.path.name}`);
  const input = await inPhase('read', unlessAborted(readInput(command.input), signal));
  const words = await buildStack(command, input.sampleType);
  const stack = words.stack.filter(({ enabled }) => enabled);
  if (stack.length === 0) throw usage('--project', 'a project with a filter that is on', 'none');
  const { notes } = words;
  const engine = await startEngine();
  requireBackend(engine, command.backend);
  requireBackend(engine, command.other);
  const names = [command.other, chooseBackend(command.backend, engine.backends())] as const;
  if (names[0] === names[1]) throw usage('--with', `a backend beside ${names[1]}`, names[0]);
  const { samples: stored, channels, light } = input;
  const image = await inPhase(
    'read',
    engine.createImage(stored, input, channels, hasAlpha(input, command), light.curve),
  );
  const derived = new DerivedImages();
  try {
    const { tables, notes: costNotes } = await costsOf(engine);
    const source = { image, light, atLevel: (level: number) => engine.reduce(image, level), derived };
    const compute = async (backend: BackendName, part: Stack, sampleType: SampleType) => {
      const renderer = new Renderer(engine, () => backend, tables);
      const started = performance.now();
      const prepared = await renderer.prepare(source, part, signal, { path: command.path });
      const { width, height } = prepared.size;
      const samples = createSamples(sampleType, width * height * input.channels);
      await renderWhole(renderer, prepared, samples, { signal });
      const last = prepared.explanations.at(-1);
      return { samples, path: last ? pathText(last.path) : '', milliseconds: performance.now() - started };
    };
    const filters: ComparedFilter[] = [];
    for (const [index, { kind }] of stack.entries()) {
      const part = stack.slice(0, index + 1);
      const sampleType = resultDepth('auto', input, part);
      const first = await compute(names[0], part, sampleType);
      const second = await compute(names[1], part, sampleType);
      filters.push({
        filter: kind,
        sampleType,
        paths: [first.path, second.path],
        milliseconds: [first.milliseconds, second.milliseconds],
        ...differenceOf(second.samples, first.samples, sampleType),
      });
      progress((index + 1) / stack.length);
    }
    const { width, height, channels } = input;
    const backends = names.map((name) => ({
      name,
      description: engine.backends().find((status) => status.name === name)?.description ?? '',
    }));
    const violated = filters.some((filter) => filter.violated);
    return {
      input: command.input,
      width,
      height,
      channels,
      backends,
      filters,
      violated,
      notes: [...input.warnings, ...notes, ...costNotes],
    };
  } finally {
    derived.release();
    image.release();
  }
}

function differenceText({ largest, equalShare, sampleType }: ComparedFilter): string {
  const integers = sampleType === 'u8' || sampleType === 'u16';
  const distance = integers
    ? `${largest} ${largest === 1 ? 'level' : 'levels'}`
    : `${largest.toExponential(1)} of the value or of full scale`;
  // Rounded down: not quite all is not all.
  return `largest difference ${distance}, ${Math.floor(equalShare * 1e6) / 1e4} % of the samples equal`;
}

/** The report for people. */
export function compareLines({ input, width, height, backends, filters, violated }: CompareReport): readonly string[] {
  const names = backends.map(({ name }) => name);
  return [
    `${input}: ${width} × ${height}`,
    ...backends.map(({ name, description }) => `${name}: ${description}`),
    ...filters.map((filter, index) => {
      const paths = filter.paths.map((path, at) => `${path} on ${names[at]}`).join(', ');
      const last = index + 1 === filters.length ? 'result, ' : '';
      return `${last}after ${index + 1}. ${filter.filter} (${paths}): ${differenceText(filter)}${filter.violated ? ' — too far apart' : ''}`;
    }),
    violated
      ? `${names.join(' and ')} do not agree: more than ${mostLevels} level of integers or ${mostShare} of floats lies between them`
      : `${names.join(' and ')} agree`,
  ];
}
