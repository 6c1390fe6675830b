// The stack by keyboard and by mouse: every filter is added, renamed, doubled, moved, switched, seen alone and removed, and a
// drag moves one.

import type { Page } from 'playwright';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { expect, test } from './editorTest';
import { canvasPixels, difference, plainPicture, smallPhoto } from './pictures';

const names = (page: Page) => page.getByTestId('stack-item').locator('.stack-name');
const press = async (page: Page, ...keys: readonly string[]) => {
  await page.getByTestId('viewport').focus();
  for (const key of keys) await page.keyboard.press(key);
};

test('by keyboard alone a filter is added, renamed, doubled, moved, switched, seen alone and removed', async ({
  startEditor,
  folder,
}) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  for (const filter of ['Gaussian blur', 'Sobel']) {
    await press(page, 'Control+K');
    await page.keyboard.type(filter);
    await page.getByRole('option', { name: filter }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: filter, exact: true })).toBeVisible();
  }
  await press(page, 'F2');
  await page.keyboard.type('Lines');
  await page.keyboard.press('Enter');
  await expect(names(page)).toHaveText(['Gaussian blur', 'Lines']);
  await press(page, 'Control+D');
  await expect(names(page)).toHaveCount(3);
  await press(page, 'Delete', 'Alt+ArrowUp');
  await expect(names(page)).toHaveText(['Lines', 'Gaussian blur']);
  await press(page, 'Alt+ArrowDown');
  await expect(names(page)).toHaveText(['Gaussian blur', 'Lines']);
  await press(page, 'Alt+S');
  await expect(page.getByTestId('solo-tag')).toContainText('Lines');
  await press(page, 'Alt+S', 'Control+B');
  await expect(page.getByTestId('solo-tag')).toHaveCount(0);
  await expect(page.getByRole('switch', { name: /Lines/ })).not.toBeChecked();
  // Each was one step, but for what is only seen.
  for (let step = 0; step < 8; step += 1) await press(page, 'Control+Z');
  await expect(names(page)).toHaveCount(0);
});

test('a filter is dragged to another place in the stack, and the picture follows', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await page.getByTestId('compare-result').click();
  for (const filter of ['Sobel', 'Gaussian blur', 'Emboss']) await addFilter(page, filter);
  await waitForExact(page);
  const before = await canvasPixels(page);
  const rows = page.getByTestId('stack-item');
  const target = await rows.first().boundingBox();
  const source = await rows.last().boundingBox();
  if (target === null || source === null) throw new Error('no rows');
  await page.mouse.move(source.x + 60, source.y + source.height / 2);
  await page.mouse.down();
  // Into the upper half of the first row: before it.
  for (const y of [source.y - 4, target.y + target.height, target.y + 8, target.y + 3])
    await page.mouse.move(target.x + 60, y);
  await page.mouse.up();
  await expect(names(page)).toHaveText(['Emboss', 'Sobel', 'Gaussian blur']);
  await waitForExact(page);
  expect(difference(before, await canvasPixels(page)).largest).toBeGreaterThan(20);
  await press(page, 'Control+Z');
  await expect(names(page)).toHaveText(['Sobel', 'Gaussian blur', 'Emboss']);
  await waitForExact(page);
  expect(difference(before, await canvasPixels(page)).largest).toBe(0);
});

test('the split is turned by keyboard: the original above, the result below, and its handle moves up and down', async ({
  startEditor,
  folder,
}) => {
  const photo = await plainPicture(folder, 'grey.png', { r: 100, g: 100, b: 100 });
  const { page } = await startEditor({ photo });
  await addFilter(page, 'Emboss');
  await press(page, 'Alt+2', 'Alt+Shift+2');
  await waitForExact(page);
  const handle = page.getByRole('slider', { name: 'Split between original and result' });
  await expect(handle).toHaveAttribute('aria-orientation', 'vertical');
  const greys = async () => {
    const { data, width, height } = await canvasPixels(page);
    return [0.45, 0.6].map((share) => data[(Math.round(height * share) * width + Math.round(width / 3)) * 4]);
  };
  await expect.poll(greys).toEqual([100, 128]);
  await handle.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await expect(handle).toHaveAttribute('aria-valuenow', '40');
  await expect.poll(greys).toEqual([128, 128]);
});
