// The tabs of the selected filter: by pointer and by keyboard, and the same one stays open when another filter is selected.

import { addFilter } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';

test('the tabs are reached by keyboard, and the open one stays open for the next filter', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Sharpen');
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await expect(tab('Kernel')).toHaveAttribute('aria-selected', 'true');
  await tab('Kernel').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab('Separability')).toBeFocused();
  await expect(page.getByTestId('rank-found')).toHaveText('rank 2 of 3');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tabpanel', { name: 'Frequency' })).toContainText('Gain at frequency 0');
  await page.keyboard.press('End');
  await expect(page.getByTestId('code-text')).toHaveValue(/-morphology Correlate '3x3\+1\+1: /);
  await addFilter(page, 'Sobel');
  await expect(tab('Code')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('radio', { name: 'Down (y)' }).click();
  await expect(page.getByTestId('code-text')).toHaveValue(/: -1,-2,-1 0,0,0 1,2,1'/);
});

test('the ring of the focus lies about one thing at a time', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Lens blur');
  await page.getByTestId('tab-code').click();
  await page.getByTestId('code-format').focus();
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press(stop === 0 ? 'Shift+Tab' : 'Tab');
    const rings = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => getComputedStyle(element).outlineStyle !== 'none')
        .map(({ tagName, className }) => `${tagName} ${className}`),
    );
    expect(rings).toHaveLength(1);
  }
});

test('code is copied, and says so', async ({ startEditor }) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await addFilter(page, 'Box blur');
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByTestId('code-copy').click();
  await expect(page.getByTestId('notices')).toContainText('Copied');
  const copied = await editor.application.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toContain('-morphology Correlate');
});
