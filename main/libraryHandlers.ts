// What main does for the channels of the kernel library: the page gives kernels and ids, files come from dialogs.

import path from 'node:path';
import type { Desktop, Handlers } from './handlers';
import type { KernelLibraryFolder } from './kernelLibrary';

type LibraryChannel = Extract<keyof Handlers, `library:${string}`>;

export function createLibraryHandlers(
  library: KernelLibraryFolder,
  desktop: Pick<Desktop, 'chooseKernelFile'>,
): Pick<Handlers, LibraryChannel> {
  return {
    'library:read': () => library.read(),
    async 'library:save'({ id, content }) {
      await library.save(content, id);
      return library.read();
    },
    async 'library:remove'({ id }) {
      await library.remove(id);
      return library.read();
    },
    async 'library:import'() {
      const file = await desktop.chooseKernelFile('open');
      if (file === null) return null;
      const imported = await library.importFrom(file);
      return { library: await library.read(), imported };
    },
    async 'library:export'({ ids }) {
      const file = await desktop.chooseKernelFile('save');
      return file === null ? null : { file: path.basename(file), count: await library.exportTo(file, ids) };
    },
  };
}
