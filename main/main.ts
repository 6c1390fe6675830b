// The composition root of the Electron main process: one instance, its engine, pictures, settings, handlers and window, and
// the ways in which a file reaches it from outside (command line, second start, the system's "open with").
//
// Bundled by esbuild to dist/main/main.cjs; needs dist/main/preload.cjs and dist/main/codecWorker.cjs beside it, dist/renderer/ for the page, samples/ at
// the application's root, and sharp and the addon as files of their own. Nothing else.

import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, session } from 'electron';
import type { CostTables } from '../core/costs';
import type { ImageInfo } from '../core/document';
import { ConvolveError, failureOf } from '../core/errors';
import { errorText } from '../core/errorText';
import { shippedCosts } from '../core/shippedCosts';
import { Turns } from '../core/turns';
import { QuietCalibration } from './calibration/quiet';
import { areCostsFixed, costsFile, loadCosts } from './calibration/store';
import { WorkerCodec } from './codec/workerCodec';
import { createDesktop } from './desktop';
import { type Engine, startEngine } from './engine';
import { type ApplicationHandlers, createHandlers, createOpener } from './handlers';
import { OpenPictures } from './images';
import { openDoor } from './ipc';
import { setApplicationMenu } from './menu';
import { servePixelPort } from './pixelPort';
import { Renderer } from './render';
import { SettingsFile } from './settings';
import { prepareSurroundings, sharedMemoryFolder } from './surroundings';
import { openWindow, registerPageScheme, servePage } from './window';

/** The file named on a command line, absolute, or null. Switches and the application's own folder are not files. */
function fileArgument(words: readonly string[], folder: string): string | null {
  const files = words
    .slice(1)
    .filter((word) => word !== '' && !word.startsWith('-'))
    .map((word) => path.resolve(folder, word))
    .filter((file) => file !== path.resolve(app.getAppPath()));
  return files[0] ?? null;
}

let editorWindow: BrowserWindow | null = null;
const window = () => editorWindow;

/** Opens a file for the page that is there, and says how it went. */
type OpenForPage = (file: string) => Promise<ImageInfo | null>;

interface Running {
  readonly application: ApplicationHandlers;
  readonly openForPage: OpenForPage;
  readonly pictures: OpenPictures;
  readonly renderer: Renderer;
  /** null where nothing is to be measured. */
  readonly calibration: QuietCalibration | null;
}

/** The costs that hold until the program ends: measured ones are read once, so that no plan changes under a document. */
async function startCosts(engine: Engine): Promise<CostTables> {
  if (areCostsFixed()) return shippedCosts;
  const { tables, notes } = await loadCosts(costsFile(app.getPath('userData')), engine.backends(), app.getVersion());
  for (const note of notes) console.error(note);
  return tables;
}

async function start(file: string | null, settings: SettingsFile): Promise<Running> {
  const codec = new WorkerCodec(path.join(__dirname, 'codecWorker.cjs'));
  codec.warm();
  const desktop = createDesktop(window);
  const engine = await startEngine();
  const pictures = new OpenPictures(engine);
  const costs = await startCosts(engine);
  const renderer = new Renderer(
    engine,
    () => settings.settings.backend,
    costs,
    (backends) => desktop.announce('backends:changed', backends),
  );
  const environment = {
    version: app.getVersion(),
    platform: process.platform,
    systemLocale: app.getPreferredSystemLanguages()[0] ?? app.getLocale(),
    samplesFolder: path.join(app.getAppPath(), 'samples'),
  };
  const opener = createOpener({ codec, pictures, settings, environment, desktop });
  const startup = file === null ? undefined : opener.openFile(file).catch(failureOf);
  const application = createHandlers({
    codec,
    pictures,
    renderer,
    settings,
    costs,
    desktop,
    environment,
    ...(startup && { startup }),
  });
  const turns = new Turns();
  const openForPage: OpenForPage = async (chosen) => {
    const turn = turns.begin();
    try {
      const info = await opener.openFile(chosen);
      if (!turns.take(turn)) {
        await pictures.close(info.id);
        return null;
      }
      desktop.announce('image:opened', info);
      return info;
    } catch (thrown) {
      desktop.announce('image:openFailed', failureOf(thrown));
      return null;
    }
  };
  const calibration = areCostsFixed()
    ? null
    : new QuietCalibration({
        engine,
        work: renderer,
        version: environment.version,
        folder: app.getPath('userData'),
        report: (thrown) => console.error(`Costs were not measured: ${errorText(failureOf(thrown))}`),
      });
  return { application, openForPage, pictures, renderer, calibration };
}

