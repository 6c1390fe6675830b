// Projects as the page meets them: saved, opened again, embedded, without their picture; and work that outlives a crash.

import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../core/errors';
import type { OpenedDocument } from '../../../core/ipc';
import { directCodec } from '../../../main/codec/directCodec';
import { createHandlers } from '../../../main/handlers';
import { OpenPictures } from '../../../main/images';
import { KernelLibraryFolder } from '../../../main/kernelLibrary';
import { LibraryThread } from '../../../main/libraryThread';
import { Opener } from '../../../main/opener';
import { Documents } from '../../../main/projects/documents';
import { readProjectFile } from '../../../main/projects/projectFile';
import { RecoveryFolder } from '../../../main/projects/recovery';
import { Renderer } from '../../../main/render';
import { SettingsFile } from '../../../main/settings';
import { FakeEngine } from './fakeEngine';
import { fixturePath, fixturesFolder } from './fixtures';
import { gaussian } from './pictures';

let folder: string;
let photo: string;
const at = (...parts: readonly string[]) => path.join(folder, ...parts);
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-projects-'));
  await mkdir(at('photos'));
  photo = at('photos', 'a.png');
  await copyFile(fixturePath('png/rgb8.png'), photo);
});
afterEach(() => rm(folder, { recursive: true }));

/** A program that starts, with what an earlier one has left; `opens` and `saves` are what the person chooses next. */
async function start() {
  const engine = new FakeEngine();
  const settings = await SettingsFile.open(at('user', 'settings.json'));
  const pictures = new OpenPictures(engine);
  const documents = new Documents(pictures);
  const recovery = new RecoveryFolder(at('user', 'recovery'), randomUUID());
  await recovery.look();
  const person = { opens: null as string | null, saves: null as string | null, asked: [] as string[], closed: 0 };
  const desktop = {
    chooseFileToOpen: async () => person.opens,
    chooseExportTarget: async () => null,
    chooseKernelFile: async () => null,
    chooseBatchFiles: async () => null,
    chooseFolder: async () => null,
    chooseProjectTarget: async (suggestion: string) => {
      person.asked.push(suggestion);
      return person.saves;
    },
    readClipboard: async () => ({ kind: 'image' as const, png: new Uint8Array(await readFile(photo)) }),
    writeClipboard: async () => undefined,
    readClipboardText: async () => '',
    chooseFileTarget: async () => null,
    announce: () => undefined,
    picturesFolder: at('pictures'),
    noteRecentFile: () => undefined,
    settingsChanged: () => undefined,
    closeWindow: () => {
      person.closed += 1;
    },
  };
  const samplesFolder = path.resolve(fixturesFolder, '..', '..', 'samples');
  const environment = { version: '1', platform: 'linux', systemLocale: 'en', samplesFolder };
  const opener = new Opener({ codec: directCodec, pictures, documents, settings, environment, desktop });
  const renderer = new Renderer(engine, () => 'cpu');
  const library = new KernelLibraryFolder(at('user', 'kernels'), new LibraryThread(''));
  const parts = {
    library,
    codec: directCodec,
    pictures,
    documents,
    recovery,
    opener,
    renderer,
    settings,
    desktop,
    environment,
  };
  const { handlers } = createHandlers(parts);
  const open = async (file: string) => {
    const opened = await handlers['image:openDropped']({ path: file });
    if (opened.kind !== 'document') throw new Error('its picture is missing');
    return opened;
  };
  const state = () => handlers['app:state'](undefined);
  return { handlers, person, open, state };
}

const stack = [gaussian(2.5)];
const recoveryFiles = () => readdir(at('user', 'recovery')).catch(() => []);
const idOf = ({ image }: OpenedDocument) => image.id;

