// What main does for the channels that bring pictures in, and close them. A picture is opened only from a path that a dialog, a
// drop, the command line, the recent files or the samples gave; the page never names one.

import { ConvolveError, failureOf } from '../core/errors';
import type { Channel } from '../core/ipc';
import type { HandlerParts, Handlers } from './handlers';

type OpenChannel = Extract<Channel, `image:open${string}` | 'image:paste' | 'image:pageThumbnails' | 'image:close'>;

export interface OpenHandlers {
  readonly handlers: Pick<Handlers, OpenChannel>;
  /** Whether the command line's picture has yet to be taken. */
  starting(): boolean;
}

export function createOpenHandlers(parts: HandlerParts): OpenHandlers {
  const { pictures, documents, recovery, opener, settings, desktop } = parts;
  let starting = parts.startup !== undefined;

  const handlers: OpenHandlers['handlers'] = {
    async 'image:openStartup'() {
      if (!starting) return null;
      const startup = (await parts.startup) ?? null;
      starting = false;
      if (startup !== null && 'code' in startup) throw new ConvolveError(startup);
      return startup;
    },

    async 'image:openDialog'() {
      const chosen = await desktop.chooseFileToOpen();
      return chosen === null ? null : opener.openFile(chosen);
    },

    'image:openSample': ({ name }) => opener.openSample(name),

    async 'image:openRecent'({ index }) {
      const file = settings.recentFiles[index];
      if (file === undefined)
        throw new ConvolveError({
          code: 'invalidArgument',
          subject: 'recent file',
          expected: `0 to ${settings.recentFiles.length - 1}`,
          actual: String(index),
        });
      try {
        return await opener.openFile(file.path, file.page);
      } catch (thrown) {
        if (failureOf(thrown).code === 'fileNotFound') await settings.removeRecent(file.path).catch(() => undefined);
        throw thrown;
      }
    },

    'image:openDropped': ({ path: dropped }) => opener.openFile(dropped),

    async 'image:paste'() {
      const found = await desktop.readClipboard();
      if (!found) throw new ConvolveError({ code: 'clipboardEmpty' });
      if (found.kind === 'file') return opener.openFile(found.path);
      return opener.openClipboard(found.png);
    },

    'image:openPage': ({ imageId, page, stack }) => opener.openPage(imageId, page, stack),

    'image:pageThumbnails': ({ imageId, first, count }) =>
      opener.pageThumbnails(
        imageId,
        Array.from({ length: count }, (_, index) => first + index),
      ),

    async 'image:close'({ imageId }) {
      await pictures.close(imageId);
      documents.remove(imageId);
      await recovery.clear(imageId);
      return undefined;
    },
  };
  return { handlers, starting: () => starting };
}
