// The words of `--filter` and of the settings beside it as filters: `gaussian:sigma=3,border=wrap`. Names, keys and values
// are checked against the catalogue, so that a refusal says what would have been taken.

import type { Filter, FilterKind, FilterSettings } from '../../core/document';
import { setMix } from '../../core/edits';
import { ConvolveError } from '../../core/errors';
import { borderSchema } from '../../core/filterSchema';
import {
  type CatalogueEntry,
  catalogue,
  catalogueEntry,
  type ParameterSpec,
  type ParameterValue,
} from '../../core/filters';
import { largestShare, maximumKernelSize } from '../../core/kernel';
import {
  type AlphaMode,
  type Border,
  borderKinds,
  lightModes,
  rangeModes,
  type SampleType,
  sizeModes,
} from '../../core/pass';
import { mixKeys, parseMixWord } from './mixArguments';

/** What every filter of a command has unless its own words say otherwise. */
export type SettingsArguments = Partial<Pick<FilterSettings, 'border' | 'size' | 'alpha' | 'light' | 'range' | 'rank'>>;

/** Short names beside the catalogue's own; hyphens, underscores and case do not count. */
const otherNames: ReadonlyMap<string, FilterKind> = new Map([
  ['log', 'laplacianOfGaussian'],
  ['mean', 'box'],
  ['disk', 'lens'],
  ['unsharpmask', 'unsharp'],
]);

/** Alpha modes in the command line's spelling. */
const alphaWords: ReadonlyMap<string, AlphaMode> = new Map([
  ['weighted', 'weighted'],
  ['straight', 'straight'],
  ['colour-only', 'colourOnly'],
  ['color-only', 'colourOnly'],
]);

export function usage(subject: string, expected: string, actual: string): ConvolveError {
  return new ConvolveError({ code: 'usage', subject, expected, actual });
}

const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A finite number with a decimal point. Throws `usage`. */
export function parseNumberWord(subject: string, text: string, expected = 'a number'): number {
  const value = plainNumber.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw usage(subject, expected, text);
  return value;
}

function oneOf<T extends string>(subject: string, words: readonly T[], text: string): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw usage(subject, words.join(' | '), text);
  return found;
}

const borderWords = borderKinds
  .map((kind) => (kind === 'constant' ? `constant:V with V of ${-largestShare}…${largestShare}` : kind))
  .join(' | ');

/** `zero`, `constant:V` (V a share of full scale), `replicate`, `reflect`, `mirror` or `wrap`. */
export function parseBorder(subject: string, text: string): Border {
  const constant = /^constant:(.*)$/.exec(text);
  const border = constant
    ? { kind: 'constant', value: parseNumberWord(subject, constant[1] ?? '', borderWords) }
    : { kind: text };
  const parsed = borderSchema.safeParse(border);
  if (!parsed.success) throw usage(subject, borderWords, text);
  return parsed.data;
}

/** One setting by its key; null for a key that is none. */
export function parseSetting(subject: string, key: string, text: string): SettingsArguments | null {
  switch (key) {
    case 'border':
      return { border: parseBorder(subject, text) };
    case 'size':
      return { size: oneOf(subject, sizeModes, text) };
    case 'alpha': {
      const alpha = alphaWords.get(text);
      if (!alpha) throw usage(subject, 'weighted | straight | colour-only', text);
      return { alpha };
    }
    case 'light':
      return { light: oneOf(subject, lightModes, text) };
    case 'range':
      return { range: oneOf(subject, rangeModes, text) };
    case 'rank': {
      const rank = /^\d{1,3}$/.test(text) ? Number(text) : 0;
      if (rank < 1 || rank > maximumKernelSize) throw usage(subject, `a whole number of 1…${maximumKernelSize}`, text);
      return { rank };
    }
    default:
      return null;
  }
}

const plainName = (name: string) => name.toLowerCase().replace(/[-_ ]/g, '');

function entryNamed(name: string): CatalogueEntry {
  if (plainName(name) === 'custom') throw usage('--filter custom', '--kernel with its numbers', name);
  const kind =
    otherNames.get(plainName(name)) ?? catalogue.find((entry) => plainName(entry.kind) === plainName(name))?.kind;
  if (!kind) {
    const names = catalogue.map((entry) => entry.kind).filter((known) => known !== 'custom');
    throw usage('--filter', names.join(', '), name);
  }
  return catalogueEntry(kind);
}

/** What a parameter takes, in words. */
export function rangeText(spec: ParameterSpec): string {
  if (spec.kind === 'choice') return spec.options.join(' | ');
  return `${spec.kind === 'integer' ? 'a whole number of ' : ''}${spec.minimum}…${spec.maximum}`;
}

function parseParameter(subject: string, spec: ParameterSpec, text: string): ParameterValue {
  const refuse = () => usage(subject, `${spec.key} ${rangeText(spec)}`, text);
  if (spec.kind === 'choice' && spec.options.includes(text)) return text;
  if (!plainNumber.test(text)) throw refuse();
  const value = Number(text);
  const fits =
    spec.kind === 'choice'
      ? spec.options.includes(value)
      : value >= spec.minimum && value <= spec.maximum && (spec.kind === 'number' || Number.isInteger(value));
  if (!fits) throw refuse();
  return value;
}

/**
 * A filter from `name`, `name:value`, or `name:key=value,key=value`. A value without a key is the filter's first
 * parameter. Throws ConvolveError `usage`, whose subject is the word that does not fit.
 */
export function parseFilterArgument(
  text: string,
  id: string,
  sampleType: SampleType,
  settings: SettingsArguments,
): Filter {
  const colon = text.indexOf(':');
  const entry = entryNamed(colon < 0 ? text : text.slice(0, colon));
  let filter: Filter = { ...entry.create(id, sampleType), ...settings };
  const words = colon < 0 ? [] : text.slice(colon + 1).split(',');
  words.forEach((word, position) => {
    const equals = word.indexOf('=');
    const key = equals < 0 && position === 0 ? (entry.parameters[0]?.key ?? '') : word.slice(0, Math.max(0, equals));
    const value = word.slice(equals + 1);
    const subject = `--filter ${entry.kind}${key ? `, ${key}` : ''}`;
    // `size=5` of a box is its width: the word that other programs use.
    const parameterKey = key === 'size' && plainNumber.test(value) ? 'width' : key;
    const spec = entry.parameters.find((parameter) => parameter.key === parameterKey);
    if (spec) {
      // The key belongs to this kind's own specification, which the type of a union cannot express.
      filter = { ...filter, [spec.key]: parseParameter(subject, spec, value) } as Filter;
      return;
    }
    const mix = parseMixWord(subject, key, value);
    if (mix) {
      [filter = filter] = setMix([filter], id, mix);
      return;
    }
    const setting = parseSetting(subject, key, value);
    if (!setting) {
      const keys = [
        ...entry.parameters.map((parameter) => parameter.key),
        'border',
        'size',
        'alpha',
        'light',
        'range',
        'rank',
        ...mixKeys,
      ];
      throw usage(`--filter ${entry.kind}`, keys.map((known) => `${known}=…`).join(', '), word);
    }
    filter = { ...filter, ...setting };
  });
  return filter;
}