describe('saving a project', () => {
  it('asks beside the picture the first time, writes the file, and then writes it again unasked', async () => {
    const { handlers, person, open } = await start();
    const imageId = idOf(await open(photo));
    person.saves = at('look');
    expect(await handlers['project:save']({ imageId, stack, mode: 'save' })).toEqual({ project: 'look.convolve' });
    expect(person.asked).toEqual([at('photos', 'a.convolve')]);
    const written = await readProjectFile(at('look.convolve'));
    expect(written).toMatchObject({ stack, picture: { name: 'a.png', path: photo, relativePath: 'photos/a.png' } });
    expect(written.picture?.embedded).toBeUndefined();
    await handlers['project:save']({ imageId, stack: [], mode: 'save' });
    expect(person.asked).toHaveLength(1);
    expect((await readProjectFile(at('look.convolve'))).stack).toEqual([]);
  });

  it('does nothing when the person cancels, and asks again for another file', async () => {
    const { handlers, person, open } = await start();
    const imageId = idOf(await open(photo));
    expect(await handlers['project:save']({ imageId, stack, mode: 'save' })).toBeNull();
    person.saves = at('one.convolve');
    await handlers['project:save']({ imageId, stack, mode: 'save' });
    person.saves = at('two.convolve');
    await handlers['project:save']({ imageId, stack, mode: 'saveAs' });
    expect(person.asked.at(-1)).toBe(at('one.convolve'));
    expect((await readdir(folder)).filter((name) => name.endsWith('.convolve'))).toEqual([
      'one.convolve',
      'two.convolve',
    ]);
  });

  it('can hold the picture, which then needs no file', async () => {
    const first = await start();
    first.person.saves = at('look.convolve');
    const imageId = idOf(await first.open(photo));
    await first.handlers['project:save']({ imageId, stack, mode: 'saveEmbedded' });
    // Further saves keep it there.
    await first.handlers['project:save']({ imageId, stack: [], mode: 'save' });
    await rm(photo);
    const second = await start();
    const opened = await second.open(at('look.convolve'));
    expect(opened).toMatchObject({ project: 'look.convolve', stack: [], image: { name: 'a.png', width: 64 } });
  });

  it('holds a picture of the clipboard or a sample always', async () => {
    const { handlers, person } = await start();
    person.saves = at('look.convolve');
    const opened = await handlers['image:paste'](undefined);
    if (opened.kind !== 'document') throw new Error('no picture');
    await handlers['project:save']({ imageId: opened.image.id, stack, mode: 'save' });
    const { picture } = await readProjectFile(at('look.convolve'));
    expect(Buffer.from(picture?.embedded ?? '', 'base64').equals(await readFile(photo))).toBe(true);
    expect(picture).toMatchObject({ path: null, relativePath: null });
  });

  it('refuses to embed a picture that is no longer the one that was opened', async () => {
    const { handlers, person, open } = await start();
    const imageId = idOf(await open(photo));
    await copyFile(fixturePath('png/rgba8.png'), photo);
    person.saves = at('look.convolve');
    const outcome = await handlers['project:save']({ imageId, stack, mode: 'saveEmbedded' }).catch(failureOf);
    expect(outcome).toEqual({ code: 'pictureChanged', subject: 'look.convolve', actual: 'a.png' });
    expect(await readdir(folder)).not.toContain('look.convolve');
  });
});

describe('a file of several pages', () => {
  const pagesFile = () => at('photos', 'pages.tif');
  const openPage = async ({ handlers, open }: Awaited<ReturnType<typeof start>>, page: number) => {
    const imageId = idOf(await open(pagesFile()));
    return handlers['image:openPage']({ imageId, page, stack });
  };
  beforeEach(() => copyFile(fixturePath('tiff/multipage_3.tif'), pagesFile()));

  it('opens with its first one, and says how many there are', async () => {
    const { open } = await start();
    const { image } = await open(pagesFile());
    expect(image).toMatchObject({ page: 1, pages: 3, width: 64, height: 48 });
    expect(image.warnings).toEqual([{ kind: 'onePageOnly', page: 1, pages: 3 }]);
  });

  it('opens another with the filters that are there, among the recent files too', async () => {
    const program = await start();
    const opened = await openPage(program, 2);
    expect(opened).toMatchObject({ stack, project: null, image: { page: 2, pages: 3, width: 32, height: 80 } });
    expect((await program.state()).recentFiles[0]).toEqual({ path: pagesFile(), page: 2 });
    const again = await program.handlers['image:openRecent']({ index: 0 });
    expect(again).toMatchObject({ image: { page: 2, width: 32 } });
  });

  it('keeps the page in its project, and after a crash', async () => {
    const first = await start();
    const { image } = await openPage(first, 3);
    await first.handlers['document:keep']({ imageId: image.id, stack, unsaved: true });
    const second = await start();
    const { documents } = await second.handlers['recovery:restore'](undefined);
    expect(documents[0]).toMatchObject({ image: { page: 3, width: 100, height: 20 } });
    second.person.saves = at('look.convolve');
    const opened = await openPage(second, 3);
    await second.handlers['project:save']({ imageId: idOf(opened), stack, mode: 'saveEmbedded' });
    const project = await (await start()).open(at('look.convolve'));
    expect(project).toMatchObject({ image: { page: 3, width: 100, height: 20 }, unsaved: false });
    const other = await second.handlers['image:openPage']({ imageId: idOf(opened), page: 1, stack });
    expect(other).toMatchObject({ project: 'look.convolve', unsaved: true });
  });

  it('shows its pages small, those that cannot be read not at all', async () => {
    const { handlers, open } = await start();
    const imageId = idOf(await open(pagesFile()));
    const pictures = await handlers['image:pageThumbnails']({ imageId, first: 2, count: 12 });
    const sizes = await Promise.all(pictures.map(async (png) => sharp(png!).metadata()));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [32, 80],
      [100, 20],
    ]);
    await copyFile(fixturePath('corrupt/tiff_truncated.tif'), pagesFile());
    expect(await handlers['image:pageThumbnails']({ imageId, first: 2, count: 1 })).toEqual([null]);
  });

  it('refuses a page that it has not', async () => {
    const outcome = await openPage(await start(), 4).catch(failureOf);
    expect(outcome).toMatchObject({ code: 'invalidArgument', subject: 'pages.tif', expected: 'a page of 1…3' });
  });
});

