// The frequency response of a kernel on a thread of its own. Each message is answered with one.

import type { Kernel } from '../../core/kernel';
import { analyse } from './analysis';

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope {
  onmessage: ((event: MessageEvent<Kernel>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(analyse(data));
