// Which pictures a batch goes through: files by name, patterns (`in/*.jpg`), and folders, whose picture files are taken.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import glob from 'fast-glob';
import { pictureEndings } from '../codec/sniff';

export interface BatchSource {
  /** Absolute path. */
  readonly file: string;
  /** Folder below the one that was named, with `/`; empty for files that were named themselves. Kept in the output. */
  readonly folder: string;
}

const byName = new Intl.Collator('en', { numeric: true });

async function within(folder: string, recursive: boolean): Promise<BatchSource[]> {
  const pattern = `${recursive ? '**/' : ''}*.{${pictureEndings.join(',')}}`;
  const found = await glob(pattern, { cwd: folder, caseSensitiveMatch: false });
  return found.map((name) => {
    const inside = path.posix.dirname(name);
    return { file: path.join(folder, name), folder: inside === '.' ? '' : inside };
  });
}

async function sourcesOf(word: string, start: string, recursive: boolean): Promise<BatchSource[]> {
  const named = path.resolve(start, word);
  // A name that is there is that file, whatever signs it holds.
  const status = await stat(named).catch(() => null);
  if (status?.isDirectory()) return within(named, recursive);
  if (status || !/[*?{}[\]!]/.test(word)) return [{ file: named, folder: '' }];
  const pattern = path.sep === '\\' ? word.replaceAll('\\', '/') : word;
  const found = await glob(pattern, { cwd: start, absolute: true });
  return found.map((file) => ({ file: path.normalize(file), folder: '' }));
}

/**
 * The pictures that the words name, each once: words in their order, the files of a folder or pattern by name with numbers
 * counted as numbers. A name without a file is kept, so that it fails by name. `start`: where relative words begin.
 */
export async function findSources(
  words: readonly string[],
  start: string,
  recursive: boolean,
): Promise<readonly BatchSource[]> {
  const sources = new Map<string, BatchSource>();
  for (const word of words) {
    const found = await sourcesOf(word, start, recursive);
    found.sort((a, b) => byName.compare(a.file, b.file));
    for (const source of found) if (!sources.has(source.file)) sources.set(source.file, source);
  }
  return [...sources.values()];
}
