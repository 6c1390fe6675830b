// What the Kernel tab says of a kernel's rank and of how it runs, on a thread of its own. Each message is answered with one.

import { type FactsQuestion, factsOf } from './separabilityFacts';

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope {
  onmessage: ((event: MessageEvent<FactsQuestion>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(factsOf(data));
