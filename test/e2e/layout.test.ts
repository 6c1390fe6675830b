// The face at its usual and its smallest size, dark and light, with a photo and empty: everything lies inside the window.
// Leaves the pictures in out/screenshots/ to be looked at.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { addFilter, resizeWindow, runCommand, waitForExact } from '../../scripts/editorActions';
import { inRoot } from '../../scripts/paths';
import { expect, test } from './editorTest';

const folder = inRoot('out', 'screenshots');
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const;

/** Controls that reach out of the window, or that another thing covers in their middle. */
function misplacedControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const hidden = (element: Element): boolean => element.closest('[aria-hidden="true"]') !== null;
    const nameOf = (element: Element): string =>
      element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30) ?? element.tagName;
    /** What scrolls may reach beyond its own box; what is fixed may not. */
    const scrolls = (element: Element): boolean => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return true;
      }
      return false;
    };
    return [...document.querySelectorAll('button, input, [role="slider"], [role="tab"]')]
      .filter((element) => !hidden(element) && element.getClientRects().length > 0)
      .flatMap((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        if (left < -1 || right > window.innerWidth + 1) return [`${nameOf(element)} reaches out of the window`];
        if (scrolls(element)) return [];
        if (top < -1 || bottom > window.innerHeight + 1) return [`${nameOf(element)} lies outside the window`];
        return [];
      });
  });
}

for (const theme of ['Dark', 'Light'] as const) {
  test(`the window in its ${theme.toLowerCase()} theme, at both sizes`, async ({ startEditor }) => {
    mkdirSync(folder, { recursive: true });
    const editor = await startEditor({ photo: inRoot('samples', 'canyon.jpg') });
    const { page } = editor;
    await runCommand(page, theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    await addFilter(page, 'Gaussian blur');
    await addFilter(page, 'Unsharp mask');
    for (const { width, height } of sizes) {
      await resizeWindow(editor, width, height);
      await waitForExact(page);
      const file = `editor-${theme.toLowerCase()}-${width}x${height}.png`;
      await page.screenshot({ path: path.join(folder, file) });
      expect(await misplacedControls(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
  });
}

/** Elements of the panel that are scrolled sideways by what they hold, but for texts of code. */
const scrolledSideways = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.right-panel, .right-panel *')]
      .filter((element) => element.tagName !== 'TEXTAREA' && element.tagName !== 'INPUT')
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX))
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} in ${clientWidth}`),
  );

test('no tab of a filter is wider than its panel, at both sizes and in both languages', async ({ startEditor }) => {
  const editor = await startEditor({ photo: inRoot('samples', 'canyon.jpg') });
  const { page } = editor;
  await addFilter(page, 'Custom kernel');
  await page.getByTestId('kernel-paste').click();
  // Of rank 3 with a large error at rank 1: the longest words of the table of paths.
  const rough = '90 -31 7; 11 400 -23; -5 17 -260';
  await page.getByRole('textbox', { name: 'Kernel as text' }).fill(rough);
  await page.getByTestId('paste-kernel-use').click();
  await page.getByTestId('kernel-formula').click();
  for (const language of ['English', '简体中文']) {
    await runCommand(page, language);
    for (const { width, height } of sizes) {
      await resizeWindow(editor, width, height);
      for (const tab of ['kernel', 'separability', 'frequency', 'code']) {
        await page.getByTestId(`tab-${tab}`).click();
        if (tab === 'separability') {
          await page.getByTestId('rank-slider-field').fill('1');
          await page.getByTestId('rank-slider-field').press('Enter');
          await page.getByTestId('path-table').waitFor();
        }
        if (tab === 'frequency') await page.getByTestId('frequency-facts').waitFor();
        await waitForExact(page);
        expect(await scrolledSideways(page), `${language}, ${width}, ${tab}`).toEqual([]);
        // Nothing that is hidden makes the page higher than the window, which a focus would then push up.
        expect(await page.evaluate(() => document.documentElement.scrollHeight), tab).toBe(height);
      }
    }
  }
});

test('the empty window at both sizes', async ({ editor }) => {
  mkdirSync(folder, { recursive: true });
  for (const { width, height } of sizes) {
    await resizeWindow(editor, width, height);
    await editor.page.screenshot({ path: path.join(folder, `empty-${width}x${height}.png`) });
    expect(await misplacedControls(editor.page)).toEqual([]);
  }
});

/** Texts that are cut off in the bar at the top, the list of filters, the histogram or a dialog. */
function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.top-bar *, .filter-list *, .histogram *, .modal *')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
      .filter((element) => element.getClientRects().length > 0)
      .flatMap((element) => {
        const text = element.textContent?.trim() ?? '';
        const box = element.getBoundingClientRect();
        const clips = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
        const parent = element.closest('.chip, .histogram, .modal, .top-bar');
        const outside = parent !== null && box.right > parent.getBoundingClientRect().right - 4;
        return clips || outside ? [text] : [];
      }),
  );
}

for (const [language, name] of [
  ['en', 'English'],
  ['zh-CN', '简体中文'],
] as const)
  test(`no text is cut off in ${name}, in the smallest window`, async ({ startEditor }) => {
    const editor = await startEditor({ photo: inRoot('samples', 'canyon.jpg') });
    const { page } = editor;
    await resizeWindow(editor, 1024, 700);
    await addFilter(page, 'Sobel');
    await page.getByTestId('viewport').focus();
    await page.keyboard.press('Alt+H');
    await expect(page.getByTestId('histogram-clipped')).toBeVisible();
    if (language !== 'en') await runCommand(page, name);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await waitForExact(page);
    expect(await cutTexts(page)).toEqual([]);
    for (const [key, dialog] of [
      ['Control+,', 'settings'],
      ['Control+E', 'export'],
    ] as const) {
      await page.getByTestId('viewport').focus();
      await page.keyboard.press(key);
      await expect(page.locator('.modal')).toBeVisible();
      expect(await cutTexts(page), dialog).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.locator('.modal')).toHaveCount(0);
    }
  });

test('the theme and the language stay chosen', async ({ startEditor, folder: userFolder }) => {
  const first = await startEditor({ userFolder });
  await runCommand(first.page, 'Light');
  await expect(first.page.locator('html')).toHaveAttribute('data-theme', 'light');
  await runCommand(first.page, '简体中文');
  await expect(first.page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await first.close();
  const second = await startEditor({ userFolder });
  await expect(second.page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(second.page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(second.page.getByTestId('export')).toContainText('导出');
});
