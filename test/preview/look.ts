// Takes pictures of the page in its main states into a folder: `tsx test/preview/look.ts FOLDER [SCENE…]`.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import type { PreviewOptions } from './fakeBridge';
import { startPreview } from './preview';

interface Scene {
  readonly options: Partial<PreviewOptions>;
  readonly size: { readonly width: number; readonly height: number };
  readonly play: (page: Page) => Promise<void>;
}

const wide = { width: 1440, height: 900 };
const small = { width: 1024, height: 700 };
const dark = { theme: 'dark', opened: true } as const;
const light = { theme: 'light', opened: true } as const;

const exact = (page: Page) => page.locator('[data-testid=result-tag][data-quality=exact]').waitFor({ timeout: 60_000 });

async function set(page: Page, key: string, value: string): Promise<void> {
  await page.getByTestId(`parameter-${key}-field`).fill(value);
  await page.getByTestId(`parameter-${key}-field`).press('Enter');
}

async function pasteKernel(page: Page, text: string): Promise<void> {
  await page.getByTestId('add-custom').click();
  await page.getByTestId('kernel-paste').click();
  await page.getByTestId('paste-kernel-text').fill(text);
  await page.getByTestId('paste-kernel-use').click();
}

async function kernelScene(page: Page): Promise<void> {
  await page.getByTestId('add-gaussian').click();
  await set(page, 'sigma', '0.6');
  await page.getByTestId('add-sobel').click();
  await page.keyboard.press('Control+b');
  await page.getByTestId('stack-item').nth(0).click();
  await pasteKernel(page, '0 -1 -1 -1 0\n-1 -1 2 -1 -1\n-1 2 9 2 -1\n-1 -1 2 -1 -1\n0 -1 -1 -1 0');
  await exact(page);
  const canvas = await page.getByTestId('viewport').boundingBox();
  if (canvas !== null) await page.mouse.move(canvas.x + canvas.width * 0.7, canvas.y + canvas.height / 2);
  await page.locator('.status-values').waitFor();
}

const scenes: Readonly<Record<string, Scene>> = {
  'kernel-dark': { options: dark, size: wide, play: kernelScene },
  'kernel-light': { options: light, size: wide, play: kernelScene },
  'kernel-dark-small': { options: dark, size: small, play: kernelScene },
  'kernel-light-small-chinese': { options: { ...light, language: 'zh-CN' }, size: small, play: kernelScene },
  empty: {
    options: { theme: 'dark' },
    size: wide,
    play: (page) => page.getByTestId('empty-state').waitFor(),
  },
  'empty-light-small': {
    options: { theme: 'light' },
    size: small,
    play: (page) => page.getByTestId('empty-state').waitFor(),
  },
  parameters: {
    options: dark,
    size: wide,
    play: async (page) => {
      await page.getByTestId('add-unsharp').click();
      await set(page, 'sigma', '4');
      await exact(page);
    },
  },
  border: {
    options: dark,
    size: wide,
    play: async (page) => {
      await page.getByTestId('add-gaussian').click();
      await exact(page);
      await page.getByTestId('setting-border').click();
    },
  },
  'border-light': {
    options: { ...light, alpha: true },
    size: wide,
    play: async (page) => {
      await page.getByTestId('add-box').click();
      await exact(page);
      await page.getByTestId('setting-border').click();
      await page.getByRole('option').nth(1).click();
      await page.getByTestId('setting-border').scrollIntoViewIfNeeded();
      await exact(page);
    },
  },
  menu: {
    options: dark,
    size: wide,
    play: async (page) => {
      await page.getByTestId('add-sobel').click();
      await page.getByTestId('menu-file').click();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.getByRole('menuitem', { name: 'Edges' }).click();
    },
  },
  palette: {
    options: dark,
    size: wide,
    play: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByTestId('palette-input').fill('la');
    },
  },
  export: {
    options: dark,
    size: wide,
    play: async (page) => {
      await page.getByTestId('export').click();
      await page.getByTestId('export-webp').click();
    },
  },
  plan: {
    options: dark,
    size: wide,
    play: async (page) => {
      await page.getByTestId('add-gaussian').click();
      await page.getByTestId('add-sobel').click();
      await exact(page);
      await page.getByTestId('engine-chip').click();
      await page.locator('.plan').waitFor();
    },
  },
  pixels: {
    options: { ...dark, alpha: true },
    size: wide,
    play: async (page) => {
      await page.getByTestId('add-sharpen').click();
      await page.getByTestId('zoom-percent').fill('1600');
      await page.getByTestId('zoom-percent').press('Enter');
      await exact(page);
      await page.mouse.move(900, 500);
      await page.locator('.status-values').waitFor();
    },
  },
  'grid-15': {
    options: dark,
    size: wide,
    play: async (page) => {
      const row = (y: number) => Array.from({ length: 15 }, (_, x) => Math.cos((x - 7) * (y - 7) * 0.2).toFixed(4));
      await pasteKernel(page, Array.from({ length: 15 }, (_, y) => row(y).join(' ')).join('\n'));
      await exact(page);
    },
  },
  'grid-15-light': {
    options: light,
    size: wide,
    play: async (page) => {
      const row = (y: number) => Array.from({ length: 15 }, (_, x) => Math.cos((x - 7) * (y - 7) * 0.2).toFixed(4));
      await pasteKernel(page, Array.from({ length: 15 }, (_, y) => row(y).join(' ')).join('\n'));
      await exact(page);
    },
  },
  shortcuts: {
    options: light,
    size: wide,
    play: async (page) => {
      await page.keyboard.press('F1');
      await page.getByTestId('shortcuts').waitFor();
    },
  },
  notices: {
    options: dark,
    size: wide,
    play: async (page) => {
      await pasteKernel(page, '1 2 1\n2 4 2\n1 2 1');
      await page.getByTestId('kernel-divisor').fill('0');
      await page.getByTestId('kernel-divisor').press('Enter');
      await page.getByTestId('notice-failure').waitFor();
      await page.getByTestId('export').click();
      await page.getByTestId('export-go').click();
      await page.getByTestId('notice-words').waitFor();
    },
  },
};

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name a folder for the pictures.');
mkdirSync(folder, { recursive: true });
const preview = await startPreview();
try {
  for (const [name, scene] of Object.entries(scenes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { page, complaints } = await preview.open(scene.options, scene.size);
    await page.getByTestId('viewport').waitFor();
    await scene.play(page);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    for (const complaint of complaints) console.log(`${name}: ${complaint}`);
    await page.context().close();
  }
} finally {
  await preview.browser.close();
}
