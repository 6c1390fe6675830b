// What a person does in the editor, as steps for Playwright: wait for the exact picture, add a filter, set a parameter,
// export. Used by the demonstration, the screenshots and the end-to-end tests, so that they all drive one face.

import path from 'node:path';
import type { Page } from 'playwright';
import type { Editor } from './editor';

/** How long the exact picture may take on a slow machine, in milliseconds. */
const exactLimit = 120_000;

/** Waits until everything that was done so far is drawn, and drawn exactly. */
export async function waitForExact(page: Page): Promise<void> {
  // A change reaches the canvas with the next frame, so the tag may be asked only after that.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await page.locator('[data-testid="result-tag"][data-quality="exact"][data-busy="false"]').waitFor({
    timeout: exactLimit,
  });
}

/** Opens one of the sample photos of the empty window, by its title. */
export async function openSample(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: title }).click();
}

/** Adds the filter with this name, such as `Gaussian blur`, from the list on the left. */
export async function addFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Add ${name}`, exact: true }).click();
  await page.getByRole('region', { name, exact: true }).waitFor();
}

/** Types a value into a parameter's field, such as `sigma`, and leaves it with Enter. */
export async function setParameter(page: Page, key: string, value: number): Promise<void> {
  const field = page.getByTestId(`parameter-${key}-field`);
  await field.fill(String(value));
  await field.press('Enter');
}

/** Runs a command by its name through the palette, such as `Light`. */
export async function runCommand(page: Page, name: string): Promise<void> {
  await page.getByTestId('viewport').focus();
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Filters and commands' });
  await palette.waitFor();
  await page.keyboard.type(name);
  await palette.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'hidden' });
}

/** Gives the window's content this size in CSS pixels. */
export async function resizeWindow(editor: Editor, width: number, height: number): Promise<void> {
  await editor.application.evaluate(
    ({ BrowserWindow }, [toWidth, toHeight]) => BrowserWindow.getAllWindows()[0]?.setContentSize(toWidth, toHeight),
    [width, height] as const,
  );
  await editor.page.waitForFunction(
    ([toWidth, toHeight]) => window.innerWidth === toWidth && window.innerHeight === toHeight,
    [width, height] as const,
  );
}

/** Lets every file dialog of the main process answer with these paths instead of appearing. */
export async function answerDialogs(
  editor: Editor,
  answers: { readonly open?: string; readonly save?: string },
): Promise<void> {
  await editor.application.evaluate(({ dialog }, { open, save }) => {
    dialog.showOpenDialog = async () => ({ canceled: open === undefined, filePaths: open === undefined ? [] : [open] });
    dialog.showSaveDialog = async () => ({ canceled: save === undefined, filePath: save ?? '' });
  }, answers);
}

export type ExportChoice = 'png' | 'jpeg' | 'webp' | 'tiff' | 'avif';

/** Exports to `file` in `format` through the export dialog, and waits for the word that it is done. */
export async function exportPicture(editor: Editor, file: string, format: ExportChoice): Promise<void> {
  const { page } = editor;
  await answerDialogs(editor, { save: file });
  await startExport(page, format);
  await page.getByText(`Exported ${path.basename(file)}`).waitFor({ timeout: exactLimit });
}

/** Opens the export dialog, chooses the format and starts; the outcome is the caller's to await. */
export async function startExport(page: Page, format: ExportChoice): Promise<void> {
  await page.getByRole('button', { name: 'Export…', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export picture' });
  await dialog.getByTestId(`export-${format}`).click();
  await dialog.getByRole('button', { name: 'Export…', exact: true }).click();
}
