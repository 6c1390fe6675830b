// The page's state: the document with its history, what is selected and how it is viewed, and what main last said; and what
// follows from it. editor.ts changes documents. Knows nothing of main or the canvas.

import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Filter, ImageInfo, Stack } from '../core/document';
import type { Failure } from '../core/errors';
import * as timeline from '../core/history';
import type { KernelReading } from '../core/interchange/reading';
import type { ApplicationState, BackendStatus, PictureMissing, PixelValues } from '../core/ipc';
import type { Kernel } from '../core/kernel';
import { defaultRankTolerance } from '../core/separability';
import type { PictureWarning } from '../core/warningText';
import { type BatchState, noBatch } from './batchState';
import type { Explained } from './explainActions';
import type { CanvasPlace } from './viewport/canvasTool';
import type { CompareMode, SplitDirection } from './viewport/compare';
import type { Point } from './viewport/geometry';
import { canBeSigned } from './viewport/subject';
import type { ViewStatus } from './viewport/viewport';

/**
 * What a message says: a failure (core/errorText), words of the catalogue, an engine that failed, or a warning of main
 * (core/warningText).
 */
export type NoticeContent =
  /** `ofView`: why what is in sight cannot be computed; it goes once that can. */
  | { readonly kind: 'failure'; readonly failure: Failure; readonly ofView?: true }
  /** `stays`: a person must not miss it; the rest is good news. */
  | {
      readonly kind: 'words';
      readonly key: string;
      readonly values: Readonly<Record<string, string | number>>;
      readonly stays?: true;
    }
  | { readonly kind: 'engine'; readonly engine: BackendStatus['name']; readonly failure: Failure }
  | { readonly kind: 'warning'; readonly file: string; readonly warning: PictureWarning };

export interface Notice {
  readonly id: number;
  readonly content: NoticeContent;
}

export type DialogName =
  | 'export'
  | 'batch'
  | 'pages'
  | 'palette'
  | 'shortcuts'
  | 'settings'
  | 'about'
  | 'pasteKernel'
  | 'kernelOffer'
  | 'unsaved'
  | 'missingPicture'
  | 'recovery'
  | 'stackAlgebra'
  | 'pictureKernel'
  | 'saveKernel'
  | 'deleteKernel';

/** The views of the selected filter. */
export const filterTabs = ['kernel', 'separability', 'frequency', 'code'] as const;
export type FilterTab = (typeof filterTabs)[number];

export interface PointerReading {
  readonly x: number;
  readonly y: number;
  /** Null until main has answered for this pixel and stack. */
  readonly values: PixelValues | null;
}

/** What belongs to one document: its picture, its filters and what of them is in a file. */
export interface PageDocument {
  readonly image: ImageInfo;
  readonly history: timeline.History<Stack>;
  readonly selectedId: string | null;
  /** Name of the project file; null where there is none yet. */
  readonly project: string | null;
  /** The stack that is in a file (none, for a picture without filters); null where no file holds it. */
  readonly savedStack: Stack | null;
  /** The stack of the last export. */
  readonly exportedStack: Stack | null;
}

/** The fields of the document that is shown; `image` is null where none is. */
type ShownDocument = Omit<PageDocument, 'image'> & { readonly image: ImageInfo | null };

export interface PageState extends ShownDocument {
  readonly application: ApplicationState | null;
  /** Ids of the open documents' pictures, in the order of their tabs. */
  readonly tabs: readonly number[];
  /** The open documents that are not shown. */
  readonly parked: ReadonlyMap<number, PageDocument>;
  /** What waits for an answer about unsaved work: a document, or all of them with the window. */
  readonly closing: 'document' | 'window' | null;
  /** Projects and recovered work whose pictures are asked for, one after the other. */
  readonly missing: readonly PictureMissing[];
  /** How many pictures are being opened. */
  readonly opening: number;
  readonly filterTab: FilterTab;
  /** Singular values below this share of the largest count as zero in the Separability tab. */
  readonly rankTolerance: number;
  /** A stack that the picture shows instead of the document's while a person looks at a difference, `factor` times as large. */
  readonly look: { readonly stack: Stack; readonly factor: number } | null;
  readonly compare: CompareMode;
  /** The one filter through which the picture is seen alone; null for all of them. */
  readonly soloId: string | null;
  /** True while a key holds the original in the view. */
  readonly peeking: boolean;
  readonly splitDirection: SplitDirection;
  /** How much the difference is amplified. */
  readonly differenceGain: number;
  /** Whether clipped values are marked. */
  readonly clipping: boolean;
  /** Whether signed results are shown in the colours of signed numbers. */
  readonly signed: boolean;
  readonly navigator: boolean;
  readonly split: number;
  readonly view: ViewStatus | null;
  /** Where the picture lies on the canvas; null before it was drawn. */
  readonly place: CanvasPlace | null;
  readonly lastRender: { readonly backend: BackendStatus['name']; readonly milliseconds: number } | null;
  readonly pointer: PointerReading | null;
  /** True while Alt is held: the explain card shows the pixel under the pointer. */
  readonly explainHeld: boolean;
  /** The pixel to which the explain card is pinned. */
  readonly pin: Point | null;
  readonly explained: Explained | null;
  readonly exporting: { readonly share: number } | null;
  readonly batch: BatchState;
  readonly notices: readonly Notice[];
  readonly dialog: DialogName | null;
  /** What the dialog `kernelOffer` offers. */
  readonly kernelOffer: KernelReading | null;
}

