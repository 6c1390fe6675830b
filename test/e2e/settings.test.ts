// Settings and the keys of commands: changed in their dialogs, in force at once, and there again at the next start.

import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { addFilter, waitForExact } from '../../scripts/editorActions';
import { accessibilityViolations } from './accessibility';
import { expect, samplePhoto, test } from './editorTest';

async function choose(page: Page, testId: string, option: string): Promise<void> {
  await page.getByTestId(testId).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const stored = async (userFolder: string) =>
  JSON.parse(await readFile(path.join(userFolder, 'settings.json'), 'utf8')).settings;

/** Opens the dialog of the keys and lets a command wait for new ones. */
async function record(page: Page, id: string, search: string): Promise<void> {
  await page.getByTestId('keys-search').fill(search);
  await page.getByTestId(`keys-${id}`).locator('.key-button').click();
  await page.getByTestId('keys-recorder').waitFor();
}

test('settings hold at once and at the next start', async ({ startEditor, folder }) => {
  const userFolder = path.join(folder, 'user');
  const first = await startEditor({ photo: samplePhoto, userFolder });
  const { page } = first;
  await page.keyboard.press('Control+,');
  const dialog = page.getByTestId('settings');
  await dialog.waitFor();
  expect(await accessibilityViolations(page, '.modal')).toEqual([]);
  await choose(page, 'settings-theme', 'Light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.getByTestId('settings-cache').fill('512');
  await page.getByTestId('settings-cache').press('Enter');
  await page.getByTestId('settings-autosave').fill('7');
  await page.getByTestId('settings-autosave').press('Enter');
  await choose(page, 'settings-language', '简体中文');
  await expect(dialog).toContainText('设置');
  await expect
    .poll(() => stored(userFolder))
    .toMatchObject({
      theme: 'light',
      cacheMegabytes: 512,
      autosaveSeconds: 7,
      language: 'zh-CN',
    });
  await page.getByTestId('settings-cache-automatic').click();
  await expect.poll(() => stored(userFolder)).toMatchObject({ cacheMegabytes: null });
  await first.close();

  const second = await startEditor({ userFolder });
  await expect(second.page.locator('html')).toHaveAttribute('data-theme', 'light');
  await second.page.keyboard.press('Control+,');
  await expect(second.page.getByTestId('settings')).toContainText('设置');
  await expect(second.page.getByTestId('settings-autosave')).toHaveValue('7');
});

test('a damaged settings file is set aside and named', async ({ startEditor, folder }) => {
  const userFolder = path.join(folder, 'user');
  await mkdir(userFolder);
  await writeFile(path.join(userFolder, 'settings.json'), '{"version": 1, "settings": {"theme": "pur');
  const { page } = await startEditor({ userFolder });
  const aside = readdirSync(userFolder).find((name) => name.startsWith('settings.json.damaged-')) ?? 'none';
  await expect(page.getByText(aside)).toBeVisible();
});

test('a command gets another key: the menu shows it, it works, and Reset gives the old one back', async ({
  startEditor,
  folder,
}) => {
  const userFolder = path.join(folder, 'user');
  const first = await startEditor({ photo: samplePhoto, userFolder });
  const { page } = first;
  await addFilter(page, 'Sobel');
  await waitForExact(page);
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('F1');
  await page.getByTestId('shortcuts').waitFor();
  expect(await accessibilityViolations(page, '.modal')).toEqual([]);
  await record(page, 'filter.duplicate', 'Duplicate');
  await page.keyboard.press('Control+Alt+J');
  await expect(page.getByTestId('keys-filter.duplicate')).toContainText('Ctrl Alt J');
  await page.keyboard.press('Escape');
  await page.getByTestId('shortcuts').waitFor({ state: 'hidden' });

  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+D');
  await page.keyboard.press('Control+Alt+J');
  await expect(page.getByTestId('stack-item')).toHaveCount(2);
  await page.getByTestId('menu-edit').click();
  await expect(page.getByTestId('command-filter.duplicate')).toContainText('Ctrl Alt J');
  await first.close();

  const second = await startEditor({ photo: samplePhoto, userFolder });
  await addFilter(second.page, 'Sobel');
  await second.page.getByTestId('viewport').focus();
  await second.page.keyboard.press('Control+Alt+J');
  await expect(second.page.getByTestId('stack-item')).toHaveCount(2);
  await second.page.keyboard.press('F1');
  await second.page.getByTestId('keys-search').fill('Duplicate');
  await second.page.getByRole('button', { name: /^Reset the key of Duplicate/ }).click();
  await expect(second.page.getByTestId('keys-filter.duplicate')).toContainText('Ctrl D');
});

test('a key of another command is named at once, and taken only when asked for', async ({ startEditor }) => {
  const { page } = await startEditor({ photo: samplePhoto });
  await page.keyboard.press('F1');
  await record(page, 'filter.solo', 'alone');
  await page.keyboard.press('Control+S');
  const row = page.getByTestId('keys-filter.solo');
  await expect(row.getByRole('alert')).toHaveText('Ctrl S belongs to “Save project”.');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('keys-take')).toBeFocused();
  // Keys that move through the window are no shortcuts.
  await row.getByTestId('keys-recorder').press('ArrowDown');
  await expect(row.getByRole('alert')).toContainText('↓ is how one moves');
  await row.getByTestId('keys-recorder').press('Escape');
  await expect(row).toContainText('Alt S');
  await expect(row.locator('.key-button')).toBeFocused();

  await record(page, 'filter.solo', 'alone');
  await page.keyboard.press('Control+S');
  await page.getByTestId('keys-take').click();
  await expect(row).toContainText('Ctrl S');
  await page.getByTestId('keys-search').fill('Save');
  await expect(page.getByTestId('keys-file.save')).toContainText('no key');
  await page.getByTestId('keys-reset').click();
  await expect(page.getByTestId('keys-file.save')).toContainText('Ctrl S');
});
