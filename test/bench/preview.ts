// Measures the editor as a person feels it, on the real app with a 12-megapixel photo: the time to the first picture, from a
// step of a slider to its draft and its exact result (render, transport and draw apart), memory over 100 edits, and whether
// the canvas at 100 % holds the exported pixels. `npx tsx test/bench/preview.ts [PHOTO]`, after `npm run setup`.

import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron, type Page } from 'playwright';
import sharp from 'sharp';
import { sandboxSwitches } from '../../scripts/chromiumSandbox';
import { runTask, say, TaskError } from '../../scripts/console';
import { type Editor, environmentFor, launchEditor } from '../../scripts/editor';
import {
  addFilter,
  exportPicture,
  resizeWindow,
  runCommand,
  setParameter,
  waitForExact,
} from '../../scripts/editorActions';
import { installedRuntime } from '../../scripts/electronRuntime';
import { inRoot, root } from '../../scripts/paths';
import { hasDisplay, startVirtualScreen } from '../../scripts/virtualScreen';
import { type Change, probePage } from './probe';

const photo = path.resolve(process.argv[2] ?? inRoot('test', 'fixtures', 'photos', 'kitten_4056x2746.jpg'));
const starts = 5;
const steps = 40;
const edits = 100;

/** Half of the values are below the first number, 95 % below the second. */
function quantiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return `p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, largest ${at(1).toFixed(1)} ms (${sorted.length})`;
}

const load = () => `load ${os.loadavg()[0]?.toFixed(1)}`;

/** Starts the app with the photo: from the window's show, and from the process's start, to the first whole picture. */
async function firstPicture(display: string | undefined): Promise<{ fromShow: number; fromStart: number }> {
  const runtime = installedRuntime();
  if (!runtime) throw new TaskError('There is no Electron runtime yet.', 'Run `npm run setup` first.');
  if (runtime.route !== 'package') process.env.ELECTRON_OVERRIDE_DIST_PATH = runtime.folder;
  const userFolder = mkdtempSync(path.join(os.tmpdir(), 'convolve-user-'));
  const application = await _electron.launch({
    args: [...sandboxSwitches(), `--user-data-dir=${userFolder}`, '--force-device-scale-factor=1', root, photo],
    cwd: root,
    env: environmentFor(display),
  });
  try {
    const started = Date.now();
    const shown = application.evaluate(
      ({ app, BrowserWindow }) =>
        new Promise<number>((resolve) => {
          const [window] = BrowserWindow.getAllWindows();
          if (window?.isVisible()) resolve(Number.NaN);
          else if (window) window.once('show', () => resolve(Date.now()));
          else app.once('browser-window-created', (_event, made) => made.once('show', () => resolve(Date.now())));
        }),
    );
    const page = await application.firstWindow();
    const drawn = await page.waitForFunction(() =>
      document.querySelector('[data-testid="result-tag"][data-quality="exact"]') === null ? false : Date.now(),
    );
    const at = Number(await drawn.jsonValue());
    return { fromShow: at - (await shown), fromStart: at - started };
  } finally {
    await application.close();
    await rm(userFolder, { recursive: true, force: true });
  }
}

/** One step of the sigma slider by key, and what followed until the exact picture stood. */
async function step(page: Page, key: string): Promise<Change> {
  await page.evaluate(() => window.previewProbe.begin());
  await page.getByTestId('parameter-sigma').press(key);
  await waitForExact(page);
  return page.evaluate(() => window.previewProbe.end());
}

async function sliderSteps(page: Page, name: string): Promise<void> {
  const changes: Change[] = [];
  for (let index = 0; index < steps; index++) changes.push(await step(page, 'ArrowRight'));
  const rendered = changes.filter((change) => change.exactTiles > 0);
  const drafted = rendered.filter((change) => change.draft !== null);
  say(name, `${rendered.length} of ${changes.length} steps were computed, ${drafted.length} with a draft; ${load()}`);
  say('  to the request', quantiles(rendered.map((change) => change.asked)));
  if (drafted.length > 0) say('  to the draft on screen', quantiles(drafted.map((change) => change.draft ?? 0)));
  say('  to the exact picture on screen', quantiles(rendered.map((change) => change.exact)));
  say('  engine, exact tiles', quantiles(rendered.map((change) => change.engine)));
  say('  transport and queue', quantiles(rendered.map((change) => change.transport)));
  say('  tiles into bitmaps', quantiles(rendered.map((change) => change.bitmaps)));
  say('  drawing frames', quantiles(rendered.map((change) => change.frames)));
}

