// The handlers as the page meets them, over real files and the real codec, with a desktop that answers as a person would.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConvolveError, type Failure } from '../../../core/errors';
import { standardExport } from '../../../core/exportOptions';
import {
  type Announcement,
  type Channel,
  type ChannelArgument,
  type OpenedDocument,
  standardSettings,
} from '../../../core/ipc';
import { createKernel } from '../../../core/kernel';
import type { KernelLibrary } from '../../../core/kernelLibrary';
import { directCodec } from '../../../main/codec/directCodec';
import { answer } from '../../../main/door';
import { exportTarget } from '../../../main/exportHandlers';
import { type ClipboardPicture, createHandlers, type Desktop, type HandlerParts } from '../../../main/handlers';
import { OpenPictures } from '../../../main/images';
import { KernelLibraryFolder } from '../../../main/kernelLibrary';
import { LibraryThread } from '../../../main/libraryThread';
import { Opener } from '../../../main/opener';
import { Documents } from '../../../main/projects/documents';
import { RecoveryFolder } from '../../../main/projects/recovery';
import { Renderer } from '../../../main/render';
import { SettingsFile } from '../../../main/settings';
import { FakeEngine } from './fakeEngine';
import { fixturePath, fixturesFolder } from './fixtures';
import { gaussian } from './pictures';

const samplesFolder = path.resolve(fixturesFolder, '..', '..', 'samples');
const png = standardExport;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-handlers-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A person at the desktop: what they choose in the next dialog, and what they were told. */
class Person implements Desktop {
  opens: string | null = null;
  exportsTo: string | null = null;
  clipboard: ClipboardPicture | null = null;
  readonly suggestions: string[] = [];
  readonly told: { readonly announcement: Announcement; readonly value: unknown }[] = [];
  readonly noted: string[] = [];
  themes: string[] = [];
  readonly picturesFolder = '/pictures';
  whenTold: (announcement: Announcement) => void = () => {};

  chooseFileToOpen = async () => this.opens;
  chooseExportTarget = async (suggestion: string) => {
    this.suggestions.push(suggestion);
    return this.exportsTo;
  };
  savesTo: string | null = null;
  windowsClosed = 0;
  chooseProjectTarget = async (suggestion: string) => {
    this.suggestions.push(suggestion);
    return this.savesTo;
  };
  closeWindow = () => {
    this.windowsClosed += 1;
  };
  batchFiles: readonly string[] | null = null;
  folders: string[] = [];
  chooseBatchFiles = async () => this.batchFiles;
  chooseFolder = async () => this.folders.shift() ?? null;
  chooseKernelFile = async (way: 'open' | 'save') => (way === 'open' ? this.opens : this.exportsTo);
  readClipboard = async () => this.clipboard;
  chooseFileTarget = async (suggestion: string) => {
    this.suggestions.push(suggestion);
    return this.savesTo;
  };
  readonly copied: string[] = [];
  readClipboardText = async () => this.copied.at(-1) ?? '';
  writeClipboard = async (text: string) => {
    this.copied.push(text);
  };
  announce: Desktop['announce'] = (announcement, value) => {
    this.told.push({ announcement, value });
    this.whenTold(announcement);
  };
  noteRecentFile = (file: string) => {
    this.noted.push(file);
  };
  settingsChanged: Desktop['settingsChanged'] = ({ theme }) => {
    this.themes.push(theme);
  };
}

