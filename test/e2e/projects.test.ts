// Projects and unsaved work in the running editor: saved, opened again, asked about, and brought back after a kill.

import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { projectVersion } from '../../core/project';
import type { Editor } from '../../scripts/editor';
import { addFilter, answerDialogs, runCommand, setParameter, waitForExact } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';
import { canvasPixels, difference, smallPhoto } from './pictures';

const savedState = (page: Page) => page.getByTestId('status-saved');

/** Closes the window as its frame's button does. */
const pressClose = (editor: Editor) =>
  editor.application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

/** A kernel of the person's own, with a name. */
async function addOwnKernel(page: Page): Promise<void> {
  await addFilter(page, 'Custom kernel');
  await page.getByTestId('kernel-paste').click();
  await page.getByRole('textbox', { name: 'Kernel as text' }).fill('0 -1 0\n-1 5 -1\n0 -1 0');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByTestId('filter-name').fill('crisp');
  await page.getByTestId('filter-name').press('Enter');
}

test('a project is saved, opened on the command line, and shows the same pixels', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const file = path.join(folder, 'look.convolve');
  const first = await startEditor({ photo });
  await first.page.getByTestId('compare-result').click();
  await addFilter(first.page, 'Gaussian blur');
  await setParameter(first.page, 'sigma', 1.7);
  await addOwnKernel(first.page);
  await expect(savedState(first.page)).toHaveText('Not saved');
  await expect(first.page).toHaveTitle('• small.png — Convolve');
  await answerDialogs(first, { save: file });
  await first.page.keyboard.press('Control+S');
  await expect(savedState(first.page)).toHaveText('Saved');
  await expect(first.page).toHaveTitle('look.convolve — Convolve');
  await waitForExact(first.page);
  const before = await canvasPixels(first.page);
  await first.close();

  // The folder moves as a whole.
  const moved = path.join(folder, 'moved');
  await mkdir(moved);
  for (const name of ['small.png', 'look.convolve']) await rename(path.join(folder, name), path.join(moved, name));
  const second = await startEditor({ photo: path.join(moved, 'look.convolve') });
  await expect(second.page.getByTestId('stack-item')).toHaveCount(2);
  await expect(second.page.getByTestId('stack-item').last()).toContainText('crisp');
  await second.page.getByTestId('compare-result').click();
  await waitForExact(second.page);
  expect(difference(before, await canvasPixels(second.page)).largest).toBe(0);
  await expect(savedState(second.page)).toHaveText('Saved');
});

test('the missing picture of a project is asked for', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const first = await startEditor({ photo });
  await addFilter(first.page, 'Sobel');
  await answerDialogs(first, { save: path.join(folder, 'look.convolve') });
  await first.page.keyboard.press('Control+S');
  await expect(savedState(first.page)).toHaveText('Saved');
  await mkdir(path.join(folder, 'away'));
  await rename(photo, path.join(folder, 'away', 'picture.png'));

  await answerDialogs(first, { open: path.join(folder, 'look.convolve') });
  await first.page.keyboard.press('Control+O');
  const dialog = first.page.getByTestId('missing-picture');
  await expect(dialog).toContainText('small.png');
  await answerDialogs(first, { open: path.join(folder, 'away', 'picture.png') });
  await dialog.getByTestId('missing-find').click();
  await expect(first.page.getByTestId('document-tab')).toHaveCount(2);
  await expect(first.page.getByTestId('stack-item')).toHaveCount(1);
  await waitForExact(first.page);
});

test('a picture that was renamed in the folder of its project is found by its hash, unasked', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const file = path.join(folder, 'look.convolve');
  const first = await startEditor({ photo });
  await addFilter(first.page, 'Sobel');
  await answerDialogs(first, { save: file });
  await first.page.keyboard.press('Control+S');
  await expect(savedState(first.page)).toHaveText('Saved');
  await first.close();
  await rename(photo, path.join(folder, 'holiday.png'));
  const second = await startEditor({ photo: file });
  await expect(second.page.getByTestId('stack-item')).toHaveCount(1);
  await expect(second.page.getByTestId('missing-picture')).toHaveCount(0);
  await waitForExact(second.page);
});

test('a project with the picture inside opens where the picture is no more', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const file = path.join(folder, 'look.convolve');
  const first = await startEditor({ photo });
  await first.page.getByTestId('compare-result').click();
  await addFilter(first.page, 'Emboss');
  await waitForExact(first.page);
  const before = await canvasPixels(first.page);
  await answerDialogs(first, { save: file });
  await runCommand(first.page, 'Save project with the picture inside');
  await expect(savedState(first.page)).toHaveText('Saved');
  await first.close();
  await rm(photo);
  const second = await startEditor({ photo: file });
  await second.page.getByTestId('compare-result').click();
  await expect(second.page.getByTestId('stack-item')).toHaveCount(1);
  await waitForExact(second.page);
  expect(difference(before, await canvasPixels(second.page)).largest).toBe(0);
});

test('a project of a newer version is refused in words', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: samplePhoto });
  const file = path.join(folder, 'tomorrow.convolve');
  await writeFile(file, `{ "format": "convolve-project", "version": ${projectVersion + 1}, "layers": [] }`);
  await answerDialogs(editor, { open: file });
  await editor.page.keyboard.press('Control+O');
  await expect(editor.page.getByRole('alert')).toContainText('tomorrow.convolve was written by a newer Convolve');
  await expect(editor.page.getByTestId('status-name')).toHaveText('kitten.jpg');
});