export type PageStore = StoreApi<PageState>;

export const noStack: Stack = [];
export const noDocument: ShownDocument = {
  image: null,
  history: timeline.createHistory(noStack),
  selectedId: null,
  project: null,
  savedStack: noStack,
  exportedStack: null,
};

export function createPageStore(): PageStore {
  return createStore<PageState>(() => ({
    ...noDocument,
    application: null,
    tabs: [],
    parked: new Map(),
    closing: null,
    missing: [],
    opening: 0,
    filterTab: 'kernel',
    rankTolerance: defaultRankTolerance,
    look: null,
    compare: 'split',
    soloId: null,
    peeking: false,
    splitDirection: 'vertical',
    differenceGain: 4,
    clipping: false,
    signed: false,
    navigator: false,
    split: 0.5,
    view: null,
    place: null,
    lastRender: null,
    pointer: null,
    explainHeld: false,
    pin: null,
    explained: null,
    exporting: null,
    batch: noBatch,
    notices: [],
    dialog: null,
    kernelOffer: null,
  }));
}

export const pageStore = createPageStore();

export function usePage<T>(select: (state: PageState) => T): T {
  return useStore(pageStore, select);
}

export const stackOf = (state: PageState): Stack => state.history.present;

/** How the picture is compared, also while a key holds the original. */
export const seenCompare = (state: PageState): CompareMode => (state.peeking ? 'original' : state.compare);

const alone = new WeakMap<Filter, Stack>();

/** The filters through which the picture is seen: all of them, or the one that is seen alone. */
export function seenStack(state: PageState): Stack {
  const filter = stackOf(state).find(({ id }) => id === state.soloId);
  if (filter === undefined) return stackOf(state);
  const known = alone.get(filter) ?? [{ ...filter, enabled: true }];
  alone.set(filter, known);
  return known;
}

/** Whether the picture is seen in the colours of signed numbers: asked for, and the result has them. */
export const seesSigned = (state: PageState): boolean =>
  state.signed &&
  state.image !== null &&
  seenCompare(state) !== 'difference' &&
  canBeSigned(state.image, seenStack(state));

/** The document that is shown, as it would be parked. */
export function shownDocument(state: PageState): PageDocument | null {
  const { image, history, selectedId, project, savedStack, exportedStack } = state;
  return image === null ? null : { image, history, selectedId, project, savedStack, exportedStack };
}

/** The open documents in the order of their tabs. */
export function documentsOf(state: PageState): readonly PageDocument[] {
  const shown = shownDocument(state);
  return state.tabs.flatMap((id) => (shown?.image.id === id ? shown : (state.parked.get(id) ?? [])));
}

/** Whether no file holds the document as it is. Stacks are compared as the snapshots they are: undo comes back to the saved one. */
export function isUnsaved({ history, savedStack }: Pick<PageDocument, 'history' | 'savedStack'>): boolean {
  return history.present !== savedStack && (history.present.length > 0 || savedStack?.length !== 0);
}

/** Whether the exact picture is on the screen and nothing is under way. */
export const isSettled = ({ view }: Pick<PageState, 'view'>): boolean => view?.state === 'exact' && !view.busy;

export function selectedFilter(state: PageState): Filter | null {
  return stackOf(state).find((filter) => filter.id === state.selectedId) ?? null;
}

/** The kernel of the selected filter where it is one of the person's own. */
export function selectedKernel(state: PageState): Kernel | null {
  const filter = selectedFilter(state);
  return filter?.kind === 'custom' ? filter.kernel : null;
}
