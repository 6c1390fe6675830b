// The singular value decomposition of a kernel on a thread of its own, for kernels too large to be decomposed while the page
// waits. One message, one answer; the page ends the thread when it no longer wants the answer.

import { decompose, type WeightGrid } from '../../core/separability';

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope {
  onmessage: ((event: MessageEvent<WeightGrid>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(decompose(data));
