// Everything that can bring a picture in: a file or a project that the person chose, a sample, the clipboard, and work that
// is restored. All of them end in an open document.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ImageInfo, Stack } from '../core/document';
import { ConvolveError, failureOf } from '../core/errors';
import { isKernelFileName, largestKernelFile } from '../core/interchange/read';
import type { KernelFile, Opened, OpenedDocument, PictureMissing } from '../core/ipc';
import type { Project, ProjectPicture } from '../core/project';
import { type Codec, codecThread } from './codec/codec';
import type { DecodeLimits } from './codec/limits';
import { requirePicture } from './codec/sniff';
import type { OpenPictures, OriginalFile, PictureOrigin, PictureSource } from './images';
import { readPictureFile } from './pictureFile';
import type { Documents } from './projects/documents';
import { bytesHash } from './projects/fileHash';
import { type FoundPicture, findPicture, isSamePicture } from './projects/findPicture';
import { embeddedBytes, isProjectFile, readProjectFile } from './projects/projectFile';
import { samples } from './samples';
import type { SettingsFile } from './settings';

export interface OpenerParts {
  readonly codec: Codec;
  readonly pictures: OpenPictures;
  readonly documents: Documents;
  readonly settings: SettingsFile;
  readonly environment: { readonly samplesFolder: string };
  readonly desktop: { noteRecentFile(filePath: string): void };
  readonly decodeLimits?: DecodeLimits;
}

type Origin = Omit<PictureOrigin, 'fileBytes' | 'original'>;

/** The bytes of a file that holds kernels. Throws as `readPictureFile`, and `imageTooLarge` beyond 16 MiB. */
async function readKernelBytes(file: string): Promise<KernelFile> {
  const name = path.basename(file);
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > largestKernelFile)
    throw new ConvolveError({
      code: 'imageTooLarge',
      subject: name,
      expected: `at most ${largestKernelFile / 2 ** 20} MB`,
      actual: `${(size / 1e6).toFixed(1)} MB`,
    });
  return { kind: 'kernel', name, bytes: await readPictureFile(file) };
}

const withWarning = (info: ImageInfo, kind: 'changedSinceSaved' | 'changedSinceOpened'): ImageInfo => ({
  ...info,
  warnings: [...info.warnings, { kind }],
});

/** A project that waits for its picture to be found. */
interface Waiting {
  readonly file: string | null;
  readonly project: Project;
  readonly picture: ProjectPicture;
}

export class Opener {
  /** Projects whose picture is missing, by the id that the page has of them. */
  private readonly waiting = new Map<number, Waiting>();
  private nextWaiting = 1;

  constructor(private readonly parts: OpenerParts) {}

  /**
   * Opens a picture or a project that the person chose and remembers it among the recent ones. `page`: of a picture's file
   * of several, from 1.
   */
  async openFile(filePath: string, page = 1): Promise<Opened> {
    const absolute = path.resolve(filePath);
    if (isKernelFileName(absolute)) return readKernelBytes(absolute);
    const opened = isProjectFile(absolute) ? await this.openProject(absolute) : await this.openPicture(absolute, page);
    this.parts.desktop.noteRecentFile(absolute);
    // A list that cannot be stored is no reason to refuse the picture.
    await this.parts.settings.addRecent({ path: absolute, page }).catch(() => undefined);
    return opened;
  }

  async openSample(name: string): Promise<Opened> {
    const sample = samples.find((candidate) => candidate.name === name);
    if (!sample)
      throw new ConvolveError({
        code: 'invalidArgument',
        subject: 'sample',
        expected: samples.map((candidate) => candidate.name).join(', '),
        actual: name,
      });
    const file = path.join(this.parts.environment.samplesFolder, sample.file);
    const bytes = await readPictureFile(file, requirePicture);
    // Samples lie elsewhere in the next version: projects keep their bytes.
    const info = await this.addBytes(bytes, { name: sample.file, format: '', folder: null });
    return this.plainDocument(info);
  }

  /**
   * Another page of an open picture's file, as a document with this stack that takes the place of the picture's own. Throws
   * imageUnknown, and as opening a file does.
   */
  async openPage(imageId: number, page: number, stack: Stack): Promise<OpenedDocument> {
    const { pictures, documents, settings } = this.parts;
    return pictures.use(imageId, async ({ info, folder, original }) => {
      const known = documents.get(imageId);
      if (original === null || known === undefined) throw new ConvolveError({ code: 'imageUnknown' });
      const { source } = original;
      const opened =
        source.kind === 'file'
          ? await this.addFile(source.path, page)
          : await this.addBytes(source.bytes.slice(), { name: info.name, format: '', folder }, info.fileBytes, page);
      const image = (await this.isSameFile(opened.id, original)) ? opened : withWarning(opened, 'changedSinceOpened');
      // The page is part of a project: one that is saved holds another.
      const unsaved = known.unsaved || known.projectFile !== null;
      documents.add(image.id, { ...known, stack, unsaved });
      if (source.kind === 'file' && known.projectFile === null)
        await settings.addRecent({ path: source.path, page }).catch(() => undefined);
      const project = known.projectFile === null ? null : path.basename(known.projectFile);
      return { kind: 'document', image, stack, project, unsaved };
    });
  }