describe('opening a project', () => {
  async function saved() {
    const { handlers, person, open } = await start();
    person.saves = at('look.convolve');
    await handlers['project:save']({ imageId: idOf(await open(photo)), stack, mode: 'save' });
  }

  it('brings its filters back, and stands among the recent files', async () => {
    await saved();
    const { open, state } = await start();
    expect(await open(at('look.convolve'))).toMatchObject({ project: 'look.convolve', stack, unsaved: false });
    expect((await state()).recentFiles[0]?.path).toBe(at('look.convolve'));
  });

  it('finds a picture that was renamed beside the project', async () => {
    await saved();
    await rename(photo, at('other name.png'));
    const { open } = await start();
    expect((await open(at('look.convolve'))).image).toMatchObject({ name: 'other name.png', warnings: [] });
  });

  it('says that the picture has changed', async () => {
    await saved();
    await copyFile(fixturePath('png/rgba8.png'), photo);
    const { open } = await start();
    expect((await open(at('look.convolve'))).image.warnings).toEqual([{ kind: 'changedSinceSaved' }]);
  });

  it('asks for a picture that is gone, and takes the one that is shown', async () => {
    await saved();
    await mkdir(at('away'));
    await rename(photo, at('away', 'elsewhere.png'));
    const { handlers, person } = await start();
    expect(await handlers['image:openDropped']({ path: at('look.convolve') })).toEqual({
      kind: 'pictureMissing',
      id: 1,
      project: 'look.convolve',
      picture: 'a.png',
    });
    expect(await handlers['project:findPicture']({ id: 1 })).toBeNull();
    person.opens = at('away', 'elsewhere.png');
    expect(await handlers['project:findPicture']({ id: 1 })).toMatchObject({
      kind: 'document',
      project: 'look.convolve',
      stack,
      image: { name: 'elsewhere.png', warnings: [] },
    });
  });
});