/** Resident megabytes of all processes of the app, and those of the page alone. */
async function memory(editor: Editor): Promise<{ readonly all: number; readonly page: number }> {
  // What waits to be collected is not kept.
  await editor.page.requestGC();
  return editor.application.evaluate(({ app, BrowserWindow }) => {
    const pagePid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
    const metrics = app.getAppMetrics();
    return {
      all: metrics.reduce((sum, { memory: { workingSetSize } }) => sum + workingSetSize / 1024, 0),
      page: (metrics.find(({ pid }) => pid === pagePid)?.memory.workingSetSize ?? 0) / 1024,
    };
  });
}

async function memoryOverEdits(editor: Editor): Promise<void> {
  const { page } = editor;
  // The first edits fill pools that are there to be reused.
  for (let index = 0; index < 10; index++) await step(page, 'ArrowRight');
  const before = await memory(editor);
  for (let index = 0; index < edits; index++) {
    await setParameter(page, 'sigma', 2 + index / 50);
    await waitForExact(page);
  }
  const after = await memory(editor);
  const { width = 0, height = 0, channels = 0 } = await sharp(photo).metadata();
  const picture = (width * height * channels) / 2 ** 20;
  const grown = after.all - before.all;
  say(
    'Memory',
    `${edits} edits: ${before.all.toFixed(0)} → ${after.all.toFixed(0)} MiB (page ${before.page.toFixed(0)} → ${after.page.toFixed(0)}); one picture is ${picture.toFixed(0)} MiB`,
  );
  if (grown > picture)
    throw new TaskError(`${edits} edits kept ${grown.toFixed(0)} MiB.`, 'Look at what is kept a stack.');
}

/** Compares the canvas at 100 % with the same part of an exported PNG, byte for byte. */
async function compareWithExport(editor: Editor): Promise<void> {
  const { page } = editor;
  await page.getByTestId('compare-result').click();
  await page.getByTestId('zoom-100').click();
  await waitForExact(page);
  const box = await page.getByTestId('viewport').boundingBox();
  if (box === null) throw new TaskError('The canvas has no place.', 'Report it.');
  await page.mouse.move(box.x + 10.5, box.y + 10.5);
  const position = /x (\d+)\s+y (\d+)/.exec((await page.locator('.status-position').textContent()) ?? '');
  const left = Number(position?.[1]) - 10;
  const top = Number(position?.[2]) - 10;
  const shown = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[data-testid="viewport"]');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) throw new Error('no canvas');
    const { width, height } = canvas;
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, rgba: Array.from(data) };
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-bench-'));
  try {
    const file = path.join(folder, 'exported.png');
    await exportPicture(editor, file, 'png');
    const region = { left, top, width: shown.width, height: shown.height };
    const exported = await sharp(file).extract(region).raw().toBuffer();
    let different = 0;
    for (let pixel = 0; pixel < shown.width * shown.height; pixel++)
      for (let channel = 0; channel < 3; channel++)
        if (exported[pixel * 3 + channel] !== shown.rgba[pixel * 4 + channel]) different++;
    say('100 %', `${shown.width} × ${shown.height} pixels on the canvas, ${different} samples differ from the export`);
    if (different > 0) throw new TaskError('The canvas is not what the file holds.', 'Look at drawing and levels.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await runTask(async () => {
  if (!statSync(photo, { throwIfNoEntry: false })) throw new TaskError(`There is no ${photo}.`, 'Name a photo.');
  const screen = hasDisplay() ? undefined : await startVirtualScreen();
  try {
    const times = [];
    for (let index = 0; index < starts; index++) times.push(await firstPicture(screen?.display));
    say('First picture', `after the window shows: ${quantiles(times.map(({ fromShow }) => fromShow))}; ${load()}`);
    say('  after the app starts', quantiles(times.map(({ fromStart }) => fromStart)));
    const editor = await launchEditor({
      photo,
      switches: ['--lang=en-US'],
      ...(screen === undefined ? {} : { display: screen.display }),
    });
    try {
      const { page } = editor;
      await resizeWindow(editor, 1440, 900);
      await waitForExact(page);
      // Functions that tsx compiled name themselves through this one, which a page does not have.
      await page.evaluate('globalThis.__name = (named) => named');
      await page.evaluate(probePage);
      await addFilter(page, 'Gaussian blur');
      await waitForExact(page);
      await sliderSteps(page, 'Gaussian σ about 3, Fit, Split');
      await setParameter(page, 'sigma', 20);
      await waitForExact(page);
      await sliderSteps(page, 'Gaussian σ about 20, Fit, Split');
      await setParameter(page, 'sigma', 3);
      await runCommand(page, '100 %');
      await waitForExact(page);
      await sliderSteps(page, 'Gaussian σ about 3, 100 %, Split');
      await page.getByTestId('zoom-fit').click();
      await waitForExact(page);
      await memoryOverEdits(editor);
      await compareWithExport(editor);
    } finally {
      await editor.close();
    }
  } finally {
    await screen?.close();
  }
  return undefined;
});
