// The person's own kernels: saved, still there after a restart, dragged to the stack; a damaged file is named and the rest
// loads. And kernels filled from a formula and from a picture.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { addFilter, answerDialogs } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, samplePhoto, test } from './editorTest';
import { readRow, setSize } from './kernelGrid';

async function saveAs(page: Page, name: string, tags: string): Promise<void> {
  await page.getByTestId('kernel-save').click();
  const dialog = page.getByTestId('save-kernel');
  await dialog.getByTestId('library-name').fill(name);
  await dialog.getByTestId('library-tags').fill(tags);
  await dialog.getByTestId('library-save').click();
  await expect(dialog).toHaveCount(0);
}

test('a kernel is saved, survives a restart, is found by its tag and dragged to the stack', async ({
  startEditor,
  folder: userFolder,
}) => {
  const first = await startEditor({ photo: samplePhoto, userFolder });
  await addFilter(first.page, 'Custom kernel');
  await setSize(first.page, 'width', 5);
  await saveAs(first.page, 'My point', 'identity, test');
  await saveAs(first.page, 'Second', '');
  await first.close();

  const { page } = await startEditor({ photo: samplePhoto, userFolder });
  const tile = page.getByRole('button', { name: 'Add My point' });
  await expect(tile).toBeVisible();
  await page.getByTestId('filter-search').fill('test');
  await expect(page.getByRole('button', { name: 'Add Second' })).toHaveCount(0);
  await tile.dragTo(page.getByRole('region', { name: 'Filters', exact: true }).first());
  await expect(page.getByTestId('stack-item')).toHaveCount(1);
  await expect(page.getByTestId('stack-item')).toContainText('My point');
  await expect(page.getByTestId('kernel-width')).toHaveValue('5');
});

test('files of the library that are damaged or of a newer version are named, and the rest is there', async ({
  startEditor,
  folder: userFolder,
}) => {
  const first = await startEditor({ photo: samplePhoto, userFolder });
  await addFilter(first.page, 'Custom kernel');
  await saveAs(first.page, 'Broken', '');
  await saveAs(first.page, 'Newer', '');
  await saveAs(first.page, 'Whole', '');
  await first.close();
  const kernels = path.join(userFolder, 'kernels');
  for (const name of await readdir(kernels)) {
    const file = path.join(kernels, name);
    const text = await readFile(file, 'utf8');
    if (text.includes('Broken')) await writeFile(file, '{"version": 1, "name"');
    if (text.includes('Newer')) await writeFile(file, text.replace('"version": 1', '"version": 2'));
  }
  const { page } = await startEditor({ photo: samplePhoto, userFolder });
  await expect(page.getByTestId('notices')).toContainText(/The kernel file .+\.json is damaged\. It was set aside as/);
  await expect(page.getByRole('button', { name: 'Add Whole' })).toBeVisible();
  await expect(page.getByTestId('notices')).toContainText(/\.json was saved by a newer Convolve and was left as it is/);
  for (const name of ['Add Broken', 'Add Newer']) await expect(page.getByRole('button', { name })).toHaveCount(0);
  const texts = await Promise.all((await readdir(kernels)).map((name) => readFile(path.join(kernels, name), 'utf8')));
  expect(texts.filter((text) => text.includes('"version": 2'))).toHaveLength(1);
  // What another program saves is there once one comes back to the window.
  const whole = texts.find((text) => text.includes('Whole')) ?? '';
  const id = '00000000-0000-4000-8000-000000000001';
  await writeFile(
    path.join(kernels, `${id}.json`),
    whole.replace(/"id": "[^"]+"/, `"id": "${id}"`).replace('Whole', 'From elsewhere'),
  );
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('button', { name: 'Add From elsewhere' })).toBeVisible();
});

