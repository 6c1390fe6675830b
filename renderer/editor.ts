// The functions that change the page's documents: the stack only through functions of core/edits, one undo step a gesture; which
// document is shown; and what is told to the person.

import type { Filter, FilterKind, ImageInfo, Stack } from '../core/document';
import { addFilter } from '../core/edits';
import { failureOf } from '../core/errors';
import { catalogueEntry } from '../core/filters';
import * as timeline from '../core/history';
import type { OpenedDocument } from '../core/ipc';
import type { Kernel } from '../core/kernel';
import {
  type Notice,
  type NoticeContent,
  noDocument,
  noStack,
  type PageDocument,
  type PageStore,
  pageStore,
  shownDocument,
} from './store';

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
