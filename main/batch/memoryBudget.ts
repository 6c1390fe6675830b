// Lets as many pictures be in memory at a time as fit a budget, in the order in which they ask. One that is larger than the
// budget runs alone.

import { unlessAborted } from '../unlessAborted';

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

export class MemoryBudget {
  private used = 0;
  private users = 0;
  private waiting: readonly Waiting[] = [];

  /** `bytes`: what may be in use at a time. */
  constructor(private readonly bytes: number) {}

  /** Does the work once `bytes` are free. Throws cancelled when the signal aborts before. */
  async within<T>(bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(bytes, signal);
    try {
      return await work();
    } finally {
      this.used -= bytes;
      this.users -= 1;
      this.admit();
    }
  }

  private async enter(bytes: number, signal?: AbortSignal): Promise<void> {
    let place: Waiting | null = null;
    const turn = new Promise<void>((resolve) => {
      place = { bytes, go: resolve };
      this.waiting = [...this.waiting, place];
    });
    this.admit();
    try {
      await unlessAborted(turn, signal);
    } catch (thrown) {
      if (place !== null && this.waiting.includes(place))
        this.waiting = this.waiting.filter((other) => other !== place);
      else {
        this.used -= bytes;
        this.users -= 1;
      }
      this.admit();
      throw thrown;
    }
  }

  private admit(): void {
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      if (this.users > 0 && this.used + next.bytes > this.bytes) return;
      this.waiting = this.waiting.slice(1);
      this.used += next.bytes;
      this.users += 1;
      next.go();
    }
  }
}
