// The contract between the page and main. Each channel has a parser of its argument and the type of its result; both ends
// derive from this file, so a missing handler does not compile and nothing the page says is trusted unparsed.
// Pixels never travel here: they go over one MessagePort in the messages of core/pixelPort.ts.

import { z } from 'zod';
import { type BatchChoice, type BatchEnd, type BatchProgress, batchRequestSchema } from './batch';
import type { CostTables } from './costs';
import type { ImageInfo, Stack } from './document';
import type { Failure } from './errors';
import type { PixelExplanation } from './explain';
import { exportOptionsSchema } from './exportOptions';
import { filterSchema, pathChoiceSchema, stackSchema } from './filterSchema';
import type { Size } from './geometry';
import type { Histogram } from './histogram';
import {
  type ImportedKernels,
  type KernelLibrary,
  type LibraryEntry,
  libraryContentSchema,
  libraryIdSchema,
  maximumEntries,
} from './kernelLibrary';
import type { KernelPicture } from './pictureKernel';
import type { FilterPath, PassReason } from './planText';

const nothing = z.undefined();
const imageId = z.int().min(1);
/** Most pages that are shown small at a time. */
export const maximumThumbnails = 12;
/** Longest text that the page copies or saves, in characters: a kernel of 511 × 511 as code. */
export const maximumTextLength = 16 * 2 ** 20;

/** save: to the project's own file, asked for where there is none yet. The others always ask. */
export const saveModes = ['save', 'saveAs', 'saveEmbedded'] as const;
export type SaveMode = (typeof saveModes)[number];

export const themes = ['system', 'dark', 'light'] as const;
export const languages = ['system', 'en', 'zh-CN'] as const;
export const backendChoices = ['auto', 'reference', 'cpu', 'cuda'] as const;
export type BackendChoice = (typeof backendChoices)[number];
/** Most commands whose keys a person has changed, and most key combinations of one. */
const maximumChangedKeys = 500;
const maximumKeysOfCommand = 4;
/** How values under the pointer are written: as the picture stores them, or in another depth. */
export const valueFormats = ['stored', 'byte', 'word', 'percent', 'float'] as const;
export type ValueFormat = (typeof valueFormats)[number];
/** Of what caches may take, in MiB. */
export const cacheLimits = { minimum: 64, maximum: 1_048_576 };
/** Of the wait before the recovery file is written, in seconds. */
export const autosaveLimits = { minimum: 1, maximum: 600 };
export const settingsSchema = z.object({
  theme: z.enum(themes),
  language: z.enum(languages),
  backend: z.enum(backendChoices),
  /** MiB that caches may take; null for a share of the machine's memory. */
  cacheMegabytes: z.int().min(cacheLimits.minimum).max(cacheLimits.maximum).nullable(),
  /** Seconds from a change to the recovery file. */
  autosaveSeconds: z.int().min(autosaveLimits.minimum).max(autosaveLimits.maximum),
  /** Key combinations, as `Mod+Shift+Z`, of the commands that have others than they come with, by the command's id. */
  keys: z
    .record(z.string().max(100), z.array(z.string().min(1).max(40)).max(maximumKeysOfCommand))
    .refine((keys) => Object.keys(keys).length <= maximumChangedKeys),
  values: z.enum(valueFormats),
});
export type Settings = z.infer<typeof settingsSchema>;
export const standardSettings: Settings = {
  theme: 'system',
  language: 'system',
  backend: 'auto',
  cacheMegabytes: null,
  autosaveSeconds: 2,
  keys: {},
  values: 'stored',
};