  /** Small pictures of pages of an open picture's file, from 1; null for one that cannot be read. */
  pageThumbnails(imageId: number, pages: readonly number[]): Promise<readonly (Uint8Array | null)[]> {
    return this.parts.pictures.use(imageId, async ({ info, original }) => {
      if (original === null) throw new ConvolveError({ code: 'imageUnknown' });
      const { source } = original;
      const bytes = source.kind === 'file' ? await readPictureFile(source.path, requirePicture) : source.bytes;
      return this.parts.codec.thumbnails(
        bytes,
        pages.filter((page) => page <= info.pages),
      );
    });
  }

  /** Opens the PNG of the clipboard. */
  async openClipboard(png: Uint8Array<ArrayBuffer>): Promise<Opened> {
    return this.plainDocument(await this.addBytes(png, { name: 'Clipboard', format: 'clipboard', folder: null }, 0));
  }

  /** The document of a project whose picture was missing, with the one at the place that the person showed. */
  async findWaiting(id: number, filePath: string): Promise<OpenedDocument> {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) throw new ConvolveError({ code: 'imageUnknown' });
    const file = path.resolve(filePath);
    const found = { file, same: await isSamePicture(file, waiting.picture) };
    const opened = await this.withPicture(waiting.file, waiting.project, waiting.picture, found);
    this.waiting.delete(id);
    return opened;
  }

  /**
   * The document of a project; `file` is where the project lies, null for work that was never saved. Where its picture is
   * not found, it waits for `findWaiting`.
   */
  async openDocument(file: string | null, project: Project): Promise<OpenedDocument | PictureMissing> {
    const { picture } = project;
    const subject = path.basename(file ?? picture?.name ?? '');
    const folder = file === null ? null : path.dirname(file);
    if (picture === null) throw new ConvolveError({ code: 'projectDamaged', subject, actual: 'picture: null' });
    if (picture.embedded !== undefined) {
      const bytes = embeddedBytes(picture.embedded, subject, picture.bytes);
      const origin = { name: picture.name, format: '', folder };
      const info = await this.addBytes(bytes, origin, bytes.length, picture.page);
      return this.documentOf(info, file, project);
    }
    const found = await findPicture(picture, folder);
    if (found !== null) return this.withPicture(file, project, picture, found);
    const id = this.nextWaiting++;
    this.waiting.set(id, { file, project, picture });
    return { kind: 'pictureMissing', id, project: subject, picture: picture.name };
  }

  private async openProject(file: string): Promise<Opened> {
    return this.openDocument(file, await readProjectFile(file));
  }

  private async withPicture(
    file: string | null,
    project: Project,
    picture: ProjectPicture,
    found: FoundPicture,
  ): Promise<OpenedDocument> {
    const info = await this.addFile(found.file, picture.page);
    const changed = !found.same || info.width !== picture.width || info.height !== picture.height;
    return this.documentOf(changed ? withWarning(info, 'changedSinceSaved') : info, file, project);
  }

  private documentOf(image: ImageInfo, file: string | null, { stack, picture }: Project): OpenedDocument {
    this.parts.documents.add(image.id, { projectFile: file, embedded: picture?.embedded !== undefined, stack });
    return { kind: 'document', image, stack, project: file === null ? null : path.basename(file), unsaved: false };
  }

  /** Whether a picture that is open comes of the same bytes as another one. */
  private isSameFile(imageId: number, other: OriginalFile): Promise<boolean> {
    return this.parts.pictures.use(
      imageId,
      async ({ original }) => original !== null && (await original.sha256) === (await other.sha256),
    );
  }

  private plainDocument(image: ImageInfo): OpenedDocument {
    this.parts.documents.add(image.id, { projectFile: null, embedded: false, stack: [] });
    return { kind: 'document', image, stack: [], project: null, unsaved: false };
  }

  private async openPicture(file: string, page: number): Promise<OpenedDocument> {
    return this.plainDocument(await this.addFile(file, page));
  }

  /** Reads and opens a file; once more where the codec's thread died of itself and took the bytes with it. */
  private async addFile(file: string, page = 1): Promise<ImageInfo> {
    const once = async () => {
      const bytes = await readPictureFile(file, requirePicture);
      const origin = { name: path.basename(file), format: '', folder: path.dirname(file) };
      return this.decode(bytes, origin, bytes.length, { kind: 'file', path: file }, page);
    };
    try {
      return await once();
    } catch (thrown) {
      const { code, subject } = failureOf(thrown);
      if (code !== 'internal' || subject !== codecThread) throw thrown;
      return once();
    }
  }

  /** Opens bytes that are in no file of the person's; they are kept, for projects. */
  private addBytes(
    bytes: Uint8Array<ArrayBuffer>,
    origin: Origin,
    fileBytes = bytes.length,
    page = 1,
  ): Promise<ImageInfo> {
    return this.decode(bytes, origin, fileBytes, { kind: 'memory', bytes: bytes.slice() }, page);
  }

  private async decode(
    bytes: Uint8Array<ArrayBuffer>,
    origin: Origin,
    fileBytes: number,
    source: PictureSource,
    page: number,
  ): Promise<ImageInfo> {
    const { codec, pictures, decodeLimits } = this.parts;
    // Before the codec, which may take the bytes with it.
    const sha256 = bytesHash(bytes);
    sha256.catch(() => undefined);
    const decoded = await codec.decode(bytes, origin.name, decodeLimits, page);
    const format = origin.format || decoded.format;
    return pictures.add(decoded, { ...origin, format, fileBytes, original: { source, sha256 } });
  }
}
