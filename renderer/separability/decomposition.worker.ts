// The singular value decomposition of a kernel on a thread of its own. Each message is answered with one.

import type { FilterSum } from '../../core/rank';
import { decompose } from '../../core/separability';

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope {
  onmessage: ((event: MessageEvent<FilterSum>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(decompose(data.grid));
