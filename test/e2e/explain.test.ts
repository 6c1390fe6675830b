// The explain card: held by Alt or pinned, it shows how the selected filter makes a pixel, and that is the pixel which the
// export holds; a keyboard moves it from pixel to pixel.

import path from 'node:path';
import type { Page } from 'playwright';
import { addFilter, exportPicture, runCommand, waitForExact } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, test } from './editorTest';
import { readPixels, smallPhoto } from './pictures';

const card = (page: Page) => page.locator('[data-testid="explain"][data-fresh="true"]');

/** The numbers of the card's last row. */
async function resultOf(page: Page): Promise<readonly number[]> {
  const cells = await card(page).getByTestId('explain-result').locator('td').allTextContents();
  return cells.map(Number);
}

async function pinMiddle(page: Page): Promise<void> {
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+I');
  await expect(card(page)).toBeVisible();
}

test('pinned by keyboard, it explains the very pixels that the file will hold', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: await smallPhoto(folder, 300, 200) });
  const { page } = editor;
  await addFilter(page, 'Unsharp mask');
  await addFilter(page, 'Emboss');
  await waitForExact(page);
  await exportPicture(editor, path.join(folder, 'out.png'), 'png');
  const file = await readPixels(path.join(folder, 'out.png'));
  const inFile = (x: number, y: number) => [...file.data.subarray((y * 300 + x) * 3, (y * 300 + x) * 3 + 3)];

  await pinMiddle(page);
  await expect(card(page)).toContainText('x 150  y 100');
  expect(await resultOf(page)).toEqual(inFile(150, 100));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(card(page)).toContainText('x 151  y 111');
  expect(await resultOf(page)).toEqual(inFile(151, 111));
  await expect(page.getByTestId('status-pointer')).toContainText(/x 151 {2}y 111/);

  // Another filter of the stack: what it gives to the next.
  await page.getByTestId('stack-item').first().click();
  await expect(card(page)).toContainText('= for the next filter');
  await expect(card(page)).toContainText('-1 · sum + 2 · pixel');

  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('explain')).toHaveCount(0);
});

test('every product is listed, border samples are marked, and the total is the sum', async ({
  startEditor,
  folder,
}) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder, 40, 30) });
  await addFilter(page, 'Box blur');
  await waitForExact(page);
  await pinMiddle(page);
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowLeft');
  await expect(card(page)).toContainText('x 0  y 15');
  await expect(card(page)).toContainText('10 of 25 samples come from the border: Mirror, edge once.');
  await page.getByTestId('explain-products-button').click();
  const rows = page.getByTestId('explain-products').locator('tbody tr');
  await expect(rows).toHaveCount(25);
  await expect(page.locator('.explain-border')).toHaveCount(10);
  const values = await rows.locator('td:last-child').allTextContents();
  const total = values.map(Number).reduce((sum, value) => sum + value, 0);
  expect(await page.getByTestId('explain-total').textContent()).toBe(String(total));
  expect((await resultOf(page))[0]).toBe(Math.round(total / 25));
  for (const theme of ['Light', 'Dark']) {
    await runCommand(page, theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    expect(await accessibilityViolations(page, '[data-testid="explain"]')).toEqual([]);
  }
});

test('it shows while Alt is held over the picture, and Alt-click pins it', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await addFilter(page, 'Sobel');
  await waitForExact(page);
  const room = await page.getByTestId('viewport').boundingBox();
  if (room === null) throw new Error('there is no canvas');
  await page.mouse.move(room.x + room.width / 3, room.y + room.height / 2);
  await page.keyboard.down('Alt');
  await expect(card(page)).toHaveAttribute('data-pinned', 'false');
  await expect(card(page)).toContainText('Length √(x² + y²)');
  await page.keyboard.up('Alt');
  await expect(page.getByTestId('explain')).toHaveCount(0);
  await page.keyboard.down('Alt');
  await page.mouse.down();
  await page.mouse.up();
  await page.keyboard.up('Alt');
  await expect(card(page)).toHaveAttribute('data-pinned', 'true');
  const place = await card(page).locator('.explain-place').textContent();
  await page.mouse.move(room.x + 30, room.y + 30);
  await expect(card(page).locator('.explain-place')).toHaveText(place ?? '');
});

test('an edge has no sum, which is said with what it has', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await addFilter(page, 'Canny');
  await waitForExact(page);
  await pinMiddle(page);
  await expect(page.getByTestId('explain-edges')).toContainText('No sum of neighbours makes an edge');
  await expect(page.getByTestId('explain-verdict')).toHaveText(/It is (no|an) edge\.$/);
  expect(await accessibilityViolations(page, '[data-testid="explain"]')).toEqual([]);
});
