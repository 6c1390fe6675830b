// The page's state: the document with its history, what is selected and how it is viewed, and what main last said. The
// stack changes only through functions of core/edits, one undo step a gesture. Knows nothing of main or the canvas.

import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Filter, FilterKind, ImageInfo, Stack } from '../core/document';
import { addFilter } from '../core/edits';
import { type Failure, failureOf } from '../core/errors';
import { catalogueEntry } from '../core/filters';
import * as timeline from '../core/history';
import type { ApplicationState, BackendStatus, PixelValues } from '../core/ipc';
import type { Kernel } from '../core/kernel';
import type { PictureWarning } from '../core/warningText';
import type { CompareMode, ViewStatus } from './viewport/viewport';

/**
 * What a message says: a failure (core/errorText), words of the catalogue, an engine that failed, or a warning of main
 * (core/warningText).
 */
export type NoticeContent =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'words'; readonly key: string; readonly values: Readonly<Record<string, string | number>> }
  | { readonly kind: 'engine'; readonly engine: BackendStatus['name']; readonly failure: Failure }
  | { readonly kind: 'warning'; readonly file: string; readonly warning: PictureWarning };

export interface Notice {
  readonly id: number;
  readonly content: NoticeContent;
}

export type DialogName = 'export' | 'palette' | 'shortcuts' | 'about' | 'pasteKernel';

/** The views of the selected filter. */
export const filterTabs = ['kernel', 'separability', 'frequency', 'code'] as const;
export type FilterTab = (typeof filterTabs)[number];

export interface PointerReading {
  readonly x: number;
  readonly y: number;
  /** Null until main has answered for this pixel and stack. */
  readonly values: PixelValues | null;
}

export interface PageState {
  readonly application: ApplicationState | null;
  readonly image: ImageInfo | null;
  /** How many pictures are being opened. */
  readonly opening: number;
  readonly history: timeline.History<Stack>;
  readonly selectedId: string | null;
  readonly filterTab: FilterTab;
  readonly compare: CompareMode;
  readonly split: number;
  readonly view: ViewStatus | null;
  readonly lastRender: { readonly backend: BackendStatus['name']; readonly milliseconds: number } | null;
  readonly pointer: PointerReading | null;
  readonly exporting: { readonly share: number } | null;
  /** The stack of the last export of this picture. */
  readonly exportedStack: Stack | null;
  readonly notices: readonly Notice[];
  readonly dialog: DialogName | null;
}

export type PageStore = StoreApi<PageState>;

export function createPageStore(): PageStore {
  return createStore<PageState>(() => ({
    application: null,
    image: null,
    opening: 0,
    history: timeline.createHistory<Stack>([]),
    selectedId: null,
    filterTab: 'kernel',
    compare: 'split',
    split: 0.5,
    view: null,
    lastRender: null,
    pointer: null,
    exporting: null,
    exportedStack: null,
    notices: [],
    dialog: null,
  }));
}

export const pageStore = createPageStore();

export function usePage<T>(select: (state: PageState) => T): T {
  return useStore(pageStore, select);
}

export const stackOf = (state: PageState): Stack => state.history.present;

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
    gesture: (phase: 'begin' | 'end' | 'cancel'): void => {
      const { history } = store.getState();
      if (phase === 'begin') setHistory(timeline.beginGesture(history));
      else setHistory(phase === 'end' ? timeline.commitGesture(history) : timeline.cancelGesture(history));
    },
    undo: () => setHistory(timeline.undo(store.getState().history)),
    redo: () => setHistory(timeline.redo(store.getState().history)),
    /** Shows a newly opened picture without filters. Those of the picture before are one undo away. */
    showPicture: (image: ImageInfo): void => {
      const { history } = store.getState();
      const ended = timeline.commitGesture(history);
      setHistory(ended.present.length === 0 ? ended : timeline.record<Stack>(ended, []));
      store.setState({ image, pointer: null, exportedStack: null, lastRender: null, view: null });
      for (const warning of image.warnings) notify({ kind: 'warning', file: image.name, warning });
    },
    removePicture: (): void => {
      store.setState({
        image: null,
        history: timeline.createHistory<Stack>([]),
        selectedId: null,
        pointer: null,
        exportedStack: null,
        lastRender: null,
        view: null,
      });
    },
  };
}

export const editor = createEditor(pageStore);
