// The person's own kernels on the disk: a folder with one readable JSON file for each, written whole. A damaged file is set
// aside under another name and told of; one of a newer version, or that could not be read this time, is left as it is; the others
// load. The folder is looked at before each change and answer, since another program may have changed it meanwhile.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError, failureOf } from '../core/errors';
import {
  freeName,
  type ImportedKernels,
  isSameContent,
  type KernelLibrary,
  type LibraryContent,
  type LibraryEntry,
  libraryVersion,
  maximumEntries,
  type ReadEntry,
  writeEntry,
  writeExchange,
} from '../core/kernelLibrary';
import { targetError, utf8, writeAtomically } from './atomicWrite';
import type { LibraryThread } from './libraryThread';

/** Largest file that is read: 511 × 511 numbers of 25 characters are 6.5 MB. */
const maximumFileBytes = 16 * 2 ** 20;
const maximumExchangeBytes = 256 * 2 ** 20;
const ending = '.json';

/** A file of the folder. `entry` is null for one that is of a newer version or cannot be moved away. */
interface HeldFile {
  /** Another one whenever the file is another. */
  readonly stamp: string;
  readonly revision: number;
  readonly entry: LibraryEntry | null;
  readonly isNewer: boolean;
}

/** Files that are not in the library, by name: where each was put, null where it was left. */
type Missing = Map<string, string | null>;

/** What tells a file from the one that was there before; null where none is. */
async function stampOf(file: string): Promise<string | null> {
  const status = await stat(file).catch(() => null);
  return status && `${status.ino} ${status.size} ${status.mtimeMs}`;
}

