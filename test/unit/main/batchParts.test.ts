// The parts of a batch one by one: which files it takes, what the results are called, how much memory is used at a time, and
// what an interrupted run leaves to go on from.

import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import { Journal, journalName, markOf } from '../../../main/batch/journal';
import { MemoryBudget } from '../../../main/batch/memoryBudget';
import { checkPattern, fillPattern, TargetNames } from '../../../main/batch/names';
import { findSources } from '../../../main/batch/sources';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-batch-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (...names: readonly string[]) => {
  for (const name of names) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), name);
  }
};
const failure = (work: () => unknown) => {
  try {
    work();
  } catch (thrown) {
    return failureOf(thrown);
  }
  throw new Error('expected a failure');
};

/** As the superuser, who may read everything, the work is done in another user's name. */
const asSomebody = async <T>(work: () => Promise<T>): Promise<T> => {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65534;
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};

describe('sources', () => {
  const find = async (words: readonly string[], recursive = false) =>
    (await findSources(words, folder, recursive)).map(({ file, folder: inside }) => [
      path.relative(folder, file).replaceAll('\\', '/'),
      inside,
    ]);

  it('of a folder are its pictures, by name with numbers as numbers; with its folders where asked', async () => {
    await put('in/10.jpg', 'in/9.PNG', 'in/notes.txt', 'in/deep/er/1.webp', 'in/.hidden.jpg');
    expect(await find(['in'])).toEqual([
      ['in/9.PNG', ''],
      ['in/10.jpg', ''],
    ]);
    expect(await find(['in'], true)).toEqual([
      ['in/9.PNG', ''],
      ['in/10.jpg', ''],
      ['in/deep/er/1.webp', 'deep/er'],
    ]);
  });

  it('of a pattern are what fits, each file once, and whatever its ending', async () => {
    await put('in/a.jpg', 'in/b.jpg', 'in/c.dat');
    expect(await find(['in/*.jpg', 'in/a.jpg', 'in/*.{dat,xyz}'])).toEqual([
      ['in/a.jpg', ''],
      ['in/b.jpg', ''],
      ['in/c.dat', ''],
    ]);
    expect(await find(['in/*.gif'])).toEqual([]);
  });

  it('a name that is there is that file, with brackets and all; one that is missing is kept, to fail by name', async () => {
    await put('holiday [1].jpg', 'holiday 1.jpg');
    expect(await find(['holiday [1].jpg', 'missing.jpg'])).toEqual([
      ['holiday [1].jpg', ''],
      ['missing.jpg', ''],
    ]);
  });

  it('with all folders do not follow links to folders, which may lead in a circle; links to pictures they take', async () => {
    await put('in/a.png', 'in/deep/b.png');
    for (const name of ['one', 'two']) await symlink('..', path.join(folder, 'in/deep', name));
    await symlink('../in/deep', path.join(folder, 'in/linked'));
    await symlink('a.png', path.join(folder, 'in/link.png'));
    const all = [
      ['in/a.png', ''],
      ['in/deep/b.png', 'deep'],
      ['in/link.png', ''],
    ];
    expect(await find(['in'], true)).toEqual(all);
    expect((await find(['in/**/*.png'])).map(([file]) => file)).toEqual(all.map(([file]) => file));
  });

  it.runIf(process.platform !== 'win32')('name a folder that may not be read, and go on with the others', async () => {
    await put('in/a.png', 'in/locked/b.png');
    const locked = path.join(folder, 'in/locked');
    await chmod(locked, 0);
    await chmod(folder, 0o755);
    const found = await asSomebody(() => findSources(['in'], folder, true));
    await chmod(locked, 0o755);
    expect(found).toEqual([
      { file: path.join(folder, 'in/a.png'), folder: '' },
      { file: locked, folder: '', failure: { code: 'fileUnreadable', subject: 'locked', actual: 'no permission' } },
    ]);
  });
});

