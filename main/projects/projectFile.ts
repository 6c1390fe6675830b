// Reads and writes project files. What they hold is core/project.ts's; here it becomes bytes on a disk, written whole or
// not at all, and a picture's path becomes relative to the project.

import path from 'node:path';
import { ConvolveError } from '../../core/errors';
import { type Project, type ProjectPicture, parseProject, projectExtension, projectPieces } from '../../core/project';
import { utf8, writeAtomically } from '../atomicWrite';
import { readPictureFile } from '../pictureFile';

/** Above it the text would be longer than a JavaScript string can be. */
export const maximumProjectBytes = 512 * 2 ** 20 - 2 ** 16;
/** Largest picture file that a project can hold; its base64 is a third longer. */
export const maximumEmbeddedBytes = 360 * 2 ** 20;

export const isProjectFile = (filePath: string): boolean => path.extname(filePath).toLowerCase() === projectExtension;

/**
 * The project in a file. Throws what readPictureFile does of a file that cannot be read, `projectDamaged` or
 * `fileTooNew`.
 */
export async function readProjectFile(filePath: string): Promise<Project> {
  const subject = path.basename(filePath);
  const bytes = await readPictureFile(filePath);
  if (bytes.length > maximumProjectBytes)
    throw new ConvolveError({ code: 'projectDamaged', subject, actual: 'a project of at most 512 MB' });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new ConvolveError({ code: 'projectDamaged', subject, actual: 'not UTF-8 text' }, thrown);
  }
  return parseProject(text, subject);
}

/** Replaces the file by the project. Returns the bytes written; throws what writeAtomically does. */
export async function writeProjectFile(filePath: string, project: Project): Promise<number> {
  return writeAtomically(filePath, utf8(projectPieces(project)));
}

/** Where a picture lies, as a project in `projectFile` keeps it. */
export function picturePaths(picture: string, projectFile: string): Pick<ProjectPicture, 'path' | 'relativePath'> {
  const relative = path.relative(path.dirname(projectFile), picture);
  return {
    path: picture,
    // From another drive there is no relative way.
    relativePath: path.isAbsolute(relative) ? null : relative.split(path.sep).join('/'),
  };
}

/** The bytes of an embedded picture. Throws `projectDamaged` where they are not the ones that were saved. */
export function embeddedBytes(base64: string, subject: string, bytes: number): Uint8Array<ArrayBuffer> {
  const decoded = new Uint8Array(Buffer.from(base64, 'base64'));
  if (decoded.length !== bytes)
    throw new ConvolveError({
      code: 'projectDamaged',
      subject,
      actual: `picture.embedded: ${decoded.length} bytes, not ${bytes}`,
    });
  return decoded;
}
