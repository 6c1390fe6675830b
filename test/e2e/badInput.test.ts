// What cannot be opened or written is said in a sentence that names the file, and the document stays as it was.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { addFilter, answerDialogs, startExport, waitForExact } from '../../scripts/editorActions';
import { expect, samplePhoto, test } from './editorTest';

const truncatedPng = async (): Promise<Buffer> =>
  (await sharp(samplePhoto).resize(200).png().toBuffer()).subarray(0, 900);

const badFiles: readonly { readonly name: string; readonly content: () => Promise<Buffer> | Buffer }[] = [
  { name: 'nothing.jpg', content: () => Buffer.alloc(0) },
  { name: 'words.jpg', content: () => Buffer.from('this is not a picture at all\n'.repeat(20)) },
  { name: 'header-only.png', content: async () => (await truncatedPng()).subarray(0, 40) },
  { name: 'noise.webp', content: () => Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 97) % 251)) },
];

for (const { name, content } of badFiles) {
  test(`${name} is refused in words and the open picture stays`, async ({ startEditor, folder }) => {
    const editor = await startEditor({ photo: samplePhoto });
    const { page } = editor;
    await addFilter(page, 'Sobel');
    await waitForExact(page);
    const file = path.join(folder, name);
    await writeFile(file, await content());
    await answerDialogs(editor, { open: file });
    await page.keyboard.press('Control+O');
    await expect(page.getByRole('alert')).toContainText(name);
    await expect(page.getByTestId('status-name')).toHaveText('kitten.jpg');
    await expect(page.getByTestId('stack-item')).toHaveCount(1);
    await waitForExact(page);
  });
}

test('a photo on the command line that is not there is said in the empty window', async ({ startEditor, folder }) => {
  const { page } = await startEditor({ photo: path.join(folder, 'gone.jpg') });
  await expect(page.getByTestId('empty-state')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('gone.jpg');
});

test('a target that cannot be written is said, and the picture can be exported elsewhere', async ({
  startEditor,
  folder,
}) => {
  const editor = await startEditor({ photo: samplePhoto });
  const { page } = editor;
  await addFilter(page, 'Sharpen');
  await answerDialogs(editor, { save: path.join(folder, 'no such folder', 'out.png') });
  await startExport(page, 'png');
  await expect(page.getByRole('alert')).toContainText(/out\.png|no such folder/);
  await expect(page.getByTestId('status-saved')).toHaveText('Not saved');
  await page.keyboard.press('Escape');
  await answerDialogs(editor, { save: path.join(folder, 'out.png') });
  await startExport(page, 'png');
  await expect(page.getByTestId('status-saved')).toHaveText('Exported, project not saved');
});

test('a folder that takes no files is said by name', async ({ startEditor }) => {
  // Not even root writes here.
  test.skip(process.platform !== 'linux', 'needs a folder that refuses everybody');
  const editor = await startEditor({ photo: samplePhoto });
  await answerDialogs(editor, { save: '/sys/out.png' });
  await startExport(editor.page, 'png');
  await expect(editor.page.getByRole('alert')).toContainText('out.png');
  await expect(editor.page.getByTestId('status-name')).toHaveText('kitten.jpg');
});
