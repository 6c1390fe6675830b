// A pure function of a large value, computed on another thread. While one paints, the last answer stays until the next is
// there, so that numbers follow and never hold a frame up.

import { useEffect, useState } from 'react';
import type { NewestFirst } from './newestFirst';

/** How long an answer to an older question may stand for the newest one, in ms. */
const patience = 400;

/** An answer with the question that it belongs to, which may be an older one than was asked last. */
export interface Answered<Question, Answer> {
  readonly question: Question;
  readonly answer: Answer;
}

/** What stands for the newest question: an answer, of an older one too; a failure only of itself. */
export function standing<Question, Answer extends object>(
  known: Answered<Question, Answer | 'failed'> | null,
  question: Question,
): Answered<Question, Answer> | 'failed' | null {
  if (known === null) return null;
  const { answer } = known;
  if (answer !== 'failed') return { question: known.question, answer };
  return known.question === question ? 'failed' : null;
}

/** Null while the answer is being found, and for no question; `failed` where the thread did. */
export function useThreadAnswer<Question extends object, Answer extends object>(
  question: Question | null,
  thread: NewestFirst<Question, Answer>,
): Answered<Question, Answer> | 'failed' | null {
  const [answered, setAnswered] = useState<Answered<Question, Answer | 'failed'> | null>(null);
  useEffect(() => {
    if (question === null) return;
    const timer = setTimeout(() => setAnswered(null), patience);
    thread.ask(question, (answer) => {
      clearTimeout(timer);
      setAnswered({ question, answer });
    });
    return () => clearTimeout(timer);
  }, [question, thread]);
  useEffect(() => () => thread.forget(), [thread]);
  return question === null ? null : standing(answered, question);
}
