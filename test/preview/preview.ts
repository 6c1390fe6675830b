// Opens the built page in a plain Chromium with the stand-in for main, so that it can be looked at without Electron.
// CHROMIUM names the browser's executable where Playwright has none of its own.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';
import type { PreviewOptions } from './fakeBridge';

const root = path.resolve(import.meta.dirname, '../..');
const origin = 'http://convolve.test';
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface Preview {
  readonly browser: Browser;
  open(options: Partial<PreviewOptions>, size: { width: number; height: number }): Promise<PreviewPage>;
}

export interface PreviewPage {
  readonly page: Page;
  /** Errors of scripts, and everything the content policy refused. */
  readonly complaints: string[];
}

export async function startPreview(): Promise<Preview> {
  const bundle = await build({
    entryPoints: [path.join(import.meta.dirname, 'fakeBridge.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
  });
  const script = bundle.outputFiles[0]?.text ?? '';
  const executablePath = process.env.CHROMIUM;
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
  return {
    browser,
    open: async (options, size) => {
      const context = await browser.newContext({ viewport: size, deviceScaleFactor: options.density ?? 1 });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      await page.route(`${origin}/**`, async (route) => {
        const name = new URL(route.request().url()).pathname;
        const file = path.join(root, 'dist/renderer', name === '/' ? 'index.html' : name);
        await route.fulfill({
          body: await readFile(file),
          contentType: types[path.extname(file)] ?? 'application/octet-stream',
        });
      });
      // Chromium writes only some refusals of the content policy to the console; the event names all.
      await page.addInitScript(
        `document.addEventListener('securitypolicyviolation', (event) =>
          console.error('refused by the content policy: ' + event.violatedDirective + ' ' + event.blockedURI));
        window.previewOptions = ${JSON.stringify(options)};\n${script}`,
      );
      await page.goto(`${origin}/index.html`);
      return { page, complaints };
    },
  };
}
