// The packed program, as it would be shipped: it starts, opens a photo and computes with it, and its fuses and archive are
// as electron-builder.yml says. It takes no inspector, so it is watched through Chromium's own debugging port.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { type Browser, chromium, type Page } from 'playwright';
import { expect, test } from 'playwright/test';
import { sandboxSwitches } from '../../scripts/chromiumSandbox';
import { environmentFor } from '../../scripts/editor';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { packedProgram } from '../../scripts/packedProgram';
import { virtualScreenSwitches } from '../../scripts/virtualScreen';
import { samplePhoto } from './editorTest';

interface Packed {
  readonly page: Page;
  readonly process: ChildProcess;
  close(): Promise<void>;
}

/** Starts the program and waits until its page exists: only then is it safe to attach to it. */
async function startPacked(...words: readonly string[]): Promise<Packed> {
  const userFolder = mkdtempSync(path.join(os.tmpdir(), 'convolve-packed-'));
  const switches = ['--remote-debugging-port=0', `--user-data-dir=${userFolder}`, '--lang=en-US'];
  const child = spawn(
    packedProgram.executable,
    [...sandboxSwitches(), ...virtualScreenSwitches, ...switches, ...words],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentFor(undefined),
    },
  );
  let output = '';
  const socket = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = output.match(/DevTools listening on (ws:\/\/\S+)/)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the program ended with code ${code}:\n${output}`)));
  });
  const listing = new URL('/json/list', socket.replace('ws:', 'http:'));
  await expect
    .poll(async () => ((await (await fetch(listing)).json()) as { url: string }[]).map(({ url }) => url))
    .toContain('app://convolve/index.html');
  const browser: Browser = await chromium.connectOverCDP(socket);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error('the program shows no page');
  return {
    page,
    process: child,
    close: async () => {
      const ended = once(child, 'exit');
      await browser.close();
      child.kill();
      await ended;
      await rm(userFolder, { recursive: true, force: true });
    },
  };
}

test('opens the photo on its command line and filters it', async () => {
  const packed = await startPacked(samplePhoto);
  try {
    await expect(packed.page.getByTestId('status-name')).toHaveText('kitten.jpg');
    await expect(packed.page.getByTestId('status-size')).toContainText('1600 × 1083');
    await addFilter(packed.page, 'Gaussian blur');
    await waitForExact(packed.page);
  } finally {
    await packed.close();
  }
});

test('opens the samples it carries', async () => {
  const packed = await startPacked();
  try {
    await packed.page.getByRole('button', { name: 'Sandstone canyon' }).click();
    await expect(packed.page.getByTestId('status-name')).toHaveText('canyon.jpg');
    await waitForExact(packed.page);
  } finally {
    await packed.close();
  }
});

test('has its fuses set', async () => {
  const wire = await getCurrentFuseWire(packedProgram.executable);
  // The wire holds the characters 0 and 1.
  const [off, on] = [...Buffer.from('01')];
  expect({
    runAsNode: wire[FuseV1Options.RunAsNode],
    cookieEncryption: wire[FuseV1Options.EnableCookieEncryption],
    nodeOptions: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    inspect: wire[FuseV1Options.EnableNodeCliInspectArguments],
    integrity: wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
    onlyArchive: wire[FuseV1Options.OnlyLoadAppFromAsar],
    filePrivileges: wire[FuseV1Options.GrantFileProtocolExtraPrivileges],
  }).toEqual({
    runAsNode: off,
    cookieEncryption: on,
    nodeOptions: off,
    inspect: off,
    integrity: on,
    onlyArchive: on,
    filePrivileges: off,
  });
});

test('is no Node, whatever the environment says', async () => {
  const child = spawn(packedProgram.executable, ['--version'], {
    env: { ...environmentFor(undefined), ELECTRON_RUN_AS_NODE: '1', DISPLAY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'exit');
  // A Node would print its version, such as v20.18.1.
  expect(output).not.toMatch(/^v\d+\.\d+\.\d+/m);
});

test('keeps native code outside the archive, and nothing else of the sources', () => {
  const { resources } = packedProgram;
  expect(existsSync(path.join(resources, 'app.asar'))).toBe(true);
  expect(existsSync(path.join(resources, 'app'))).toBe(false);
  const addon = path.join(resources, 'app.asar.unpacked', 'build', 'addon', 'Release', 'convolve.node');
  expect(existsSync(addon)).toBe(true);
});
