// What main does for the channels of projects, of kept documents and of recovered work.

import path from 'node:path';
import type { Stack } from '../../core/document';
import { ConvolveError, failureOf } from '../../core/errors';
import type { Channel, OpenedDocument, PictureMissing, RestoredWork, SaveMode } from '../../core/ipc';
import { type Project, type ProjectPicture, projectExtension } from '../../core/project';
import type { HandlerParts, Handlers } from '../handlers';
import type { OriginalFile, Picture, PictureSource } from '../images';
import { readPictureFile } from '../pictureFile';
import { bytesHash } from './fileHash';
import { maximumEmbeddedBytes, picturePaths, writeProjectFile } from './projectFile';
import type { FoundWork } from './recovery';

type ProjectChannel = Extract<Channel, `project:${string}` | `document:${string}` | `recovery:${string}`>;

/** Every picture that the opener opened has one. */
function originalOf({ original, info }: Picture): OriginalFile {
  if (original === null) throw new ConvolveError({ code: 'internal', subject: info.name, actual: 'no original file' });
  return original;
}

/** The picture of a project, without its bytes. `projectFile`: where the project lies, or null while it has no place. */
async function pictureOf(picture: Picture, projectFile: string | null): Promise<ProjectPicture> {
  const { info } = picture;
  const { source, sha256 } = originalOf(picture);
  const file = source.kind === 'file' ? source.path : null;
  const paths =
    file === null
      ? { path: null, relativePath: null }
      : projectFile === null
        ? { path: file, relativePath: null }
        : picturePaths(file, projectFile);
  return {
    name: info.name,
    ...paths,
    bytes: source.kind === 'file' ? info.fileBytes : source.bytes.length,
    sha256: await sha256,
    width: info.width,
    height: info.height,
    ...(info.page === 1 ? {} : { page: info.page }),
  };
}

/** The picture with its bytes. Throws `pictureChanged` where its file is no longer the one that was opened. */
async function embed(kept: ProjectPicture, source: PictureSource, subject: string): Promise<ProjectPicture> {
  const changed = new ConvolveError({ code: 'pictureChanged', subject, actual: kept.name });
  if (kept.bytes > maximumEmbeddedBytes)
    throw new ConvolveError({
      code: 'imageTooLarge',
      subject: kept.name,
      expected: `a file of at most ${Math.round(maximumEmbeddedBytes / 2 ** 20)} MB to be kept in a project`,
    });
  let bytes: Uint8Array<ArrayBuffer>;
  if (source.kind === 'memory') bytes = source.bytes;
  else {
    bytes = await readPictureFile(source.path).catch(() => Promise.reject(changed));
    if ((await bytesHash(bytes)) !== kept.sha256) throw changed;
  }
  return { ...kept, embedded: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64') };
}

/** With the ending of projects. */
const withEnding = (file: string) =>
  path.extname(file).toLowerCase() === projectExtension ? file : `${file}${projectExtension}`;

export function createProjectHandlers(parts: HandlerParts): Pick<Handlers, ProjectChannel> {
  const { pictures, documents, recovery, opener, desktop, settings } = parts;

  async function projectTarget(picture: Picture, mode: SaveMode): Promise<string | null> {
    const { projectFile = null } = documents.get(picture.info.id) ?? {};
    if (mode === 'save' && projectFile !== null) return projectFile;
    const { name } = path.parse(picture.info.name);
    const folder = picture.folder ?? desktop.picturesFolder;
    const chosen = await desktop.chooseProjectTarget(projectFile ?? path.join(folder, `${name}${projectExtension}`));
    return chosen === null ? null : withEnding(chosen);
  }

  /** Found work whose picture is missing, by the id that the page has of it. */
  const missing = new Map<number, FoundWork>();

  /** The document of found work goes on as unsaved, under its new name in the recovery folder before the old one goes. */
  async function goOn(work: FoundWork, opened: OpenedDocument): Promise<OpenedDocument> {
    const { image, stack } = opened;
    documents.add(image.id, { projectFile: work.projectFile, embedded: false, stack, unsaved: true });
    await keepForRecovery(image.id, stack);
    await recovery.forget([work]);
    return { ...opened, unsaved: true };
  }

  async function keepForRecovery(imageId: number, stack: Stack): Promise<void> {
    await pictures.use(imageId, async (picture) => {
      const projectFile = documents.get(imageId)?.projectFile ?? null;
      const project: Project = { picture: await pictureOf(picture, null), stack };
      const { source } = originalOf(picture);
      const bytes = source.kind === 'memory' ? source.bytes : null;
      await recovery.keep(imageId, { projectFile, project, bytes });
    });
  }

  return {
    async 'project:findPicture'({ id }) {
      const chosen = await desktop.chooseFileToOpen();
      if (chosen === null) return null;
      const opened = await opener.findWaiting(id, chosen);
      const work = missing.get(id);
      missing.delete(id);
      return work === undefined ? opened : goOn(work, opened);
    },

    'project:save': ({ imageId, stack, mode }) =>
      pictures.use(imageId, async (picture) => {
        const target = await projectTarget(picture, mode);
        if (target === null) return null;
        const project = path.basename(target);
        const { source } = originalOf(picture);
        const wasEmbedded = documents.get(imageId)?.embedded ?? false;
        // A picture that is in no file has no other place to be.
        const embedded = source.kind === 'memory' || mode === 'saveEmbedded' || (mode === 'save' && wasEmbedded);
        const plain = await pictureOf(picture, target);
        await writeProjectFile(target, { picture: embedded ? await embed(plain, source, project) : plain, stack });
        documents.change(imageId, { projectFile: target, embedded, stack, unsaved: false });
        await recovery.clear(imageId);
        desktop.noteRecentFile(target);
        await settings.addRecent({ path: target, page: 1 }).catch(() => undefined);
        return { project };
      }),

    async 'document:keep'({ imageId, stack, unsaved }) {
      if (documents.change(imageId, { stack, unsaved }) === null) return undefined;
      if (unsaved) await keepForRecovery(imageId, stack);
      else await recovery.clear(imageId);
      return undefined;
    },

    async 'recovery:restore'(): Promise<RestoredWork> {
      const restored: OpenedDocument[] = [];
      const asked: PictureMissing[] = [];
      const failures: RestoredWork['failures'][number][] = [];
      for (const work of recovery.works()) {
        try {
          const opened = await opener.openDocument(work.projectFile, work.project);
          if (opened.kind === 'document') restored.push(await goOn(work, opened));
          else {
            missing.set(opened.id, work);
            asked.push(opened);
          }
        } catch (thrown) {
          failures.push(failureOf(thrown));
        }
      }
      return { documents: restored, missing: asked, failures };
    },

    async 'recovery:discard'() {
      await recovery.forget(recovery.works());
      return undefined;
    },
  };
}
