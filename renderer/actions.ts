// What the page asks of main: opening, exporting, settings, inspecting a pixel. Each answer, good or bad, lands in the store.

import type { Failure, Result } from '../core/errors';
import type { ExportOptions } from '../core/exportOptions';
import type { BackendStatus, ExportPreview, Opened, PictureMissing, Settings } from '../core/ipc';
import { isApproximate } from '../core/rank';
import { call, openDropped } from './bridge';
import { editor } from './editor';
import { translation } from './i18n/translation';
import type { Translate } from './i18n/useWords';
import { offerKernelBytes, offerKernelText } from './kernelFiles';
import { filterName, filterSummary } from './panels/filterWords';
import { pageStore, seenStack } from './store';
import { formatBytes } from './ui/numberText';
import { workingStack } from './viewport/subject';
import type { ViewStatus } from './viewport/viewport';

export function fail(failure: Failure): void {
  if (failure.code !== 'cancelled') editor.notify({ kind: 'failure', failure });
}

/** Says why what is in sight cannot be computed, until it can. */
export function failView(failure: Failure): void {
  if (failure.code !== 'cancelled') editor.notify({ kind: 'failure', failure, ofView: true });
}

export function takeView(view: ViewStatus): void {
  pageStore.setState({ view });
  if (view.state === 'exact' && !view.failed) editor.dismissOfView();
}

/** Shows what was opened, offers a kernel, or asks for the picture of a project that has lost its own. */
export function showOpened(opened: Opened): void {
  if (opened.kind === 'kernel') {
    offerKernelBytes(opened.bytes, opened.name);
    return;
  }
  if (opened.kind === 'document') editor.showDocument(opened);
  else askForPictures([opened]);
  void refreshApplication();
}

/** Asks for missing pictures, after those that are asked for already. */
export function askForPictures(asked: readonly PictureMissing[]): void {
  if (asked.length > 0)
    pageStore.setState(({ missing }) => ({ missing: [...missing, ...asked], dialog: 'missingPicture' }));
}

async function open(answer: Promise<Result<Opened | null>>): Promise<void> {
  pageStore.setState(({ opening }) => ({ opening: opening + 1 }));
  try {
    const result = await answer;
    if (!result.ok) fail(result.failure);
    else if (result.value !== null) showOpened(result.value);
  } finally {
    pageStore.setState(({ opening }) => ({ opening: opening - 1 }));
  }
}

export const openStartup = () => open(call('image:openStartup', undefined));
export const openDialog = () => open(call('image:openDialog', undefined));
export const openSample = (name: string) => open(call('image:openSample', { name }));
export const openRecent = (index: number) => open(call('image:openRecent', { index }));
export const openFile = (file: File) => open(openDropped(file));
export const findMissingPicture = (id: number) => open(call('project:findPicture', { id }));
export const paste = () => open(pasteAnything());

/** Opens another page of the shown picture's file in its place. */
export async function openPage(page: number): Promise<void> {
  const { image, history } = pageStore.getState();
  if (image === null) return;
  pageStore.setState(({ opening }) => ({ opening: opening + 1 }));
  const result = await call('image:openPage', { imageId: image.id, page, stack: [...history.present] });
  pageStore.setState(({ opening }) => ({ opening: opening - 1 }));
  if (!result.ok) return fail(result.failure);
  editor.replacePicture(image.id, result.value.image);
  void call('image:close', { imageId: image.id });
  void refreshApplication();
}

/** The picture on the clipboard; where there is none but a text that is a kernel, that is offered instead. */
async function pasteAnything(): Promise<Result<Opened | null>> {
  const picture = await call('image:paste', undefined);
  if (picture.ok || picture.failure.code !== 'clipboardEmpty') return picture;
  const text = await call('text:paste', undefined);
  return text.ok && offerKernelText(text.value) ? { ok: true, value: null } : picture;
}

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
  const result = await call('text:copy', { text });
  if (result.ok) editor.notify({ kind: 'words', key: 'code.copied', values: {} });
  else fail(result.failure);
}

/** Saves a file where the person chooses, and says so. */
export async function saveFile(name: string, content: string | Uint8Array): Promise<void> {
  const result = await call('file:save', { name, content: content as string | Uint8Array<ArrayBuffer> });
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) editor.notify({ kind: 'words', key: 'code.saved', values: { file: result.value } });
}

