// The person's own kernels on the disk: they survive a restart, a damaged file is set aside and the rest loads, one file
// carries them to another computer.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { createKernel } from '../../../core/kernel';
import {
  freeName,
  type LibraryContent,
  type LibraryEntry,
  matchesSearch,
  readEntry,
  readExchange,
  readTags,
  writeEntry,
  writeExchange,
} from '../../../core/kernelLibrary';
import { KernelLibraryFolder } from '../../../main/kernelLibrary';
import { LibraryThread } from '../../../main/libraryThread';

const worker = path.resolve(import.meta.dirname, '..', '..', '..', 'main', 'libraryWorker.ts');
// A thread has no TypeScript loader of its own, so it starts with two lines that bring one.
const thread = new LibraryThread(`require('tsx/cjs/api').register(); require(${JSON.stringify(worker)});`, {
  eval: true,
});
afterAll(() => thread.close());
const libraryIn = (where: string) => new KernelLibraryFolder(where, thread);

/** The entries as the page gets them, by name. */
async function entriesOf(library: KernelLibraryFolder): Promise<readonly LibraryEntry[]> {
  const { entries } = await library.read();
  return entries.map(({ id }) => library.entry(id) as LibraryEntry);
}
const namesOf = async (library: KernelLibraryFolder) => (await entriesOf(library)).map(({ name }) => name);

const failing = (work: Promise<unknown>) => work.catch((thrown: unknown) => failureOf(thrown));

/** As the superuser, who may read and write everything, the work is done in another user's name. */
async function asSomebody(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'convolve-kernels-'));
  folder = path.join(base, 'kernels');
});
afterEach(() => rm(base, { recursive: true }));

const content = (
  name: string,
  weights: readonly number[] = [1, 2, 1],
  tags: readonly string[] = [],
): LibraryContent => ({
  name,
  tags,
  kernel: createKernel(weights.length, 1, weights),
});

