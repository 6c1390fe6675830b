// Files of several pages: one is chosen in the window, with the filters that are there; and what a screen with more colours
// gets to see.

import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { fixturePath } from '../unit/main/fixtures';
import { expect, test } from './editorTest';

test('another page of a file is chosen by its picture, keeps the filters, and stands among the recent files', async ({
  startEditor,
  folder,
}) => {
  const photo = path.join(folder, 'pages.tif');
  await copyFile(fixturePath('tiff/multipage_3.tif'), photo);
  const { page } = await startEditor({ photo });
  await addFilter(page, 'Box blur');
  await waitForExact(page);
  await expect(page.getByTestId('status-page')).toHaveText('Page 1 of 3');
  await page.getByTestId('status-page').click();
  const dialog = page.getByTestId('pages-dialog');
  await expect(dialog.getByRole('button', { name: 'Page 1, open' })).toBeVisible();
  await expect(dialog.locator('img')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Open page 2' }).click();
  await expect(page.getByTestId('status-page')).toHaveText('Page 2 of 3');
  await expect(page.getByTestId('status-size')).toContainText('32 × 80');
  await expect(page.getByTestId('stack-item').filter({ hasText: 'Box blur' })).toBeVisible();
  await waitForExact(page);
  // By its number, from the keyboard alone.
  await page.getByTestId('status-page').focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('pages-number').fill('3');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('status-size')).toContainText('100 × 20');
  await page
    .getByRole('menuitem', { name: 'File' })
    .or(page.getByRole('button', { name: 'File' }))
    .click();
  await page.getByRole('menuitem', { name: 'Open recent' }).click();
  await expect(page.getByRole('menuitem', { name: /pages\.tif · page 3/ })).toBeVisible();
});

test('a screen of Display P3 shows a Display P3 picture by its own numbers, another screen converted', async ({
  startEditor,
}) => {
  const photo = fixturePath('icc/displayp3.png');
  const { page } = await startEditor({ photo, switches: ['--force-color-profile=srgb'] });
  /** The opaque colours that the canvas holds, in its own space. */
  const seen = () =>
    page.getByTestId('viewport').evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const context = canvas.getContext('2d');
      if (!context) throw new Error('the canvas has no 2-D context');
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set<string>();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) colours.add(data.slice(at, at + 3).join(' '));
      return { space: context.getContextAttributes().colorSpace, colours: [...colours] };
    });
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+1');
  await waitForExact(page);
  const narrow = await seen();
  expect(narrow.space).toBe('srgb');

  // The window is moved to a screen with more colours.
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setEmulatedMedia', { features: [{ name: 'color-gamut', value: 'p3' }] });
  await expect.poll(async () => (await seen()).space).toBe('display-p3');
  await waitForExact(page);
  const own = await coloursOf(photo);
  expect(own.filter((colour) => !narrow.colours.includes(colour)).length).toBeGreaterThan(5);
  await expect
    .poll(async () => {
      const { colours } = await seen();
      return own.filter((colour) => !colours.includes(colour));
    })
    .toEqual([]);
});

/** The colours of a file, its numbers as they are. */
async function coloursOf(file: string): Promise<readonly string[]> {
  const data = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += 3) colours.add([...data.subarray(at, at + 3)].join(' '));
  return [...colours];
}
