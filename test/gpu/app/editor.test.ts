// The real app on a real device, driven as a person would: open a photo, stack three filters, wait for the exact picture,
// read the engine chip, export; then a device that fails while the editor is in use. Run by test/gpu/app.sh; writes
// app.json and app.png into the folder that CONVOLVE_RESULTS names.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright';
import { type Editor, type EditorOptions, launchEditor } from '../../../scripts/editor';
import { addFilter, exportPicture, resizeWindow, setParameter, waitForExact } from '../../../scripts/editorActions';
import { convolve, fileDifference, largePhoto, stackWords } from './photo';

const results = process.env.CONVOLVE_RESULTS ?? os.tmpdir();

let folder = '';
let photo = '';
let law = '';
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'convolve-editor-'));
  photo = await largePhoto(folder);
  law = path.join(folder, 'cpu.png');
  await convolve(['apply', photo, ...stackWords, '--backend', 'cpu', '-o', law]);
});
after(() => rm(folder, { recursive: true, force: true }));

async function withEditor(
  options: EditorOptions,
  environment: NodeJS.ProcessEnv,
  use: (editor: Editor) => Promise<void>,
): Promise<void> {
  Object.assign(process.env, environment);
  const editor = await launchEditor({ ...options, switches: ['--lang=en-US'] });
  try {
    await resizeWindow(editor, 1440, 860);
    await use(editor);
  } catch (thrown) {
    await editor.page.screenshot({ path: path.join(results, 'app-failed.png') }).catch(() => undefined);
    console.log(editor.output());
    throw thrown;
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name];
    await editor.close();
  }
}

/** The stack of photo.ts. */
async function stackOfThree(page: Page): Promise<void> {
  await addFilter(page, 'Gaussian blur');
  await setParameter(page, 'sigma', 4);
  await addFilter(page, 'Unsharp mask');
  await setParameter(page, 'sigma', 2);
  await setParameter(page, 'amount', 1);
  await addFilter(page, 'Box blur');
  await setParameter(page, 'width', 31);
  await waitForExact(page);
}

const chipText = async (page: Page) => (await page.getByTestId('engine-chip').textContent()) ?? '';

test('a stack of three over 24 megapixels is shown, explained and exported by the device', async () => {
  await withEditor({ photo }, {}, async (editor) => {
    const { page } = editor;
    await waitForExact(page);
    await stackOfThree(page);
    const chip = await chipText(page);
    assert.match(chip, /CUDA/);
    assert.match(chip, /NVIDIA .*driver for CUDA \d+\.\d+/);
    assert.match(chip, /ms/);
    const file = path.join(folder, 'editor.png');
    const begin = performance.now();
    await exportPicture(editor, file, 'png');
    const exportMilliseconds = performance.now() - begin;
    const { largest, equalShare } = await fileDifference(file, law);
    assert.ok(largest <= 1, `${largest} levels`);
    assert.ok(equalShare >= 0.999, `${equalShare} equal`);
    await page.getByTestId('engine-chip').click();
    const memory = (await page.getByTestId('engine-memory').textContent()) ?? '';
    assert.match(memory, /\d.*[MG]B/);
    assert.match((await page.getByTestId('engine-why').textContent()) ?? '', /fastest/);
    await page.screenshot({ path: path.join(results, 'app.png') });
    await page.keyboard.press('Escape');
    const record = { chip: chip.replace(/\s+/g, ' '), memory, exportMilliseconds, largest, equalShare };
    await writeFile(path.join(results, 'app.json'), `${JSON.stringify(record, null, 2)}\n`);
  });
});

test('a device that fails in the middle of the work: the CPU goes on, nothing is lost, and it is said', async () => {
  await withEditor({ photo }, { CONVOLVE_CUDA_FAULT: 'device:60+' }, async (editor) => {
    const { page } = editor;
    await waitForExact(page);
    assert.match(await chipText(page), /CUDA/);
    await stackOfThree(page);
    // Until the device has had its sixty launches.
    for (let width = 33; width < 130 && /CUDA/.test(await chipText(page)); width += 2) {
      await setParameter(page, 'width', width);
      await waitForExact(page);
    }
    assert.match(await chipText(page), /^CPU/);
    await page
      .getByText(/CUDA failed and is tried again later; the CPU does the work/)
      .first()
      .waitFor();
    assert.deepEqual(
      (await page.getByTestId('stack-item').allTextContents()).map((text) => /^\D+/.exec(text)?.[0].trim()),
      ['Gaussian blurσ', 'Unsharp maskσ', 'Box blur'],
    );
    await setParameter(page, 'width', 31);
    await waitForExact(page);
    const file = path.join(folder, 'fallen-back.png');
    await exportPicture(editor, file, 'png');
    assert.deepEqual(await fileDifference(file, law), { largest: 0, equalShare: 1, violated: false });
    await page.screenshot({ path: path.join(results, 'app-fallback.png') });
  });
});