async function setUp(more: Partial<HandlerParts> & { readonly startupFile?: string } = {}) {
  const engine = new FakeEngine();
  const settings = await SettingsFile.open(path.join(folder, 'user', 'settings.json'));
  const pictures = new OpenPictures(engine);
  const person = new Person();
  const documents = new Documents(pictures);
  const recovery = new RecoveryFolder(path.join(folder, 'user', 'recovery'), randomUUID());
  await recovery.look();
  const environment = { version: '1.2.3', platform: 'linux', systemLocale: 'en-GB', samplesFolder };
  const codec = more.codec ?? directCodec;
  const opener = new Opener({
    ...{ codec, pictures, documents, settings: more.settings ?? settings, environment, desktop: person },
  });
  const parts: HandlerParts = {
    codec,
    pictures,
    documents,
    recovery,
    opener,
    renderer: new Renderer(engine, () => settings.settings.backend),
    settings,
    library: new KernelLibraryFolder(path.join(folder, 'user', 'kernels'), new LibraryThread('')),
    desktop: person,
    environment,
    ...(more.startupFile === undefined ? {} : { startup: opener.openFile(more.startupFile) }),
    ...more,
  };
  const { handlers, stopExports } = createHandlers(parts);
  const call = async <C extends Channel>(channel: C, argument: ChannelArgument<C>) =>
    answer(handlers, channel, argument);
  const value = async <C extends Channel>(channel: C, argument: ChannelArgument<C>) => {
    const outcome = await call(channel, argument);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
    return outcome.value;
  };
  const failure = async <C extends Channel>(channel: C, argument: ChannelArgument<C>): Promise<Failure> => {
    const outcome = await call(channel, argument);
    if (outcome.ok) throw new Error(`expected a failure, got ${JSON.stringify(outcome.value)}`);
    return outcome.failure;
  };
  return { engine, settings, pictures, documents, recovery, person, parts, value, failure, stopExports };
}

const photo = fixturePath('photos/rocket_640x427.jpg');

describe('settings that cannot be stored', () => {
  it('hold until the program ends, and it is said', async () => {
    await writeFile(path.join(folder, 'taken'), '');
    const settings = await SettingsFile.open(path.join(folder, 'taken', 'settings.json'));
    const { person, value, failure } = await setUp({ settings });
    expect(await failure('settings:change', { theme: 'dark' })).toMatchObject({ code: 'targetFolderMissing' });
    expect(person.themes).toEqual(['dark']);
    expect(person.told).toMatchObject([{ announcement: 'settings:changed', value: { theme: 'dark' } }]);
    expect(await value('app:state', undefined)).toMatchObject({ settings: { theme: 'dark' } });
  });
});

describe('a large file that is no picture', () => {
  it('is refused before it is read', async () => {
    const film = path.join(folder, 'film.png');
    await writeFile(film, '');
    // A hole takes no room on the disk, but would take 1.9 GB of memory.
    await truncate(film, 1_900_000_000);
    const { failure } = await setUp();
    expect(await failure('image:openDropped', { path: film })).toEqual({ code: 'fileNotAnImage', subject: 'film.png' });
  });
});

describe('the state', () => {
  it('says who we are, what there is and what is open', async () => {
    const { value } = await setUp();
    expect(await value('app:state', undefined)).toMatchObject({
      version: '1.2.3',
      systemLocale: 'en-GB',
      samples: ['kitten', 'canyon', 'motherboard'],
      recentFiles: [],
      opened: [],
      recoverable: [],
    });
  });

  it('has the picture of the command line, and after a reload all that is open', async () => {
    const { value, person } = await setUp({ startupFile: photo });
    // The page shows itself before the picture is there.
    expect(await value('app:state', undefined)).toMatchObject({ starting: true, opened: [] });
    expect(await value('image:openStartup', undefined)).toMatchObject({ image: { name: 'rocket_640x427.jpg' } });
    expect(await value('image:openStartup', undefined)).toBeNull();
    person.opens = fixturePath('png/rgb8.png');
    await value('image:openDialog', undefined);
    await value('document:keep', { imageId: 2, stack: [gaussian(2)], unsaved: true });
    expect(await value('app:state', undefined)).toMatchObject({
      starting: false,
      opened: [
        { image: { name: 'rocket_640x427.jpg' }, stack: [], unsaved: false },
        { image: { name: 'rgb8.png' }, stack: [gaussian(2)], unsaved: true },
      ],
    });
  });

  it('tells of a file of the command line that did not open, once', async () => {
    const failed: Failure = { code: 'fileNotFound', subject: 'gone.jpg' };
    const { value, failure } = await setUp({ startup: Promise.resolve(failed) });
    expect(await failure('image:openStartup', undefined)).toEqual(failed);
    expect(await value('image:openStartup', undefined)).toBeNull();
    expect(await value('app:state', undefined)).toMatchObject({ starting: false, opened: [] });
  });
});

