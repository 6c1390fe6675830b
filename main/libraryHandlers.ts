// What main does for the channels of the kernel library: the page gives kernels and ids, files come from dialogs.

import path from 'node:path';
import { cellsAtATime, type LibraryEntry } from '../core/kernelLibrary';
import type { Desktop, Handlers } from './handlers';
import type { KernelLibraryFolder } from './kernelLibrary';

type LibraryChannel = Extract<keyof Handlers, `library:${string}`>;

export function createLibraryHandlers(
  library: KernelLibraryFolder,
  desktop: Pick<Desktop, 'chooseKernelFile' | 'announce'>,
): Pick<Handlers, LibraryChannel> {
  return {
    'library:read': () => library.read(),
    async 'library:entries'({ ids }) {
      const entries: LibraryEntry[] = [];
      let looked = 0;
      for (let cells = 0; looked < ids.length && cells < cellsAtATime; looked++) {
        const entry = library.entry(ids[looked] ?? '');
        if (entry === null) continue;
        cells += entry.kernel.weights.length;
        entries.push(entry);
      }
      return { entries, looked };
    },
    async 'library:save'({ id, content }) {
      await library.save(content, id);
      return undefined;
    },
    async 'library:remove'({ id }) {
      await library.remove(id);
      return undefined;
    },
    async 'library:import'() {
      const file = await desktop.chooseKernelFile('open');
      if (file === null) return null;
      return library.importFrom(file, (done, total) => desktop.announce('library:progress', { done, total }));
    },
    async 'library:export'({ ids }) {
      const file = await desktop.chooseKernelFile('save');
      return file === null ? null : { file: path.basename(file), count: await library.exportTo(file, ids) };
    },
  };
}
