// Driving the kernel grid as a person does: choosing cells and dragging over them with the real pointer, and reading weights.

import type { Page } from 'playwright';
import { addFilter } from '../../scripts/editorActions';

const gridOf = (page: Page) => page.getByTestId('kernel-grid');

/** The middle of a cell on the screen, by column and row from 0. All of the grid must be in sight. */
async function middleOf(page: Page, column: number, row: number): Promise<{ readonly x: number; readonly y: number }> {
  const grid = gridOf(page);
  const box = await grid.boundingBox();
  if (box === null) throw new Error('The grid is not in sight.');
  const [columns, rows] = [await grid.getAttribute('data-columns'), await grid.getAttribute('data-rows')].map(Number);
  return {
    x: box.x + ((column + 0.5) * box.width) / (columns ?? 1),
    y: box.y + ((row + 0.5) * box.height) / (rows ?? 1),
  };
}

/** Clicks a cell, which makes it the active one. */
export async function clickCell(page: Page, column: number, row: number): Promise<void> {
  const { x, y } = await middleOf(page, column, row);
  await page.mouse.click(x, y);
}

/** Presses on the first cell, goes over the others in straight lines and lets go on the last. */
export async function dragOverCells(
  page: Page,
  cells: readonly (readonly [number, number])[],
  button: 'left' | 'right' = 'left',
): Promise<void> {
  const [first, ...rest] = cells;
  if (first === undefined) return;
  const start = await middleOf(page, ...first);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down({ button });
  for (const cell of rest) {
    const { x, y } = await middleOf(page, ...cell);
    await page.mouse.move(x, y, { steps: 4 });
  }
  await page.mouse.up({ button });
}

/** The text field of the active cell. */
export const activeCell = (page: Page) => gridOf(page).getByRole('textbox');

/** The weights of a row, read by keyboard so that nothing is painted; its last cell is active afterwards. */
export async function readRow(page: Page, row: number): Promise<readonly number[]> {
  await activeCell(page).focus();
  await page.keyboard.press('Control+Home');
  for (let down = 0; down < row; down++) await page.keyboard.press('ArrowDown');
  const columns = Number(await gridOf(page).getAttribute('data-columns'));
  const weights: number[] = [];
  for (let column = 0; column < columns; column++) {
    weights.push(Number(await activeCell(page).inputValue()));
    await page.keyboard.press('ArrowRight');
  }
  return weights;
}

/** Types a size into its field. */
export async function setSize(page: Page, side: 'width' | 'height', size: number): Promise<void> {
  const field = page.getByTestId(`kernel-${side}`);
  await field.fill(String(size));
  await field.press('Enter');
}

/** Types a number into one of the brush's fields. */
export async function setBrush(
  page: Page,
  key: 'value' | 'strength' | 'size' | 'falloff',
  value: number,
): Promise<void> {
  const field = page.getByTestId(`brush-${key}`);
  await field.fill(String(value));
  await field.press('Enter');
}

/** A custom kernel of `size` × `size` whose cells are all 0; the tool paints. */
export async function emptyKernel(page: Page, size: number): Promise<void> {
  const tool = (name: string) => page.getByTestId(`grid-tool-${name}`).click();
  await addFilter(page, 'Custom kernel');
  await setSize(page, 'width', size);
  await tool('erase');
  await clickCell(page, (size - 1) / 2, (size - 1) / 2);
  await tool('paint');
}

/** Paints an emboss into 9 × 9 cells, in two gestures: 1 along the upper left corner, then −1 along the lower right one. */
export async function paintEmboss(page: Page): Promise<void> {
  await setBrush(page, 'value', 1);
  await dragOverCells(page, [
    [1, 4],
    [1, 1],
    [4, 1],
  ]);
  await setBrush(page, 'value', -1);
  await dragOverCells(page, [
    [7, 4],
    [7, 7],
    [4, 7],
  ]);
}
