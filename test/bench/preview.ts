// Measures the editor as a person feels it, on the real app with photos of 12 and 24 megapixels: the time to the first
// picture (`start`), from a step of a slider to its draft and its exact result, render, transport and drawing apart (`speed`, 24
// megapixels `large`, colours converted for the screen `profile`),
// memory over 100 edits (`memory`), and whether the canvas at 100 % holds the exported pixels (`exactness`).
// `npm run bench:preview [-- PART…]`, after `npm run setup`.

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

/** What can be measured, each by its name on the command line; all of it where none is named. */
const parts = ['start', 'speed', 'large', 'profile', 'memory', 'exactness'] as const;
type Part = (typeof parts)[number];
const asked = parts.filter((part) => process.argv.includes(part));
const measures = (part: Part) => asked.length === 0 || asked.includes(part);

const photo = inRoot('test', 'fixtures', 'photos', 'kitten_4056x2746.jpg');
const starts = 5;
const steps = 60;
const edits = 100;

interface Quantiles {
  readonly half: number;
  readonly most: number;
}

/** Half of the values are below the first number, 95 % below the second. */
function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { half: at(0.5), most: at(0.95) };
}
const quantiles = (values: readonly number[]): string => {
  const { half, most } = quantilesOf(values);
  return `p50 ${half.toFixed(1)} ms, p95 ${most.toFixed(1)} ms (${values.length})`;
};

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

/** The columns of a row of the table: p50 / p95 in ms. */
async function sliderSteps(page: Page): Promise<readonly string[]> {
  const changes: Change[] = [];
  for (let index = 0; index < steps; index++) changes.push(await step(page, 'ArrowRight'));
  const rendered = changes.filter((change) => change.exactTiles > 0);
  const drafted = rendered.flatMap(({ draft }) => (draft === null ? [] : [draft]));
  const cell = (values: readonly number[]) => {
    const { half, most } = quantilesOf(values);
    return values.length === 0 ? '—' : `${half.toFixed(0)} / ${most.toFixed(0)}`;
  };
  return [
    cell(drafted),
    cell(rendered.map(({ exact }) => exact)),
    cell(rendered.map(({ engine }) => engine)),
    cell(rendered.map(({ transport }) => transport)),
    cell(rendered.map(({ bitmaps, frames }) => bitmaps + frames)),
    String(rendered.length),
  ];
}

/** The photo at a size, its numbers sRGB and without a profile: what a profile costs on the way is measured apart. */
async function plainPhoto(folder: string, width: number, height: number): Promise<string> {
  const file = path.join(folder, `${width}.jpg`);
  await sharp(photo).resize(width, height, { fit: 'fill' }).jpeg({ quality: 92 }).toFile(file);
  return file;
}

/** Filters before the one whose slider moves. */
const before = ['Sharpen', 'Unsharp mask', 'Emboss'];

/** Least that the settings take, in MiB: too little for a whole result of these photos, so that nothing is kept. */
const noCache = 64;

/** One filter and four, at Fit and at 100 %, of a photo; four also without what is kept of the first three. */
async function speedOf(name: string, file: string, display: string | undefined): Promise<void> {
  const editor = await startEditor(file, display);
  const { page } = editor;
  const cache = (cacheMegabytes: number | null) =>
    page.evaluate(
      (change) =>
        (window as unknown as { bridge: { call(channel: string, argument: unknown): Promise<unknown> } }).bridge.call(
          'settings:change',
          change,
        ),
      { cacheMegabytes },
    );
  const measure = async (filters: string) => {
    for (const zoom of ['Fit', '100 %']) {
      await page.getByTestId(zoom === 'Fit' ? 'zoom-fit' : 'zoom-100').click();
      // Nine taps at first, and more as the slider moves on.
      await setParameter(page, 'sigma', 1);
      await waitForExact(page);
      const cells = await sliderSteps(page);
      say(`| ${name} | ${filters} | ${zoom} | ${cells.join(' | ')} |`, load());
    }
  };
  try {
    await addFilter(page, 'Gaussian blur');
    await measure('1');
    await runCommand(page, 'Delete filter');
    await cache(noCache);
    for (const filter of [...before, 'Gaussian blur']) await addFilter(page, filter);
    await measure('4, nothing kept');
    await cache(null);
    await measure('4');
  } finally {
    await editor.close();
  }
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

async function memoryOverEdits(file: string, display: string | undefined): Promise<void> {
  const editor = await startEditor(file, display);
  const { page } = editor;
  try {
    for (const filter of before) await addFilter(page, filter);
    await addFilter(page, 'Gaussian blur');
    // The first edits fill caches and pools, which have a budget and are there to be reused.
    for (let index = 0; index < 10; index++) await step(page, 'ArrowRight');
    const first = await memory(editor);
    for (let index = 0; index < edits; index++) {
      await setParameter(page, 'sigma', 2 + index / 50);
      await waitForExact(page);
    }
    const last = await memory(editor);
    const { width = 0, height = 0, channels = 0 } = await sharp(file).metadata();
    const picture = (width * height * channels) / 2 ** 20;
    const grown = last.all - first.all;
    say(
      'Memory',
      `${edits} edits: ${first.all.toFixed(0)} → ${last.all.toFixed(0)} MiB (page ${first.page.toFixed(0)} → ${last.page.toFixed(0)}); one picture is ${picture.toFixed(0)} MiB`,
    );
    if (grown > picture)
      throw new TaskError(`${edits} edits kept ${grown.toFixed(0)} MiB.`, 'Look at what is kept a stack.');
  } finally {
    await editor.close();
  }
}

/** Compares the canvas at 100 % with the same part of an exported PNG, byte for byte. */
async function compareWithExport(display: string | undefined): Promise<void> {
  const editor = await startEditor(photo, display);
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
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
    await editor.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startEditor(file: string, display: string | undefined): Promise<Editor> {
  const screen = display === undefined ? {} : { display };
  const editor = await launchEditor({ photo: file, switches: ['--lang=en-US'], ...screen });
  const { page } = editor;
  await resizeWindow(editor, 1440, 900);
  await page.getByTestId('compare-result').click();
  await waitForExact(page);
  // Functions that tsx compiled name themselves through this one, which a page does not have.
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(probePage);
  return editor;
}

await runTask(async () => {
  if (!statSync(photo, { throwIfNoEntry: false })) throw new TaskError(`There is no ${photo}.`, 'Fetch it.');
  const screen = hasDisplay() ? undefined : await startVirtualScreen();
  const display = screen?.display;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-bench-'));
  try {
    const small = await plainPhoto(folder, 4000, 3000);
    const large = await plainPhoto(folder, 6000, 4000);
    if (measures('start')) {
      const times = [];
      for (let index = 0; index < starts; index++) times.push(await firstPicture(display));
      say('First picture', `after the window shows: ${quantiles(times.map(({ fromShow }) => fromShow))}; ${load()}`);
      say('  after the app starts', quantiles(times.map(({ fromStart }) => fromStart)));
    }
    say('| photo | filters | zoom | draft | exact | engine | transport | drawing | steps |', 'p50 / p95 in ms');
    if (measures('speed')) await speedOf('12 MP', small, display);
    if (measures('large')) await speedOf('24 MP', large, display);
    if (measures('profile')) await speedOf('12 MP, with a colour profile', photo, display);
    if (measures('memory')) await memoryOverEdits(large, display);
    if (measures('exactness')) await compareWithExport(display);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await screen?.close();
  }
  return undefined;
});
