// A kernel painted by a person: a 9 × 9 emboss by mouse and by keyboard, lines, the eraser, symmetry, the anchor, and one undo
// step for each gesture.

import type { Page } from 'playwright';
import { addFilter } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';
import { activeCell, clickCell, dragOverCells, emptyKernel, paintEmboss, readRow, setSize } from './kernelGrid';

const tool = (page: Page, name: string) => page.getByTestId(`grid-tool-${name}`).click();
const rank = (page: Page) => page.getByTestId('separability-rank');

test('a 9 × 9 emboss is painted by mouse, and each drag is one undo step', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await emptyKernel(page, 9);
  // Light from the upper left: three lines of 1 on one side of the falling diagonal's anchor, three of −1 on the other.
  await paintEmboss(page);
  expect(await readRow(page, 1)).toEqual([0, 1, 1, 1, 1, 0, 0, 0, 0]);
  expect(await readRow(page, 4)).toEqual([0, 1, 0, 0, 0, 0, 0, -1, 0]);
  expect(await readRow(page, 7)).toEqual([0, 0, 0, 0, -1, -1, -1, -1, 0]);
  await expect(rank(page)).toContainText('4 of 9');
  await page.keyboard.press('Control+Z');
  expect(await readRow(page, 7)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(await readRow(page, 1)).toEqual([0, 1, 1, 1, 1, 0, 0, 0, 0]);
  await page.keyboard.press('Control+Z');
  expect(await readRow(page, 1)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('the same emboss by keyboard alone: typed, painted with Space, cleared with Delete', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await emptyKernel(page, 9);
  await activeCell(page).focus();
  await page.keyboard.press('Control+Home');
  await expect(activeCell(page)).toHaveAccessibleName('Row 1, column 1');
  // Typed along a row with Tab, painted along the diagonal with Space.
  for (const weight of ['2', '1', '-1']) {
    await page.keyboard.type(weight);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(activeCell(page)).toHaveAccessibleName('Row 2, column 4');
  await expect(activeCell(page)).toHaveValue('1');
  expect(await readRow(page, 0)).toEqual([2, 1, -1, 0, 0, 0, 0, 0, 0]);
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  await expect(activeCell(page)).toHaveValue('0');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(activeCell(page)).toHaveValue('-2');
  // Both presses are one step.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('ArrowLeft');
  await expect(activeCell(page)).toHaveValue('0');
});

test('lines with Shift, the eraser with the right button, and Esc takes a drag back', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await emptyKernel(page, 5);
  await tool(page, 'type');
  await page.keyboard.down('Shift');
  // The end decides, not the way.
  await dragOverCells(page, [
    [0, 0],
    [4, 0],
    [4, 4],
  ]);
  await page.keyboard.up('Shift');
  for (let row = 0; row < 5; row++) {
    const expected = [0, 0, 0, 0, 0].with(row, 1);
    expect(await readRow(page, row)).toEqual(expected);
  }
  await dragOverCells(
    page,
    [
      [0, 1],
      [3, 1],
    ],
    'right',
  );
  expect(await readRow(page, 1)).toEqual([0, 0, 0, 0, 0]);
  await clickCell(page, 0, 4);
  await page.mouse.down();
  const grid = await page.getByTestId('kernel-grid').boundingBox();
  await page.mouse.move((grid?.x ?? 0) + 80, (grid?.y ?? 0) + 150, { steps: 3 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await readRow(page, 4)).toEqual([0, 0, 0, 0, 1]);
});

test('what was typed, or nudged just before, stays as it is when a stroke begins in another cell', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await emptyKernel(page, 5);
  await clickCell(page, 0, 0);
  await activeCell(page).fill('7');
  await dragOverCells(page, [
    [1, 2],
    [3, 2],
  ]);
  expect(await readRow(page, 0)).toEqual([7, 0, 0, 0, 0]);
  expect(await readRow(page, 2)).toEqual([0, 1, 1, 1, 0]);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('PageUp');
  await dragOverCells(page, [
    [1, 4],
    [3, 4],
  ]);
  await page.keyboard.press('Control+Z');
  expect(await readRow(page, 4)).toEqual([0, 0, 0, 0, 0]);
  expect(await readRow(page, 0)).toEqual([8, 0, 0, 0, 0]);
});

test('a symmetry lock mirrors what is painted and typed', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await emptyKernel(page, 7);
  await page.getByTestId('grid-symmetry-fourFold').click();
  await dragOverCells(page, [
    [0, 0],
    [2, 0],
  ]);
  expect(await readRow(page, 0)).toEqual([1, 1, 1, 0, 1, 1, 1]);
  expect(await readRow(page, 6)).toEqual([1, 1, 1, 0, 1, 1, 1]);
  await tool(page, 'type');
  await clickCell(page, 1, 3);
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  expect(await readRow(page, 3)).toEqual([0, 5, 0, 0, 0, 5, 0]);
});

test('the anchor is dragged by its mark, and by Ctrl', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await page.keyboard.down('Control');
  await dragOverCells(page, [
    [1, 1],
    [2, 0],
  ]);
  await page.keyboard.up('Control');
  await expect(page.getByTestId('kernel-anchor-x')).toHaveValue('2');
  await expect(page.getByTestId('kernel-anchor-y')).toHaveValue('0');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('kernel-anchor-x')).toHaveValue('1');
  const box = await page.getByTestId('kernel-grid').boundingBox();
  if (box === null) throw new Error('no grid');
  await page.mouse.move(box.x + box.width / 3 + 5, box.y + box.height / 3 + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 10, box.y + box.height - 10, { steps: 3 });
  await page.mouse.up();
  await expect(page.getByTestId('kernel-anchor-x')).toHaveValue('0');
  await expect(page.getByTestId('kernel-anchor-y')).toHaveValue('2');
});

test('kernels of 1 × 1, of even sizes and of 63 × 63 are edited, and a size beyond 511 is refused while it is typed', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await setSize(page, 'width', 1);
  await clickCell(page, 0, 0);
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(activeCell(page)).toHaveValue('3');
  await setSize(page, 'width', 4);
  await expect(page.getByTestId('kernel-anchor-x')).toHaveValue('2');
  await setSize(page, 'width', 63);
  await page.getByTestId('grid-view-whole').click();
  await clickCell(page, 62, 62);
  await page.keyboard.type('-0.5');
  await page.keyboard.press('Enter');
  await expect(activeCell(page)).toHaveAccessibleName('Row 63, column 63');
  await expect(page.getByTestId('kernel-reading')).toContainText('Row 63, column 63: -0.5');
  await page.getByTestId('grid-view-numbers').click();
  await activeCell(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('7');
  await page.keyboard.press('Tab');
  await expect(activeCell(page)).toHaveAccessibleName('Row 1, column 2');
  await page.getByTestId('kernel-width').fill('600');
  await expect(page.getByRole('alert')).toContainText('From 1 to 511');
});

test('a kernel of 511 × 511 is edited as a picture, with the cells round the pointer as numbers', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await setSize(page, 'width', 511);
  await expect(page.getByTestId('kernel-loupe')).toBeVisible();
  await clickCell(page, 100, 60);
  // The pointer chooses to the nearest pixel, the keyboard to the cell.
  await activeCell(page).focus();
  await page.keyboard.press('Control+Home');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  await page.keyboard.type('0.25');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await expect(activeCell(page)).toHaveAccessibleName('Row 2, column 3');
  await expect(activeCell(page)).toHaveValue('0.25');
  await page.keyboard.press('Control+Z');
  await expect(activeCell(page)).toHaveValue('0');
});
