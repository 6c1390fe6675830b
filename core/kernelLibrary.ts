// The person's own kernels: what one entry is, the file that holds one, the file that carries many from person to person, and
// searching. Reading says what is wrong by entry, and keeps the rest.

import { z } from 'zod';
import { failureOf } from './errors';
import { kernelSchema } from './filterSchema';
import { type Kernel, validateKernel } from './kernel';
import { readableJson } from './readableJson';

export const maximumNameLength = 200;
export const maximumTags = 20;
const maximumTagLength = 50;
/** Most kernels in one exchange file, and in the library. */
export const maximumEntries = 2000;

const nameSchema = z.string().trim().min(1).max(maximumNameLength);
const tagsSchema = z.array(z.string().trim().min(1).max(maximumTagLength)).max(maximumTags).readonly();

/** What a person says of a kernel. */
export const libraryContentSchema = z.object({
  name: nameSchema,
  tags: tagsSchema,
  kernel: kernelSchema.refine(isUsable, 'a kernel that can run'),
});
export type LibraryContent = z.infer<typeof libraryContentSchema>;

/** Names an entry, and its file: nothing but hexadecimal digits and hyphens. */
export const libraryIdSchema = z.string().regex(/^[0-9a-f-]{36}$/);

export interface LibraryEntry extends LibraryContent {
  readonly id: string;
}

/** Which entries the library has, and the files that it could not read. */
export interface KernelLibrary {
  /** `revision` is another number whenever the entry is another. */
  readonly entries: readonly { readonly id: string; readonly revision: number }[];
  /** Damaged files: where each was put aside, null where it was left. */
  readonly setAside: readonly { readonly file: string; readonly movedTo: string | null }[];
  /** Files of a newer version, which are left as they are. */
  readonly newer: readonly string[];
}

/** Cells of the entries that are given at a time: some ten milliseconds of copying. */
export const cellsAtATime = 300_000;

/** What an import brought. */
export interface ImportedKernels {
  readonly added: number;
  /** Those that the library had already. */
  readonly known: number;
  /** Names, or places in the file, of those that could not be used. */
  readonly refused: readonly string[];
}

function isUsable(kernel: Kernel): boolean {
  try {
    validateKernel(kernel);
    return true;
  } catch (thrown) {
    if (failureOf(thrown).code === 'internal') throw thrown;
    return false;
  }
}

/** The newest form of both files that this program reads. */
export const libraryVersion = 1;

/** The version of a file that is newer than this program; null for all others. */
function newerVersion(data: unknown): number | null {
  const said = z.object({ version: z.int().min(libraryVersion + 1) }).safeParse(data);
  return said.success ? said.data.version : null;
}

const entryFileSchema = z.object({ version: z.literal(1), id: libraryIdSchema, ...libraryContentSchema.shape });
const exchangeFormat = 'convolve-kernels';
const exchangeSchema = z.object({
  format: z.literal(exchangeFormat),
  version: z.literal(1),
  kernels: z.array(z.unknown()).max(maximumEntries),
});

/** The file of one entry, in pieces. */
export function writeEntry({ id, name, tags, kernel }: LibraryEntry): Iterable<string> {
  return readableJson({ version: 1, id, name, tags, kernel });
}

export type ReadEntry =
  | { readonly kind: 'entry'; readonly entry: LibraryEntry }
  | { readonly kind: 'newer'; readonly version: number }
  /** No such file: damaged, or another. */
  | { readonly kind: 'other' };

/** The value of a JSON text; undefined, which no such text has, where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the file of one entry. */
export function readEntry(text: string): ReadEntry {
  const data = jsonOf(text);
  const version = newerVersion(data);
  if (version !== null) return { kind: 'newer', version };
  const file = entryFileSchema.safeParse(data);
  if (!file.success) return { kind: 'other' };
  const { version: _, ...entry } = file.data;
  return { kind: 'entry', entry };
}

/** The file that carries kernels to another person or computer, in pieces. */
export function writeExchange(entries: readonly LibraryContent[]): Iterable<string> {
  const kernels = entries.map(({ name, tags, kernel }) => ({ name, tags, kernel }));
  return readableJson({ format: exchangeFormat, version: 1, kernels });
}

export type ReadExchange =
  | {
      readonly kind: 'kernels';
      readonly contents: readonly LibraryContent[];
      /** Names, or places from 1, of the kernels that could not be read. */
      readonly refused: readonly string[];
    }
  | { readonly kind: 'newer'; readonly version: number }
  /** No such file at all. */
  | { readonly kind: 'other' };

/** Reads such a file. A kernel in it that cannot be used is named, and the others are kept. */
export function readExchange(text: string): ReadExchange {
  const data = jsonOf(text);
  const file = exchangeSchema.safeParse(data);
  if (!file.success) {
    const version = z.object({ format: z.literal(exchangeFormat) }).safeParse(data).success ? newerVersion(data) : null;
    return version === null ? { kind: 'other' } : { kind: 'newer', version };
  }
  const contents: LibraryContent[] = [];
  const refused: string[] = [];
  file.data.kernels.forEach((value, index) => {
    const content = libraryContentSchema.safeParse(value);
    if (content.success) contents.push(content.data);
    else {
      const named = z.object({ name: nameSchema }).safeParse(value);
      refused.push(named.success ? named.data.name : String(index + 1));
    }
  });
  return { kind: 'kernels', contents, refused };
}

/** True where two say the same: an import brings nothing new. */
export function isSameContent(a: LibraryContent, b: LibraryContent): boolean {
  if (a.name !== b.name || a.tags.join('\n') !== b.tags.join('\n')) return false;
  const { weights, ...rest } = a.kernel;
  const { weights: others, ...otherRest } = b.kernel;
  return (
    JSON.stringify(rest) === JSON.stringify(otherRest) && weights.every((weight, index) => weight === others[index])
  );
}

/** Whether every word of a search is in the name or a tag, in any case. */
export function matchesSearch({ name, tags }: Pick<LibraryContent, 'name' | 'tags'>, text: string): boolean {
  const said = [name, ...tags].join('\n').toLocaleLowerCase();
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** Tags from a line with commas: trimmed, each once, at most twenty. */
export function readTags(line: string): readonly string[] {
  const tags = line
    .split(/[,，、]/)
    .map((tag) => tag.trim().slice(0, maximumTagLength))
    .filter((tag) => tag !== '');
  return [...new Set(tags)].slice(0, maximumTags);
}

/** The name itself, or with the first number that makes it one that nobody has. */
export function freeName(name: string, taken: readonly string[]): string {
  const names = new Set(taken);
  if (!names.has(name)) return name;
  for (let count = 2; ; count++) {
    const next = `${name.slice(0, maximumNameLength - 6)} ${count}`;
    if (!names.has(next)) return next;
  }
}
