// The Separability tab: looking at a rank changes nothing, running at it is one undoable act that the stack and the export
// show, and the difference on the photo is the difference of the two results.

import type { Page } from 'playwright';
import { addFilter, exportPicture, setParameter, waitForExact } from '../../scripts/editorActions';
import { referenceResult } from './commandLine';
import { expect, samplePhoto, test } from './editorTest';
import { setSize } from './kernelGrid';
import { difference, readPixels, smallPhoto } from './pictures';

const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

test('a rank is looked at, run, shown in the stack, undone, and exported as the reference says', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Lens blur');
  await setParameter(page, 'radius', 5);
  await openTab(page, 'Separability');
  await expect(page.getByTestId('rank-found')).toHaveText('rank 5 of 11');
  await expect(page.getByTestId('rank-runs')).toHaveText('Runs exactly (rank 5)');
  const slider = page.getByTestId('rank-slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('rank-bound')).toContainText(/\d levels of 255/);
  await expect(page.getByTestId('rank-runs'), 'looking runs nothing').toHaveText('Runs exactly (rank 5)');
  await page.getByTestId('rank-run').click();
  await expect(page.getByTestId('rank-runs')).toHaveText('Runs as rank 2, approximate');
  const item = page.getByTestId('stack-item');
  await expect(item).toContainText('rank 2, approximate');
  await expect(page.getByTestId('path-reason')).toContainText('rank 2 of 5, approximate');
  await waitForExact(page);
  const file = `${folder}/rank.png`;
  await exportPicture(editor, file, 'png');
  await expect(page.getByTestId('notices')).toContainText('Not exact in rank.png: Lens blur (rank 2, approximate)');
  const law = `${folder}/rank-law.png`;
  await referenceResult(photo, law, '--filter', 'lens:radius=5,rank=2');
  expect(difference(await readPixels(file), await readPixels(law)).largest).toBeLessThanOrEqual(1);
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+Z');
  await expect(item).not.toContainText('approximate');
  await expect(page.getByTestId('rank-runs')).toHaveText('Runs exactly (rank 5)');
});

test('a filter may be deleted while its kernel is decomposed, and the next one has its own rank', async ({
  startEditor,
}) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await setSize(page, 'width', 255);
  await page.getByTestId('kernel-formula').click();
  await page.getByTestId('formula-field').fill('cos(x*y/90) + y*sin(x*x/70)');
  await openTab(page, 'Separability');
  const found = page.getByTestId('rank-found');
  await expect(found).toHaveText('finding the rank…');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByTestId('stack-item')).toHaveCount(0);
  await addFilter(page, 'Box blur');
  await expect(found).toHaveText(/^rank 1 of \d+$/);
  await waitForExact(page);
  await expect(page.getByTestId('notice-failure')).toHaveCount(0);
});

test('paths are measured on the picture, and the difference is shown on the photo', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: await smallPhoto(folder) });
  await addFilter(page, 'Lens blur');
  await openTab(page, 'Separability');
  await page.getByTestId('rank-slider-field').fill('1');
  await page.getByTestId('rank-slider-field').press('Enter');
  await page.getByTestId('path-measure').click();
  await expect(page.getByTestId('path-measure')).toBeVisible({ timeout: 60_000 });
  for (const cell of await page.getByTestId('path-measured').all()) await expect(cell).toHaveText(/\d ms/);
  await page.getByText(/Difference on the photo/).click();
  await expect(page.getByTestId('result-tag')).toContainText('difference ×');
  await expect(page.getByTestId('rank-on-picture')).toContainText(/here [\d.]+ levels/);
  // This picture's largest difference fills the greys, by a factor of 1, 2 or 5 times a power of ten.
  await expect(async () => {
    const [largest, factor] = [
      await page.getByTestId('rank-on-picture').innerText(),
      await page.getByTestId('result-tag').innerText(),
    ].map((words) => Number(/[\d.]+/.exec(words)?.[0]));
    const levels = (largest ?? 0) * (factor ?? 0);
    expect(levels).toBeGreaterThan(127.5 / 2.51);
    expect(levels).toBeLessThan(127.5 * 1.01);
  }).toPass();
  await openTab(page, 'Kernel');
  await expect(page.getByTestId('result-tag')).not.toContainText('difference');
});

test('singular values are read by keyboard, and the tolerance changes the rank', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Custom kernel');
  await page.getByTestId('kernel-paste').click();
  await page
    .getByRole('textbox', { name: 'Kernel as text' })
    .fill('1 4 7 4 1\n4 16 26 16 4\n7 26 41 26 7\n4 16 26 16 4\n1 4 7 4 1');
  await page.getByRole('button', { name: 'Use it' }).click();
  await openTab(page, 'Separability');
  await expect(page.getByTestId('rank-found')).toHaveText('rank 3 of 5');
  const tolerance = page.getByTestId('rank-tolerance');
  await tolerance.fill('2 %');
  await tolerance.press('Enter');
  await expect(page.getByTestId('rank-found')).toHaveText('rank 1 of 5');
  const values = page.getByTestId('singular-values');
  await values.focus();
  await page.keyboard.press('ArrowRight');
  await expect(values).toHaveAttribute('aria-valuetext', /^σ2 = .+, 0\.0126\d* of σ1$/);
});

test('a kernel beyond 63 × 63 is decomposed on another thread', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Lens blur');
  await setParameter(page, 'radius', 45);
  await openTab(page, 'Separability');
  await expect(page.getByTestId('rank-found')).toHaveText(/rank \d+ of 91/);
});
