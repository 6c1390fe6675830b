// The four tabs for everybody: axe finds nothing wrong on them in the dark and in the light theme, and a kernel is made, judged
// and taken elsewhere by keyboard alone.

import type { Locator, Page } from 'playwright';
import { addFilter, resizeWindow, runCommand } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, samplePhoto, test } from './editorTest';
import { activeCell, readRow, setSize } from './kernelGrid';

const themes = ['Dark', 'Light'] as const;

test('axe finds nothing wrong on the Kernel tab: numbers with their tools, a formula, an adjustment, and a picture', async ({
  startEditor,
}) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await resizeWindow(editor, 1440, 900);
  for (const theme of themes) {
    await runCommand(page, theme);
    await addFilter(page, 'Custom kernel');
    await page.getByTestId('grid-tool-paint').click();
    await page.getByTestId('kernel-formula').click();
    await page.getByTestId('formula-field').fill('exp(-r^2/(2*sigma^2)) - k');
    await expect(page.getByTestId('separability')).toHaveAttribute('aria-busy', 'false');
    expect(await accessibilityViolations(page, '.filter-panel'), `numbers, ${theme}`).toEqual([]);
    await page.getByTestId('kernel-formula').click();
    await runCommand(page, 'Turn by any angle');
    await expect(page.getByTestId('adjust-rotate')).toBeVisible();
    expect(await accessibilityViolations(page, '.filter-panel'), `turned, ${theme}`).toEqual([]);
    await page.getByTestId('adjust-done').click();
    await setSize(page, 'width', 31);
    expect(await accessibilityViolations(page, '.filter-panel'), `a picture, ${theme}`).toEqual([]);
  }
});

test('axe finds nothing wrong on the other tabs and in the offer of a kernel', async ({ startEditor }) => {
  const { page, application } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Kirsch');
  for (const theme of themes) {
    await runCommand(page, theme);
    for (const [tab, part] of [
      ['Separability', 'separability-tab'],
      ['Frequency', 'frequency-facts'],
      ['Code', 'code-tab'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expect(page.getByTestId(part)).toBeVisible();
      if (tab === 'Separability') await expect(page.getByTestId('path-table')).toBeVisible();
      if (tab === 'Code') await page.getByTestId('paste-kernel-text').fill('1 2 3');
      expect(await accessibilityViolations(page, '.filter-panel'), `${tab}, ${theme}`).toEqual([]);
    }
  }
  await application.evaluate(({ clipboard }) => clipboard.writeText('3x1: 1 2 3; Sobel'));
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+V');
  await expect(page.getByTestId('kernel-offer')).toBeVisible();
  expect(await accessibilityViolations(page, '[data-testid="kernel-offer"]')).toEqual([]);
});

/** Goes on with Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let press = 0; press < 200; press++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${target}`);
}

test('a kernel is made, judged and written out by keyboard alone', async ({ startEditor }) => {
  const { page, application } = await startEditor({ photo: samplePhoto });
  await page.keyboard.press('Control+K');
  await page.keyboard.type('Custom kernel');
  await page.getByRole('option', { name: 'Custom kernel' }).first().waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByTestId('kernel-width'));
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByTestId('kernel-bias'));
  await page.keyboard.type('0,5');
  await page.keyboard.press('Enter');
  // Round once, as Tab goes to the end and begins anew.
  await tabTo(page, activeCell(page));
  await page.keyboard.press('Control+Home');
  for (const weight of ['-2', '-1', '0', '1,5']) {
    await page.keyboard.type(weight);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('PageUp');
  expect(await readRow(page, 0)).toEqual([-2, -1, 0, 1.5, 0]);
  expect((await readRow(page, 1))[4]).toBeGreaterThan(1);
  await expect(page.getByTestId('separability-rank')).toContainText('3 of 5');

  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await tabTo(page, tab('Kernel'));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('rank-found')).toHaveText('rank 3 of 5');
  await tabTo(page, page.getByTestId('rank-slider'));
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, page.getByTestId('rank-run'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('stack-item')).toContainText('rank 2, approximate');
  await tabTo(page, tab('Separability'));
  await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByTestId('frequency-cuts'));
  await page.keyboard.press('End');
  await expect(page.getByTestId('frequency-cuts')).toHaveAttribute('aria-valuenow', '0.5');
  await tabTo(page, tab('Frequency'));
  await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByTestId('code-format'));
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'CSV', exact: true }).waitFor();
  await page.keyboard.type('csv');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('code-text')).toHaveValue(/^-2,-1,0,1\.5,0/);
  await tabTo(page, page.getByTestId('code-copy'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('notices')).toContainText('Copied');
  expect(await application.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/^-2,-1,0,1\.5,0\r\n/);
});
