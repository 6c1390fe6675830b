// Writing whole or not at all: every failure and a cancel leave the old file as it was and nothing else in the folder.

import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { checkTarget, type FileOperations, writeAtomically } from '../../../main/atomicWrite';
import { thisProcess } from '../../../main/processName';
import { temporaryBeside } from '../../../main/temporaryFiles';
import { elsewhereParts, goneParts, type ProcessParts, processNamed, runningParts } from './processNames';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-write-'));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true });
});

const isRoot = process.getuid?.() === 0;
const pieces = (text: string) => [...text].map((character) => Buffer.from(character));

async function failureFrom(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof ConvolveError) return outcome.failure;
  throw new Error(`expected a ConvolveError, got ${String(outcome)}`);
}

const systemError = (code: string) => Object.assign(new Error(code), { code });

/** Operations of which one fails as the system would. */
const failing = (what: 'open' | 'write' | 'sync' | 'rename', code: string): FileOperations => ({
  open: async (file, flags, mode) => {
    if (what === 'open' && flags !== 'r') throw systemError(code);
    const handle = await open(file, flags, mode);
    if (what === 'write' || what === 'sync')
      handle[what] = async () => {
        throw systemError(code);
      };
    return handle;
  },
  rename: async (from, to) => {
    if (what === 'rename') throw systemError(code);
    await rename(from, to);
  },
});