describe('the library', () => {
  it('keeps kernels over a restart, by name, each in a readable file of its own', async () => {
    const library = libraryIn(folder);
    expect(await library.read()).toEqual({ entries: [], setAside: [], newer: [] });
    const ridge = await library.save(content('ridge', [-0.5, 1, -0.5], ['edges']), null);
    await library.save(content('blur'), null);
    const again = await entriesOf(libraryIn(folder));
    expect(again.map(({ name }) => name)).toEqual(['blur', 'ridge']);
    expect(again[1]).toEqual(ridge);
    const text = await readFile(path.join(folder, `${ridge.id}.json`), 'utf8');
    expect(text).toContain('"version": 1');
    expect(text).toContain('[-0.5, 1, -0.5]');
  });
  it('writes large kernels in pieces, so that nothing waits for a whole file', () => {
    const weights = Array.from({ length: 200 * 200 }, (_, index) => Math.sin(index));
    const large = { name: 'large', tags: [], kernel: createKernel(200, 200, weights) };
    const id = '00000000-0000-4000-8000-000000000000';
    for (const pieces of [[...writeEntry({ ...large, id })], [...writeExchange([large, large])]]) {
      expect(pieces.length).toBeGreaterThan(4);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
    }
    expect(readEntry([...writeEntry({ ...large, id })].join(''))).toEqual({ kind: 'entry', entry: { ...large, id } });
    expect(readExchange([...writeExchange([large])].join(''))).toEqual({
      kind: 'kernels',
      contents: [large],
      refused: [],
    });
  });
  it('replaces, duplicates by saving once more, and removes', async () => {
    const library = libraryIn(folder);
    const first = await library.save(content('one'), null);
    await library.save({ ...content('renamed'), tags: ['a'] }, first.id);
    await library.save(content('one'), null);
    expect(await namesOf(library)).toEqual(['one', 'renamed']);
    await library.remove(first.id);
    await library.remove(first.id);
    expect(await namesOf(libraryIn(folder))).toEqual(['one']);
    // What is being named in one window and was deleted in another is kept, as a new entry.
    expect((await library.save(content('x'), first.id)).id).not.toBe(first.id);
    expect(await namesOf(library)).toEqual(['one', 'x']);
  });
  it('sets a damaged file aside by name, and loads the rest', async () => {
    const library = libraryIn(folder);
    const lost = await library.save(content('lost'), null);
    const bad = await library.save(content('bad'), null);
    await library.save(content('kept'), null);
    await writeFile(path.join(folder, `${lost.id}.json`), '{"version": 1, "name": "lo');
    const text = await readFile(path.join(folder, `${bad.id}.json`), 'utf8');
    await writeFile(path.join(folder, `${bad.id}.json`), text.replace('"width": 3', '"width": 4'));
    const again = libraryIn(folder);
    const { setAside } = await again.read();
    expect(await namesOf(again)).toEqual(['kept']);
    expect(setAside.map(({ file }) => file).sort()).toEqual([`${bad.id}.json`, `${lost.id}.json`].sort());
    // Nothing is lost: the bytes are still there, under the name that was told.
    for (const { movedTo } of setAside) expect(await readdir(folder)).toContain(movedTo);
    expect((await libraryIn(folder).read()).setAside).toEqual([]);
  });
  it('leaves a file of a newer version as it is, names it, and loads the rest', async () => {
    const library = libraryIn(folder);
    const one = await library.save(content('one'), null);
    await library.save(content('two'), null);
    const file = path.join(folder, `${one.id}.json`);
    const newer = (await readFile(file, 'utf8')).replace('"version": 1', '"version": 2, "colour": "red"');
    await writeFile(file, newer);
    const again = libraryIn(folder);
    expect(await again.read()).toMatchObject({ newer: [`${one.id}.json`], setAside: [] });
    expect(await namesOf(again)).toEqual(['two']);
    await again.save(content('three'), one.id);
    await again.remove(one.id);
    expect(await readFile(file, 'utf8')).toBe(newer);
    const exchange = path.join(base, 'newer.json');
    await writeFile(exchange, JSON.stringify({ format: 'convolve-kernels', version: 3, kernels: [] }));
    expect(failureOf(await again.importFrom(exchange).catch((thrown: unknown) => thrown))).toEqual({
      code: 'fileTooNew',
      subject: 'newer.json',
      expected: '1',
      actual: '3',
    });
  });
  it('sees what another window saved, renamed and deleted, and loses nothing of either', async () => {
    const [one, other] = [libraryIn(folder), libraryIn(folder)];
    const shared = await one.save(content('shared'), null);
    expect(await namesOf(other)).toEqual(['shared']);
    const before = (await other.read()).entries[0]?.revision;
    await one.save(content('renamed'), shared.id);
    await Promise.all([one.save(content('a'), null), other.save(content('b'), null)]);
    expect(await namesOf(one)).toEqual(['a', 'b', 'renamed']);
    expect(await namesOf(other)).toEqual(['a', 'b', 'renamed']);
    expect((await other.read()).entries.find(({ id }) => id === shared.id)?.revision).not.toBe(before);
    await other.remove(shared.id);
    expect(await namesOf(one)).toEqual(['a', 'b']);
  });
  it('says that its folder cannot be changed, and keeps what it has', async () => {
    const library = libraryIn(folder);
    const one = await library.save(content('one'), null);
    // Also for root, whom no permission stops: a file where the folder should be.
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    expect(await failing(library.read())).toEqual({ code: 'fileUnreadable', subject: folder });
    expect(await failing(libraryIn(path.join(folder, 'kernels')).save(content('two'), null))).toMatchObject({
      subject: path.join(folder, 'kernels'),
    });
    await rm(folder);
    expect((await library.save(one, null)).name).toBe('one');
  });
  it('says of a folder that may only be read that it cannot be changed, and reads it', async () => {
    const library = libraryIn(folder);
    const [kept, damaged] = [await library.save(content('kept'), null), await library.save(content('damaged'), null)];
    await writeFile(path.join(folder, `${damaged.id}.json`), '{');
    await chmod(base, 0o755);
    await chmod(folder, 0o555);
    const failure = { code: 'libraryUnwritable', subject: folder, actual: 'no permission' };
    await asSomebody(async () => {
      const other = libraryIn(folder);
      // A damaged file cannot be put aside here: it is told of, and stays.
      expect((await other.read()).setAside).toEqual([{ file: `${damaged.id}.json`, movedTo: null }]);
      expect(await namesOf(other)).toEqual(['kept']);
      expect(await failing(other.save(content('new'), null))).toEqual(failure);
      expect(await failing(other.save(content('renamed'), kept.id))).toEqual(failure);
      expect(await failing(other.remove(kept.id))).toEqual(failure);
      expect(await namesOf(other)).toEqual(['kept']);
    });
    await chmod(folder, 0o755);
    expect(await readdir(folder)).toHaveLength(2);
  });
  it('reads a file again that could not be read, once it can', async () => {
    const library = libraryIn(folder);
    const one = await library.save(content('one'), null);
    const file = path.join(folder, `${one.id}.json`);
    await chmod(base, 0o755);
    await chmod(folder, 0o777);
    await chmod(file, 0o000);
    await asSomebody(async () => {
      const other = libraryIn(folder);
      expect(await other.read()).toMatchObject({
        entries: [],
        setAside: [{ file: `${one.id}.json`, movedTo: null }],
      });
      process.seteuid?.(process.getuid?.() ?? 0);
      await chmod(file, 0o644);
      expect(await other.read()).toMatchObject({ entries: [{ id: one.id }], setAside: [] });
    });
    expect(await readdir(folder)).toEqual([`${one.id}.json`]);
  });
  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'on a full disk keeps what it has and says that it is full (needs root)',
    async ({ skip }) => {
      await mkdir(folder);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
      } catch {
        skip('this container may not mount a small disk');
      }
      try {
        const library = libraryIn(folder);
        const one = await library.save(content('one'), null);
        const noise = Array.from({ length: 100 * 100 }, (_, index) => Math.sin(index));
        const large: LibraryContent = { name: 'large', tags: [], kernel: createKernel(100, 100, noise) };
        for (const id of [null, one.id])
          expect(await failing(library.save(large, id))).toMatchObject({ code: 'targetFull' });
        expect(await readdir(folder)).toEqual([`${one.id}.json`]);
        expect(await namesOf(libraryIn(folder))).toEqual(['one']);
        // What is smaller still fits.
        await library.save(content('two'), null);
        expect(await namesOf(library)).toEqual(['one', 'two']);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );
  it('leaves files where they are whose thread ended, and reads them with the next', async () => {
    const weights = Array.from({ length: 120 * 120 }, (_, index) => Math.sin(index));
    const large: LibraryContent = { name: 'large', tags: [], kernel: createKernel(120, 120, weights) };
    const { id } = await libraryIn(folder).save(large, null);
    const file = path.join(base, 'large.json');
    await writeFile(file, [...writeExchange([large])].join(''));
    // The first two questions end their thread, as one does that has no memory left.
    const dying = new LibraryThread(
      `const { existsSync, appendFileSync, readFileSync } = require('node:fs');
       const tries = ${JSON.stringify(path.join(base, 'tries'))};
       appendFileSync(tries, '.');
       if (readFileSync(tries).length <= 2) require('node:worker_threads').parentPort.on('message', () => process.exit(1));
       else { require('tsx/cjs/api').register(); require(${JSON.stringify(worker)}); }`,
      { eval: true },
    );
    try {
      const library = new KernelLibraryFolder(folder, dying);
      expect(await library.read()).toMatchObject({ entries: [], setAside: [{ file: `${id}.json`, movedTo: null }] });
      expect(await failing(library.importFrom(file))).toMatchObject({
        code: 'internal',
        subject: 'the thread of the library',
      });
      expect(await library.read()).toMatchObject({ entries: [{ id }], setAside: [] });
      expect(await readdir(folder)).toEqual([`${id}.json`]);
    } finally {
      await dying.close();
    }
  });
  it('lets nobody wait for a thread that is ended', async () => {
    const silent = new LibraryThread(`require('node:worker_threads').parentPort.on('message', () => {});`, {
      eval: true,
    });
    const asked = [silent.entry(new Uint8Array(100_000)), silent.entry(new Uint8Array(100_000))].map(failing);
    await silent.close();
    expect(await Promise.all(asked)).toEqual([{ code: 'cancelled' }, { code: 'cancelled' }]);
  });
  it('leaves what is no file where it is, and tells of it', async () => {
    const library = libraryIn(folder);
    await library.save(content('one'), null);
    await mkdir(path.join(folder, 'folder.json'));
    const { setAside } = await library.read();
    expect(setAside).toEqual([{ file: 'folder.json', movedTo: null }]);
    expect(await readdir(folder)).toContain('folder.json');
    await rm(path.join(folder, 'folder.json'), { recursive: true });
    expect((await library.read()).setAside).toEqual([]);
  });
  it('reads and imports large kernels on a thread, and tells how far it is', async () => {
    const weights = Array.from({ length: 120 * 120 }, (_, index) => Math.sin(index));
    const large = (name: string): LibraryContent => ({ name, tags: [], kernel: createKernel(120, 120, weights) });
    const file = path.join(base, 'large.json');
    await writeFile(file, [...writeExchange([large('one'), large('two')])].join(''));
    const library = libraryIn(folder);
    const told: (readonly [number, number])[] = [];
    const imported = await library.importFrom(file, (done, total) => told.push([done, total]));
    expect(imported).toEqual({ added: 2, known: 0, refused: [] });
    expect(told).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect((await entriesOf(libraryIn(folder))).map(({ kernel }) => kernel.weights)).toEqual([weights, weights]);
    await writeFile(path.join(base, 'cut.json'), (await readFile(file, 'utf8')).slice(0, -100));
    expect(failureOf(await library.importFrom(path.join(base, 'cut.json')).catch((thrown: unknown) => thrown))).toEqual(
      {
        code: 'fileDamaged',
        subject: 'cut.json',
        actual: 'not a file of kernels',
      },
    );
  });
  it('goes to another computer as one file, where names that are taken get a number', async () => {
    const library = libraryIn(folder);
    await library.save(content('blur', [1, 4, 6, 4, 1], ['soft']), null);
    const edge = await library.save(content('edge', [-1, 0, 1]), null);
    const file = path.join(base, 'mine.json');
    expect(await library.exportTo(file, null)).toBe(2);
    expect(await library.exportTo(path.join(base, 'one.json'), [edge.id])).toBe(1);
    const other = libraryIn(path.join(base, 'other'));
    await other.save(content('edge', [7]), null);
    expect(await other.importFrom(file)).toEqual({ added: 2, known: 0, refused: [] });
    expect(await namesOf(other)).toEqual(['blur', 'edge', 'edge 2']);
    expect(await other.importFrom(path.join(base, 'mine.json'))).toMatchObject({ known: 1 });
  });
  it('says by name which kernels of a file cannot be used, and what is no such file', async () => {
    const good = content('good');
    const file = path.join(base, 'mixed.json');
    const kernels = [good, { ...good, name: 'no weights', kernel: { ...good.kernel, weights: [] } }, 5];
    await writeFile(file, JSON.stringify({ format: 'convolve-kernels', version: 1, kernels }));
    const library = libraryIn(folder);
    expect(await library.importFrom(file)).toEqual({ added: 1, known: 0, refused: ['no weights', '3'] });
    await writeFile(file, '[1, 2]');
    expect(failureOf(await library.importFrom(file).catch((thrown: unknown) => thrown))).toMatchObject({
      code: 'fileDamaged',
      subject: 'mixed.json',
    });
    const missing = await library.importFrom(path.join(base, 'gone.json')).catch((thrown: unknown) => thrown);
    expect(failureOf(missing)).toEqual({ code: 'fileNotFound', subject: 'gone.json' });
  });
});

