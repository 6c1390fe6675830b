// Kernels go out to other programs and come back: the Code tab's texts and files, a paste anywhere, a dropped file, and the
// question that a source leaves open.

import { readFile, writeFile } from 'node:fs/promises';
import { addFilter, answerDialogs } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';
import { activeCell, readRow } from './kernelGrid';

test('a format is chosen, its losses are said before it, and it is saved', async ({ startEditor, folder }) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await addFilter(page, 'Emboss');
  await page.getByRole('tab', { name: 'Code' }).click();
  const choose = async (name: string) => {
    await page.getByTestId('code-format').click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await choose('CSV');
  await expect(page.getByTestId('code-losses')).toContainText('The bias 0.5 is not kept exactly.');
  await choose('Picture (TIFF, 32-bit floats)');
  await expect(page.getByTestId('code-losses')).toContainText('The bias 0.5 is not kept exactly.');
  await expect(page.getByTestId('code-text')).toHaveValue(/^49 49 2a 00 /);
  await choose('Photoshop .acf');
  await expect(page.getByTestId('code-text')).toHaveValue(/^(?:[0-9a-f]{2} ?){16}\n/);
  const file = `${folder}/mine.acf`;
  await answerDialogs(editor, { save: file });
  await page.getByTestId('code-save').click();
  await expect(page.getByTestId('notices')).toContainText('Saved mine.acf');
  expect(await readFile(file)).toHaveLength(54);
  await page.getByTestId('kernel-file').setInputFiles(file);
  await expect(page.getByTestId('kernel-reading')).toContainText('Read 5×5 numbers: Photoshop .acf');
  await page.getByTestId('kernel-add').click();
  await expect(page.getByTestId('stack-item')).toHaveCount(2);
  await expect(page.getByTestId('stack-item').last()).toContainText('mine');
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+Z');
  await expect(page.getByTestId('stack-item'), 'one step of undo').toHaveCount(1);
});

test('a text that is a kernel is offered wherever it is pasted, with a picture of both readings', async ({
  startEditor,
}) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page, application } = editor;
  await application.evaluate(({ clipboard }) => clipboard.writeText('2x2+0+0: 1 2 3 4'));
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+V');
  const offer = page.getByRole('dialog', { name: 'A kernel' });
  await expect(offer).toContainText('Read 2×2 numbers: ImageMagick');
  await expect(offer.getByRole('radio', { name: /^Convolution/ })).toBeChecked();
  await offer.getByText(/^Correlation/).click();
  await offer.getByTestId('kernel-add').click();
  await expect(offer).toHaveCount(0);
  await expect(page.getByTestId('kernel-correlation')).toHaveAttribute('data-selected', 'true');
  await application.evaluate(({ clipboard }) => clipboard.writeText('no kernel at all'));
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+V');
  await expect(page.getByRole('alert')).toContainText('The clipboard holds no picture');
});

test('rows pasted over the grid keep its reading, and a kernel of another format is offered there too', async ({
  startEditor,
}) => {
  const { page, application } = await startEditor({ photo: samplePhoto });
  const paste = async (text: string) => {
    await application.evaluate(({ clipboard }, words) => clipboard.writeText(words), text);
    await activeCell(page).focus();
    await page.keyboard.press('Control+V');
  };
  await addFilter(page, 'Custom kernel');
  await page.getByTestId('kernel-convolution').click();
  await paste('1\t2,5\t3\r\n4\t5\t6\r\n');
  await expect(page.getByTestId('kernel-height')).toHaveValue('2');
  expect(await readRow(page, 0)).toEqual([1, 2.5, 3]);
  await expect(page.getByTestId('kernel-convolution').getByRole('radio')).toBeChecked();
  await paste('<feConvolveMatrix order="3" kernelMatrix="1 2 3 4 5 6 7 8 9" divisor="45"/>');
  await page.getByTestId('kernel-offer').getByTestId('paste-kernel-use').click();
  expect(await readRow(page, 2)).toEqual([7, 8, 9]);
});

test('a dropped library is offered with all its kernels', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  const file = `${folder}/two.def`;
  await writeFile(file, 'first 1 1 0 0 { 2 } 1 0 rgb\nsecond 3 1 1 0 { 1 2 1 } 4 0 rgb\n');
  const bytes = [...(await readFile(file))];
  await page.evaluate((data) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(data)], 'two.def'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, bytes);
  const offer = page.getByRole('dialog', { name: 'A kernel' });
  await offer.getByTestId('reading-which').click();
  await page.getByRole('option', { name: 'second' }).click();
  await offer.getByTestId('kernel-add').click();
  await expect(page.getByTestId('stack-item')).toContainText('second');
});

test('what cannot be read is refused by line, column and word', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await addFilter(page, 'Box blur');
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByTestId('paste-kernel-text').fill('<feConvolveMatrix order="3"\n kernelMatrix="1 2 x"/>');
  await expect(page.getByRole('alert')).toContainText('line 2, column 20: “x”');
});
