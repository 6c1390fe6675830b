// Every way in which a picture comes into the editor.

import path from 'node:path';
import type { Page } from 'playwright';
import type { Editor } from '../../scripts/editor';
import { addFilter, answerDialogs, openSample, waitForExact } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';
import { middleColour, plainPicture, smallPhoto } from './pictures';

const red = { r: 220, g: 30, b: 40 };
const redPixel = [220, 30, 40, 255];

/** Puts a picture on the clipboard, in Electron's newer or older way. */
async function copyPicture(editor: Editor, file: string): Promise<void> {
  await editor.application.evaluate(async ({ clipboard, nativeImage }, copied) => {
    const image = nativeImage.createFromPath(copied);
    const earlier = clipboard as unknown as { writeImage?: (picture: Electron.NativeImage) => void };
    if (earlier.writeImage) earlier.writeImage(image);
    else {
      const picture = new ClipboardItem({ 'image/png': new Blob([new Uint8Array(image.toPNG())]) });
      await clipboard.write([picture as unknown as Electron.ClipboardItem]);
    }
  }, file);
}

const fileName = (page: Page) => page.getByTestId('status-name');

test('starts empty and says how to begin', async ({ editor: { page } }) => {
  await expect(page.getByRole('heading', { name: 'Open a photo to begin' })).toBeVisible();
  await expect(page.getByTestId('export')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Add Gaussian blur' })).toBeDisabled();
});

test('opens the photo on the command line', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await expect(fileName(page)).toHaveText('kitten.jpg');
  await expect(page.getByTestId('status-size')).toContainText('1600 × 1083');
  await expect(page).toHaveTitle('kitten.jpg — Convolve');
  await waitForExact(page);
});

test('opens a photo chosen in the dialog', async ({ editor, folder }) => {
  const { page } = editor;
  await answerDialogs(editor, { open: await plainPicture(folder, 'red.png', red) });
  await page.getByTestId('empty-open').click();
  await expect(fileName(page)).toHaveText('red.png');
  await waitForExact(page);
  expect(await middleColour(page)).toEqual(redPixel);
});

test('a dialog that is cancelled changes nothing', async ({ editor }) => {
  await answerDialogs(editor, {});
  await editor.page.keyboard.press('Control+O');
  await expect(editor.page.getByTestId('empty-state')).toBeVisible();
  await expect(editor.page.getByTestId('notices')).toBeEmpty();
});

test('opens a sample photo', async ({ editor: { page } }) => {
  await openSample(page, 'Kitten among daisies');
  await expect(fileName(page)).toHaveText('kitten.jpg');
  await waitForExact(page);
});

test('opens a file dropped on the window', async ({ editor: { page }, folder }) => {
  const file = await plainPicture(folder, 'dropped.png', red);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  }
  await expect(page.getByText('Drop to open')).toBeVisible();
  await session.send('Input.dispatchDragEvent', { type: 'drop', x: 600, y: 400, data });
  await expect(fileName(page)).toHaveText('dropped.png');
  await waitForExact(page);
  expect(await middleColour(page)).toEqual(redPixel);
});

test('pastes a picture from the clipboard', async ({ editor, folder }) => {
  const { page } = editor;
  const file = await plainPicture(folder, 'copied.png', red, { width: 480, height: 360 });
  await copyPicture(editor, file);
  await page.keyboard.press('Control+V');
  await expect(page.getByTestId('status-size')).toContainText('480 × 360');
  await waitForExact(page);
  expect(await middleColour(page)).toEqual(redPixel);
});

test('an empty clipboard is said, not obeyed', async ({ editor }) => {
  await editor.application.evaluate(({ clipboard }) => clipboard.clear());
  await editor.page.keyboard.press('Control+V');
  await expect(editor.page.getByRole('alert')).toContainText('clipboard');
});

test('lists recent files, the last first, and opens them again', async ({ editor, folder }) => {
  const { page } = editor;
  const first = await plainPicture(folder, 'first.png', red);
  const second = await smallPhoto(folder);
  for (const file of [first, second]) {
    await answerDialogs(editor, { open: file });
    await page.keyboard.press('Control+O');
    await expect(fileName(page)).toHaveText(path.basename(file));
  }
  await page
    .getByRole('menuitem', { name: 'File' })
    .or(page.getByRole('button', { name: 'File' }))
    .click();
  await page.getByRole('menuitem', { name: 'Open recent' }).click();
  await expect(page.getByRole('menuitem', { name: 'small.png' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'first.png' }).click();
  await expect(fileName(page)).toHaveText('first.png');
});

test('a second picture has a tab of its own and starts without filters; the first keeps its own', async ({
  startEditor,
  folder,
}) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await expect(fileName(page)).toHaveText('kitten.jpg');
  await addFilter(page, 'Sobel');
  await answerDialogs(editor, { open: await plainPicture(folder, 'red.png', red) });
  await page.keyboard.press('Control+O');
  await expect(fileName(page)).toHaveText('red.png');
  await expect(page.getByTestId('stack-item')).toHaveCount(0);
  await expect(page.getByTestId('document-tab')).toHaveText(['kitten.jpg', 'red.png']);
  await page.keyboard.press('Control+PageUp');
  await expect(fileName(page)).toHaveText('kitten.jpg');
  await expect(page.getByTestId('stack-item')).toHaveCount(1);
  await waitForExact(page);
});

test('turns a photo upright by its EXIF orientation', async ({ startEditor, folder }) => {
  const { default: sharp } = await import('sharp');
  const file = path.join(folder, 'turned.jpg');
  await sharp({ create: { width: 90, height: 50, channels: 3, background: red } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(file);
  const { page } = await startEditor({ photo: file });
  await expect(page.getByTestId('status-size')).toContainText('50 × 90');
});
