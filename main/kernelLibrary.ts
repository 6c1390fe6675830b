// The person's own kernels on the disk: a folder with one readable JSON file for each, written whole. A file that cannot be
// read is set aside under another name and told of; the others load.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError } from '../core/errors';
import {
  freeName,
  type ImportedKernels,
  isSameContent,
  type KernelLibrary,
  type LibraryContent,
  type LibraryEntry,
  maximumEntries,
  readEntry,
  readExchange,
  writeEntry,
  writeExchange,
} from '../core/kernelLibrary';
import { utf8, writeAtomically } from './atomicWrite';

/** Largest file that is read: 511 × 511 numbers of 25 characters are 6.5 MB. */
const maximumFileBytes = 16 * 2 ** 20;
const maximumExchangeBytes = 256 * 2 ** 20;
const ending = '.json';

export class KernelLibraryFolder {
  private entries: Promise<Map<string, LibraryEntry>> | null = null;
  private setAside: KernelLibrary['setAside'] = [];
  /** Changes follow one another. */
  private work: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  /** All kernels by name. Read from the disk once. */
  async read(): Promise<KernelLibrary> {
    const entries = await this.load();
    const sorted = [...entries.values()].sort((a, b) => a.name.localeCompare(b.name));
    return { entries: sorted, setAside: this.setAside };
  }

  /** Puts a kernel in: under a new id, or in place of the entry with `id`. */
  save(content: LibraryContent, id: string | null): Promise<LibraryEntry> {
    return this.next(async () => {
      const entries = await this.load();
      if (id !== null && !entries.has(id))
        throw new ConvolveError({ code: 'invalidArgument', subject: 'kernel', actual: 'not in the library' });
      if (id === null && entries.size >= maximumEntries)
        throw new ConvolveError({ code: 'invalidArgument', subject: 'library', expected: `at most ${maximumEntries}` });
      const entry: LibraryEntry = { ...content, id: id ?? randomUUID() };
      await mkdir(this.folder, { recursive: true }).catch(() => undefined);
      await writeAtomically(this.fileOf(entry.id), utf8(writeEntry(entry)));
      entries.set(entry.id, entry);
      return entry;
    });
  }

  /** Takes a kernel out, and its file away. One that is not there is gone already. */
  remove(id: string): Promise<void> {
    return this.next(async () => {
      const entries = await this.load();
      if (!entries.has(id)) return;
      await unlink(this.fileOf(id)).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== 'ENOENT')
          throw new ConvolveError({ code: 'targetUnwritable', subject: path.basename(this.fileOf(id)) }, thrown);
      });
      entries.delete(id);
    });
  }

  /** Writes some kernels, in the order of the ids, or all as one file. */
  async exportTo(file: string, ids: readonly string[] | null): Promise<number> {
    const { entries } = await this.read();
    const chosen = ids === null ? entries : entries.filter((entry) => ids.includes(entry.id));
    await writeAtomically(file, utf8(writeExchange(chosen)));
    return chosen.length;
  }

  /** Adds the kernels of such a file; a name that is taken gets a number. Throws fileNotFound, fileUnreadable, fileTooNew or fileDamaged. */
  async importFrom(file: string): Promise<ImportedKernels> {
    const subject = path.basename(file);
    const read = readExchange(await readText(file, subject), subject);
    if (read === null) throw new ConvolveError({ code: 'fileDamaged', subject, actual: 'not a file of kernels' });
    let known = 0;
    for (const content of read.contents) {
      const entries = [...(await this.load()).values()];
      if (entries.some((entry) => isSameContent(entry, content))) known += 1;
      else {
        const taken = entries.map(({ name }) => name);
        await this.save({ ...content, name: freeName(content.name, taken) }, null);
      }
    }
    return { added: read.contents.length - known, known, refused: read.refused };
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}${ending}`);
  }

  private next<T>(change: () => Promise<T>): Promise<T> {
    const done = this.work.then(change, change);
    this.work = done.catch(() => undefined);
    return done;
  }

  private load(): Promise<Map<string, LibraryEntry>> {
    this.entries ??= this.readFolder();
    return this.entries;
  }

  private async readFolder(): Promise<Map<string, LibraryEntry>> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.filter((name) => name.endsWith(ending)).slice(0, maximumEntries);
    const entries = new Map<string, LibraryEntry>();
    const aside: { readonly file: string; readonly movedTo: string | null }[] = [];
    for (const name of files) {
      const file = path.join(this.folder, name);
      try {
        const status = await stat(file);
        // A pipe of that name would be waited for without end.
        if (!status.isFile() || status.size > maximumFileBytes) throw new Error('no kernel');
        const entry = readEntry(await readFile(file, 'utf8'));
        if (`${entry.id}${ending}` !== name) throw new Error('another kernel');
        entries.set(entry.id, entry);
      } catch {
        const movedTo = `${name}.damaged-${Date.now()}`;
        const moved = await rename(file, path.join(this.folder, movedTo)).then(
          () => true,
          () => false,
        );
        aside.push({ file: name, movedTo: moved ? movedTo : null });
      }
    }
    this.setAside = aside;
    return entries;
  }
}

async function readText(file: string, subject: string): Promise<string> {
  try {
    const status = await stat(file);
    if (!status.isFile() || status.size > maximumExchangeBytes)
      throw new ConvolveError({ code: 'fileUnreadable', subject, expected: 'a file' });
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof ConvolveError) throw thrown;
    const missing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ConvolveError({ code: missing ? 'fileNotFound' : 'fileUnreadable', subject }, thrown);
  }
}
