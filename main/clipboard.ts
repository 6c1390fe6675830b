// What the clipboard offers as a picture: a file copied in a file manager, else an image. Electron has two clipboards: the
// one of the pinned version, by promises and MIME types, and that of versions before it, by calls that answer at once.

import { fileURLToPath } from 'node:url';
import { clipboard } from 'electron';
import type { ClipboardPicture } from './handlers';

/** Forms in which file managers put copied files: Linux (most, GNOME) and macOS as URLs, Windows as a path. */
const urlFormats = ['text/uri-list', 'x-special/gnome-copied-files', 'public.file-url'] as const;
const pathFormat = 'FileNameW';

/** The clipboard of older Electrons, as far as it is used. */
interface EarlierClipboard {
  read(format: string): string;
  readBuffer(format: string): Buffer;
  readImage(): { isEmpty(): boolean; toPNG(): Buffer };
}
const earlier = (): EarlierClipboard | null =>
  'readImage' in clipboard ? (clipboard as unknown as EarlierClipboard) : null;

async function readRaw(format: string): Promise<Buffer> {
  const old = earlier();
  if (old) return format === pathFormat ? old.readBuffer(format) : Buffer.from(old.read(format));
  const type = `electron application/osclipboard;format="${format}"`;
  if (!(await clipboard.has(type))) return Buffer.alloc(0);
  for (const item of await clipboard.read()) {
    const payload = await item.getType(type).catch(() => null);
    if (payload instanceof Blob) return Buffer.from(await payload.arrayBuffer());
  }
  return Buffer.alloc(0);
}

async function copiedFile(): Promise<string | null> {
  for (const format of urlFormats) {
    const lines = (await readRaw(format)).toString('utf8').split(/[\r\n\0]+/);
    const url = lines.find((line) => line.startsWith('file://'));
    if (url !== undefined) return fileURLToPath(url);
  }
  if (process.platform !== 'win32') return null;
  const name = (await readRaw(pathFormat)).toString('utf16le').replace(/\0.*$/s, '');
  return name === '' ? null : name;
}

async function copiedImage(): Promise<Uint8Array<ArrayBuffer> | null> {
  const old = earlier();
  if (old) {
    const image = old.readImage();
    return image.isEmpty() ? null : Uint8Array.from(image.toPNG());
  }
  for (const item of await clipboard.read()) {
    if (!item.types.includes('image/png')) continue;
    return new Uint8Array(await (await item.getType('image/png')).arrayBuffer());
  }
  return null;
}

export async function readClipboard(): Promise<ClipboardPicture | null> {
  // A URL that names no file of this machine is as good as none.
  const file = await copiedFile().catch(() => null);
  if (file !== null) return { kind: 'file', path: file };
  const png = await copiedImage();
  return png === null ? null : { kind: 'image', png };
}

/** Older Electrons answer at once, newer ones by a promise. */
export async function writeClipboard(text: string): Promise<void> {
  await clipboard.writeText(text);
}

export async function readClipboardText(): Promise<string> {
  return await clipboard.readText();
}