describe('work that no file holds', () => {
  it('is kept, offered at the next start, and restored as unsaved', async () => {
    const first = await start();
    const opened = await first.open(photo);
    await first.handlers['document:keep']({ imageId: idOf(opened), stack, unsaved: true });
    // No end: the program was killed.
    const second = await start();
    expect((await second.state()).recoverable).toMatchObject([{ name: 'a.png', filters: 1 }]);
    const { documents, failures } = await second.handlers['recovery:restore'](undefined);
    expect(failures).toEqual([]);
    expect(documents).toMatchObject([{ stack, unsaved: true, project: null, image: { name: 'a.png' } }]);
    expect((await second.state()).recoverable).toEqual([]);
    // Killed again at once: it is still there.
    expect((await (await start()).state()).recoverable).toMatchObject([{ name: 'a.png', filters: 1 }]);
  });

  it('on a picture of the clipboard is kept with the picture', async () => {
    const first = await start();
    const opened = await first.handlers['image:paste'](undefined);
    if (opened.kind !== 'document') throw new Error('no picture');
    await first.handlers['document:keep']({ imageId: opened.image.id, stack, unsaved: true });
    const second = await start();
    const { documents } = await second.handlers['recovery:restore'](undefined);
    expect(documents).toMatchObject([{ stack, image: { name: 'Clipboard', width: 64 } }]);
  });

  it('of a project is saved to it again', async () => {
    const first = await start();
    first.person.saves = at('look.convolve');
    const imageId = idOf(await first.open(photo));
    await first.handlers['project:save']({ imageId, stack: [], mode: 'save' });
    await first.handlers['document:keep']({ imageId, stack, unsaved: true });
    const second = await start();
    const { documents } = await second.handlers['recovery:restore'](undefined);
    expect(documents).toMatchObject([{ project: 'look.convolve', unsaved: true }]);
    await second.handlers['project:save']({ imageId: documents[0]?.image.id ?? 0, stack, mode: 'save' });
    expect((await readProjectFile(at('look.convolve'))).stack).toEqual(stack);
  });

  it('is no longer kept once it is saved, given up, or closed with the window', async () => {
    const { handlers, person, open } = await start();
    person.saves = at('look.convolve');
    const imageId = idOf(await open(photo));
    const keep = (unsaved: boolean) => handlers['document:keep']({ imageId, stack, unsaved });
    const ends: (() => Promise<unknown>)[] = [
      () => handlers['project:save']({ imageId, stack, mode: 'save' }),
      () => keep(false),
      () => handlers['window:close'](undefined),
      () => handlers['image:close']({ imageId }),
    ];
    for (const end of ends) {
      await keep(true);
      expect(await recoveryFiles()).toHaveLength(1);
      await end();
      expect(await recoveryFiles()).toEqual([]);
    }
    expect(person.closed).toBe(1);
  });

  it('whose picture is gone is said, and offered again', async () => {
    const first = await start();
    await first.handlers['document:keep']({ imageId: idOf(await first.open(photo)), stack, unsaved: true });
    await rm(photo);
    const second = await start();
    const { documents, missing, failures } = await second.handlers['recovery:restore'](undefined);
    expect([documents, failures]).toEqual([[], []]);
    expect(missing).toEqual([{ kind: 'pictureMissing', id: 1, project: 'a.png', picture: 'a.png' }]);
    expect((await second.state()).recoverable).toHaveLength(1);
    await second.handlers['recovery:discard'](undefined);
    expect(await recoveryFiles()).toEqual([]);
  });

  it('whose picture has another name in its folder is found by its hash', async () => {
    const first = await start();
    await first.handlers['document:keep']({ imageId: idOf(await first.open(photo)), stack, unsaved: true });
    await rename(photo, path.join(path.dirname(photo), 'renamed.png'));
    const second = await start();
    const { documents, missing } = await second.handlers['recovery:restore'](undefined);
    expect(missing).toEqual([]);
    expect(documents).toMatchObject([{ image: { name: 'renamed.png', warnings: [] }, stack, unsaved: true }]);
  });

  it('goes on as unsaved once its picture is shown, and is kept until then', async () => {
    const first = await start();
    await first.handlers['document:keep']({ imageId: idOf(await first.open(photo)), stack, unsaved: true });
    await mkdir(at('elsewhere'), { recursive: true });
    await rename(photo, at('elsewhere', 'b.png'));
    const kept = await recoveryFiles();
    const second = await start();
    await second.handlers['recovery:restore'](undefined);
    expect(await second.handlers['project:findPicture']({ id: 1 })).toBeNull();
    expect(await recoveryFiles()).toEqual(kept);
    second.person.opens = at('elsewhere', 'b.png');
    expect(await second.handlers['project:findPicture']({ id: 1 })).toMatchObject({ stack, unsaved: true });
    // Under a name of this program now.
    expect(await recoveryFiles()).toHaveLength(1);
    expect(await recoveryFiles()).not.toEqual(kept);
    expect((await second.state()).recoverable).toEqual([]);
  });

  it('in a file that is damaged does not keep the program from starting', async () => {
    await mkdir(at('user', 'recovery'), { recursive: true });
    await writeFile(at('user', 'recovery', 'x.json'), '{"format": "convolve-recovery", "ver');
    expect((await (await start()).state()).recoverable).toEqual([]);
    expect(await recoveryFiles()).toEqual(['x.json']);
  });
});
