// The frequency response of a kernel on a thread of its own, for kernels whose transform would hold the page up. One message,
// one answer.

import type { Kernel } from '../../core/kernel';
import { analyse } from './analysis';

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope {
  onmessage: ((event: MessageEvent<Kernel>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(analyse(data));
