// Starts the editor under Playwright's Electron driver, for the demonstration, the end-to-end tests and the screenshots:
// the same built app that a person starts, with a user folder of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright';
import { sandboxSwitches } from './chromiumSandbox';
import { TaskError } from './console';
import { installedRuntime } from './electronRuntime';
import { root } from './paths';
import { virtualScreenSwitches } from './virtualScreen';

export interface EditorOptions {
  /** A photo on the command line. */
  readonly photo?: string;
  /** DISPLAY of a virtual screen; the environment's own when left out. */
  readonly display?: string;
  /** Where settings live; a new folder that goes with the editor when left out. */
  readonly userFolder?: string;
  /** Chromium's or the app's further switches. */
  readonly switches?: readonly string[];
}

export interface Editor {
  readonly application: ElectronApplication;
  readonly page: Page;
  /** What the main process wrote, for failures. */
  output(): string;
  close(): Promise<void>;
}

/** The environment for an app on `display`. Without ELECTRON_RUN_AS_NODE, which would make it a plain Node. */
export function environmentFor(display: string | undefined): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = process.env;
  // The same plans on every computer, and nothing measured beside a test.
  const fixed = { CONVOLVE_COSTS: 'shipped' };
  const environment = {
    ...fixed,
    ...rest,
    ...(display === undefined ? {} : { DISPLAY: display, WAYLAND_DISPLAY: '' }),
  };
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export async function launchEditor(options: EditorOptions = {}): Promise<Editor> {
  const runtime = installedRuntime();
  if (!runtime) throw new TaskError('There is no Electron runtime yet.', 'Run `npm run setup` first.');
  const userFolder = options.userFolder ?? mkdtempSync(path.join(os.tmpdir(), 'convolve-user-'));
  const removeOnExit = (): void => {
    if (options.userFolder === undefined) rmSync(userFolder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', removeOnExit);
  // Left to find Electron by itself, Playwright holds the app back until it is connected; given a path, it would race it.
  if (runtime.route !== 'package') process.env.ELECTRON_OVERRIDE_DIST_PATH = runtime.folder;
  const application = await electron.launch({
    args: [
      ...sandboxSwitches(),
      ...virtualScreenSwitches,
      `--user-data-dir=${userFolder}`,
      '--force-device-scale-factor=1',
      ...(options.switches ?? []),
      root,
      ...(options.photo === undefined ? [] : [options.photo]),
    ],
    cwd: root,
    env: environmentFor(options.display),
    timeout: 60_000,
  });
  const pieces: string[] = [];
  for (const stream of [application.process().stdout, application.process().stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => pieces.push(text));
  }
  const page = await application.firstWindow({ timeout: 60_000 });
  // Only then does the page listen to keys and drops: it shows a picture, or how to open one.
  await page.getByTestId('empty-state').or(page.getByTestId('status-name')).waitFor({ timeout: 60_000 });
  return {
    application,
    page,
    output: () => pieces.join(''),
    close: async () => {
      // As a person who does not want to save; a page that is gone has nothing to say.
      await page
        .evaluate(() =>
          (window as unknown as { bridge: { call(channel: string): Promise<unknown> } }).bridge.call('window:close'),
        )
        .catch(() => undefined);
      await application.close().catch(() => undefined);
      process.off('exit', removeOnExit);
      if (options.userFolder === undefined) await rm(userFolder, { recursive: true, force: true });
    },
  };
}
