// The largest kernels, which are known as a row and a column: chosen by slider, shown as curves, drawn as a draft first and
// then exactly, and exported as the reference computes them.

import { addFilter, exportPicture, setParameter, waitForExact } from '../../scripts/editorActions';
import { convolve, referenceResult } from './commandLine';
import { expect, test } from './editorTest';
import { difference, readPixels, smallPhoto } from './pictures';

test('a Gaussian of σ 500 is shown as its row and column and exported as the reference says', async ({
  startEditor,
  folder,
}) => {
  const photo = await smallPhoto(folder, 120, 80);
  const editor = await startEditor({ photo });
  const { page } = editor;
  await addFilter(page, 'Gaussian blur');
  const slider = page.getByRole('slider', { name: 'Radius σ' });
  await slider.focus();
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuenow', '500');
  await waitForExact(page);

  await expect(page.getByTestId('long-kernel')).toContainText('4061×4061');
  await expect(page.getByTestId('separability')).toContainText('1 row/column pair');
  await expect(page.getByTestId('kernel-edit-as')).toHaveCount(0);

  const file = `${folder}/wide.png`;
  await exportPicture(editor, file, 'png');
  const law = `${folder}/law.png`;
  await referenceResult(photo, law, '--filter', 'gaussian:500');
  expect(difference(await readPixels(file), await readPixels(law)).largest).toBeLessThanOrEqual(1);
});

test('a box 4095 wide runs, and the plan says how', async ({ startEditor, folder }) => {
  const photo = await smallPhoto(folder, 120, 80);
  const { page } = await startEditor({ photo });
  await addFilter(page, 'Box blur');
  await setParameter(page, 'width', 4095);
  await waitForExact(page);
  await expect(page.getByTestId('long-kernel')).toContainText('4095×4095');
  await page.getByRole('button', { name: /^Engine:/ }).click();
  const plan = page.getByRole('dialog', { name: 'How this picture is computed' });
  await expect(plan).toContainText('4095');
  await expect(plan).toContainText(/predicted [\d.]+ ms/);
});

test('the command line refuses a grid of that size by name, and says what it would take', async ({ folder }) => {
  const photo = await smallPhoto(folder, 40, 30);
  const words = ['apply', photo, '--filter', 'gaussian:500', '-o', `${folder}/out.png`];
  const refused = await convolve(...words, '--plan', 'fft');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('it has 4061 × 4061 weights, and that path needs at most 511 × 511 weights');
  expect((await convolve(...words, '--plan', 'separable')).code).toBe(0);
});
