// Which backend runs: one rule for main, which runs it, and the page, which names it before anything has run.

import type { BackendChoice, BackendStatus } from './ipc';

/** The backend of a choice: itself where it works; for auto CUDA where it works; else the CPU, which always does. */
export function chooseBackend(choice: BackendChoice, backends: readonly BackendStatus[]): BackendStatus['name'] {
  const wanted = choice === 'auto' ? 'cuda' : choice;
  return backends.some((backend) => backend.name === wanted && backend.available) ? wanted : 'cpu';
}