describe('opening', () => {
  it('by dialog gives the picture, or null when the person cancels', async () => {
    const { value, person } = await setUp();
    expect(await value('image:openDialog', undefined)).toBeNull();
    person.opens = photo;
    expect(await value('image:openDialog', undefined)).toMatchObject({
      kind: 'document',
      image: {
        id: 1,
        name: 'rocket_640x427.jpg',
        width: 640,
        height: 427,
        channels: 3,
        sampleType: 'u8',
        format: 'jpeg',
        fileBytes: 112525,
      },
      stack: [],
      project: null,
    });
    expect(person.noted).toEqual([photo]);
  });

  it('gives the bytes of a file that holds a kernel, which is no recent picture', async () => {
    const file = path.join(folder, 'mine.csv');
    await writeFile(file, '1,2,1\n');
    const { value } = await setUp();
    expect(await value('image:openDropped', { path: file })).toEqual({
      kind: 'kernel',
      name: 'mine.csv',
      bytes: await readFile(file),
    });
    expect(await value('app:state', undefined)).toMatchObject({ recentFiles: [] });
  });
  it('by drop, sample and recent file', async () => {
    const { value } = await setUp();
    await value('image:openDropped', { path: photo });
    expect(await value('image:openSample', { name: 'kitten' })).toMatchObject({
      image: { id: 2, width: 1600, height: 1083 },
    });
    expect(await value('app:state', undefined)).toMatchObject({ recentFiles: [{ path: photo, page: 1 }] });
    expect(await value('image:openRecent', { index: 0 })).toMatchObject({
      image: { id: 3, name: 'rocket_640x427.jpg' },
    });
  });

  it('by paste: a copied file, a copied image, or nothing', async () => {
    const { value, failure, person } = await setUp();
    expect(await failure('image:paste', undefined)).toEqual({ code: 'clipboardEmpty' });
    person.clipboard = { kind: 'file', path: photo };
    expect(await value('image:paste', undefined)).toMatchObject({
      image: { name: 'rocket_640x427.jpg', format: 'jpeg' },
    });
    person.clipboard = { kind: 'image', png: new Uint8Array(await readFile(fixturePath('png/rgba8.png'))) };
    expect(await value('image:paste', undefined)).toMatchObject({
      image: { name: 'Clipboard', format: 'clipboard', fileBytes: 0 },
    });
  });

  it('fails by name and leaves what is open as it was', async () => {
    const { value, failure, pictures } = await setUp();
    await value('image:openDropped', { path: photo });
    expect(await failure('image:openDropped', { path: fixturePath('corrupt/text_named.png') })).toEqual({
      code: 'fileNotAnImage',
      subject: 'text_named.png',
    });
    expect(await failure('image:openDropped', { path: fixturePath('names') })).toEqual({
      code: 'fileIsFolder',
      subject: 'names',
    });
    expect(await failure('image:openSample', { name: '../LICENSE' })).toMatchObject({ code: 'invalidArgument' });
    expect(pictures.ids()).toEqual([1]);
  });

  it('forgets a recent file that has gone', async () => {
    const { value, failure } = await setUp();
    const copy = path.join(folder, 'copy.jpg');
    await copyFile(photo, copy);
    await value('image:openDropped', { path: copy });
    await rm(copy);
    expect(await failure('image:openRecent', { index: 0 })).toEqual({ code: 'fileNotFound', subject: 'copy.jpg' });
    expect(await value('app:state', undefined)).toMatchObject({ recentFiles: [] });
    expect(await failure('image:openRecent', { index: 0 })).toMatchObject({ code: 'invalidArgument' });
  });

  const { names } = JSON.parse(readFileSync(fixturePath('names/names.json'), 'utf8')) as {
    names: readonly { name: string; why: string }[];
  };
  for (const { name, why } of names)
    it(`copes with ${why}: ${JSON.stringify(name)}`, async () => {
      const { value, person } = await setUp();
      const file = path.join(folder, name);
      await copyFile(fixturePath('names/UPPER.PNG'), file);
      const { image: info } = (await value('image:openDropped', { path: file })) as OpenedDocument;
      expect(info.name).toBe(name);
      person.exportsTo = path.join(folder, `out ${name}`);
      const result = await value('image:export', { imageId: info.id, stack: [], options: png });
      expect(result).toMatchObject({ fileName: `out ${name}` });
      expect((await readdir(folder)).sort()).toEqual([name, `out ${name}`, 'user'].sort());
    });

  it('once more where the codec died under the work, and says so where it dies again', async () => {
    let deaths = 0;
    const dying = (times: number): HandlerParts['codec'] => ({
      ...directCodec,
      decode: (bytes, name, limits) => {
        if (deaths >= times) return directCodec.decode(bytes, name, limits);
        deaths += 1;
        return Promise.reject(new ConvolveError({ code: 'internal', subject: 'codec', actual: 'out of bounds' }));
      },
    });
    const { value } = await setUp({ codec: dying(1) });
    expect(await value('image:openDropped', { path: photo })).toMatchObject({ image: { width: 640 } });
    deaths = 0;
    const { failure } = await setUp({ codec: dying(2) });
    expect(await failure('image:openDropped', { path: photo })).toMatchObject({ code: 'internal', subject: 'codec' });
    expect(deaths).toBe(2);
  });

  it('closes pictures and their memory', async () => {
    const { value, failure, pictures, engine } = await setUp();
    await value('image:openDropped', { path: photo });
    expect(await pictures.bytes()).toBe(640 * 427 * 3);
    await value('image:close', { imageId: 1 });
    await value('image:close', { imageId: 1 });
    expect(await pictures.bytes()).toBe(0);
    expect(engine.released).toBe(1);
    expect(await failure('pixel:inspect', { imageId: 1, stack: [], x: 0, y: 0 })).toMatchObject({
      code: 'imageUnknown',
    });
  });
});

