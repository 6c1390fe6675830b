// A pure function of a large value: computed at once where it is quick, else on another thread that ends when nobody wants the
// answer any more.

import { useEffect, useMemo, useState } from 'react';

/** How a question is answered. Neither changes while the page runs. */
export interface ThreadWork<Question, Answer> {
  readonly compute: (question: Question) => Answer;
  /** A thread that answers one message with one. */
  readonly start: () => Worker;
}

/** Null while the answer is being found, and for no question; `failed` where the thread did. */
export function useThreadAnswer<Question extends object, Answer>(
  question: Question | null,
  isQuick: boolean,
  work: ThreadWork<Question, Answer>,
): Answer | 'failed' | null {
  const quick = useMemo(
    () => (question !== null && isQuick ? work.compute(question) : null),
    [question, isQuick, work],
  );
  const [answered, setAnswered] = useState<{ readonly question: Question; readonly answer: Answer | 'failed' } | null>(
    null,
  );
  useEffect(() => {
    if (question === null || isQuick) return;
    const worker = work.start();
    worker.onmessage = ({ data }: MessageEvent<Answer>) => setAnswered({ question, answer: data });
    worker.onerror = () => setAnswered({ question, answer: 'failed' });
    worker.postMessage(question);
    return () => worker.terminate();
  }, [question, isQuick, work]);
  if (isQuick) return quick;
  return answered?.question === question ? answered.answer : null;
}
