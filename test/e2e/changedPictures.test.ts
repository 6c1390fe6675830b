// Pictures that change on the disk while the editor has them open: what is shown and exported is what was opened, and where the
// file itself is needed, the person is told.

import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { addFilter, answerDialogs, exportPicture, runCommand, waitForExact } from '../../scripts/editorActions';
import { inRoot } from '../../scripts/paths';
import { expect, test } from './editorTest';
import { canvasPixels, difference, plainPicture, readPixels, smallPhoto } from './pictures';

/** What happens to the file; the editor never has a part in it. */
const changes = {
  replaced: async (file: string, folder: string) =>
    copyFile(await plainPicture(folder, 'other.png', { r: 9, g: 9, b: 9 }), file),
  'cut short': async (file: string) => writeFile(file, (await readFile(file)).subarray(0, 100)),
  deleted: (file: string) => rm(file),
} as const;

for (const [what, change] of Object.entries(changes))
  test(`a picture that is ${what} while it is open is shown, filtered and exported as it was opened`, async ({
    startEditor,
    folder,
  }) => {
    const photo = await smallPhoto(folder);
    const opened = await readPixels(photo);
    const editor = await startEditor({ photo });
    const { page } = editor;
    await page.getByTestId('compare-result').click();
    await waitForExact(page);
    const before = await canvasPixels(page);
    await change(photo, folder);
    await addFilter(page, 'Gaussian blur');
    await waitForExact(page);
    await runCommand(page, 'Undo');
    await waitForExact(page);
    expect(difference(before, await canvasPixels(page)).largest).toBe(0);
    await exportPicture(editor, path.join(folder, 'out.png'), 'png');
    expect(difference(opened, await readPixels(path.join(folder, 'out.png'))).largest).toBe(0);

    // A project that should hold the picture itself needs the file that was opened.
    await answerDialogs(editor, { save: path.join(folder, 'look.convolve') });
    await runCommand(page, 'Save project with the picture inside');
    await expect(page.getByRole('alert')).toContainText(
      'small.png is no longer the file that was opened, so look.convolve cannot hold it.',
    );
    await expect(page.getByTestId('status-name')).toHaveText('small.png');
    await page.keyboard.press('Control+S');
    await expect(page.getByTestId('status-saved')).toHaveText('Saved');
  });

test('a project whose picture has changed opens with it, and says so', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder);
  const project = path.join(folder, 'look.convolve');
  const first = await startEditor({ photo });
  await addFilter(first.page, 'Sobel');
  await answerDialogs(first, { save: project });
  await first.page.keyboard.press('Control+S');
  await expect(first.page.getByTestId('status-saved')).toHaveText('Saved');
  await first.close();
  await sharp(await readFile(photo))
    .negate()
    .toFile(`${photo}.tmp.png`);
  await copyFile(`${photo}.tmp.png`, photo);
  const second = await startEditor({ photo: project });
  await expect(second.page.getByText('The picture has changed since the project was saved.')).toBeVisible();
  await expect(second.page.getByTestId('stack-item')).toHaveCount(1);
  await waitForExact(second.page);
});

test('another page of a file that has changed says that it is of another file', async ({ startEditor, folder }) => {
  const file = path.join(folder, 'pages.tif');
  await copyFile(inRoot('test', 'fixtures', 'tiff', 'multipage_3.tif'), file);
  const editor = await startEditor({ photo: file });
  const { page } = editor;
  await waitForExact(page);
  await writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(1)]));
  /** Opens a page by its number. */
  const openPage = async (number: number) => {
    await page.getByTestId('status-page').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('pages-number').fill(String(number));
    await page.keyboard.press('Enter');
  };
  await openPage(2);
  await expect(page.getByText('The file has changed since it was opened.')).toBeVisible();
  await expect(page.getByTestId('status-page')).toHaveText('Page 2 of 3');

  await rm(file);
  await openPage(3);
  await expect(page.getByRole('alert')).toContainText('pages.tif was not found');
  await expect(page.getByTestId('status-page')).toHaveText('Page 2 of 3');
});