describe('the kernel library', () => {
  const kernel = createKernel(3, 1, [1, 2, 1]);
  it('is saved, carried by one file and read again', async () => {
    const { value, person } = await setUp();
    await value('library:save', { id: null, content: { name: 'soft', tags: ['blur'], kernel } });
    expect(await value('library:export', { ids: null })).toBeNull();
    person.exportsTo = path.join(folder, 'mine.json');
    expect(await value('library:export', { ids: null })).toEqual({ file: 'mine.json', count: 1 });
    person.opens = person.exportsTo;
    expect(await value('library:import', undefined)).toEqual({ added: 0, known: 1, refused: [] });
    const { entries, setAside, newer } = (await value('library:read', undefined)) as KernelLibrary;
    expect([entries.length, setAside, newer]).toEqual([1, [], []]);
    const ids = ['00000000-0000-4000-8000-000000000000', ...entries.map(({ id }) => id)];
    expect(await value('library:entries', { ids })).toMatchObject({ entries: [{ name: 'soft', kernel }], looked: 2 });
  });
});

describe('a picture for a kernel', () => {
  it('comes with its own values, and is no open picture', async () => {
    const { value, person, pictures } = await setUp();
    expect(await value('kernel:openPicture', undefined)).toBeNull();
    const file = path.join(folder, 'star.png');
    await sharp(Buffer.from([0, 0, 7, 255]), { raw: { width: 2, height: 2, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toFile(file);
    person.opens = file;
    expect(await value('kernel:openPicture', undefined)).toEqual({
      name: 'star.png',
      width: 2,
      height: 2,
      channels: 1,
      alpha: false,
      sampleType: 'u8',
      samples: Float32Array.of(0, 0, 7, 255),
    });
    expect(pictures.ids()).toEqual([]);
  });
  it('is refused by name where it is larger than a kernel may be, or no picture', async () => {
    const { failure, person } = await setUp();
    person.opens = photo;
    expect(await failure('kernel:openPicture', undefined)).toMatchObject({
      code: 'imageTooLarge',
      expected: 'at most 511 × 511 pixels',
      actual: '640 × 427 pixels',
    });
    person.opens = fixturePath('corrupt/text_named.png');
    expect(await failure('kernel:openPicture', undefined)).toMatchObject({ code: 'fileNotAnImage' });
  });
});

describe('exporting', () => {
  it('asks beside the source, writes the file, and tells the progress up to the end', async () => {
    const { value, person } = await setUp();
    await value('image:openDropped', { path: photo });
    person.exportsTo = path.join(folder, 'out.png');
    const result = await value('image:export', { imageId: 1, stack: [gaussian(2)], options: png });
    expect(person.suggestions).toEqual([path.join(path.dirname(photo), 'rocket_640x427-convolved.png')]);
    expect(result).toMatchObject({ width: 640, height: 427, fileName: 'out.png' });
    const metadata = await sharp(path.join(folder, 'out.png')).metadata();
    expect([metadata.format, metadata.width, metadata.height]).toEqual(['png', 640, 427]);
    const shares = person.told
      .filter(({ announcement }) => announcement === 'export:progress')
      .map(({ value: told }) => (told as { share: number }).share);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('starts in the pictures folder for a sample, and does nothing when the person cancels', async () => {
    const { value, person, engine } = await setUp();
    await value('image:openSample', { name: 'kitten' });
    expect(await value('image:export', { imageId: 1, stack: [], options: { ...png, format: 'jpeg' } })).toBeNull();
    expect(person.suggestions).toEqual(['/pictures/kitten-convolved.jpg']);
    expect(engine.runs).toEqual([]);
  });

  it('replaces another file, whole, but never the picture that it is made from, by whichever name', async () => {
    const { value, failure, person } = await setUp();
    const file = path.join(folder, 'photo.png');
    await copyFile(fixturePath('photos/chelsea_451x300.png'), file);
    await symlink(file, path.join(folder, 'link.png'));
    await writeFile(path.join(folder, 'old.png'), 'old');
    await value('image:openDropped', { path: file });
    for (const name of ['photo.png', 'link.png']) {
      person.exportsTo = path.join(folder, name);
      expect(await failure('image:export', { imageId: 1, stack: [], options: png })).toEqual({
        code: 'targetUnwritable',
        subject: name,
        actual: 'the export is made from this picture',
      });
    }
    expect((await readFile(file)).equals(await readFile(fixturePath('photos/chelsea_451x300.png')))).toBe(true);
    person.exportsTo = path.join(folder, 'old.png');
    await value('image:export', { imageId: 1, stack: [], options: png });
    const source = await sharp(fixturePath('photos/chelsea_451x300.png')).raw().toBuffer();
    expect((await sharp(path.join(folder, 'old.png')).raw().toBuffer()).equals(source)).toBe(true);
  });

  it('names the folder that has gone, before any work, and the format that is too small', async () => {
    const { value, failure, person, engine } = await setUp();
    await value('image:openDropped', { path: photo });
    person.exportsTo = path.join(folder, 'gone', 'out.png');
    expect(await failure('image:export', { imageId: 1, stack: [], options: png })).toEqual({
      code: 'targetFolderMissing',
      subject: path.join(folder, 'gone'),
    });
    expect(engine.runs).toEqual([]);
    await value('image:openDropped', { path: fixturePath('sizes/16385x16.png') });
    person.exportsTo = path.join(folder, 'out.webp');
    expect(await failure('image:export', { imageId: 2, stack: [], options: { ...png, format: 'webp' } })).toMatchObject(
      {
        code: 'imageTooLarge',
        expected: 'at most 16383 pixels wide and high for WebP',
      },
    );
  });

  it('stops when cancelled, with the old file as it was and nothing beside it', async () => {
    const { value, failure, person, engine } = await setUp();
    await value('image:openSample', { name: 'kitten' });
    const target = path.join(folder, 'out.png');
    await writeFile(target, 'old');
    person.exportsTo = target;
    engine.hold();
    const outcome = failure('image:export', { imageId: 1, stack: [gaussian(2)], options: png });
    while (engine.waiting === 0) await new Promise(setImmediate);
    await value('image:cancelExport', undefined);
    expect(await outcome).toMatchObject({ code: 'cancelled' });
    expect(await readFile(target, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['out.png']);
  });

  it('stops in the encoder too', async () => {
    const { value, failure, person } = await setUp();
    await value('image:openSample', { name: 'kitten' });
    person.exportsTo = path.join(folder, 'out.png');
    // The last band is computed when six tenths are done; what follows is the encoder.
    person.whenTold = () => {
      const told = person.told.at(-1)?.value as { share: number };
      if (told.share > 0.59) void value('image:cancelExport', undefined);
    };
    expect(await failure('image:export', { imageId: 1, stack: [], options: png })).toMatchObject({ code: 'cancelled' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends before the program does', async () => {
    const { value, failure, person, engine, stopExports } = await setUp();
    await value('image:openSample', { name: 'kitten' });
    person.exportsTo = path.join(folder, 'out.png');
    engine.hold();
    const outcome = failure('image:export', { imageId: 1, stack: [], options: png });
    while (engine.waiting === 0) await new Promise(setImmediate);
    await stopExports();
    expect(await outcome).toMatchObject({ code: 'cancelled' });
  });

  it('keeps the picture until it is done, although the page closes it', async () => {
    const { value, person, engine } = await setUp();
    await value('image:openDropped', { path: photo });
    person.exportsTo = path.join(folder, 'out.png');
    engine.hold();
    const outcome = value('image:export', { imageId: 1, stack: [], options: png });
    while (engine.waiting === 0) await new Promise(setImmediate);
    await value('image:close', { imageId: 1 });
    expect(engine.released).toBe(0);
    engine.letAllGo();
    await outcome;
    expect(engine.released).toBe(1);
  });
});

describe('the name of an exported file', () => {
  it('is what the person typed where its ending fits', async () => {
    expect(await exportTarget('/a/b.PNG', 'png')).toBe('/a/b.PNG');
    expect(await exportTarget('/a/b.jpeg', 'jpeg')).toBe('/a/b.jpeg');
  });

  it('gains the ending of the format otherwise, and never meets a file the person was not asked about', async () => {
    const chosen = path.join(folder, 'photo');
    expect(await exportTarget(chosen, 'webp')).toBe(`${chosen}.webp`);
    expect(await exportTarget(`${chosen}.jpg`, 'png')).toBe(`${chosen}.jpg.png`);
    await writeFile(`${chosen}.webp`, 'mine');
    await mkdir(`${chosen} 2.webp`);
    expect(await exportTarget(chosen, 'webp')).toBe(`${chosen} 3.webp`);
  });
});

describe('the rest', () => {
  it('changes settings, tells the page and the desktop', async () => {
    const { value, person } = await setUp();
    const changed = { ...standardSettings, theme: 'dark', backend: 'reference' };
    expect(await value('settings:change', { theme: 'dark', backend: 'reference' })).toEqual(changed);
    expect(person.told).toEqual([{ announcement: 'settings:changed', value: changed }]);
    expect(person.themes).toEqual(['dark']);
  });

  it('puts a text on the clipboard', async () => {
    const { person, value } = await setUp();
    await value('text:copy', { text: '1 2 1\n' });
    expect(person.copied).toEqual(['1 2 1\n']);
    expect(await value('text:paste', undefined)).toBe('1 2 1\n');
  });
  it('saves a file where the person says, under a name that every file system takes', async () => {
    const { person, value } = await setUp();
    expect(await value('file:save', { name: 'a/b.csv', content: '1,2\r\n' })).toBeNull();
    expect(person.suggestions).toEqual([path.join('/pictures', 'a-b.csv')]);
    person.savesTo = path.join(folder, 'mine');
    expect(await value('file:save', { name: 'k.csv', content: '1,2\r\n' })).toBe('mine.csv');
    expect(await readFile(path.join(folder, 'mine.csv'), 'utf8')).toBe('1,2\r\n');
  });
  it('inspects a pixel before and after, in code values of the depth', async () => {
    const { value } = await setUp();
    await value('image:openDropped', { path: fixturePath('png/rgb16.png') });
    const values = await value('pixel:inspect', { imageId: 1, stack: [], x: 3, y: 5 });
    const { data } = await sharp(fixturePath('png/rgb16.png'))
      .toColourspace('rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const own = [...new Uint16Array(data.buffer, data.byteOffset, data.length / 2)].slice(
      (5 * 64 + 3) * 3,
      (5 * 64 + 3) * 3 + 3,
    );
    expect(values).toEqual({ before: own, after: own });
    expect(await value('pixel:inspect', { imageId: 1, stack: [], x: 64, y: 0 })).toEqual({ before: [], after: [] });
  });

  it('leaves `after` empty where a smaller result has no such pixel', async () => {
    const { value } = await setUp();
    await value('image:openDropped', { path: fixturePath('png/rgb8.png') });
    const stack = [{ ...gaussian(1), size: 'valid' as const }];
    expect(await value('pixel:inspect', { imageId: 1, stack, x: 0, y: 0 })).toMatchObject({ after: [] });
    const inside = (await value('pixel:inspect', { imageId: 1, stack, x: 30, y: 20 })) as { after: number[] };
    expect(inside.after.length).toBe(3);
  });

  it('explains the plan of the backend that would run', async () => {
    const { value } = await setUp();
    await value('image:openDropped', { path: photo });
    expect(await value('plan:explain', { imageId: 1, stack: [gaussian(3, 'soft')] })).toMatchObject({
      backend: 'cpu',
      passes: [{ filterId: 'soft' }],
    });
  });
});
