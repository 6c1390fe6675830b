// Questions to another thread, where only the newest matters: one is being answered, at most one waits, and whatever waited
// before is dropped. Pure but for the thread that it is given.

/** What of a worker is used. */
export type Thread = Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>;

interface Asked<Question, Answer extends object> {
  readonly question: Question;
  readonly answered: (answer: Answer | 'failed') => void;
}

/** Answers for one asker at a time. */
export class NewestFirst<Question, Answer extends object> {
  private thread: Thread | null = null;
  private running: Asked<Question, Answer> | null = null;
  private waiting: Asked<Question, Answer> | null = null;

  /**
   * `start`: a thread that answers each message with one. `isLong`: questions whose answer takes so long that a newer question
   * ends the thread instead of waiting for it.
   */
  constructor(
    private readonly start: () => Thread,
    private readonly isLong: (question: Question) => boolean,
  ) {}

  /**
   * Asks; `answered` is called unless a newer question comes before this one's turn, or the thread is ended for it. That it
   * failed is told where no newer question waits: it says nothing about that one.
   */
  ask(question: Question, answered: (answer: Answer | 'failed') => void): void {
    this.waiting = { question, answered };
    if (this.running !== null && this.isLong(this.running.question)) this.endThread();
    if (this.running === null) this.next();
  }

  /** Nobody wants answers any more; a thread with a long one under way ends. */
  forget(): void {
    this.waiting = null;
    if (this.running !== null && this.isLong(this.running.question)) this.endThread();
    else if (this.running !== null) this.running = { ...this.running, answered: () => undefined };
  }

  private endThread(): void {
    this.thread?.terminate();
    this.thread = null;
    this.running = null;
  }

  private next(): void {
    this.running = this.waiting;
    this.waiting = null;
    if (this.running === null) return;
    if (this.thread === null) {
      this.thread = this.start();
      this.thread.onmessage = ({ data }: MessageEvent<Answer>) => this.finish(data);
      this.thread.onerror = () => {
        const failed = this.running;
        this.endThread();
        if (this.waiting === null) failed?.answered('failed');
        this.next();
      };
    }
    this.thread.postMessage(this.running.question);
  }

  private finish(answer: Answer): void {
    const finished = this.running;
    this.next();
    finished?.answered(answer);
  }
}
