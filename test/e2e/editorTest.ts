// The fixtures of the end-to-end tests: `editor`, the real app freshly started with a user folder of its own and closed
// after the test; `folder`, an empty folder for pictures; `startEditor`, for tests that choose how it starts.

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test as base } from 'playwright/test';
import { type Editor, type EditorOptions, launchEditor } from '../../scripts/editor';
import { root } from '../../scripts/paths';

interface Fixtures {
  readonly folder: string;
  readonly startEditor: (options?: EditorOptions) => Promise<Editor>;
  readonly editor: Editor;
}

export const samplePhoto = path.join(root, 'samples', 'kitten.jpg');

export const test = base.extend<Fixtures>({
  // Playwright asks for the braces: it reads the names of the fixtures that a fixture needs from them.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-e2e-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  startEditor: async ({}, use, testInfo) => {
    const started: Editor[] = [];
    await use(async (options) => {
      const editor = await launchEditor({ ...options, switches: ['--lang=en-US', ...(options?.switches ?? [])] });
      started.push(editor);
      return editor;
    });
    for (const editor of started) {
      if (testInfo.status !== testInfo.expectedStatus) {
        const picture = await editor.page.screenshot().catch(() => undefined);
        if (picture) await testInfo.attach('screenshot', { body: picture, contentType: 'image/png' });
        await testInfo.attach('output', { body: editor.output(), contentType: 'text/plain' });
      }
      await editor.close();
    }
  },
  editor: async ({ startEditor }, use) => {
    await use(await startEditor());
  },
});

export { expect } from 'playwright/test';
