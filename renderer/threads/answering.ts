// The inner side of a worker: each message is a question, and is answered with one.

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope<Question> {
  onmessage: ((event: MessageEvent<Question>) => void) | null;
  postMessage(message: unknown): void;
}

/** Answers every question that the page posts to this thread. */
export function answerWith<Question>(answer: (question: Question) => unknown): void {
  const scope = globalThis as unknown as WorkerScope<Question>;
  scope.onmessage = ({ data }) => scope.postMessage(answer(data));
}
