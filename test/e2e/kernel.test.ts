// A kernel of one's own: typed and pasted cells, the rank that the singular values show, and the picture it makes.

import type { Page } from 'playwright';
import { addFilter, exportPicture, waitForExact } from '../../scripts/editorActions';
import { referenceResult } from './commandLine';
import { expect, samplePhoto, test } from './editorTest';
import { activeCell, clickCell } from './kernelGrid';
import { difference, readPixels, smallPhoto } from './pictures';

async function pasteKernel(page: Page, text: string): Promise<void> {
  await page.getByTestId('kernel-paste').click();
  const dialog = page.getByRole('dialog', { name: 'Paste a kernel' });
  await dialog.getByRole('textbox', { name: 'Kernel as text' }).fill(text);
  await dialog.getByRole('button', { name: 'Use it' }).click();
  await expect(dialog).toHaveCount(0);
}

const rank = (page: Page) => page.getByTestId('separability-rank');

test('the rank follows the cells as they are typed', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await pasteKernel(page, '1 2 1\n2 4 2\n1 2 1');
  await expect(rank(page)).toContainText('1 of 3');
  await clickCell(page, 0, 0);
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(activeCell(page)).toHaveAccessibleName('Row 2, column 1');
  await expect(rank(page)).toContainText('2 of 3');
  await page.keyboard.press('Control+Z');
  await expect(rank(page)).toContainText('1 of 3');
  await clickCell(page, 0, 0);
  await expect(activeCell(page)).toHaveValue('1');
});

test('arrow keys move over the grid, and what is no number is marked', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await pasteKernel(page, '1 2 1\n2 4 2\n1 2 1');
  await clickCell(page, 0, 0);
  await page.keyboard.press('ArrowRight');
  await expect(activeCell(page)).toHaveAccessibleName('Row 1, column 2');
  await page.keyboard.press('ArrowDown');
  await expect(activeCell(page)).toHaveAccessibleName('Row 2, column 2, anchor');
  await expect(activeCell(page)).toBeFocused();
  await page.keyboard.type('abc');
  await page.keyboard.press('Enter');
  await expect(activeCell(page)).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(activeCell(page)).toHaveValue('4');
});

test('what is said of a weight that cannot be computed goes once the cell is mended', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await pasteKernel(page, '1 2 1\n2 4 2\n1 2 1');
  await clickCell(page, 0, 0);
  await page.keyboard.type('1e300');
  await page.keyboard.press('Enter');
  const alert = page.getByTestId('notice-failure');
  await expect(alert).toContainText(
    'A weight of the kernel is 1e+300 (row 1, column 1). Type a number of at most 1e+100',
  );
  await clickCell(page, 0, 0);
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(alert).toHaveCount(0);
  await waitForExact(page);
});

test('an asymmetric kernel comes out of the export as the reference says, both ways round', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Custom kernel');
  await pasteKernel(page, '1 0 -2\n3 4 0\n0 -1 2');
  for (const orientation of ['correlation', 'convolution'] as const) {
    await page.getByTestId(`kernel-${orientation}`).click();
    await waitForExact(page);
    const file = `${folder}/${orientation}.png`;
    await exportPicture(editor, file, 'png');
    const law = `${folder}/${orientation}-law.png`;
    const kernel = ['--kernel', '1 0 -2; 3 4 0; 0 -1 2', '--divisor', 'auto', '--orientation', orientation];
    await referenceResult(photo, law, ...kernel);
    const { largest, equalShare } = difference(await readPixels(file), await readPixels(law));
    expect(largest).toBeLessThanOrEqual(1);
    expect(equalShare).toBeGreaterThanOrEqual(0.999);
    await page.getByTestId('notices').getByRole('button', { name: 'Dismiss' }).click();
  }
  const [one, other] = [`${folder}/correlation.png`, `${folder}/convolution.png`];
  expect(difference(await readPixels(one), await readPixels(other)).largest).toBeGreaterThan(5);
});

test('a divisor of 0 is refused in words, and the kernel stays', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await pasteKernel(page, '1 2 1\n2 4 2\n1 2 1');
  const divisor = page.getByTestId('kernel-divisor');
  const before = await divisor.inputValue();
  await divisor.fill('0');
  await divisor.press('Enter');
  await expect(page.getByRole('alert')).toContainText(/divisor/i);
  await expect(divisor).toHaveValue(before);
});
