// What a kernel is at a rank, on a thread of its own. Each message is answered with one.

import { type RankQuestion, rankFacts } from './rankFacts';

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope {
  onmessage: ((event: MessageEvent<RankQuestion>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(rankFacts(data));
