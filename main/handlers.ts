// What main does for each channel of the contract, without Electron: dialogs, the clipboard and announcements come in as a
// Desktop. Groups of channels have files of their own.

import path from 'node:path';
import type { CostTables } from '../core/costs';
import type { Failure } from '../core/errors';
import type { ExportFormat } from '../core/exportOptions';
import type {
  Announcement,
  Announcements,
  ApplicationState,
  Channel,
  ChannelArgument,
  ChannelResult,
  Opened,
  RenderCounts,
  Settings,
} from '../core/ipc';
import { maximumTextLength } from '../core/ipc';
import { shippedCosts } from '../core/shippedCosts';
import { writeAtomically } from './atomicWrite';
import { createBatchHandlers } from './batch/batchHandlers';
import { standardCacheMegabytes } from './cacheBudget';
import type { Codec } from './codec/codec';
import { createExportHandlers } from './exportHandlers';
import type { OpenPictures, Picture } from './images';
import type { KernelLibraryFolder } from './kernelLibrary';
import { kernelPictureOf, readKernelPicture } from './kernelPicture';
import { createLibraryHandlers } from './libraryHandlers';
import { measurePath, resultExtremes } from './measurePaths';
import type { Opener } from './opener';
import { createOpenHandlers } from './openHandlers';
import type { Documents } from './projects/documents';
import { createProjectHandlers } from './projects/projectHandlers';
import type { RecoveryFolder } from './projects/recovery';
import type { Renderer } from './render';
import { noCounts } from './renderQueue';
import { samples } from './samples';
import { createSeeingHandlers } from './seeingHandlers';
import type { SettingsFile } from './settings';

/** What the clipboard holds: the file that was copied in a file manager, or a picture as PNG bytes. */
export type ClipboardPicture =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'image'; readonly png: Uint8Array<ArrayBuffer> };

/** The parts of the desktop that handlers need. */
export interface Desktop {
  /** Asks for a picture to open; null when the person cancels. */
  chooseFileToOpen(): Promise<string | null>;
  /** Asks where to write, starting at `suggestion`; null when the person cancels. */
  chooseExportTarget(suggestion: string, format: ExportFormat): Promise<string | null>;
  /** Asks where to save a project, as chooseExportTarget does. */
  chooseProjectTarget(suggestion: string): Promise<string | null>;
  /** Asks for the pictures of a batch; null when the person cancels. */
  chooseBatchFiles(): Promise<readonly string[] | null>;
  /** Asks for a folder to read pictures from, or to write them to. */
  chooseFolder(purpose: 'open' | 'save'): Promise<string | null>;
  readClipboard(): Promise<ClipboardPicture | null>;
  writeClipboard(text: string): Promise<void>;
  readClipboardText(): Promise<string>;
  /** Asks where to write a file that is no picture, starting at `suggestion`; null when the person cancels. */
  chooseFileTarget(suggestion: string): Promise<string | null>;
  /** Asks for a file of kernels to read or to write; null when the person cancels. */
  chooseKernelFile(way: 'open' | 'save'): Promise<string | null>;
  announce<A extends Announcement>(announcement: A, value: Announcements[A]): void;
  /** Folder for exports of pictures that came from no folder. */
  readonly picturesFolder: string;
  /** Tells the system about a file that was opened. */
  noteRecentFile(filePath: string): void;
  settingsChanged(settings: Settings): void;
  /** Closes the window without asking. */
  closeWindow(): void;
}

export interface Environment {
  readonly version: string;
  readonly platform: string;
  readonly systemLocale: string;
  readonly samplesFolder: string;
}

export interface HandlerParts {
  readonly codec: Codec;
  readonly pictures: OpenPictures;
  readonly documents: Documents;
  readonly recovery: RecoveryFolder;
  readonly opener: Opener;
  readonly renderer: Renderer;
  readonly settings: SettingsFile;
  readonly library: KernelLibraryFolder;
  /** What the page's render queue has done. */
  readonly renderCounts?: () => RenderCounts;
  /** By which the renderer plans. */
  readonly costs?: CostTables;
  readonly desktop: Desktop;
  readonly environment: Environment;
  /** How opening the command line's file went; null where there was none. */
  readonly startup?: Promise<Opened | Failure>;
}

export type Handlers = {
  readonly [C in Channel]: (argument: ChannelArgument<C>) => Promise<ChannelResult<C>>;
};

export interface ApplicationHandlers {
  readonly handlers: Handlers;
  /** Stops running exports and waits until they have left nothing behind. */
  stopExports(): Promise<void>;
}

