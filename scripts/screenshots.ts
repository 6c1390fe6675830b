// `npm run screenshots`: takes the pictures of README.md and docs/ from the running app into docs/images/, as WebP of at most
// 400 kB. Words are the names of those to take; without words all.

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
  /** Only this part of the window, which is then as high as the virtual screen allows. */
  readonly part?: string;
}

/** One tab of a lens blur, at the right of the window. */
function tabPicture(tab: string, arrange: (editor: Editor) => Promise<void>): Picture {
  return {
    name: `tab-${tab.toLowerCase()}`,
    photo: 'canyon.jpg',
    theme: 'Dark',
    part: '.right-panel',
    arrange: async (editor) => {
      await addFilter(editor.page, 'Lens blur');
      await setParameter(editor.page, 'radius', 7.5);
      await editor.page.getByRole('tab', { name: tab, exact: true }).click();
      await arrange(editor);
    },
  };
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
  {
    name: 'tab-kernel',
    photo: 'canyon.jpg',
    theme: 'Dark',
    part: '.right-panel',
    arrange: async ({ page }) => {
      await addFilter(page, 'Custom kernel');
      await page.getByTestId('kernel-width').fill('9');
      await page.getByTestId('kernel-width').press('Enter');
      await page.getByTestId('kernel-formula').click();
      await page.getByTestId('formula-field').fill('exp(-r^2/(2*sigma^2)) * cos(2*pi*(x*cos(a) + y*sin(a))/period)');
      await page.getByTestId('formula-period-field').fill('5');
      await page.getByTestId('formula-period-field').press('Enter');
    },
  },
  tabPicture('Separability', async ({ page }) => {
    await page.getByTestId('rank-slider-field').fill('3');
    await page.getByTestId('rank-slider-field').press('Enter');
    await page.getByTestId('path-measure').click();
    await page.getByTestId('path-measure').waitFor({ timeout: 120_000 });
  }),
  tabPicture('Frequency', async ({ page }) => {
    await page.getByTestId('frequency-facts').waitFor();
  }),
  tabPicture('Code', async ({ page }) => {
    await page.getByTestId('paste-kernel-text').fill('3x3+1+1: 1,2,0 2,0,-2 0,-2,-1');
    await page.getByTestId('kernel-reading').waitFor();
  }),
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
    await resizeWindow(editor, 1440, picture.part === undefined ? 900 : 1060);
    await runCommand(editor.page, picture.theme);
    await picture.arrange(editor);
    await waitForExact(editor.page);
    await editor.page.getByTestId('viewport').focus();
    const taken = await (picture.part === undefined ? editor.page : editor.page.locator(picture.part)).screenshot();
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
    const named = process.argv.slice(2);
    for (const picture of pictures)
      if (named.length === 0 || named.includes(picture.name)) await take(picture, screen?.display);
  } finally {
    await screen?.close();
  }
  return undefined;
});