test('closing with unsaved work asks: cancel keeps the window, save writes it and ends', async ({
  startEditor,
  folder,
}) => {
  const editor = await startEditor({ photo: await smallPhoto(folder) });
  const { page } = editor;
  await addFilter(page, 'Emboss');
  await pressClose(editor);
  const dialog = page.getByTestId('unsaved');
  await expect(dialog).toContainText('small.png');
  await dialog.getByTestId('unsaved-cancel').click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId('stack-item')).toHaveCount(1);

  const file = path.join(folder, 'kept.convolve');
  await answerDialogs(editor, { save: file });
  await pressClose(editor);
  const ended = new Promise((resolve) => editor.application.process().once('exit', resolve));
  await dialog.getByTestId('unsaved-save').click();
  await ended;
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1, stack: [{ kind: 'emboss' }] });
});

test('a window without unsaved work closes unasked', async ({ startEditor }) => {
  const editor = await startEditor({ photo: samplePhoto });
  await waitForExact(editor.page);
  const ended = new Promise((resolve) => editor.application.process().once('exit', resolve));
  await pressClose(editor);
  await ended;
});

for (const [how, signal] of [
  ['killed', 'SIGKILL'],
  ['told to end', 'SIGTERM'],
] as const)
  test(`work is offered again after the program was ${how}, kernels and masks included`, async ({
    startEditor,
    folder,
  }) => {
    const photo = await smallPhoto(folder);
    const userFolder = path.join(folder, 'user');
    const recovery = path.join(userFolder, 'recovery');
    const first = await startEditor({ photo, userFolder });
    await first.page.getByTestId('compare-result').click();
    await addOwnKernel(first.page);
    await first.page.getByTestId('mask-tool-ellipse').click();
    await first.page.getByTestId('mask-middle').click();
    await runCommand(first.page, 'Show the mask');
    await waitForExact(first.page);
    const before = await canvasPixels(first.page);
    // The file appears by itself, a moment after the last change.
    const kept = async () => {
      const names = existsSync(recovery) ? readdirSync(recovery).filter((name) => name.endsWith('.json')) : [];
      return names[0] === undefined ? '' : readFile(path.join(recovery, names[0]), 'utf8');
    };
    await expect.poll(kept, { timeout: 20_000 }).toContain('ellipse');
    expect(await kept()).toContain('crisp');
    const ended = new Promise((resolve) => first.application.process().once('exit', resolve));
    first.application.process().kill(signal);
    await ended;

    const second = await startEditor({ userFolder });
    const dialog = second.page.getByTestId('recovery');
    await expect(dialog.getByTestId('recovery-item')).toContainText('small.png');
    await dialog.getByTestId('recovery-restore').click();
    await expect(second.page.getByTestId('stack-item')).toContainText('crisp');
    await expect(second.page.getByTestId('stack-mask')).toBeVisible();
    await runCommand(second.page, 'Show the mask');
    await expect(savedState(second.page)).toHaveText('Not saved');
    await second.page.getByTestId('compare-result').click();
    await waitForExact(second.page);
    expect(difference(before, await canvasPixels(second.page)).largest).toBe(0);
    await second.close();

    // Given up, it is not offered a third time.
    const third = await startEditor({ userFolder });
    await expect(third.page.getByTestId('empty-state')).toBeVisible();
    await expect(third.page.getByTestId('recovery')).toHaveCount(0);
  });

test('work is offered again though its picture was moved meanwhile, and goes on once that is shown', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const userFolder = path.join(folder, 'user');
  const recovery = path.join(userFolder, 'recovery');
  const records = () => (existsSync(recovery) ? readdirSync(recovery).filter((name) => name.endsWith('.json')) : []);
  const first = await startEditor({ photo, userFolder });
  await addOwnKernel(first.page);
  const kept = async () => (records()[0] === undefined ? '' : readFile(path.join(recovery, records()[0]!), 'utf8'));
  await expect.poll(kept, { timeout: 20_000 }).toContain('crisp');
  const ended = new Promise((resolve) => first.application.process().once('exit', resolve));
  first.application.process().kill('SIGKILL');
  await ended;
  await mkdir(path.join(folder, 'away'));
  await rename(photo, path.join(folder, 'away', 'moved.png'));

  // Not now: nothing is lost, and the next start offers it again.
  const second = await startEditor({ userFolder });
  await second.page.getByTestId('recovery-restore').click();
  const dialog = second.page.getByTestId('missing-picture');
  await expect(dialog).toContainText('small.png');
  await dialog.getByTestId('missing-cancel').click();
  await expect(dialog).toHaveCount(0);
  expect(records()).toHaveLength(1);
  await second.close();

  const third = await startEditor({ userFolder });
  await third.page.getByTestId('recovery-restore').click();
  await answerDialogs(third, { open: path.join(folder, 'away', 'moved.png') });
  await third.page.getByTestId('missing-find').click();
  await expect(third.page.getByTestId('stack-item')).toContainText('crisp');
  await expect(savedState(third.page)).toHaveText('Not saved');
  await waitForExact(third.page);
});
