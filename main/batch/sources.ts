// Which pictures a batch goes through: files by name, patterns (`in/*.jpg`), and folders, whose picture files are taken.

import { type Dirent, readdir, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import glob from 'fast-glob';
import type { Failure } from '../../core/errors';
import { pictureEndings } from '../codec/sniff';

export interface BatchSource {
  /** Absolute path. */
  readonly file: string;
  /** Folder below the one that was named, with `/`; empty for files that were named themselves. Kept in the output. */
  readonly folder: string;
  /** Why what is in it is not known: for a folder that may not be read. */
  readonly failure?: Failure;
}

const byName = new Intl.Collator('en', { numeric: true });

const statusOf = (file: string): Promise<Stats | null> => stat(file).catch(() => null);

/** Folders that may not be read, as sources that fail by name, so that the others are not lost with them. */
const unreadable = (folder: string): BatchSource => ({
  file: folder,
  folder: '',
  failure: { code: 'fileUnreadable', subject: path.basename(folder), actual: 'no permission' },
});

/**
 * Names that fit the pattern, below `start`, and the folders that could not be read. Through all folders (`**`) links to
 * folders are not followed: they could lead in a circle.
 */
async function search(pattern: string, start: string, caseSensitiveMatch: boolean) {
  const locked: string[] = [];
  const deep = pattern.includes('**');
  const list = (
    folder: string,
    options: { withFileTypes: true },
    done: (error: Error | null, found: Dirent[]) => void,
  ) =>
    readdir(folder, options, (error, found) => {
      if (error?.code !== 'EACCES' && error?.code !== 'EPERM') return done(error, found);
      locked.push(folder);
      return done(null, []);
    });
  const names = await glob(pattern, {
    cwd: start,
    caseSensitiveMatch,
    onlyFiles: !deep,
    followSymbolicLinks: !deep,
    fs: { readdir: list as typeof readdir },
  });
  if (!deep) return { names, locked };
  // A link that leads nowhere is kept, so that it fails by name.
  const folders = await Promise.all(
    names.map(async (name) => (await statusOf(path.resolve(start, name)))?.isDirectory()),
  );
  return { names: names.filter((_, index) => folders[index] !== true), locked };
}

async function within(folder: string, recursive: boolean): Promise<BatchSource[]> {
  const pattern = `${recursive ? '**/' : ''}*.{${pictureEndings.join(',')}}`;
  const { names, locked } = await search(pattern, folder, false);
  const found = names.map((name) => {
    const inside = path.posix.dirname(name);
    return { file: path.join(folder, name), folder: inside === '.' ? '' : inside };
  });
  return [...found, ...locked.map(unreadable)];
}

async function sourcesOf(word: string, start: string, recursive: boolean): Promise<BatchSource[]> {
  const named = path.resolve(start, word);
  // A name that is there is that file, whatever signs it holds.
  const status = await statusOf(named);
  if (status?.isDirectory()) return within(named, recursive);
  if (status || !/[*?{}[\]!]/.test(word)) return [{ file: named, folder: '' }];
  const pattern = path.sep === '\\' ? word.replaceAll('\\', '/') : word;
  const { names, locked } = await search(pattern, start, true);
  return [...names.map((name) => ({ file: path.resolve(start, name), folder: '' })), ...locked.map(unreadable)];
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