/** A name without what some file system refuses. */
const safeName = (name: string): string =>
  name.replace(/[/\\:*?"<>|\p{Cc}]+/gu, '-').replace(/^[.\s]+/, '') || 'kernel';

export function createHandlers(parts: HandlerParts): ApplicationHandlers {
  const { codec, pictures, documents, recovery, renderer, settings, desktop, environment } = parts;
  const { costs = shippedCosts, library } = parts;
  const opening = createOpenHandlers(parts);
  const exporting = createExportHandlers(parts);

  const batch = createBatchHandlers(parts);
  const measurements = new Set<AbortController>();

  /** Work on a picture that `paths:cancelMeasure` stops. */
  const measuring = <T>(imageId: number, work: (picture: Picture, signal: AbortSignal) => Promise<T>) =>
    pictures.use(imageId, async (picture) => {
      const controller = new AbortController();
      measurements.add(controller);
      try {
        return await work(picture, controller.signal);
      } finally {
        measurements.delete(controller);
      }
    });

  const handlers: Handlers = {
    ...createProjectHandlers(parts),
    ...createLibraryHandlers(library, desktop),
    ...opening.handlers,
    ...exporting.handlers,

    async 'window:close'() {
      // What the person gave up must not be offered at the next start.
      await Promise.all(documents.all().map(({ image }) => recovery.clear(image.id)));
      desktop.closeWindow();
      return undefined;
    },
    ...batch.handlers,
    ...createSeeingHandlers(parts),

    async 'app:state'() {
      const state: ApplicationState = {
        version: environment.version,
        platform: environment.platform,
        systemLocale: environment.systemLocale,
        settings: settings.settings,
        standardCacheMegabytes: standardCacheMegabytes(),
        settingsSetAside: settings.setAside === null ? null : path.basename(settings.setAside),
        backends: renderer.backends(),
        costs,
        samples: samples.map(({ name }) => name),
        recentFiles: settings.recentFiles,
        starting: opening.starting(),
        opened: opening.starting() ? [] : documents.all(),
        recoverable: recovery.recoverable(),
      };
      return state;
    },

    async 'settings:change'(part) {
      // Fields that the page left out are absent, not undefined.
      const given = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
      try {
        return await settings.change(given);
      } finally {
        // Also where they cannot be stored: then they hold until the program ends, and the failure says so.
        desktop.settingsChanged(settings.settings);
        desktop.announce('settings:changed', settings.settings);
      }
    },

    async 'text:copy'({ text }) {
      await desktop.writeClipboard(text);
      return undefined;
    },

    async 'text:paste'() {
      const text = await desktop.readClipboardText();
      return text.length > maximumTextLength ? '' : text;
    },

    async 'file:save'({ name, content }) {
      const ending = path.extname(name);
      const chosen = await desktop.chooseFileTarget(path.join(desktop.picturesFolder, safeName(name)));
      if (chosen === null) return null;
      const target = path.extname(chosen) === '' ? `${chosen}${ending}` : chosen;
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      await writeAtomically(target, [bytes]);
      return path.basename(target);
    },

    async 'render:counts'() {
      return parts.renderCounts?.() ?? noCounts;
    },

    async 'kernel:openPicture'() {
      const chosen = await desktop.chooseFileToOpen();
      return chosen === null ? null : readKernelPicture(codec, chosen);
    },

    'kernel:readPicture': ({ name, bytes }) => kernelPictureOf(codec, Uint8Array.from(bytes), name),

    'plan:explain': ({ imageId, stack }) =>
      pictures.use(imageId, async (picture) => {
        const { backend, plan } = await renderer.explain(picture, stack);
        const memoryBytes = renderer.backends().find(({ name }) => name === backend)?.memoryBytes ?? null;
        return { backend, passes: plan.explanations, memoryBytes };
      }),

    'paths:measure': ({ imageId, filter, path: choice }) =>
      measuring(imageId, (picture, signal) => measurePath(renderer, picture, filter, choice, signal)),

    'result:extremes': ({ imageId, stack }) =>
      measuring(imageId, (picture, signal) => resultExtremes(renderer, picture, stack, signal)),

    async 'paths:cancelMeasure'() {
      for (const controller of measurements) controller.abort();
      return undefined;
    },
  };

  return {
    handlers,
    async stopExports() {
      await Promise.allSettled([exporting.stop(), batch.stop()]);
    },
  };
}
