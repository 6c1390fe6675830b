// The page's state: the document with its history, what is selected and how it is viewed, and what main last said. The
// stack changes only through functions of core/edits, one undo step a gesture. Knows nothing of main or the canvas.

import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Filter, FilterKind, ImageInfo, Stack } from '../core/document';
import { addFilter } from '../core/edits';
import { type Failure, failureOf } from '../core/errors';
import { catalogueEntry } from '../core/filters';
import * as timeline from '../core/history';
import type { KernelReading } from '../core/interchange/reading';
import type { ApplicationState, BackendStatus, OpenedDocument, PictureMissing, PixelValues } from '../core/ipc';
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

const noStack: Stack = [];
const noDocument: ShownDocument = {
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
function shownDocument(state: PageState): PageDocument | null {
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

let lastFilterId = 0;
/** An id that no filter of this page has had. */
export function newFilterId(): string {
  lastFilterId++;
  return `filter-${lastFilterId}`;
}

/** What the page has seen of a document that was not shown before. */
const nothingSeen = { pointer: null, pin: null, explained: null, lastRender: null, view: null, soloId: null } as const;

/** The functions that change one store. */
export function createEditor(store: PageStore) {
  const setHistory = (history: timeline.History<Stack>) => {
    const { selectedId } = store.getState();
    const kept = history.present.some((filter) => filter.id === selectedId);
    store.setState({ history, selectedId: kept ? selectedId : (history.present.at(-1)?.id ?? null) });
  };
  /** Changes the stack; inside a gesture without a step of its own. A refusal becomes a notice and changes nothing. */
  const edit = (change: (stack: Stack) => Stack): boolean => {
    const { history } = store.getState();
    let next: Stack;
    try {
      next = change(history.present);
    } catch (thrown) {
      notify({ kind: 'failure', failure: failureOf(thrown) });
      return false;
    }
    if (next !== history.present) setHistory(timeline.record(history, next));
    return true;
  };
  /** Puts the shown document behind, with a gesture that runs ended as a step. */
  const park = (): void => {
    const shown = shownDocument(store.getState());
    if (shown === null) return;
    const kept = { ...shown, history: timeline.commitGesture(shown.history) };
    store.setState(({ parked }) => ({ parked: new Map(parked).set(shown.image.id, kept) }));
  };
  const switchTo = (id: number): void => {
    const { image, parked } = store.getState();
    if (image?.id === id || !parked.has(id)) return;
    park();
    const next = store.getState().parked.get(id);
    if (next !== undefined) store.setState({ ...next, ...nothingSeen });
  };
  let lastNoticeId = 0;
  const notify = (content: NoticeContent): void => {
    lastNoticeId++;
    const notice = { id: lastNoticeId, content };
    const same = JSON.stringify(content);
    store.setState(({ notices }) => ({
      notices: [...notices.filter((other) => JSON.stringify(other.content) !== same), notice],
    }));
  };
  return {
    edit,
    notify,
    dismiss: (id: number) =>
      store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
    /** What is in sight could be computed: what was said of it is past. */
    dismissOfView: (): void => {
      const isOfView = ({ content }: Notice) => content.kind === 'failure' && content.ofView === true;
      if (store.getState().notices.some(isOfView))
        store.setState(({ notices }) => ({ notices: notices.filter((notice) => !isOfView(notice)) }));
    },
    select: (id: string | null) => store.setState({ selectedId: id }),
    /** Puts a new filter after the selected one, or at the end, and selects it. */
    add: (kind: FilterKind): void => {
      const { image, selectedId, history } = store.getState();
      if (image === null) return;
      const id = newFilterId();
      const index = history.present.findIndex((filter) => filter.id === selectedId);
      const filter = catalogueEntry(kind).create(id, image.sampleType);
      if (edit((stack) => addFilter(stack, filter, index < 0 ? stack.length : index + 1))) {
        store.setState({ selectedId: id });
      }
    },
    /** Puts a kernel as a filter of its own at `index`, or after the selected one where it is null, and selects it. */
    addKernel: (name: string, kernel: Kernel, index: number | null): void => {
      const { image, selectedId, history } = store.getState();
      if (image === null) return;
      const id = newFilterId();
      const selected = history.present.findIndex((filter) => filter.id === selectedId);
      const place = index ?? (selected < 0 ? history.present.length : selected + 1);
      const filter: Filter = {
        ...catalogueEntry('custom').create(id, image.sampleType),
        kind: 'custom',
        name: name.slice(0, 200),
        kernel,
      };
      if (edit((stack) => addFilter(stack, filter, place))) store.setState({ selectedId: id });
    },
    gesture: (phase: 'begin' | 'end' | 'cancel'): void => {
      const { history } = store.getState();
      if (phase === 'begin') setHistory(timeline.beginGesture(history));
      else setHistory(phase === 'end' ? timeline.commitGesture(history) : timeline.cancelGesture(history));
    },
    undo: () => setHistory(timeline.undo(store.getState().history)),
    redo: () => setHistory(timeline.redo(store.getState().history)),
    goTo: (place: number) => setHistory(timeline.goTo(store.getState().history, place)),
    /** Shows a newly opened document in a tab of its own. */
    showDocument: ({ image, stack, project, unsaved }: OpenedDocument): void => {
      park();
      const present = stack.length === 0 ? noStack : stack.map((filter) => ({ ...filter, id: newFilterId() }));
      store.setState(({ tabs }) => ({
        ...noDocument,
        ...nothingSeen,
        image,
        project,
        history: timeline.createHistory(present),
        selectedId: present.at(-1)?.id ?? null,
        savedStack: unsaved ? null : present,
        tabs: [...tabs, image.id],
      }));
      for (const warning of image.warnings) notify({ kind: 'warning', file: image.name, warning });
    },
    /** Another page of a document's file takes the place of its picture; the filters and their history stay. */
    replacePicture: (id: number, image: ImageInfo): void => {
      const state = store.getState();
      // The page is part of a project: its file holds another.
      const savedStack = (document: Pick<PageDocument, 'savedStack' | 'project'>) =>
        document.project === null ? document.savedStack : null;
      const tabs = state.tabs.map((tab) => (tab === id ? image.id : tab));
      if (state.image?.id === id)
        store.setState({ image, tabs, savedStack: savedStack(state), exportedStack: null, ...nothingSeen });
      const parked = state.parked.get(id);
      const others = [...state.parked].filter(([other]) => other !== id);
      if (parked !== undefined && state.image?.id !== id)
        store.setState({
          tabs,
          parked: new Map([...others, [image.id, { ...parked, image, savedStack: savedStack(parked) }]]),
        });
      else store.setState({ parked: new Map(others) });
      for (const warning of image.warnings) notify({ kind: 'warning', file: image.name, warning });
    },
    /** Shows another open document; nothing for one that is not open. */
    switchTo,
    /** Forgets a document. Where it was the one that is shown, the next tab is, or else the one before. */
    removeDocument: (id: number): void => {
      const { tabs, image } = store.getState();
      const place = tabs.indexOf(id);
      if (place < 0) return;
      const next = tabs[place + 1] ?? tabs[place - 1];
      if (image?.id === id) {
        if (next === undefined) store.setState({ ...noDocument, ...nothingSeen });
        else switchTo(next);
      }
      store.setState(({ tabs: now, parked }) => ({
        tabs: now.filter((other) => other !== id),
        parked: new Map([...parked].filter(([other]) => other !== id)),
      }));
    },
    /** A file holds this stack of the document now. */
    markSaved: (id: number, stack: Stack, project: string): void => {
      store.setState((state) => {
        if (state.image?.id === id) return { project, savedStack: stack };
        const document = state.parked.get(id);
        if (document === undefined) return {};
        return { parked: new Map(state.parked).set(id, { ...document, project, savedStack: stack }) };
      });
    },
  };
}

export const editor = createEditor(pageStore);
