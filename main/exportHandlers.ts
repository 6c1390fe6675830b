// What main does for the channels of exports: one file, asked for where, and the preview of one.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ConvolveError } from '../core/errors';
import type { ExportFormat } from '../core/exportOptions';
import type { Channel } from '../core/ipc';
import { formatExtensions } from './codec/exportFormat';
import { exportPicture, previewExport } from './export';
import type { HandlerParts, Handlers } from './handlers';
import type { Picture } from './images';
import { exists } from './pictureFile';

type ExportChannel = Extract<Channel, 'image:export' | 'image:previewExport' | 'image:cancelExport'>;

export interface ExportHandlers {
  readonly handlers: Pick<Handlers, ExportChannel>;
  /** Stops running exports and waits until they have left nothing behind. */
  stop(): Promise<void>;
}

/**
 * The file to write for what the person typed: with an ending of the format. An ending that had to be added makes another
 * file than the one the dialog asked about, so then a name is taken that is free.
 */
export async function exportTarget(chosen: string, format: ExportFormat): Promise<string> {
  const endings = formatExtensions[format];
  if (endings.includes(path.extname(chosen).toLowerCase())) return chosen;
  const ending = endings[0] ?? '';
  for (let count = 1; ; count += 1) {
    const target = count === 1 ? `${chosen}${ending}` : `${chosen} ${count}${ending}`;
    if (!(await exists(target))) return target;
  }
}

/**
 * An export never takes the place of the picture that it is made of, whatever was answered about replacing: the filters of a
 * project would run over their own result, and the picture would be gone. Throws targetUnwritable.
 */
async function checkNotSource(target: string, { original }: Picture): Promise<void> {
  if (original?.source.kind !== 'file') return;
  const real = (file: string) => realpath(file).catch(() => path.resolve(file));
  if ((await real(target)) === (await real(original.source.path)))
    throw new ConvolveError({
      code: 'targetUnwritable',
      subject: path.basename(target),
      actual: 'the export is made from this picture',
    });
}

export function createExportHandlers({ renderer, codec, pictures, desktop }: HandlerParts): ExportHandlers {
  const exports = new Map<AbortController, Promise<unknown>>();
  let preview: AbortController | null = null;

  const handlers: ExportHandlers['handlers'] = {
    'image:export': ({ imageId, stack, options }) =>
      pictures.use(imageId, async (picture) => {
        const stem = path.parse(picture.info.name).name;
        const suggestion = path.join(
          picture.folder ?? desktop.picturesFolder,
          `${stem}-convolved${formatExtensions[options.format][0]}`,
        );
        const chosen = await desktop.chooseExportTarget(suggestion, options.format);
        if (chosen === null) return null;
        const controller = new AbortController();
        const target = await exportTarget(chosen, options.format);
        await checkNotSource(target, picture);
        const work = exportPicture({ renderer, codec }, picture, stack, target, options, {
          signal: controller.signal,
          progress: (share) => desktop.announce('export:progress', { share }),
        });
        exports.set(controller, work);
        try {
          return await work;
        } finally {
          exports.delete(controller);
        }
      }),

    'image:previewExport': ({ imageId, stack, options, view }) => {
      // Only the newest is of use.
      preview?.abort();
      const controller = new AbortController();
      preview = controller;
      return pictures.use(imageId, (picture) =>
        previewExport({ renderer, codec }, picture, stack, options, view, controller.signal),
      );
    },

    async 'image:cancelExport'() {
      for (const controller of exports.keys()) controller.abort();
      return undefined;
    },
  };
  return {
    handlers,
    async stop() {
      for (const controller of exports.keys()) controller.abort();
      await Promise.allSettled(exports.values());
    },
  };
}
