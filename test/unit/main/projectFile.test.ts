// Project files on the disk, and how the picture of a project is found again.

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import type { ProjectPicture } from '../../../core/project';
import { bytesHash, fileHash } from '../../../main/projects/fileHash';
import { findPicture } from '../../../main/projects/findPicture';
import {
  embeddedBytes,
  isProjectFile,
  picturePaths,
  readProjectFile,
  writeProjectFile,
} from '../../../main/projects/projectFile';

let folder: string;
const at = (...parts: readonly string[]) => path.join(folder, ...parts);
const content = Buffer.from('the bytes of a picture');
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-project-'));
  await mkdir(at('projects', 'photos'), { recursive: true });
  await writeFile(at('projects', 'photos', 'a.jpg'), content);
});
afterEach(() => rm(folder, { recursive: true }));

/** The picture as a project beside the folder `photos` keeps it. */
async function pictureOf(file = at('projects', 'photos', 'a.jpg')): Promise<ProjectPicture> {
  const sha256 = await fileHash(file);
  const paths = picturePaths(file, at('projects', 'look.convolve'));
  return { name: path.basename(file), ...paths, bytes: content.length, sha256, width: 1, height: 1 };
}

describe('the picture of a project', () => {
  it('is found beside the project after the folder has moved', async () => {
    const picture = await pictureOf();
    expect(picture.relativePath).toBe('photos/a.jpg');
    await rename(at('projects'), at('moved'));
    expect(await findPicture(picture, at('moved'))).toEqual({ file: at('moved', 'photos', 'a.jpg'), same: true });
  });

  it('is found at its absolute path after the project has moved', async () => {
    expect(await findPicture(await pictureOf(), at())).toEqual({ file: at('projects', 'photos', 'a.jpg'), same: true });
  });

  it('is found in the folder of the project under another name, by its hash', async () => {
    const picture = await pictureOf();
    await rename(at('projects', 'photos', 'a.jpg'), at('projects', 'renamed.jpg'));
    // One of the same size that is another.
    await writeFile(at('projects', 'a.jpg'), Buffer.from('THE BYTES OF A PICTURE'));
    expect(await findPicture(picture, at('projects'))).toEqual({ file: at('projects', 'renamed.jpg'), same: true });
  });

  it('that has changed since is found last, and told apart', async () => {
    const picture = await pictureOf();
    await writeFile(at('projects', 'photos', 'a.jpg'), 'other bytes');
    expect(await findPicture(picture, at('projects'))).toEqual({
      file: at('projects', 'photos', 'a.jpg'),
      same: false,
    });
    await writeFile(at('projects', 'copy.jpg'), content);
    expect(await findPicture(picture, at('projects'))).toEqual({ file: at('projects', 'copy.jpg'), same: true });
  });

  it('that is nowhere is not found, nor is a folder of its name', async () => {
    const picture = await pictureOf();
    await rm(at('projects', 'photos', 'a.jpg'));
    await mkdir(at('projects', 'photos', 'a.jpg'));
    expect(await findPicture(picture, at('projects'))).toBeNull();
    expect(await findPicture(picture, at('no such folder'))).toBeNull();
  });

  it('has the same hash from its file and from memory', async () => {
    expect(await bytesHash(new Uint8Array(content))).toBe(await fileHash(at('projects', 'photos', 'a.jpg')));
  });

  it('that is embedded must have its size', () => {
    expect(embeddedBytes('AAEC', 'x', 3)).toEqual(Uint8Array.of(0, 1, 2));
    expect(() => embeddedBytes('AAEC', 'look.convolve', 4)).toThrow(/projectDamaged: look.convolve/);
  });
});

describe('a project file', () => {
  const project = { picture: null, stack: [] };

  it('is known by its ending', () => {
    expect(['a.convolve', '/x/B.CONVOLVE', 'a.convolve.jpg', 'convolve'].map(isProjectFile)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is written whole and read back', async () => {
    const file = at('look.convolve');
    const bytes = await writeProjectFile(file, project);
    expect((await readFile(file)).length).toBe(bytes);
    expect(await readProjectFile(file)).toEqual(project);
  });

  it('that cannot be read is named', async () => {
    const failure = (file: string) => readProjectFile(file).then(() => null, failureOf);
    await writeFile(at('binary.convolve'), Uint8Array.of(0x7b, 0xff, 0xfe));
    expect(await failure(at('binary.convolve'))).toEqual({
      code: 'projectDamaged',
      subject: 'binary.convolve',
      actual: 'not UTF-8 text',
    });
    await writeFile(at('empty.convolve'), '');
    expect(await failure(at('empty.convolve'))).toMatchObject({ code: 'fileEmpty', subject: 'empty.convolve' });
    expect(await failure(at('gone.convolve'))).toMatchObject({ code: 'fileNotFound' });
    expect(await failure(at('projects'))).toMatchObject({ code: 'fileIsFolder' });
  });
});
