// The batch in the window: pictures and folder chosen, the stack over all of them, what failed and its retry, pause and
// cancel.

import { copyFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Editor } from '../../scripts/editor';
import {
  addFilter,
  answerDialogs,
  exportPicture,
  setParameter,
  startExport,
  waitForExact,
} from '../../scripts/editorActions';
import { inRoot } from '../../scripts/paths';
import { expect, test } from './editorTest';
import { smallPhoto } from './pictures';

const chelsea = inRoot('test', 'fixtures', 'photos', 'chelsea_451x300.png');

/** Opens the batch and chooses the folder of pictures and the one for results. */
async function openBatch(editor: Editor, from: string, to: string): Promise<void> {
  const { page } = editor;
  await page.getByTestId('menu-file').click();
  await page.getByTestId('command-file.batch').click();
  await answerDialogs(editor, { open: from });
  await page.getByTestId('batch-folder').click();
  await expect(page.getByTestId('batch-pictures')).toContainText('picture');
  await answerDialogs(editor, { open: to });
  await page.getByTestId('batch-target').click();
  await expect(page.getByTestId('batch-target-name')).toHaveText(path.basename(to));
}

test('a folder of pictures goes through the stack; what failed is listed and done again', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const [from, to] = [path.join(folder, 'in'), path.join(folder, 'out')];
  mkdirSync(from);
  mkdirSync(to);
  for (const name of ['1.png', '2.png']) copyFileSync(photo, path.join(from, name));
  writeFileSync(path.join(from, '3.png'), 'no picture');
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await setParameter(page, 'sigma', 2);
  await waitForExact(page);
  await exportPicture(editor, path.join(folder, 'single.png'), 'png');
  await openBatch(editor, from, to);
  await page.getByTestId('batch-name').fill('{number}-{name}');
  await page.getByTestId('batch-start').click();
  await expect(page.getByTestId('batch-end')).toContainText('2 done, 1 failed');
  await expect(page.getByTestId('batch-end')).toContainText('3.png is not a picture');
  // The batch gives the bytes that the export gives.
  const single = await readFile(path.join(folder, 'single.png'));
  expect((await readFile(path.join(to, '1-1.png'))).equals(single)).toBe(true);
  copyFileSync(photo, path.join(from, '3.png'));
  await page.getByTestId('batch-retry').click();
  await expect(page.getByTestId('batch-end')).toContainText('1 done in');
  expect(readdirSync(to).sort()).toEqual(['1-1.png', '2-2.png', '3-3.png']);
});

test('what a format cannot hold is said before the start, at the end of each picture, and of results that were left', async ({
  startEditor,
  folder,
}) => {
  const [from, to] = [path.join(folder, 'in'), path.join(folder, 'out')];
  mkdirSync(from);
  mkdirSync(to);
  copyFileSync(inRoot('test', 'fixtures', 'png', 'rgba8.png'), path.join(from, '1.png'));
  const editor = await startEditor({ photo: path.join(from, '1.png') });
  const { page } = editor;
  await page.getByRole('button', { name: 'Export…', exact: true }).click();
  await page.getByTestId('export-jpeg').click();
  const sentence = await page.getByTestId('export-losses').locator('li').first().textContent();
  expect(sentence).toBe('No transparency: what is transparent becomes white.');
  await page.keyboard.press('Escape');
  await openBatch(editor, from, to);
  await expect(page.getByTestId('export-losses')).toHaveCount(0);
  await page.getByTestId('batch-format').click();
  await page.getByRole('option', { name: 'JPEG' }).click();
  await expect(page.getByTestId('export-losses')).toContainText(sentence ?? '');
  await page.getByTestId('batch-start').click();
  await expect(page.getByTestId('batch-warnings')).toContainText(`1.png: ${sentence}`);
  const later = new Date(Date.now() + 60_000);
  utimesSync(path.join(from, '1.png'), later, later);
  await page.getByTestId('batch-start').click();
  await expect(page.getByTestId('batch-end')).toContainText('1 was left: a file of its name is there already.');
  await expect(page.getByTestId('batch-end')).toContainText('has changed since: its result is out of date.');
});

test('a batch can be paused, stopped and resumed, and leaves whole files only', async ({ startEditor, folder }) => {
  const [from, to] = [path.join(folder, 'in'), path.join(folder, 'out')];
  mkdirSync(from);
  mkdirSync(to);
  for (let index = 1; index <= 24; index += 1) copyFileSync(chelsea, path.join(from, `${index}.png`));
  const editor = await startEditor({ photo: chelsea });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  await openBatch(editor, from, to);
  await page.getByTestId('batch-start').click();
  await page.getByTestId('batch-pause').click();
  await expect(page.getByTestId('batch-pause')).toHaveText('Go on');
  await page.getByTestId('batch-cancel').click();
  await expect(page.getByTestId('batch-end')).toContainText('Stopped after');
  for (const name of readdirSync(to)) expect(name).toMatch(/^(\d+\.png|\.convolve-batch\.jsonl)$/);
  await page.getByTestId('batch-resume').click();
  await expect(page.getByTestId('batch-end')).toContainText('done in', { timeout: 50_000 });
  expect(readdirSync(to)).toHaveLength(24);
});

test('the export dialog says how large the file will be, and shows it', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: chelsea });
  const { page } = editor;
  await addFilter(page, 'Sharpen');
  await waitForExact(page);
  await page.getByRole('button', { name: 'Export…', exact: true }).click();
  await page.getByTestId('export-jpeg').click();
  await page.getByTestId('export-preview').click();
  await expect(page.getByTestId('export-preview-size')).toHaveText(/as a file$/);
  await expect(page.getByTestId('export-preview-picture')).toBeVisible();
  const said = await page.getByTestId('export-preview-size').textContent();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('export-dialog')).toHaveCount(0);
  const file = path.join(folder, 'out.jpg');
  await answerDialogs(editor, { save: file });
  await startExport(page, 'jpeg');
  await page.getByText(/^Exported /).waitFor();
  const kilobytes = (await readFile(file)).length / 1000;
  expect(said).toContain(`${Number(kilobytes.toPrecision(3))} kB`);
});