export class KernelLibraryFolder {
  /** By the name of the file. */
  private files = new Map<string, HeldFile>();
  private readonly setAside: Missing = new Map();
  private revisions = 0;
  /** Looks and changes follow one another. */
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly reader: LibraryThread,
  ) {}

  /** Which kernels there are, by name. Throws fileUnreadable where the folder cannot be read. */
  read(): Promise<KernelLibrary> {
    return this.next(async () => {
      await this.look();
      const held = [...this.files.values()].flatMap(({ entry, revision }) => (entry ? [{ entry, revision }] : []));
      held.sort((a, b) => a.entry.name.localeCompare(b.entry.name));
      return {
        entries: held.map(({ entry: { id }, revision }) => ({ id, revision })),
        setAside: [...this.setAside].map(([file, movedTo]) => ({ file, movedTo })),
        newer: [...this.files].flatMap(([name, { isNewer }]) => (isNewer ? [name] : [])),
      };
    });
  }

  /** An entry as it was when the folder was looked at last. */
  entry(id: string): LibraryEntry | null {
    return this.files.get(`${id}${ending}`)?.entry ?? null;
  }

  /** Puts a kernel in: in place of the entry with `id`, or as a new one where there is none. */
  save(content: LibraryContent, id: string | null): Promise<LibraryEntry> {
    return this.next(async () => {
      await this.look();
      return this.put(content, id);
    });
  }

  /** Takes a kernel out, and its file away. One that is not there is gone already. */
  remove(id: string): Promise<void> {
    return this.next(async () => {
      await this.look();
      if (this.entry(id) === null) return;
      await unlink(this.fileOf(id)).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== 'ENOENT') throw this.refused(thrown);
      });
      await this.look();
    });
  }

  /** Writes some kernels, in the order of the library, or all as one file. */
  async exportTo(file: string, ids: readonly string[] | null): Promise<number> {
    const { entries } = await this.read();
    const chosen = entries.flatMap(({ id }) => {
      const entry = ids === null || ids.includes(id) ? this.entry(id) : null;
      return entry === null ? [] : [entry];
    });
    await writeAtomically(file, utf8(writeExchange(chosen)));
    return chosen.length;
  }

  /**
   * Adds the kernels of such a file; a name that is taken gets a number. `progress` is told after each how many of all are
   * done. Throws fileNotFound, fileUnreadable, fileDamaged, fileTooNew or libraryUnwritable.
   */
  async importFrom(file: string, progress?: (done: number, total: number) => void): Promise<ImportedKernels> {
    const subject = path.basename(file);
    const bytes = await readBytes(file, subject);
    const contents: LibraryContent[] = [];
    const read = await this.reader.exchange(bytes, (content) => contents.push(content));
    if (read.kind === 'other')
      throw new ConvolveError({ code: 'fileDamaged', subject, actual: 'not a file of kernels' });
    if (read.kind === 'newer')
      throw new ConvolveError({
        code: 'fileTooNew',
        subject,
        expected: String(libraryVersion),
        actual: String(read.version),
      });
    return this.next(async () => {
      await this.look();
      const result = { added: 0, known: 0, refused: read.refused };
      for (const [index, content] of contents.entries()) {
        const entries = [...this.files.values()].flatMap(({ entry }) => (entry ? [entry] : []));
        if (entries.some((entry) => isSameContent(entry, content))) result.known += 1;
        else {
          const taken = entries.map(({ name }) => name);
          await this.put({ ...content, name: freeName(content.name, taken) }, null);
          result.added += 1;
        }
        progress?.(index + 1, contents.length);
      }
      return result;
    });
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}${ending}`);
  }

  private next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.work.then(work, work);
    this.work = done.catch(() => undefined);
    return done;
  }

  /** A failed write in words of the folder; a disk that is full is said of as everywhere. */
  private refused(thrown: unknown): unknown {
    const told = targetError(thrown, this.folder);
    const { code, actual } = failureOf(told);
    if (code !== 'targetUnwritable' && code !== 'targetFolderMissing') return told;
    return new ConvolveError({ code: 'libraryUnwritable', subject: this.folder, ...(actual && { actual }) }, thrown);
  }

  private async put(content: LibraryContent, id: string | null): Promise<LibraryEntry> {
    const isKnown = id !== null && this.entry(id) !== null;
    if (!isKnown && this.files.size >= maximumEntries)
      throw new ConvolveError({ code: 'invalidArgument', subject: 'library', expected: `at most ${maximumEntries}` });
    const entry: LibraryEntry = { ...content, id: isKnown ? id : randomUUID() };
    const file = this.fileOf(entry.id);
    await mkdir(this.folder, { recursive: true }).catch(() => undefined);
    await writeAtomically(file, utf8(writeEntry(entry))).catch((thrown: unknown) => {
      throw this.refused(thrown);
    });
    const stamp = await stampOf(file);
    if (stamp !== null)
      this.files.set(path.basename(file), { stamp, entry, isNewer: false, revision: ++this.revisions });
    return entry;
  }

  /** Reads what is new or another in the folder since it was looked at last. */
  private async look(): Promise<void> {
    const names: readonly string[] = await readdir(this.folder).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return [];
      throw new ConvolveError({ code: 'fileUnreadable', subject: this.folder }, thrown);
    });
    const files = new Map<string, HeldFile>();
    for (const name of names.filter((one) => one.endsWith(ending)).slice(0, maximumEntries)) {
      const stamp = await stampOf(path.join(this.folder, name));
      const known = this.files.get(name);
      const held = stamp === null ? null : known?.stamp === stamp ? known : await this.readFile(name, stamp);
      if (held) files.set(name, held);
    }
    this.files = files;
    for (const [name, movedTo] of this.setAside)
      if (movedTo === null && !names.includes(name)) this.setAside.delete(name);
  }

  /** Null for a file that is not to be remembered: put aside, or to be tried again at the next look. */
  private async readFile(name: string, stamp: string): Promise<HeldFile | null> {
    const file = path.join(this.folder, name);
    const revision = ++this.revisions;
    let read: ReadEntry;
    try {
      const status = await stat(file);
      // A pipe of that name would be waited for without end.
      if (!status.isFile() || status.size > maximumFileBytes) throw new Error('no file of a kernel');
      read = await this.reader.entry(await readFile(file));
    } catch (thrown) {
      // Where another program has just taken it away, nothing is missing. Else it may well be whole, and stays where it is.
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') this.setAside.set(name, null);
      return null;
    }
    this.setAside.delete(name);
    if (read.kind === 'newer') return { stamp, revision, entry: null, isNewer: true };
    if (read.kind === 'entry' && `${read.entry.id}${ending}` === name)
      return { stamp, revision, entry: read.entry, isNewer: false };
    const movedTo = `${name}.damaged-${Date.now()}`;
    try {
      await rename(file, path.join(this.folder, movedTo));
      this.setAside.set(name, movedTo);
      return null;
    } catch {
      this.setAside.set(name, null);
      return { stamp, revision, entry: null, isNewer: false };
    }
  }
}

async function readBytes(file: string, subject: string): Promise<Uint8Array> {
  try {
    const status = await stat(file);
    if (!status.isFile() || status.size > maximumExchangeBytes)
      throw new ConvolveError({ code: 'fileUnreadable', subject, expected: 'a file' });
    return await readFile(file);
  } catch (thrown) {
    if (thrown instanceof ConvolveError) throw thrown;
    const missing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ConvolveError({ code: missing ? 'fileNotFound' : 'fileUnreadable', subject }, thrown);
  }
}
