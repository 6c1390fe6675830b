// Axe finds nothing wrong on the Separability, Frequency and Code tabs, in the dark and in the light theme.

import { addFilter, runCommand } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, samplePhoto, test } from './editorTest';

test('axe finds nothing wrong on the tabs and in the offer of a kernel', async ({ startEditor }) => {
  const { page, application } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Kirsch');
  for (const theme of ['Dark', 'Light']) {
    await runCommand(page, theme);
    for (const [tab, part] of [
      ['Separability', 'separability-tab'],
      ['Frequency', 'frequency-tab'],
      ['Code', 'code-tab'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expect(page.getByTestId(part)).toBeVisible();
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
