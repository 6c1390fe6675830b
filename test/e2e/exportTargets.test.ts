// Where an export goes: a file that is there is asked about, and whatever happens to the folder or the disk, the old file stays
// whole, the document open, and the person told.

import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { Editor } from '../../scripts/editor';
import { addFilter, answerDialogs, exportPicture, startExport, waitForExact } from '../../scripts/editorActions';
import { inRoot } from '../../scripts/paths';
import { expect, test } from './editorTest';
import { smallPhoto } from './pictures';

/** Answers the next questions for a place with `answer`, as the system's dialog does; null cancels. */
async function answerSaving(editor: Editor, answer: string | null): Promise<void> {
  await editor.application.evaluate(({ dialog }, file) => {
    const asked: Electron.SaveDialogOptions[] = [];
    Object.assign(globalThis, { asked });
    dialog.showSaveDialog = async (...words: unknown[]) => {
      asked.push(words.at(-1) as Electron.SaveDialogOptions);
      return { canceled: file === null, filePath: file ?? '' };
    };
  }, answer);
}
/** What the system was asked to ask. */
const questions = (editor: Editor) =>
  editor.application.evaluate(() => (globalThis as unknown as { asked: Electron.SaveDialogOptions[] }).asked);

const alert = (editor: Editor) => editor.page.getByRole('alert');

test('a file that is there is asked about by the system: no leaves it, yes replaces it whole', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const target = path.join(folder, 'out.png');
  await writeFile(target, 'the file from before');
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Sharpen');
  await waitForExact(page);
  await answerSaving(editor, null);
  await startExport(page, 'png');
  await expect.poll(async () => (await questions(editor)).length).toBe(1);
  const [question] = await questions(editor);
  expect(question?.properties).toContain('showOverwriteConfirmation');
  expect(question?.defaultPath).toBe(path.join(folder, 'small-convolved.png'));
  await expect(page.getByTestId('export-progress')).toHaveCount(0);
  expect(await readFile(target, 'utf8')).toBe('the file from before');
  await expect(page.getByTestId('status-saved')).toHaveText('Not saved');

  await answerSaving(editor, target);
  await page.getByTestId('export-go').click();
  await page.getByText(/^Exported /).waitFor();
  expect((await sharp(target).metadata()).format).toBe('png');
  expect(readdirSync(folder).sort()).toEqual(['out.png', 'small.png']);
});

test('a name without an ending that would hit another file takes a free one: the system did not ask about that', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  await writeFile(path.join(folder, 'out.png'), 'the file from before');
  const editor = await startEditor({ photo });
  await exportPicture(editor, path.join(folder, 'out'), 'png');
  expect(await readFile(path.join(folder, 'out.png'), 'utf8')).toBe('the file from before');
  expect((await sharp(path.join(folder, 'out 2.png')).metadata()).width).toBe(300);
});

test('the picture that is open is never replaced by what is made from it', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const before = await readFile(photo);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Emboss');
  await waitForExact(page);
  await answerDialogs(editor, { save: photo });
  await startExport(page, 'png');
  await expect(alert(editor)).toContainText('small.png cannot be written: the export is made from this picture.');
  expect((await readFile(photo)).equals(before)).toBe(true);
  await expect(page.getByTestId('status-saved')).toHaveText('Not saved');
  await answerDialogs(editor, { save: path.join(folder, 'other.png') });
  await page.getByTestId('export-go').click();
  await page.getByText(/^Exported other\.png/).waitFor();
});

test('a folder that goes while the export runs is named, and the export goes elsewhere', async ({
  startEditor,
  folder,
}) => {
  const editor = await startEditor({ photo: inRoot('samples', 'motherboard.jpg') });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  const lost = path.join(folder, 'lost');
  await mkdir(lost);
  await answerDialogs(editor, { save: path.join(lost, 'out.png') });
  await startExport(page, 'png');
  await page.getByTestId('export-progress').waitFor();
  await rm(lost, { recursive: true });
  await expect(alert(editor)).toContainText('lost does not exist. Create it or choose another.', { timeout: 50_000 });
  expect(existsSync(lost)).toBe(false);
  await expect(page.getByTestId('stack-item')).toHaveCount(1);
  await answerDialogs(editor, { save: path.join(folder, 'out.png') });
  await page.getByTestId('export-go').click();
  await page.getByText(/^Exported out\.png/).waitFor({ timeout: 50_000 });
});

test('a full disk is told, the old file is whole, and with room it is written', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const target = path.join(folder, 'out.png');
  await copyFile(photo, target);
  const before = await readFile(target);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Sobel');
  await waitForExact(page);
  // The next write of a file ends as on a disk without room: not every computer may make a small disk.
  await editor.application.evaluate(async () => {
    const files = process.getBuiltinModule('node:fs/promises');
    const handle = await files.open(process.execPath, 'r');
    const kind = Object.getPrototypeOf(handle) as { write: unknown };
    await handle.close();
    const { write } = kind;
    kind.write = async () => {
      kind.write = write;
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
    };
  });
  await answerDialogs(editor, { save: target });
  await startExport(page, 'png');
  await expect(alert(editor)).toContainText(
    'There is no room on the disk for out.png. Free some space or choose another folder; nothing was changed.',
  );
  expect((await readFile(target)).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['out.png', 'small.png']);
  await page.getByTestId('export-go').click();
  await page.getByText(/^Exported out\.png/).waitFor();
  expect((await readFile(target)).equals(before)).toBe(false);
});
