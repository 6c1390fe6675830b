// `npm run screenshots`: takes the pictures of README.md from the running app into docs/images/, as WebP of at most 400 kB.

import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { runTask, say, TaskError } from './console';
import { type Editor, launchEditor } from './editor';
import { addFilter, resizeWindow, runCommand, setParameter, waitForExact } from './editorActions';
import { inRoot } from './paths';
import { prepare } from './preparation';
import { hasDisplay, startVirtualScreen } from './virtualScreen';

const maximumBytes = 400 * 1024;

interface Picture {
  readonly name: string;
  readonly photo: string;
  readonly theme: 'Dark' | 'Light';
  readonly arrange: (editor: Editor) => Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: 'editor-dark',
    photo: 'motherboard.jpg',
    theme: 'Dark',
    arrange: async ({ page }) => {
      await addFilter(page, 'Gaussian blur');
      await setParameter(page, 'sigma', 1.2);
      await addFilter(page, 'Unsharp mask');
      await setParameter(page, 'sigma', 4);
      await setParameter(page, 'amount', 2.5);
      await addFilter(page, 'Custom kernel');
      await page.getByTestId('kernel-paste').click();
      await page.getByRole('textbox', { name: 'Kernel as text' }).fill(laplacianOfGaussian);
      await page.getByRole('button', { name: 'Use it' }).click();
    },
  },
  {
    name: 'editor-light',
    photo: 'kitten.jpg',
    theme: 'Light',
    arrange: async ({ page }) => {
      await addFilter(page, 'Emboss');
    },
  },
];

/** An identity with three times the Laplacian of a Gaussian (σ 1.1) taken away, on 7 × 7 cells: it sharpens. */
const laplacianOfGaussian = ((): string => {
  const radius = 3;
  const variance = 1.1 ** 2;
  const rows = Array.from({ length: 2 * radius + 1 }, (_row, j) =>
    Array.from({ length: 2 * radius + 1 }, (_cell, i) => {
      const squared = (i - radius) ** 2 + (j - radius) ** 2;
      const value = ((squared - 2 * variance) / (2 * Math.PI * variance ** 3)) * Math.exp(-squared / (2 * variance));
      return (i === radius && j === radius ? 1 : 0) - 3 * value;
    }),
  );
  return rows.map((row) => row.map((weight) => weight.toFixed(7)).join(' ')).join('\n');
})();

async function take(picture: Picture, display: string | undefined): Promise<void> {
  const editor = await launchEditor({
    photo: inRoot('samples', picture.photo),
    switches: ['--lang=en-US'],
    ...(display === undefined ? {} : { display }),
  });
  try {
    await resizeWindow(editor, 1440, 900);
    await runCommand(editor.page, picture.theme);
    await picture.arrange(editor);
    await waitForExact(editor.page);
    await editor.page.getByTestId('viewport').focus();
    const taken = await editor.page.screenshot();
    const file = inRoot('docs', 'images', `${picture.name}.webp`);
    mkdirSync(path.dirname(file), { recursive: true });
    await sharp(taken).webp({ quality: 86, smartSubsample: true }).toFile(file);
    const { size } = statSync(file);
    if (size > maximumBytes)
      throw new TaskError(`${file} has ${size} bytes.`, `Lower its quality: at most ${maximumBytes}.`);
    say('Screenshot', `${file} (${Math.round(size / 1024)} kB)`);
  } finally {
    await editor.close();
  }
}

await runTask(async () => {
  const visible = hasDisplay();
  await prepare(visible ? [] : ['screen']);
  const screen = visible ? undefined : await startVirtualScreen();
  try {
    for (const picture of pictures) await take(picture, screen?.display);
  } finally {
    await screen?.close();
  }
  return undefined;
});
