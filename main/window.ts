// The editor's window and the walls round it: a sandboxed page of our own scheme that can go nowhere, open nothing, ask for
// no permission and reach no network; and the pixel port that each load of the page gets.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BrowserWindow, dialog, MessageChannelMain, nativeTheme, protocol, type Session } from 'electron';
import { contentPolicy, contentTypeOf, pageFile, pageScheme, pageUrl } from './page';
import type { PixelPort } from './pixelPort';

/** The page's own background in each theme, so that the window never flashes another colour. */
const backgrounds = { dark: '#1b1c1e', light: '#d9dadd' } as const;
const currentBackground = () => (nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light);

/** A page that crashes more often than this within a minute is not loaded again. */
const maximumReloads = 3;

/** Before `app` is ready: our scheme gets an origin and the rules of a secure one. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** After `app` is ready: serves the built page, and only that. */
export function servePage(session: Session, folder: string): void {
  session.protocol.handle(pageScheme, async (request) => {
    const file = request.method === 'GET' ? pageFile(request.url, folder) : null;
    const content = file === null ? null : await readFile(file).catch(() => null);
    if (file === null || content === null) return new Response('Not found', { status: 404 });
    return new Response(new Uint8Array(content), {
      headers: {
        'Content-Type': contentTypeOf(file),
        'Content-Security-Policy': contentPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cache-Control': 'no-cache',
      },
    });
  });
  session.setPermissionRequestHandler((_page, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest({ urls: ['*://*/*', 'ws://*/*', 'wss://*/*', 'file://*/*'] }, (_details, decide) =>
    decide({ cancel: true }),
  );
}

function keepInside(window: BrowserWindow): void {
  const page = window.webContents;
  page.on('will-navigate', (event) => event.preventDefault());
  page.on('will-redirect', (event) => event.preventDefault());
  page.on('will-attach-webview', (event) => event.preventDefault());
  page.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Loads the page again after its process died, and says so; a page that keeps dying is left alone. */
function reloadAfterCrash(window: BrowserWindow): void {
  let crashes: readonly number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    console.error(`The page's process ended: ${reason}, code ${exitCode}`);
    const now = Date.now();
    crashes = [...crashes.filter((time) => now - time < 60_000), now];
    if (crashes.length > maximumReloads) {
      dialog.showErrorBox(
        'Convolve',
        `The window stopped working again and again (${reason}). Please start Convolve anew.`,
      );
      window.destroy();
      return;
    }
    window.webContents.reload();
    void dialog.showMessageBox(window, {
      type: 'warning',
      message: 'The window stopped working and has been loaded again.',
      detail: `Your pictures and their filters are still open. (${reason})`,
    });
  });
}

/**
 * Lets the page ask about unsaved work before the window goes. A page that cannot answer, because it hangs or has died, does
 * not hold its window: its work is in the recovery folder.
 */
export function askBeforeClosing(window: BrowserWindow, hasDocuments: () => boolean, ask: () => void): void {
  let responsive = true;
  window.on('unresponsive', () => {
    responsive = false;
  });
  window.on('responsive', () => {
    responsive = true;
  });
  window.on('close', (event) => {
    if (!hasDocuments() || !responsive || window.webContents.isCrashed()) return;
    event.preventDefault();
    ask();
  });
}

export interface WindowParts {
  readonly preload: string;
  /** Called with the main side of a new port for every load of the page. */
  readonly servePort: (port: PixelPort) => void;
}

/** Opens the window; it shows itself when the page has painted once. */
export function openWindow({ preload, servePort }: WindowParts): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 700,
    show: false,
    title: 'Convolve',
    backgroundColor: currentBackground(),
    webPreferences: {
      preload: path.resolve(preload),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  keepInside(window);
  reloadAfterCrash(window);
  window.once('ready-to-show', () => window.show());
  const themeChanged = () => window.setBackgroundColor(currentBackground());
  nativeTheme.on('updated', themeChanged);
  window.once('closed', () => nativeTheme.off('updated', themeChanged));
  window.webContents.on('dom-ready', () => {
    const { port1, port2 } = new MessageChannelMain();
    servePort(port1);
    window.webContents.postMessage('convolve:port', null, [port2]);
  });
  void window.loadURL(pageUrl);
  return window;
}