describe('words of the library', () => {
  it('are searched by all words, in names and tags, in any case', () => {
    const entry = { name: 'Gabor 45°', tags: ['Texture', 'waves'] };
    expect(matchesSearch(entry, 'gab WAVE')).toBe(true);
    expect(matchesSearch(entry, '')).toBe(true);
    expect(matchesSearch(entry, 'gabor blur')).toBe(false);
  });
  it('become tags at commas of both scripts, each once', () => {
    expect(readTags(' soft, blur，soft,, 模糊、 ')).toEqual(['soft', 'blur', '模糊']);
  });
  it('get a number where a name is taken', () => {
    expect(freeName('a', ['b'])).toBe('a');
    expect(freeName('a', ['a', 'a 2'])).toBe('a 3');
  });
  it('of a newer version are refused rather than misread', () => {
    const newer = { format: 'convolve-kernels', version: 2, kernels: [] };
    expect(readExchange(JSON.stringify(newer))).toEqual({ kind: 'newer', version: 2 });
    expect(readExchange('{"version":2}')).toEqual({ kind: 'other' });
    expect(readEntry('{"version":2,"what":"ever"}')).toEqual({ kind: 'newer', version: 2 });
    for (const text of ['', '{"version": 1', '[]', '{"version":1}']) expect(readEntry(text)).toEqual({ kind: 'other' });
  });
});