/** Reads what may have changed since the start, such as the recent files. */
export async function refreshApplication(): Promise<void> {
  const result = await call('app:state', undefined);
  if (result.ok) pageStore.setState({ application: result.value });
}

export async function changeSettings(change: Partial<Settings>): Promise<void> {
  const result = await call('settings:change', change);
  if (result.ok) takeSettings(result.value);
  else fail(result.failure);
}

export function takeSettings(settings: Settings): void {
  pageStore.setState(({ application, lastRender }) => ({
    application: application && { ...application, settings },
    // Another engine has drawn nothing yet.
    lastRender: application?.settings.backend === settings.backend ? lastRender : null,
  }));
}

/** An engine failed, which is said, or works again. */
export function takeBackends(backends: readonly BackendStatus[]): void {
  const { application } = pageStore.getState();
  if (application === null) return;
  pageStore.setState({ application: { ...application, backends } });
  for (const { name, failure } of backends) if (failure) editor.notify({ kind: 'engine', engine: name, failure });
}

/** Exports the picture; main asks where to. Settled once the file is written, the person cancelled, or it failed. */
export async function exportPicture(options: ExportOptions): Promise<void> {
  const { image, exporting, history } = pageStore.getState();
  if (image === null || exporting !== null) return;
  const stack = history.present;
  pageStore.setState({ exporting: { share: 0 } });
  const result = await call('image:export', { imageId: image.id, stack: [...workingStack(stack)], options });
  pageStore.setState({ exporting: null });
  if (!result.ok) {
    fail(result.failure);
    return;
  }
  if (result.value === null) return;
  const { fileName, width, height, fileBytes, milliseconds } = result.value;
  const now = pageStore.getState();
  if (now.image?.id === image.id) pageStore.setState({ exportedStack: stack });
  if (now.dialog === 'export') pageStore.setState({ dialog: null });
  editor.notify({
    kind: 'words',
    key: 'export.done',
    values: { file: fileName, width, height, size: formatBytes(fileBytes), seconds: (milliseconds / 1000).toFixed(1) },
  });
  const words = translation.t as unknown as Translate;
  const approximate = workingStack(stack).filter(isApproximate);
  if (approximate.length > 0)
    editor.notify({
      kind: 'words',
      key: 'rank.exported',
      values: {
        file: fileName,
        filters: approximate
          .map((filter) => `${filterName(filter, words)} (${filterSummary(filter, words)})`)
          .join(', '),
      },
    });
}

/** What an export would come to; null where no picture is shown. */
export async function previewExport(
  options: ExportOptions,
  view: { readonly width: number; readonly height: number },
): Promise<Result<ExportPreview> | null> {
  const { image, history } = pageStore.getState();
  if (image === null) return null;
  const stack = [...workingStack(history.present)];
  return call('image:previewExport', { imageId: image.id, stack, options, view });
}

export function cancelExport(): void {
  if (pageStore.getState().exporting !== null) void call('image:cancelExport', undefined);
}

let inspecting = false;

/** Says which picture pixel the pointer is on, and asks main for its values: one question at a time, the newest next. */
export function pointAt(point: { readonly x: number; readonly y: number } | null): void {
  const { pointer } = pageStore.getState();
  if (point === null) {
    if (pointer !== null) pageStore.setState({ pointer: null });
    return;
  }
  if (pointer !== null && pointer.x === point.x && pointer.y === point.y) return;
  pageStore.setState({ pointer: { x: point.x, y: point.y, values: null } });
  void inspect();
}

/** Asks again for the pixel under the pointer, after the stack changed. */
export function inspectAgain(): void {
  if (pageStore.getState().pointer !== null) void inspect();
}

async function inspect(): Promise<void> {
  if (inspecting) return;
  const asked = pageStore.getState();
  const { image, pointer } = asked;
  if (image === null || pointer === null) return;
  const stack = seenStack(asked);
  inspecting = true;
  const { x, y } = pointer;
  const result = await call('pixel:inspect', { imageId: image.id, stack: [...workingStack(stack)], x, y });
  inspecting = false;
  const now = pageStore.getState();
  if (now.pointer === null || now.image?.id !== image.id) return;
  if (now.pointer.x === x && now.pointer.y === y && seenStack(now) === stack) {
    // A pixel that cannot be read shows no values; the picture itself says what is wrong.
    if (result.ok) pageStore.setState({ pointer: { x, y, values: result.value } });
  } else {
    void inspect();
  }
}