describe('names', () => {
  it('come from a pattern; numbers are as long as the last one', () => {
    expect(fillPattern('{name}-soft', 'a', 1, 9, 'png')).toBe('a-soft');
    expect(fillPattern('{number} {name} {format}', 'a', 7, 1000, 'jpeg')).toBe('0007 a jpeg');
  });

  it('a pattern that could leave the folder or says something unknown is refused', () => {
    for (const pattern of ['', '../{name}', 'a/b', 'a\\b', '{date}', '{name', '.{name}', 'a:b', 'x'.repeat(200)])
      expect(
        failure(() => checkPattern(pattern)),
        pattern,
      ).toMatchObject({ code: 'invalidArgument' });
    for (const pattern of ['{name}', '{name}-{number}', 'édité {name}']) checkPattern(pattern);
  });

  const at = (name: string) => path.join(folder, name);
  const names = async (rule: 'skip' | 'rename' | 'overwrite') => {
    const created = await TargetNames.create(rule, [at('source.png')]);
    let count = 0;
    return {
      take: (file: string, result = `result ${++count}`) => created.take(file, result),
      keep: created.keep.bind(created),
    };
  };
  const refusal = async (work: Promise<unknown>) => work.then(String, (thrown) => failureOf(thrown).actual);

  it('that are taken by a file are skipped, numbered or replaced, by rule', async () => {
    await put('a.png');
    expect(await (await names('skip')).take(at('a.png'))).toBeNull();
    expect(await (await names('skip')).take(at('b.png'))).toBe(at('b.png'));
    expect(await (await names('rename')).take(at('a.png'))).toBe(at('a-2.png'));
    expect(await (await names('overwrite')).take(at('a.png'))).toBe(at('a.png'));
  });

  it('are never those of a source, nor the same twice, also where only the case differs', async () => {
    expect(await refusal((await names('overwrite')).take(at('SOURCE.png')))).toBe(
      'the batch reads a picture of that name',
    );
    expect(await (await names('rename')).take(at('source.png'))).toBe(at('source-2.png'));
    for (const rule of ['skip', 'overwrite'] as const) {
      const taken = await names(rule);
      const both = await Promise.all([taken.take(at('x.png')), refusal(taken.take(at('X.png')))]);
      expect(both).toEqual([at('x.png'), 'another result of the batch has that name']);
    }
    const renamed = await names('rename');
    expect(await Promise.all([renamed.take(at('x.png')), renamed.take(at('x.png'))])).toEqual([
      at('x.png'),
      at('x-2.png'),
    ]);
  });

  it('are never those of a source through links either, of the folder or of the file', async () => {
    await put('source.png', 'out/b.png');
    await symlink('.', at('same'));
    await symlink('../source.png', at('out/link.png'));
    const taken = await names('overwrite');
    for (const file of ['same/source.png', 'out/link.png'])
      expect(await refusal(taken.take(at(file))), file).toBe('the batch reads a picture of that name');
  });

  it('that were begun for a source stay its own', async () => {
    await put('a.png');
    for (const rule of ['skip', 'rename', 'overwrite'] as const) {
      const taken = await names(rule);
      await taken.keep(at('a.png'), 'a');
      expect(await taken.take(at('a.png'), 'a'), rule).toBe(at('a.png'));
    }
  });
});

describe('the memory budget', () => {
  it('lets in what fits, in order, and what is larger than all of it alone', async () => {
    const budget = new MemoryBudget(100);
    const log: string[] = [];
    const leave = new Map<string, () => void>();
    const enter = (name: string, bytes: number) =>
      budget.within(bytes, () => {
        log.push(name);
        return new Promise<void>((resolve) => leave.set(name, resolve));
      });
    const all = [enter('a', 60), enter('b', 40), enter('large', 500), enter('small', 1)];
    await Promise.resolve();
    await Promise.resolve();
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(log).toEqual(['a', 'b']);
    leave.get('a')?.();
    await settle();
    // The small one would fit, but the large one asked first.
    expect(log).toEqual(['a', 'b']);
    leave.get('b')?.();
    await settle();
    expect(log).toEqual(['a', 'b', 'large']);
    leave.get('large')?.();
    await settle();
    expect(log).toEqual(['a', 'b', 'large', 'small']);
    leave.get('small')?.();
    await Promise.all(all);
  });

  it('gives room back when the work fails or is no longer waited for', async () => {
    const budget = new MemoryBudget(10);
    await expect(budget.within(10, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let leave = () => {};
    const first = budget.within(10, () => new Promise<void>((resolve) => (leave = resolve)));
    const controller = new AbortController();
    const second = budget.within(5, async () => 'second', controller.signal);
    const third = budget.within(5, async () => 'third');
    controller.abort();
    await expect(second).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    leave();
    await first;
    expect(await third).toBe('third');
  });
});

describe('the journal', () => {
  it('has no line of a result outside the folder', async () => {
    await put('a.png');
    const mark = await markOf(path.join(folder, 'a.png'));
    const journal = await Journal.begin(folder, 'settings');
    for (const target of ['../a.png', 'b/../../a.png', path.join(folder, 'a.png')])
      await journal.write({ kind: 'begun', ...mark, target });
    expect((await Journal.goOn(folder, 'settings'))?.earlier.size).toBe(0);
  });

  it('tells the next run what was done, and takes no harm from a line that was cut off', async () => {
    await put('a.png', 'b.png', 'c.png');
    const [a, b, c] = await Promise.all(['a.png', 'b.png', 'c.png'].map((name) => markOf(path.join(folder, name))));
    const journal = await Journal.begin(folder, 'settings');
    await journal.write({ kind: 'begun', ...a!, target: 'a.jpg' });
    await journal.write({ kind: 'done', ...a!, target: 'a.jpg' });
    await journal.write({ kind: 'failed', ...b! });
    await appendFile(path.join(folder, journalName), '{"kind":"done","sour');
    const again = await Journal.goOn(folder, 'settings');
    await again?.journal.write({ kind: 'begun', ...c!, target: 'c.jpg' });
    const last = await Journal.goOn(folder, 'settings');
    expect([...(last?.earlier.values() ?? [])].map(({ kind }) => kind)).toEqual(['done', 'failed', 'begun']);
  });

  it('of other settings is refused, and a folder without one has none', async () => {
    expect(await Journal.goOn(folder, 'settings')).toBeNull();
    await Journal.begin(folder, 'other');
    await expect(Journal.goOn(folder, 'settings')).rejects.toMatchObject({
      failure: { code: 'invalidArgument', subject: 'resume' },
    });
    await writeFile(path.join(folder, journalName), 'not a journal');
    await expect(Journal.goOn(folder, 'settings')).rejects.toMatchObject({ failure: { code: 'invalidArgument' } });
    expect(await readFile(path.join(folder, journalName), 'utf8')).toBe('not a journal');
  });
});
