// The histogram counts the pixels of the file that an export would write, says while it is of a draft or of filters before,
// and ends exact whatever was changed in between.

import path from 'node:path';
import type { Page } from 'playwright';
import {
  addFilter,
  exportPicture,
  resizeWindow,
  runCommand,
  setParameter,
  waitForExact,
} from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, samplePhoto, test } from './editorTest';
import { readPixels, smallPhoto } from './pictures';

async function openHistogram(page: Page): Promise<void> {
  await page.getByTestId('histogram-toggle').click();
  await waitForCount(page);
}
const waitForCount = (page: Page) =>
  expect(page.getByTestId('histogram-quality')).toHaveAttribute('data-quality', 'exact');

/** Clipped shares after the arrow, in percent: a row for black and one for white. */
async function clippedShares(page: Page): Promise<readonly (readonly number[])[]> {
  await waitForCount(page);
  const rows = await page.getByTestId('histogram-clipped').locator('tbody tr').all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator('td').allTextContents()).map((text) => Number(text.split('→')[1] ?? Number.NaN)),
    ),
  );
}

/** The same from a file. */
async function sharesOf(file: string): Promise<readonly (readonly number[])[]> {
  const { data, channels } = await readPixels(file);
  const percent = (channel: number, value: number) => {
    let count = 0;
    for (let at = channel; at < data.length; at += channels) if (data[at] === value) count += 1;
    return Number(((count / (data.length / channels)) * 100).toPrecision(3));
  };
  return [0, 255].map((value) => [0, 1, 2].map((channel) => percent(channel, value)));
}

test('clipped shares are those of the file, before and after a change', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: await smallPhoto(folder) });
  const { page } = editor;
  await addFilter(page, 'Unsharp mask');
  await setParameter(page, 'amount', 6);
  await waitForExact(page);
  await openHistogram(page);
  await exportPicture(editor, path.join(folder, 'six.png'), 'png');
  expect(await clippedShares(page)).toEqual(await sharesOf(path.join(folder, 'six.png')));
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await setParameter(page, 'amount', 1.5);
  await waitForExact(page);
  await waitForCount(page);
  await exportPicture(editor, path.join(folder, 'less.png'), 'png');
  await expect.poll(() => clippedShares(page)).toEqual(await sharesOf(path.join(folder, 'less.png')));
  await page.getByTestId('histogram-log').click();
  for (const theme of ['Light', 'Dark']) {
    await runCommand(page, theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    expect(await accessibilityViolations(page, '[data-testid="histogram"]')).toEqual([]);
  }
});

test('it keeps up with a slider on a large photo and ends exact; it fits a small window', async ({ startEditor }) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  await waitForExact(page);
  await openHistogram(page);
  const slider = page.getByRole('slider', { name: 'Radius σ' });
  await slider.focus();
  for (let change = 0; change < 30; change += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('histogram-quality')).not.toHaveAttribute('data-quality', 'exact');
  await waitForExact(page);
  await waitForCount(page);
  await resizeWindow(editor, 1024, 700);
  const panel = await page.getByTestId('histogram').boundingBox();
  const tabs = await page.getByTestId('tab-kernel').boundingBox();
  expect((panel?.y ?? 0) + (panel?.height ?? 1000)).toBeLessThanOrEqual(700);
  expect((tabs?.y ?? 1000) + (tabs?.height ?? 0)).toBeLessThanOrEqual(panel?.y ?? 0);
});
