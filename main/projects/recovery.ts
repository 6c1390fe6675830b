// The recovery folder: each document with unsaved work has a file there, written whole a moment after every change and gone
// once the work is saved or given up. What a program finds there at its start is the work of one that did not end by itself.
// One document is `<name>.json`, and `<name>.picture` where its picture is in no file.

import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { RecoverableWork } from '../../core/ipc';
import { type Project, type ProjectPicture, parseProject, projectPieces } from '../../core/project';
import { utf8, writeAtomically } from '../atomicWrite';

const recordSchema = z.object({
  format: z.literal('convolve-recovery'),
  version: z.literal(1),
  savedAt: z.string(),
  /** The project file that the work belongs to; null where there is none yet. */
  projectFile: z.string().nullable(),
  /** The project as text, of the form that project files have. */
  project: z.string(),
});

/** The text of a record in pieces: that of its project is a string in it, escaped piece by piece. */
function* recordPieces({ projectFile, project }: WorkToKeep): Generator<string> {
  const head = { format: 'convolve-recovery', version: 1, savedAt: new Date().toISOString(), projectFile };
  yield `${JSON.stringify(head).slice(0, -1)},"project":"`;
  for (const piece of projectPieces(project)) yield JSON.stringify(piece).slice(1, -1);
  yield '"}';
}

/** Unsaved work that was found at the start. */
export interface FoundWork {
  readonly file: string;
  readonly projectFile: string | null;
  readonly project: Project;
  readonly savedAt: string;
}

/** A document to be kept. `bytes`: of its picture, where that is in no file. */
export interface WorkToKeep {
  readonly projectFile: string | null;
  readonly project: Project;
  readonly bytes: Uint8Array | null;
}

export class RecoveryFolder {
  private found: readonly FoundWork[] = [];
  /** Writes of one document follow one another. */
  private readonly writes = new Map<number, Promise<unknown>>();
  private readonly picturesWritten = new Set<number>();

  /** `session` tells this program's files from those of others before it. */
  constructor(
    private readonly folder: string,
    private readonly session: string,
  ) {}

  /** Reads what is there. Never rejects: a file that cannot be read is left where it is. */
  async look(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const read = names.filter((name) => name.endsWith('.json')).map((name) => this.read(path.join(this.folder, name)));
    const found = (await Promise.all(read)).filter((work) => work !== null);
    this.found = found.sort((a, b) => a.savedAt.localeCompare(b.savedAt));
  }

  recoverable(): readonly RecoverableWork[] {
    return this.found.map(({ project, savedAt }) => ({
      name: project.picture?.name ?? '',
      filters: project.stack.length,
      savedAt,
    }));
  }

  works(): readonly FoundWork[] {
    return this.found;
  }

  /** Writes the document of a picture. */
  keep(imageId: number, work: WorkToKeep): Promise<void> {
    return this.next(imageId, async () => {
      await mkdir(this.folder, { recursive: true });
      if (work.bytes !== null && !this.picturesWritten.has(imageId)) {
        await writeAtomically(this.pictureOf(this.fileOf(imageId)), [work.bytes]);
        this.picturesWritten.add(imageId);
      }
      await writeAtomically(this.fileOf(imageId), utf8(recordPieces(work)));
    });
  }

  /** Removes the document of a picture: its work is saved, or given up. */
  clear(imageId: number): Promise<void> {
    return this.next(imageId, async () => {
      this.picturesWritten.delete(imageId);
      await this.removeFiles(this.fileOf(imageId));
    });
  }

  /** Removes work that was found: it is restored, or given up. */
  async forget(works: readonly FoundWork[]): Promise<void> {
    this.found = this.found.filter((work) => !works.includes(work));
    await Promise.all(works.map(({ file }) => this.removeFiles(file)));
  }

  /** Waits until what was begun is on the disk. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.writes.values());
  }

  private next(imageId: number, write: () => Promise<void>): Promise<void> {
    const work = (this.writes.get(imageId) ?? Promise.resolve()).then(write, write);
    this.writes.set(imageId, work);
    return work;
  }

  private fileOf(imageId: number): string {
    return path.join(this.folder, `${this.session}-${imageId}.json`);
  }

  private pictureOf(file: string): string {
    return file.replace(/\.json$/, '.picture');
  }

  private async removeFiles(file: string): Promise<void> {
    for (const one of [file, this.pictureOf(file)]) await unlink(one).catch(() => undefined);
  }

  private async read(file: string): Promise<FoundWork | null> {
    try {
      const record = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
      const project = parseProject(record.project, path.basename(file));
      const picture = await this.withOwnPicture(project.picture, this.pictureOf(file));
      const { projectFile, savedAt } = record;
      return { file, projectFile, savedAt, project: { ...project, picture } };
    } catch {
      return null;
    }
  }

  /** A picture that is in no file of the person's lies beside the record, and is embedded from there while it does. */
  private async withOwnPicture(picture: ProjectPicture | null, file: string): Promise<ProjectPicture | null> {
    if (picture === null || picture.path !== null) return picture;
    const bytes = await readFile(file).catch(() => null);
    return bytes === null ? picture : { ...picture, embedded: bytes.toString('base64') };
  }
}
