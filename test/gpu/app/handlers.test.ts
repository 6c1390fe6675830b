// The app's handlers over the real addon and a real device, in Node: what the page would get for each call, and what happens
// when the device fails in the middle. Run by test/gpu/app.sh.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Stack } from '../../../core/document';
import { standardExport } from '../../../core/exportOptions';
import type { Announcement, Channel, ChannelArgument, ChannelResult } from '../../../core/ipc';
import { directCodec } from '../../../main/codec/directCodec';
import { parseFilterArgument } from '../../../main/commandLine/filterArguments';
import { answer } from '../../../main/door';
import { startEngine } from '../../../main/engine';
import { createHandlers, type Desktop } from '../../../main/handlers';
import { OpenPictures } from '../../../main/images';
import { KernelLibraryFolder } from '../../../main/kernelLibrary';
import { LibraryThread } from '../../../main/libraryThread';
import { Opener } from '../../../main/opener';
import { Documents } from '../../../main/projects/documents';
import { RecoveryFolder } from '../../../main/projects/recovery';
import { Renderer } from '../../../main/render';
import { SettingsFile } from '../../../main/settings';
import { inRoot } from '../../../scripts/paths';
import { convolve, fileDifference, largePhoto, stackWords } from './photo';

const stack: Stack = stackWords
  .filter((word) => word !== '--filter')
  .map((word, index) => parseFilterArgument(word, `filter-${index}`, 'u8', {}));

let folder = '';
let photo = '';
let law = '';
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-handlers-'));
  photo = await largePhoto(folder);
  law = path.join(folder, 'cpu.png');
  await convolve(['apply', photo, ...stackWords, '--backend', 'cpu', '-o', law]);
});
after(() => rm(folder, { recursive: true, force: true }));

/** The application without a window: exports go to `target`, announcements into `told`. */
async function application(target: string) {
  const engine = await startEngine(inRoot('build', 'addon', 'Release', 'convolve.node'));
  const settings = await SettingsFile.open(path.join(folder, 'settings.json'));
  const told: { readonly announcement: Announcement; readonly value: unknown }[] = [];
  const desktop: Desktop = {
    chooseFileToOpen: async () => photo,
    chooseExportTarget: async () => target,
    chooseProjectTarget: async () => null,
    chooseFileTarget: async () => null,
    chooseKernelFile: async () => null,
    chooseBatchFiles: async () => [],
    chooseFolder: async () => null,
    readClipboardText: async () => '',
    readClipboard: async () => null,
    writeClipboard: async () => {},
    closeWindow: () => {},
    announce: (announcement, value) => told.push({ announcement, value }),
    picturesFolder: folder,
    noteRecentFile: () => {},
    settingsChanged: () => {},
  };
  const renderer = new Renderer(
    engine,
    () => settings.settings.backend,
    undefined,
    (backends) => desktop.announce('backends:changed', backends),
  );
  const environment = { version: '0', platform: 'linux', systemLocale: 'en', samplesFolder: inRoot('samples') };
  const pictures = new OpenPictures(engine);
  const documents = new Documents(pictures);
  const recovery = new RecoveryFolder(path.join(folder, 'recovery'), randomUUID());
  await recovery.look();
  const library = new KernelLibraryFolder(path.join(folder, 'kernels'), new LibraryThread(''));
  const codec = directCodec;
  const opener = new Opener({ codec, pictures, documents, settings, environment, desktop });
  const { handlers } = createHandlers({
    ...{ library, codec, pictures, documents, recovery, opener, renderer, settings, desktop, environment },
  });
  const call = async <C extends Channel>(channel: C, argument: ChannelArgument<C>) => {
    const outcome = await answer(handlers, channel, argument);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    return outcome.value as ChannelResult<C>;
  };
  return { call, told };
}

test('a photo is opened, explained, inspected and exported on the device', async () => {
  const target = path.join(folder, 'cuda.png');
  const { call, told } = await application(target);
  const state = await call('app:state', undefined);
  assert.deepEqual(
    state.backends.map(({ name, available }) => [name, available]),
    [
      ['reference', true],
      ['cpu', true],
      ['cuda', true],
    ],
  );
  const opened = await call('image:openDialog', undefined);
  assert.ok(opened?.kind === 'document');
  const { image } = opened;
  assert.deepEqual([image.width, image.height], [6000, 4000]);
  const exported = await call('image:export', {
    imageId: image.id,
    stack: [...stack],
    options: standardExport,
  });
  assert.ok(exported);
  const { largest, equalShare } = await fileDifference(target, law);
  assert.ok(largest <= 1, `${largest} levels`);
  assert.ok(equalShare >= 0.999, `${equalShare} equal`);
  const explained = await call('plan:explain', { imageId: image.id, stack: [...stack] });
  assert.equal(explained.backend, 'cuda');
  assert.equal(explained.passes.length, 3);
  // At least the photo itself lies on the device.
  assert.ok((explained.memoryBytes ?? 0) >= 6000 * 4000 * 3, `${explained.memoryBytes} bytes`);
  const pixel = await call('pixel:inspect', { imageId: image.id, stack: [...stack], x: 3000, y: 2000 });
  assert.equal(pixel.after.length, 3);
  assert.deepEqual(
    told.filter(({ announcement }) => announcement === 'backends:changed'),
    [],
  );
});

// Each in a process of its own, because faults are set before the device is opened.
for (const fault of ['device:1', 'device:4', 'device:4+', 'memory:2+'])
  test(`a device that fails (${fault}) leaves the export to the CPU, whole and said`, async () => {
    const target = path.join(folder, `fault-${fault.replace(/[:+]/g, '-')}.png`);
    const before = await readdir(folder);
    const report = JSON.parse(
      await convolve(['apply', photo, ...stackWords, '-o', target, '--json'], { CONVOLVE_CUDA_FAULT: fault }),
    ) as { backend: string; notes: readonly string[] };
    assert.equal(report.backend, 'cpu');
    assert.match(report.notes.join(' '), /cuda failed, cpu did the work/);
    // Not one pixel of the device's.
    assert.ok((await readFile(target)).equals(await readFile(law)));
    assert.deepEqual((await readdir(folder)).sort(), [...before, path.basename(target)].sort());
  });

test('the backends agree on a stack of three after each filter, and on floats', async () => {
  const report = JSON.parse(await convolve(['compare-backends', photo, ...stackWords, '--json'])) as {
    ok: boolean;
    filters: readonly { largest: number; equalShare: number }[];
  };
  assert.ok(report.ok);
  assert.equal(report.filters.length, 3);
  const float = ['--filter', 'sharpen', '--filter', 'gaussian:sigma=9', '--filter', 'sobel', '--range', 'float'];
  const floats = JSON.parse(await convolve(['compare-backends', photo, ...float, '--json'])) as typeof report;
  assert.ok(floats.ok, JSON.stringify(floats.filters));
  console.log(JSON.stringify({ integers: report.filters, floats: floats.filters }));
});