/** Parser of each channel's one argument. */
export const channelArguments = {
  'app:state': nothing,
  'settings:change': settingsSchema.partial(),
  /** The command line's picture; null where there was none, or once it has been given. */
  'image:openStartup': nothing,
  'image:openDialog': nothing,
  'image:openSample': z.object({ name: z.string().max(100) }),
  'image:openRecent': z.object({ index: z.int().min(0).max(50) }),
  /** Only the preload calls this one, with the path of a file that the person dropped. */
  'image:openDropped': z.object({ path: z.string().min(1).max(32768) }),
  'image:paste': nothing,
  /** Another page of the picture's file, with this stack over it. The page then closes the picture that it takes the place of. */
  'image:openPage': z.object({ imageId, page: z.int().min(1), stack: stackSchema }),
  /** Small pictures of `count` pages from `first` on. */
  'image:pageThumbnails': z.object({ imageId, first: z.int().min(1), count: z.int().min(1).max(maximumThumbnails) }),
  'image:close': z.object({ imageId }),
  /** Puts a text on the clipboard. */
  'text:copy': z.object({ text: z.string().max(maximumTextLength) }),
  /** The text on the clipboard, '' where there is none. */
  'text:paste': nothing,
  /** Asks where to, starting at a file of this name (its ending says the kind), and writes. */
  'file:save': z.object({
    name: z.string().min(1).max(300),
    content: z.union([
      z.string().max(maximumTextLength),
      z.instanceof(Uint8Array).refine((bytes) => bytes.length <= maximumTextLength),
    ]),
  }),
  'image:export': z.object({ imageId, stack: stackSchema, options: exportOptionsSchema }),
  'image:cancelExport': nothing,
  /** Asks for the file of a missing picture. */
  'project:findPicture': z.object({ id: z.int().min(1) }),
  'project:save': z.object({ imageId, stack: stackSchema, mode: z.enum(saveModes) }),
  /** The document as it is now, for a page that starts anew and, where `unsaved`, for the recovery file. */
  'document:keep': z.object({ imageId, stack: stackSchema, unsaved: z.boolean() }),
  'recovery:restore': nothing,
  'recovery:discard': nothing,
  /** The page has asked what to do with unsaved work; the window goes, and what was not saved with it. */
  'window:close': nothing,
  /** Encodes as an export would and says what comes out. `view`: how much of it to show, in pixels. */
  'image:previewExport': z.object({
    imageId,
    stack: stackSchema,
    options: exportOptionsSchema,
    view: z.object({ width: z.int().min(1).max(2000), height: z.int().min(1).max(2000) }),
  }),
  /** Each asks for what the next batch goes through or writes to; the paths stay in main. */
  'batch:chooseFiles': nothing,
  'batch:chooseFolder': nothing,
  'batch:chooseTarget': nothing,
  /** Runs to its end, or until it is cancelled. */
  'batch:start': batchRequestSchema,
  'batch:pause': z.object({ paused: z.boolean() }),
  'batch:cancel': nothing,
  /** x, y: a pixel of the opened picture. */
  'pixel:inspect': z.object({ imageId, stack: stackSchema, x: z.int().min(0), y: z.int().min(0) }),
  /** How a filter makes that pixel; `filterId`: of a filter of the stack. */
  'pixel:explain': z.object({
    imageId,
    stack: stackSchema,
    filterId: z.string().max(200),
    x: z.int().min(0),
    y: z.int().min(0),
  }),
  /** Counts every pixel of the result, or of a draft of it. The newest question of a subject ends an older one as cancelled. */
  'histogram:count': z.object({
    imageId,
    stack: stackSchema,
    subject: z.enum(['result', 'original']),
    quality: z.enum(['draft', 'exact']),
  }),
  /** A small picture of the result; the newest question ends an older one as cancelled. */
  'image:thumbnail': z.object({ imageId, stack: stackSchema, edge: z.int().min(16).max(512) }),
  /** Stops counting results. */
  'histogram:cancel': nothing,
  'plan:explain': z.object({ imageId, stack: stackSchema }),
  /** Times one path of a filter on the picture alone. */
  'paths:measure': z.object({ imageId, filter: filterSchema, path: pathChoiceSchema }),
  /** The extremes of the last filter's result, before its range. */
  'result:extremes': z.object({ imageId, stack: stackSchema.refine((stack) => stack.length > 0, 'a filter') }),
  /** Stops both of these. */
  'paths:cancelMeasure': nothing,
  /** Asks for a picture of at most 511 × 511 pixels, whose values are to become weights. */
  'kernel:openPicture': nothing,
  /** The same from the bytes of a file that was chosen in the page. */
  'kernel:readPicture': z.object({
    name: z.string().min(1).max(300),
    bytes: z.instanceof(Uint8Array).refine((bytes) => bytes.length <= maximumTextLength),
  }),
  'library:read': nothing,
  /** As many of these entries, in their order, as are quickly given; at least one that is there. */
  'library:entries': z.object({ ids: z.array(libraryIdSchema).min(1).max(maximumEntries) }),
  /** `id`: the entry to replace, null for a new one. */
  'library:save': z.object({ id: libraryIdSchema.nullable(), content: libraryContentSchema }),
  'library:remove': z.object({ id: libraryIdSchema }),
  'library:import': nothing,
  /** Some entries by id; null for all. */
  'library:export': z.object({ ids: z.array(libraryIdSchema).max(maximumEntries).nullable() }),
  'render:counts': nothing,
} as const;