describe('writing', () => {
  it('makes a new file of all pieces and replaces an old one', async () => {
    const target = path.join(folder, 'out.png');
    expect(await writeAtomically(target, pieces('new'))).toBe(3);
    expect(await readFile(target, 'utf8')).toBe('new');
    await writeAtomically(target, [Buffer.from('newer'), new Uint8Array(0)]);
    expect(await readFile(target, 'utf8')).toBe('newer');
    expect(await readdir(folder)).toEqual(['out.png']);
  });

  it('writes through a link and leaves other names of the old file alone', async () => {
    const target = path.join(folder, 'real.png');
    await writeFile(target, 'old');
    await link(target, path.join(folder, 'other.png'));
    await symlink('real.png', path.join(folder, 'link.png'));
    await writeAtomically(path.join(folder, 'link.png'), pieces('new'));
    expect((await lstat(path.join(folder, 'link.png'))).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('new');
    expect(await readFile(path.join(folder, 'other.png'), 'utf8')).toBe('old');
  });

  it('keeps the permissions of the file that it replaces', async () => {
    const target = path.join(folder, 'out.png');
    await writeFile(target, 'old');
    await chmod(target, 0o640);
    await writeAtomically(target, pieces('new'));
    expect((await stat(target)).mode & 0o777).toBe(0o640);
  });
});

describe('a failure', () => {
  const cases: readonly (readonly [Parameters<typeof failing>[0], string, Failure])[] = [
    ['open', 'EACCES', { code: 'targetUnwritable', subject: 'out.png', actual: 'no permission' }],
    ['open', 'EROFS', { code: 'targetUnwritable', subject: 'out.png', actual: 'a read-only disk' }],
    ['open', 'EMFILE', { code: 'targetUnwritable', subject: 'out.png', actual: 'EMFILE' }],
    ['write', 'ENOSPC', { code: 'targetFull', subject: 'out.png' }],
    ['write', 'EDQUOT', { code: 'targetFull', subject: 'out.png' }],
    ['sync', 'EIO', { code: 'targetUnwritable', subject: 'out.png', actual: 'EIO' }],
    ['rename', 'EPERM', { code: 'targetUnwritable', subject: 'out.png', actual: 'no permission' }],
    ['rename', 'EISDIR', { code: 'targetUnwritable', subject: 'out.png', actual: 'a folder of that name' }],
  ];
  for (const [what, code, failure] of cases)
    it(`of ${what} with ${code} leaves the old file and nothing else`, async () => {
      const target = path.join(folder, 'out.png');
      await writeFile(target, 'old');
      expect(await failureFrom(writeAtomically(target, pieces('new'), undefined, failing(what, code)))).toEqual(
        failure,
      );
      expect(await readFile(target, 'utf8')).toBe('old');
      expect(await readdir(folder)).toEqual(['out.png']);
    });

  it('names the folder that is missing', async () => {
    const target = path.join(folder, 'gone', 'out.png');
    expect(await failureFrom(writeAtomically(target, pieces('new')))).toEqual({
      code: 'targetFolderMissing',
      subject: path.join(folder, 'gone'),
    });
  });

  it('is a folder or a device in the way', async () => {
    await mkdir(path.join(folder, 'out.png'));
    expect(await failureFrom(writeAtomically(path.join(folder, 'out.png'), pieces('new')))).toEqual({
      code: 'targetUnwritable',
      subject: 'out.png',
      actual: 'a folder of that name',
    });
    if (process.platform !== 'win32')
      expect(await failureFrom(writeAtomically('/dev/null', pieces('new')))).toMatchObject({
        code: 'targetUnwritable',
      });
    expect(await readdir(folder)).toEqual(['out.png']);
  });

  it.skipIf(isRoot)('is a folder that may not be written (needs a user who is not root)', async () => {
    const target = path.join(folder, 'out.png');
    await chmod(folder, 0o500);
    expect(await failureFrom(writeAtomically(target, pieces('new')))).toMatchObject({ code: 'targetUnwritable' });
  });

  it.skipIf(isRoot)('is an old file that is write-protected (needs a user who is not root)', async () => {
    const target = path.join(folder, 'out.png');
    await writeFile(target, 'old');
    await chmod(target, 0o400);
    expect(await failureFrom(writeAtomically(target, pieces('new')))).toMatchObject({ code: 'targetUnwritable' });
    expect(await readFile(target, 'utf8')).toBe('old');
  });

  it.runIf(isRoot && process.platform === 'linux')('is a disk that is really full', async ({ skip }) => {
    const disk = path.join(folder, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      skip('this container may not mount a small disk; a failing write stands in for it above');
    }
    try {
      const target = path.join(disk, 'out.png');
      await writeFile(target, 'old');
      const failure = await failureFrom(writeAtomically(target, [Buffer.alloc(200_000)]));
      expect(failure).toEqual({ code: 'targetFull', subject: 'out.png' });
      expect(await readFile(target, 'utf8')).toBe('old');
      expect(await readdir(disk)).toEqual(['out.png']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('a cancel', () => {
  it('before the start writes nothing', async () => {
    const target = path.join(folder, 'out.png');
    expect(await failureFrom(writeAtomically(target, pieces('new'), AbortSignal.abort()))).toEqual({
      code: 'cancelled',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  for (const moment of ['after the first piece', 'after the last byte'] as const)
    it(`${moment} leaves the old file and nothing else`, async () => {
      const target = path.join(folder, 'out.png');
      await writeFile(target, 'old');
      const controller = new AbortController();
      const files: FileOperations = {
        open: async (file, flags, mode) => {
          const handle = await open(file, flags, mode);
          if (moment === 'after the first piece') {
            const write = handle.write.bind(handle) as (...parameters: unknown[]) => Promise<unknown>;
            Object.assign(handle, {
              write: (...parameters: unknown[]) => {
                controller.abort();
                return write(...parameters);
              },
            });
          } else {
            const sync = handle.sync.bind(handle);
            handle.sync = () => {
              controller.abort();
              return sync();
            };
          }
          return handle;
        },
        rename,
      };
      expect(await failureFrom(writeAtomically(target, pieces('new'), controller.signal, files))).toEqual({
        code: 'cancelled',
      });
      expect(await readFile(target, 'utf8')).toBe('old');
      expect(await readdir(folder)).toEqual(['out.png']);
    });
});

describe('checking a target before any work', () => {
  it('leaves a new target missing, an old one as it was, and nothing else', async () => {
    await writeFile(path.join(folder, 'old.png'), 'old');
    await checkTarget(path.join(folder, 'new.png'));
    await checkTarget(path.join(folder, 'old.png'));
    expect(await readdir(folder)).toEqual(['old.png']);
    expect(await readFile(path.join(folder, 'old.png'), 'utf8')).toBe('old');
  });

  it('refuses what writing would refuse', async () => {
    await mkdir(path.join(folder, 'folder.png'));
    expect(await failureFrom(checkTarget(path.join(folder, 'folder.png')))).toMatchObject({ code: 'targetUnwritable' });
    expect(await failureFrom(checkTarget(path.join(folder, 'none', 'a.png')))).toMatchObject({
      code: 'targetFolderMissing',
    });
    const target = path.join(folder, 'a.png');
    expect(await failureFrom(checkTarget(target, failing('open', 'EROFS')))).toEqual({
      code: 'targetUnwritable',
      subject: 'a.png',
      actual: 'a read-only disk',
    });
  });
});

describe('what a killed process left behind', () => {
  /** A file as such a process would leave it, `age` ms old. */
  async function leave(process: ProcessParts, age: number, change = (name: string) => name): Promise<string> {
    const name = path.basename(temporaryBeside(path.join(folder, 'out.png')));
    const left = change(name.replace(thisProcess, processNamed(process)));
    await writeFile(path.join(folder, left), 'half a picture');
    const then = new Date(Date.now() - age);
    await utimes(path.join(folder, left), then, then);
    return left;
  }

  it('goes with the next write into the folder, and with the next check of a target there', async () => {
    for (const [index, work] of [
      () => writeAtomically(path.join(folder, 'out.png'), pieces('new')),
      () => checkTarget(path.join(folder, 'deep', 'out.png')),
    ].entries()) {
      const deep = path.join(folder, 'deep');
      await mkdir(deep, { recursive: true });
      const left = await leave(goneParts, 120_000);
      if (index === 1) await rename(path.join(folder, left), path.join(deep, left));
      await work();
      expect(await readdir(index === 1 ? deep : folder)).not.toContain(left);
    }
  });

  it('goes where its number is by now that of this process, which began later', async () => {
    await leave({ began: 1_000_000_000 }, 120_000);
    await writeAtomically(path.join(folder, 'out.png'), pieces('new'));
    expect(await readdir(folder)).toEqual(['out.png']);
  });

  it('stays where it may be another’s: of a process at work, of another computer, young, or only named alike', async () => {
    const kept = [
      await leave(runningParts, 120_000),
      // This process's own, by a clock of the disk's that is slow by a day.
      await leave({}, 86_400_000),
      await leave({ ...goneParts, ...elsewhereParts }, 120_000),
      await leave(goneParts, 1000),
      await leave(goneParts, 120_000, (name) => `${name}.png`),
      await leave(goneParts, 120_000, (name) => name.replace('.convolve', '.convolver')),
    ];
    await writeAtomically(path.join(folder, 'out.png'), pieces('new'));
    expect((await readdir(folder)).sort()).toEqual([...kept, 'out.png'].sort());
  });
});