function showWindow(running: Promise<Running>): void {
  const opened = openWindow({
    preload: path.join(__dirname, 'preload.cjs'),
    servePort: (port) => {
      void running.then(async ({ pictures, renderer, calibration }) => {
        await pictures.closeAllButLatest();
        servePixelPort(port, pictures, renderer, () => calibration?.pictureShown());
      });
    },
  });
  editorWindow = opened;
  opened.once('closed', () => {
    if (editorWindow === opened) editorWindow = null;
  });
}

function focusWindow(running: Promise<Running>): void {
  if (!editorWindow) showWindow(running);
  if (editorWindow?.isMinimized()) editorWindow.restore();
  editorWindow?.focus();
}

/** Waits for exports to undo themselves before the program ends, so that no half file stays behind, and for measuring. */
function stopWorkBeforeQuit(running: Promise<Running>): void {
  let stopped = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void running
      .then(({ application, calibration }) => Promise.all([application.stopExports(), calibration?.stop()]))
      .catch(() => undefined)
      .finally(() => {
        stopped = true;
        app.quit();
      });
  });
}

function refuseToStart(thrown: unknown): void {
  const failure = failureOf(thrown);
  const message =
    thrown instanceof ConvolveError ? `${failure.subject ?? ''}\n${failure.actual ?? failure.code}` : String(thrown);
  console.error(`Convolve cannot start: ${message}`);
  dialog.showErrorBox('Convolve cannot start', `${message}\n${failure.expected ?? ''}`);
  app.exit(1);
}

function run(): void {
  prepareSurroundings(app, process.platform === 'linux' ? sharedMemoryFolder : null);
  let file = fileArgument(process.argv, process.cwd());
  if (!app.requestSingleInstanceLock({ file })) {
    app.quit();
    return;
  }
  registerPageScheme();

  let running: Promise<Running> | null = null;
  const open = (chosen: string) => {
    if (!running) file = chosen;
    else void running.then(({ openForPage }) => openForPage(chosen));
  };
  // macOS sends this before or after `ready`.
  app.on('open-file', (event, chosen) => {
    event.preventDefault();
    open(chosen);
  });
  app.on('second-instance', (_event, words, folder, data) => {
    const given = (data as { readonly file?: unknown } | null)?.file;
    const chosen = typeof given === 'string' ? given : fileArgument(words, folder);
    if (chosen !== null) open(chosen);
    if (running) focusWindow(running);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  const settingsFile = SettingsFile.open(path.join(app.getPath('userData'), 'settings.json'));
  void app.whenReady().then(async () => {
    const settings = await settingsFile;
    // Before the window, whose background follows it.
    nativeTheme.themeSource = settings.settings.theme;
    const started = start(file, settings);
    running = started;
    started.catch(refuseToStart);
    openDoor(started.then(({ application }) => application.handlers));
    servePage(session.defaultSession, path.join(app.getAppPath(), 'dist', 'renderer'));
    setApplicationMenu((id) => createDesktop(window).announce('command:run', { id }));
    stopWorkBeforeQuit(started);
    showWindow(started);
    app.on('activate', () => {
      if (BrowserWindow.getAllWindows().length === 0) showWindow(started);
    });
  });
}

run();
