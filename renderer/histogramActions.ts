// When the histogram is counted: a draft at once after a change, the exact one once the picture on the screen is exact and
// nothing has changed for a moment; the newest wins. The original is counted once.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Stack } from '../core/document';
import type { Histogram } from '../core/histogram';
import { fail } from './actions';
import { call } from './bridge';
import { isSettled, pageStore, seenStack } from './store';
import { workingStack } from './viewport/subject';

/** A result's histogram; `quality` says whether it is of the exact pixels. */
export interface CountedResult {
  readonly imageId: number;
  readonly stack: Stack;
  readonly quality: 'draft' | 'exact';
  readonly histogram: Histogram;
}

export interface HistogramDesk {
  readonly isOpen: boolean;
  readonly isLog: boolean;
  readonly result: CountedResult | null;
  readonly original: { readonly imageId: number; readonly histogram: Histogram } | null;
}

export const histogramDesk = createStore<HistogramDesk>(() => ({
  isOpen: false,
  isLog: false,
  result: null,
  original: null,
}));

export function useHistogramDesk<T>(select: (desk: HistogramDesk) => T): T {
  return useStore(histogramDesk, select);
}

/** Milliseconds without a change before all pixels are counted. */
const rest = 250;

let timer: ReturnType<typeof setTimeout> | undefined;
/** The stack whose pixels main counts now. */
let counting: { readonly imageId: number; readonly stack: Stack; readonly quality: 'draft' | 'exact' } | null = null;
let askedOriginal: number | null = null;

async function countOriginal(imageId: number): Promise<void> {
  if (askedOriginal === imageId || histogramDesk.getState().original?.imageId === imageId) return;
  askedOriginal = imageId;
  const answer = await call('histogram:count', { imageId, stack: [], subject: 'original', quality: 'exact' });
  if (askedOriginal === imageId) askedOriginal = null;
  if (answer.ok) histogramDesk.setState({ original: { imageId, histogram: answer.value } });
  else fail(answer.failure);
}

async function count(imageId: number, stack: Stack, quality: 'draft' | 'exact'): Promise<void> {
  const own = { imageId, stack, quality };
  counting = own;
  const answer = await call('histogram:count', {
    imageId,
    stack: [...workingStack(stack)],
    subject: 'result',
    quality,
  });
  if (counting === own) counting = null;
  // A result that cannot be computed shows its failure on the picture; the histogram before it stays, marked as old.
  if (answer.ok && pageStore.getState().image?.id === imageId)
    histogramDesk.setState({ result: { ...own, histogram: answer.value } });
  followHistogram();
}

/** Asks for what the histogram lacks. */
function followHistogram(): void {
  clearTimeout(timer);
  const { isOpen, result } = histogramDesk.getState();
  const state = pageStore.getState();
  const { image, view } = state;
  if (!isOpen || image === null) {
    if (counting !== null) void call('histogram:cancel', undefined);
    return;
  }
  void countOriginal(image.id);
  const stack = seenStack(state);
  const isCurrent = result?.imageId === image.id && result.stack === stack;
  if (isCurrent && result.quality === 'exact') return;
  if (counting !== null && (counting.imageId !== image.id || counting.stack !== stack)) {
    if (counting.quality === 'exact') void call('histogram:cancel', undefined);
    // What was asked answers, at least as cancelled, and then this is looked at again.
    return;
  }
  if (counting !== null) return;
  if (!isCurrent && workingStack(stack).length > 0) void count(image.id, stack, 'draft');
  else if (isSettled({ view })) timer = setTimeout(() => void count(image.id, stack, 'exact'), rest);
}

/** Follows whatever may leave the histogram behind; answers how to stop. */
export function listenForHistogram(): () => void {
  let last: readonly unknown[] = [];
  const follow = () => {
    const state = pageStore.getState();
    const now = [histogramDesk.getState().isOpen, state.image?.id, seenStack(state), isSettled(state)];
    if (now.every((value, index) => Object.is(value, last[index]))) return;
    last = now;
    followHistogram();
  };
  follow();
  const stops = [pageStore.subscribe(follow), histogramDesk.subscribe(follow)];
  return () => {
    for (const stop of stops) stop();
  };
}
