// Finds the picture of a project on the disk: where the project says, or under another name in the project's folder, known
// by its size and hash.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectPicture } from '../../core/project';
import { fileHash } from './fileHash';

export interface FoundPicture {
  /** Absolute. */
  readonly file: string;
  /** Whether it is the very file that was saved with; false where one of its name has other bytes. */
  readonly same: boolean;
}

/** Most files of a folder that are looked at. */
const maximumFiles = 10_000;

const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    (status) => (status.isFile() ? status.size : null),
    () => null,
  );

/** Whether the file has the size and the hash; a file that cannot be read has not. */
export async function isSamePicture(file: string, picture: ProjectPicture): Promise<boolean> {
  if ((await sizeOf(file)) !== picture.bytes) return false;
  return fileHash(file).then(
    (hash) => hash === picture.sha256,
    () => false,
  );
}

/** The places that the project names, the one beside it first. */
function namedPlaces(picture: ProjectPicture, folder: string | null): readonly string[] {
  const relative =
    picture.relativePath === null || folder === null ? [] : [path.resolve(folder, ...picture.relativePath.split('/'))];
  // A path of another system (a drive letter here, a slash there) is no path here.
  const absolute = picture.path !== null && path.isAbsolute(picture.path) ? [path.resolve(picture.path)] : [];
  return [...new Set([...relative, ...absolute])];
}

/**
 * The picture of a project whose file lies in `folder` (null: in none), or null. It is looked for where the project says,
 * then under any name in the project's folder and in the one that it was in. The file that was saved with goes before one
 * that only has its name.
 */
export async function findPicture(picture: ProjectPicture, folder: string | null): Promise<FoundPicture | null> {
  const places = namedPlaces(picture, folder);
  for (const file of places) if (await isSamePicture(file, picture)) return { file, same: true };
  const folders = new Set([
    ...(folder === null ? [] : [path.resolve(folder)]),
    ...places.map((file) => path.dirname(file)),
  ]);
  for (const one of folders) {
    const names = await readdir(one).catch(() => []);
    for (const name of names.slice(0, maximumFiles)) {
      const file = path.join(one, name);
      if (await isSamePicture(file, picture)) return { file, same: true };
    }
  }
  for (const file of places) if ((await sizeOf(file)) !== null) return { file, same: false };
  return null;
}