test('shipped kernels are found by searching, and added', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  expect(await accessibilityViolations(page, 'nav')).toEqual([]);
  await page.getByTestId('filter-search').fill('mean removal');
  await expect(page.getByRole('button', { name: 'Add Sharpen, 8 neighbours' })).toBeVisible();
  await page.getByTestId('filter-search').fill('robinson upper');
  await page.getByRole('button', { name: 'Add Robinson, from the upper left' }).click();
  await expect(page.getByTestId('stack-item')).toContainText('Robinson');
  expect(await accessibilityViolations(page, 'nav')).toEqual([]);
});

test('a formula fills the kernel as it is typed, names where it cannot be read, and is one undo step', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await page.getByTestId('kernel-formula').click();
  const field = page.getByTestId('formula-field');
  await field.pressSequentially('x + k*y');
  await field.press('Enter');
  expect(await readRow(page, 0)).toEqual([-2, -1, 0]);
  await field.fill('x + * y');
  await expect(page.getByRole('alert')).toContainText('line 1, column 5');
  await field.fill('x + k*y');
  await page.getByTestId('formula-k-field').fill('3');
  await page.getByTestId('formula-k-field').press('Enter');
  expect(await readRow(page, 0)).toEqual([-4, -3, -2]);
  await page.keyboard.press('Control+Z');
  expect(await readRow(page, 0)).toEqual([-2, -1, 0]);
  expect(await accessibilityViolations(page, '[data-testid="filter-panel"]')).toEqual([]);
});

test('a formula belongs to its kernel: it goes on in a larger grid, into a project and back, and ends with a cell typed by hand', async ({
  startEditor,
  folder,
}) => {
  const project = path.join(folder, 'look.convolve');
  const editor = await startEditor({ photo: samplePhoto });
  await addFilter(editor.page, 'Custom kernel');
  await editor.page.getByTestId('kernel-formula').click();
  await editor.page.getByTestId('formula-field').fill('x + k*y');
  await editor.page.getByTestId('formula-k-field').fill('3');
  await editor.page.getByTestId('formula-k-field').press('Enter');
  await setSize(editor.page, 'width', 5);
  expect(await readRow(editor.page, 0)).toEqual([-8, -7, -6, -5, -4]);
  await answerDialogs(editor, { save: project });
  await editor.page.keyboard.press('Control+S');
  await expect(editor.page.getByTestId('status-saved')).toHaveText('Saved');
  await editor.close();

  const { page } = await startEditor({ photo: project });
  await expect(page.getByTestId('formula-field')).toHaveValue('x + k*y');
  await page.getByTestId('formula-k-field').fill('1');
  await page.getByTestId('formula-k-field').press('Enter');
  expect(await readRow(page, 0)).toEqual([-4, -3, -2, -1, 0]);
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('formula-apart')).toBeVisible();
  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('formula-apart')).toHaveCount(0);
  await expect(page.getByTestId('formula-field')).toHaveValue('x + k*y');
});

test('a picture becomes a kernel above its zero level, and a photo is refused by its size', async ({
  startEditor,
  folder,
}) => {
  const star = path.join(folder, 'star.png');
  await sharp(Buffer.from([51, 51, 51, 51, 255, 51]), { raw: { width: 3, height: 2, channels: 1 } })
    .png()
    .toFile(star);
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await addFilter(page, 'Custom kernel');
  await answerDialogs(editor, { open: samplePhoto });
  await page.getByTestId('kernel-picture').click();
  await expect(page.getByTestId('notices')).toContainText('at most 511 × 511 pixels');
  await answerDialogs(editor, { open: star });
  await page.getByTestId('kernel-picture').click();
  await page.getByTestId('picture-kernel-encoded').click();
  await page.getByTestId('picture-kernel-zero-field').fill('0.2');
  await page.getByTestId('picture-kernel-zero-field').press('Enter');
  await page.getByTestId('picture-kernel-use').click();
  await expect(page.getByTestId('kernel-height')).toHaveValue('2');
  expect(await readRow(page, 1)).toEqual([0, 0.8, 0]);
});