export interface BackendStatus {
  readonly name: 'reference' | 'cpu' | 'cuda';
  readonly available: boolean;
  /** Instruction set, thread count or device; or why it is not available. */
  readonly description: string;
  /** Of its device's memory, in use when it was asked; absent where it has no memory of its own. */
  readonly memoryBytes?: number;
  /** How it failed while it ran: the CPU does its work until it is tried again. Absent where it is sound. */
  readonly failure?: Failure;
}

/** A picture that has been opened, with its filters. */
export interface OpenedDocument {
  readonly kind: 'document';
  readonly image: ImageInfo;
  readonly stack: Stack;
  /** Name of the project file; null for a picture that is in none. */
  readonly project: string | null;
  /** True for work that is in no file: brought back after a crash, or kept while the page was loaded again. */
  readonly unsaved: boolean;
}
/** A project whose picture was not found: `project:findPicture` asks for it. */
export interface PictureMissing {
  readonly kind: 'pictureMissing';
  /** By which the page says for which project it has found a picture. */
  readonly id: number;
  readonly project: string;
  readonly picture: string;
}
/** A file that holds kernels: the page reads and offers them. */
export interface KernelFile {
  readonly kind: 'kernel';
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type Opened = OpenedDocument | PictureMissing | KernelFile;

export interface SavedProject {
  readonly project: string;
}

/** Work of a program that ended without being asked to. */
export interface RecoverableWork {
  /** Of the picture. */
  readonly name: string;
  readonly filters: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}
export interface RestoredWork {
  readonly documents: readonly OpenedDocument[];
  /** Whose pictures have to be found first; until then they are kept, and offered again. */
  readonly missing: readonly PictureMissing[];
  /** What could not be restored is kept, and offered again. */
  readonly failures: readonly Failure[];
}

export interface RecentFile {
  /** Absolute. */
  readonly path: string;
  /** Page or frame of a file of several, from 1. */
  readonly page: number;
}

export interface ApplicationState {
  readonly version: string;
  readonly platform: string;
  readonly systemLocale: string;
  readonly settings: Settings;
  /** MiB that caches take where the settings leave it to the machine's memory. */
  readonly standardCacheMegabytes: number;
  /** Name that a settings file was set aside under because it could not be read; null where it could. */
  readonly settingsSetAside: string | null;
  readonly backends: readonly BackendStatus[];
  /** By which plans are made until the program ends. */
  readonly costs: CostTables;
  /** Names of the sample photos, to open them by. */
  readonly samples: readonly string[];
  readonly recentFiles: readonly RecentFile[];
  /** True while the command line's picture waits to be taken by `image:openStartup`. */
  readonly starting: boolean;
  /** The open documents, with which a page that starts anew goes on. */
  readonly opened: readonly OpenedDocument[];
  readonly recoverable: readonly RecoverableWork[];
}

export interface ExportPreview {
  readonly fileBytes: number;
  /** The middle of the encoded picture as a PNG; null where the format shows nothing on a screen. */
  readonly png: Uint8Array | null;
}

export interface ExportResult extends Size {
  readonly fileName: string;
  readonly fileBytes: number;
  readonly milliseconds: number;
}

/**
 * A pixel's values in code values of the picture's depth: before any filter, and after the stack. `after` is empty where
 * the result, made smaller by a `valid` filter, has no such pixel.
 */
export interface PixelValues {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Pixels of 8 bits in sRGB, 1 to 4 channels. */
export interface Thumbnail extends Size {
  readonly channels: number;
  readonly pixels: Uint8Array;
}

export interface PassExplanation {
  readonly filterId: string;
  readonly path: FilterPath;
  readonly reason: PassReason;
  readonly multiplyAddsPerPixel: number;
  /** Predicted for the whole picture; null for a path that was asked for and that the backend computes as another, and for edges. */
  readonly milliseconds: number | null;
  /** Bytes of the result that are kept for the next filter, where a stack keeps more than a few rows of its results; else 0. */
  readonly keptBytes: number;
}
export interface PlanExplanation {
  readonly backend: BackendStatus['name'];
  readonly passes: readonly PassExplanation[];
  /** Of the backend's own memory, in use now; null where it has none. */
  readonly memoryBytes: number | null;
}

/** A time that was measured here, now. */
export interface PathMeasurement {
  readonly backend: BackendStatus['name'];
  /** For the whole picture: taken from `share` of its rows. */
  readonly milliseconds: number;
  /** 0…1; 1 where all of it was computed. */
  readonly share: number;
}

/** Shares of full scale. */
export interface ResultExtremes {
  readonly minimum: number;
  readonly maximum: number;
}

/** What happened so far, for tests and diagnosis. A superseded request never started; a cancelled one was running. */
export interface RenderCounts {
  readonly started: number;
  readonly superseded: number;
  readonly cancelled: number;
  readonly finished: number;
  readonly failed: number;
  readonly draftTiles: number;
  readonly exactTiles: number;
  /** Most requests of one layer that ran at the same time. */
  readonly mostRunning: number;
}

/** Result of each channel. `null` from a dialog means that the person cancelled it. */
export interface ChannelResults {
  'app:state': ApplicationState;
  'settings:change': Settings;
  'image:openStartup': Opened | null;
  'image:openDialog': Opened | null;
  'image:openSample': Opened;
  'image:openRecent': Opened;
  'image:openDropped': Opened;
  'image:paste': Opened;
  'image:openPage': OpenedDocument;
  /** PNGs; null for a page that cannot be read. */
  'image:pageThumbnails': readonly (Uint8Array | null)[];
  'image:close': undefined;
  'text:copy': undefined;
  'text:paste': string;
  /** The name of the file. */
  'file:save': string | null;
  'image:export': ExportResult | null;
  'image:cancelExport': undefined;
  'project:findPicture': Opened | null;
  'project:save': SavedProject | null;
  'document:keep': undefined;
  'recovery:restore': RestoredWork;
  'recovery:discard': undefined;
  'window:close': undefined;
  'image:previewExport': ExportPreview;
  'batch:chooseFiles': BatchChoice | null;
  'batch:chooseFolder': BatchChoice | null;
  'batch:chooseTarget': { readonly folder: string } | null;
  'batch:start': BatchEnd;
  'batch:pause': undefined;
  'batch:cancel': undefined;
  'pixel:inspect': PixelValues;
  /** Null where the filter is switched off, or its result has no such pixel. */
  'pixel:explain': PixelExplanation | null;
  'image:thumbnail': Thumbnail;
  'histogram:count': Histogram;
  'histogram:cancel': undefined;
  'plan:explain': PlanExplanation;
  'paths:measure': PathMeasurement;
  'result:extremes': ResultExtremes;
  'paths:cancelMeasure': undefined;
  'kernel:openPicture': KernelPicture | null;
  'kernel:readPicture': KernelPicture;
  'library:read': KernelLibrary;
  /** Entries that are gone are among `looked` alone. */
  'library:entries': { readonly entries: readonly LibraryEntry[]; readonly looked: number };
  'library:save': undefined;
  'library:remove': undefined;
  'library:import': ImportedKernels | null;
  'library:export': { readonly file: string; readonly count: number } | null;
  'render:counts': RenderCounts;
}

export type Channel = keyof typeof channelArguments;
export type ChannelArgument<C extends Channel> = z.infer<(typeof channelArguments)[C]>;
export type ChannelResult<C extends Channel> = ChannelResults[C];

/** What main tells the page unasked. */
export interface Announcements {
  'image:opened': Opened;
  'image:openFailed': Failure;
  'export:progress': { readonly share: number };
  'batch:progress': BatchProgress;
  /** Kernels of a file that are in the library, of all in it. */
  'library:progress': { readonly done: number; readonly total: number };
  'settings:changed': Settings;
  /** A backend failed, or one that had failed works again. */
  'backends:changed': readonly BackendStatus[];
  'command:run': { readonly id: string };
  /** The person closes the window: the page asks about unsaved work and answers with `window:close`, or not at all. */
  'window:closing': null;
}
export type Announcement = keyof Announcements;
export const announcements: readonly Announcement[] = [
  'image:opened',
  'image:openFailed',
  'export:progress',
  'batch:progress',
  'library:progress',
  'settings:changed',
  'backends:changed',
  'command:run',
  'window:closing',
];

/** The whole of what the preload puts on `window.bridge`. The MessagePort arrives by `window` message 'convolve:port'. */
export interface Bridge {
  call<C extends Channel>(
    channel: C,
    argument: ChannelArgument<C>,
  ): Promise<import('./errors').Result<ChannelResult<C>>>;
  openDropped(file: File): Promise<import('./errors').Result<Opened>>;
  listen<A extends Announcement>(announcement: A, listener: (value: Announcements[A]) => void): () => void;
}
