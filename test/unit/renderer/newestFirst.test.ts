import { describe, expect, it } from 'vitest';
import { NewestFirst, type Thread } from '../../../renderer/threads/newestFirst';
import { standing } from '../../../renderer/threads/useThreadAnswer';

interface Question {
  readonly name: string;
  readonly long?: boolean;
}
interface Answer {
  readonly to: string;
}

/** Threads that answer when they are told to. */
class FakeThread {
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  readonly got: string[] = [];
  ended = false;
  postMessage({ name }: Question): void {
    this.got.push(name);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(): void {
    this.onmessage?.({ data: { to: this.got.at(-1) } });
  }
}

function desk() {
  const threads: FakeThread[] = [];
  const answers: (string | undefined)[] = [];
  const thread = new NewestFirst<Question, Answer>(
    () => {
      const made = new FakeThread();
      threads.push(made);
      return made as unknown as Thread;
    },
    ({ long = false }) => long,
  );
  const ask = (name: string, long = false) =>
    thread.ask({ name, long }, (answer) => answers.push(answer === 'failed' ? answer : answer.to));
  return { thread, threads, answers, ask };
}

describe('questions to another thread', () => {
  it('the one that runs is answered, and of those that came meanwhile only the newest', () => {
    const { threads, answers, ask } = desk();
    for (const name of ['first', 'second', 'third', 'fourth']) ask(name);
    expect(threads[0]?.got).toEqual(['first']);
    threads[0]?.answer();
    threads[0]?.answer();
    expect(threads[0]?.got).toEqual(['first', 'fourth']);
    expect(answers).toEqual(['first', 'fourth']);
    expect(threads).toHaveLength(1);
  });

  it('a long one is given up for a newer one', () => {
    const { threads, answers, ask } = desk();
    ask('long', true);
    ask('short');
    expect(threads[0]?.ended).toBe(true);
    threads[1]?.answer();
    expect(answers).toEqual(['short']);
  });

  it('a thread that fails says so, and another one takes the next question', () => {
    const { threads, answers, ask } = desk();
    ask('first');
    threads[0]?.onerror?.({});
    ask('second');
    expect(threads[1]?.got).toEqual(['second']);
    threads[1]?.answer();
    expect(answers).toEqual(['failed', 'second']);
  });

  it('that an older one failed is not told where a newer one waits', () => {
    const { threads, answers, ask } = desk();
    ask('first');
    ask('second');
    threads[0]?.onerror?.({});
    threads[1]?.answer();
    expect(answers).toEqual(['second']);
  });

  it('an answer stands for newer questions, a failure for its own alone', () => {
    const [older, newer] = [{ name: 'older' }, { name: 'newer' }];
    expect(standing({ question: older, answer: { to: 'older' } }, newer)).toEqual({
      question: older,
      answer: { to: 'older' },
    });
    expect(standing({ question: older, answer: 'failed' }, newer)).toBeNull();
    expect(standing({ question: older, answer: 'failed' }, older)).toBe('failed');
    expect(standing(null, newer)).toBeNull();
  });

  it('nothing is told to who has gone, and the thread waits for the next asker', () => {
    const { thread, threads, answers, ask } = desk();
    ask('first');
    thread.forget();
    ask('second');
    threads[0]?.answer();
    expect(answers).toEqual([]);
    threads[0]?.answer();
    expect(answers).toEqual(['second']);
    ask('long', true);
    thread.forget();
    expect(threads[0]?.ended).toBe(true);
  });
});
