// The composition root of the Electron main process: one instance, its engine, pictures, settings, handlers and window, and
// the ways in which a file reaches it from outside (command line, second start, the system's "open with").
//
// Bundled by esbuild to dist/main/main.cjs; needs preload.cjs, codecWorker.cjs, libraryWorker.cjs and planWorker.cjs of the same folder,
// dist/renderer/ for the page, samples/ at the application's root, and sharp and the addon as files of their own. Nothing else.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { app, BrowserWindow, dialog, session } from 'electron';
import type { CostTables } from '../core/costs';
import { ConvolveError, failureOf } from '../core/errors';
import { errorText } from '../core/errorText';
import { shippedCosts } from '../core/shippedCosts';
import { CacheBudget, standardCacheMegabytes } from './cacheBudget';
import { QuietCalibration } from './calibration/quiet';
import { areCostsFixed, costsFile, loadCosts } from './calibration/store';
import { WorkerCodec } from './codec/workerCodec';
import { createDesktop } from './desktop';
import { type Engine, startEngineBehindWindow } from './engine';
import { type ApplicationHandlers, createHandlers } from './handlers';
import { OpenPictures } from './images';
import { openDoor } from './ipc';
import { KernelLibraryFolder } from './kernelLibrary';
import { LibraryThread } from './libraryThread';
import { Opener } from './opener';
import { servePixelPort } from './pixelPort';
import { PlanThread } from './planThread';
import { Documents } from './projects/documents';
import { RecoveryFolder } from './projects/recovery';
import { Renderer } from './render';
import { noCounts, type RenderQueue } from './renderQueue';
import { ScreenColours } from './screenColours';
import { SettingsFile } from './settings';
import { prepareSurroundings, sharedMemoryFolder } from './surroundings';
import { askBeforeClosing, openWindow, registerPageScheme, servePage } from './window';

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

/** Whether the system has told the program to end. */
let toldToEnd = false;

/**
 * A signal to end, as of a log-out or of Ctrl-C in a terminal, is followed without a question: nobody may be there to answer,
 * and unsaved work is in the recovery folder.
 */
function endOnSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      toldToEnd = true;
      app.quit();
    });
}
const window = () => editorWindow;

/** Opens a file for the page that is there, and says how it went. */
type OpenForPage = (file: string) => Promise<void>;

interface Running {
  readonly application: ApplicationHandlers;
  readonly openForPage: OpenForPage;
  readonly pictures: OpenPictures;
  readonly documents: Documents;
  readonly recovery: RecoveryFolder;
  readonly renderer: Renderer;
  readonly colours: ScreenColours;
  /** The queue of the page that was loaded last. */
  readonly page: { queue: RenderQueue | null };
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
  const engine = await startEngineBehindWindow();
  const cacheMegabytes = () => settings.settings.cacheMegabytes ?? standardCacheMegabytes();
  const pictures = new OpenPictures(engine, new CacheBudget(() => cacheMegabytes() * 2 ** 20));
  const costs = await startCosts(engine);
  const renderer = new Renderer(
    engine,
    () => settings.settings.backend,
    costs,
    (backends) => desktop.announce('backends:changed', backends),
    () => performance.now(),
    new PlanThread(path.join(__dirname, 'planWorker.cjs')).plan,
  );
  const environment = {
    version: app.getVersion(),
    platform: process.platform,
    systemLocale: app.getPreferredSystemLanguages()[0] ?? app.getLocale(),
    samplesFolder: path.join(app.getAppPath(), 'samples'),
  };
  const documents = new Documents(pictures);
  const recovery = new RecoveryFolder(path.join(app.getPath('userData'), 'recovery'), randomUUID());
  await recovery.look();
  const page: Running['page'] = { queue: null };
  const opener = new Opener({ codec, pictures, documents, settings, environment, desktop });
  const startup = file === null ? undefined : opener.openFile(file).catch(failureOf);
  const application = createHandlers({
    codec,
    pictures,
    documents,
    recovery,
    opener,
    renderCounts: () => page.queue?.counts() ?? noCounts,
    renderer,
    settings,
    library: new KernelLibraryFolder(
      path.join(app.getPath('userData'), 'kernels'),
      new LibraryThread(path.join(__dirname, 'libraryWorker.cjs')),
    ),
    costs,
    desktop,
    environment,
    ...(startup && { startup }),
  });
  const openForPage: OpenForPage = async (chosen) => {
    try {
      desktop.announce('image:opened', await opener.openFile(chosen));
    } catch (thrown) {
      desktop.announce('image:openFailed', failureOf(thrown));
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
  const colours = new ScreenColours(codec);
  return { application, openForPage, pictures, documents, recovery, renderer, colours, page, calibration };
}

function showWindow(running: Promise<Running>): void {
  const opened = openWindow({
    preload: path.join(__dirname, 'preload.cjs'),
    servePort: (port) => {
      void running.then(({ pictures, renderer, colours, page, calibration }) => {
        const served = servePixelPort(port, pictures, renderer, colours, () => calibration?.pictureShown());
        page.queue = served.queue;
      });
    },
  });
  editorWindow = opened;
  let documents: Documents | null = null;
  void running.then((now) => {
    documents = now.documents;
  });
  askBeforeClosing(
    opened,
    () => !toldToEnd && (documents?.any ?? false),
    () => createDesktop(window).announce('window:closing', null),
  );
  opened.once('closed', () => {
    if (editorWindow === opened) editorWindow = null;
  });
}

function focusWindow(running: Promise<Running>): void {
  if (!editorWindow) showWindow(running);
  if (editorWindow?.isMinimized()) editorWindow.restore();
  editorWindow?.focus();
}

/**
 * Waits for exports to undo themselves before the program ends, so that no half file stays behind, and for measuring and
 * recovery files. Windows go first: a person who keeps one open does not quit.
 */
function stopWorkBeforeQuit(running: Promise<Running>): void {
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void running
      .then(({ application, recovery, calibration }) =>
        Promise.all([application.stopExports(), recovery.settled(), calibration?.stop()]),
      )
      .catch(() => undefined)
      .finally(() => {
        stopped = true;
        // Not at once: while Electron is still announcing that it will quit, it takes no second word for it.
        setImmediate(() => app.quit());
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
  let quitting = false;
  app.on('before-quit', () => {
    quitting = true;
  });
  app.on('window-all-closed', () => {
    // Where the page was asked first, quitting had to be given up; with the last window it goes on.
    if (process.platform !== 'darwin' || quitting) app.quit();
  });

  const settingsFile = SettingsFile.open(path.join(app.getPath('userData'), 'settings.json'));
  void app.whenReady().then(async () => {
    // Now, because Electron puts handlers of its own in place until then.
    endOnSignals();
    const settings = await settingsFile;
    // Before the window, whose background follows it.
    createDesktop(window).settingsChanged(settings.settings);
    const started = start(file, settings);
    running = started;
    started.catch(refuseToStart);
    openDoor(started.then(({ application }) => application.handlers));
    servePage(session.defaultSession, path.join(app.getAppPath(), 'dist', 'renderer'));
    stopWorkBeforeQuit(started);
    showWindow(started);
    app.on('activate', () => {
      if (BrowserWindow.getAllWindows().length === 0) showWindow(started);
    });
  });
}

run();
