// The inner side of a worker: each message is a question, and is answered with one.

// The page's library of types has no worker: this is what a dedicated one has.
interface WorkerScope<Question> {
  onmessage: ((event: MessageEvent<Question>) => void) | null;
  postMessage(message: unknown, given: readonly Transferable[]): void;
}

/** Answers every question that the page posts to this thread; `given` is handed over with the answer, not copied. */
export function answerWith<Question, Answer>(
  answer: (question: Question) => Answer,
  given: (answer: Answer) => readonly Transferable[] = () => [],
): void {
  const scope = globalThis as unknown as WorkerScope<Question>;
  scope.onmessage = ({ data }) => {
    const found = answer(data);
    scope.postMessage(found, given(found));
  };
}
