// Which backend runs, and why: one rule for main, which runs it, and the page, which names it before anything has run.

import type { Failure } from './errors';
import type { BackendChoice, BackendStatus } from './ipc';

type BackendName = BackendStatus['name'];

/** The backend of a choice: itself where it is sound; for auto CUDA where it is; else the CPU, which always is. */
export function chooseBackend(choice: BackendChoice, backends: readonly BackendStatus[]): BackendName {
  const wanted = wantedBackend(choice);
  const sound = backends.some(({ name, available, failure }) => name === wanted && available && !failure);
  return sound ? wanted : 'cpu';
}

/** Why a backend runs and not another. `why`: the wanted backend's own words for what it lacks. */
export type BackendReason =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'fastest' }
  | { readonly kind: 'unavailable'; readonly wanted: BackendName; readonly why: string }
  /** It could run, yet another drew the picture: it failed while running. */
  | { readonly kind: 'failed'; readonly wanted: BackendName; readonly failure?: Failure };

/** Why `present` runs under a choice. */
export function backendReason(
  choice: BackendChoice,
  backends: readonly BackendStatus[],
  present: BackendName,
): BackendReason {
  const wanted = wantedBackend(choice);
  if (present === wanted) return choice === 'auto' ? { kind: 'fastest' } : { kind: 'chosen' };
  const status = backends.find((backend) => backend.name === wanted);
  if (status?.available) return { kind: 'failed', wanted, ...(status.failure && { failure: status.failure }) };
  return { kind: 'unavailable', wanted, why: status?.description ?? '' };
}

const wantedBackend = (choice: BackendChoice): BackendName => (choice === 'auto' ? 'cuda' : choice);
