// The person's own kernels on the disk: they survive a restart, a damaged file is set aside and the rest loads, one file
// carries them to another computer.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { createKernel } from '../../../core/kernel';
import {
  freeName,
  type LibraryContent,
  matchesSearch,
  readEntry,
  readExchange,
  readTags,
  writeEntry,
  writeExchange,
} from '../../../core/kernelLibrary';
import { KernelLibraryFolder } from '../../../main/kernelLibrary';

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
    const library = new KernelLibraryFolder(folder);
    expect(await library.read()).toEqual({ entries: [], setAside: [] });
    const ridge = await library.save(content('ridge', [-0.5, 1, -0.5], ['edges']), null);
    await library.save(content('blur'), null);
    const again = await new KernelLibraryFolder(folder).read();
    expect(again.entries.map(({ name }) => name)).toEqual(['blur', 'ridge']);
    expect(again.entries[1]).toEqual(ridge);
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
    expect(readEntry([...writeEntry({ ...large, id })].join(''))).toEqual({ ...large, id });
    expect(readExchange([...writeExchange([large])].join(''), 'k.json')?.contents).toEqual([large]);
  });
  it('replaces, duplicates by saving once more, and removes', async () => {
    const library = new KernelLibraryFolder(folder);
    const first = await library.save(content('one'), null);
    await library.save({ ...content('renamed'), tags: ['a'] }, first.id);
    await library.save(content('one'), null);
    expect((await library.read()).entries.map(({ name }) => name)).toEqual(['one', 'renamed']);
    await library.remove(first.id);
    await library.remove(first.id);
    expect((await new KernelLibraryFolder(folder).read()).entries.map(({ name }) => name)).toEqual(['one']);
    await expect(library.save(content('x'), first.id)).rejects.toThrow();
  });
  it('sets a damaged file aside by name, and loads the rest', async () => {
    const library = new KernelLibraryFolder(folder);
    const lost = await library.save(content('lost'), null);
    const bad = await library.save(content('bad'), null);
    await library.save(content('kept'), null);
    await writeFile(path.join(folder, `${lost.id}.json`), '{"version": 1, "name": "lo');
    const text = await readFile(path.join(folder, `${bad.id}.json`), 'utf8');
    await writeFile(path.join(folder, `${bad.id}.json`), text.replace('"width": 3', '"width": 4'));
    const { entries, setAside } = await new KernelLibraryFolder(folder).read();
    expect(entries.map(({ name }) => name)).toEqual(['kept']);
    expect(setAside.map(({ file }) => file).sort()).toEqual([`${bad.id}.json`, `${lost.id}.json`].sort());
    // Nothing is lost: the bytes are still there, under the name that was told.
    for (const { movedTo } of setAside) expect(await readdir(folder)).toContain(movedTo);
    expect((await new KernelLibraryFolder(folder).read()).setAside).toEqual([]);
  });
  it('goes to another computer as one file, where names that are taken get a number', async () => {
    const library = new KernelLibraryFolder(folder);
    await library.save(content('blur', [1, 4, 6, 4, 1], ['soft']), null);
    const edge = await library.save(content('edge', [-1, 0, 1]), null);
    const file = path.join(base, 'mine.json');
    expect(await library.exportTo(file, null)).toBe(2);
    expect(await library.exportTo(path.join(base, 'one.json'), [edge.id])).toBe(1);
    const other = new KernelLibraryFolder(path.join(base, 'other'));
    await other.save(content('edge', [7]), null);
    expect(await other.importFrom(file)).toEqual({ added: 2, known: 0, refused: [] });
    expect((await other.read()).entries.map(({ name }) => name)).toEqual(['blur', 'edge', 'edge 2']);
    expect(await other.importFrom(path.join(base, 'mine.json'))).toMatchObject({ known: 1 });
  });
  it('says by name which kernels of a file cannot be used, and what is no such file', async () => {
    const good = content('good');
    const file = path.join(base, 'mixed.json');
    const kernels = [good, { ...good, name: 'no weights', kernel: { ...good.kernel, weights: [] } }, 5];
    await writeFile(file, JSON.stringify({ format: 'convolve-kernels', version: 1, kernels }));
    const library = new KernelLibraryFolder(folder);
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
    const newer = '{"format":"convolve-kernels","version":2,"kernels":[]}';
    expect(() => readExchange(newer, 'k.json')).toThrow('fileTooNew: k.json');
  });
});
