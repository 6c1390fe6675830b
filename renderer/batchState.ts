// What the page knows of the batch: what was chosen, how far it is, and how it ended.

import type { BatchChoice, BatchEnd, BatchProgress } from '../core/batch';

export interface BatchState {
  readonly chosen: BatchChoice | null;
  /** Name of the folder for the results. */
  readonly folder: string | null;
  readonly running: { readonly progress: BatchProgress | null; readonly paused: boolean } | null;
  readonly end: BatchEnd | null;
}

export const noBatch: BatchState = { chosen: null, folder: null, running: null, end: null };
