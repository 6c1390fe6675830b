// The batch as the page drives it: what was chosen, how far it is, and how it ended. It goes on while its dialog is closed.

import type { BatchProgress, BatchRequest } from '../core/batch';
import { fail } from './actions';
import type { BatchState } from './batchState';
import { call } from './bridge';
import { editor } from './editor';
import { pageStore, stackOf } from './store';
import { workingStack } from './viewport/subject';

const change = (next: Partial<BatchState>) => pageStore.setState(({ batch }) => ({ batch: { ...batch, ...next } }));

async function choose(channel: 'batch:chooseFiles' | 'batch:chooseFolder'): Promise<void> {
  const result = await call(channel, undefined);
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) change({ chosen: result.value, end: null });
}
export const chooseBatchFiles = () => choose('batch:chooseFiles');
export const chooseBatchFolder = () => choose('batch:chooseFolder');

export async function chooseBatchTarget(): Promise<void> {
  const result = await call('batch:chooseTarget', undefined);
  if (!result.ok) fail(result.failure);
  else if (result.value !== null) change({ folder: result.value.folder, end: null });
}

/** Runs the batch; settled once it has ended, whichever way. */
export async function startBatch(request: Omit<BatchRequest, 'stack'>): Promise<void> {
  if (pageStore.getState().batch.running !== null) return;
  change({ running: { progress: null, paused: false }, end: null });
  const stack = [...workingStack(stackOf(pageStore.getState()))];
  const result = await call('batch:start', { ...request, stack });
  change({ running: null, end: result.ok ? result.value : null });
  if (!result.ok) {
    fail(result.failure);
    return;
  }
  if (pageStore.getState().dialog === 'batch') return;
  const { done, failed } = result.value;
  editor.notify({ kind: 'words', key: 'batch.ended', values: { count: done, failed } });
}

export function takeBatchProgress(progress: BatchProgress): void {
  const { running } = pageStore.getState().batch;
  if (running !== null) change({ running: { ...running, progress } });
}

export function pauseBatch(paused: boolean): void {
  const { running } = pageStore.getState().batch;
  if (running === null) return;
  change({ running: { ...running, paused } });
  void call('batch:pause', { paused });
}

export const cancelBatch = () => void call('batch:cancel', undefined);
