// Backends that failed while they ran: each rests for a while, longer after every failure, and is then tried again. It
// counts as sound only once it has done some work.

import type { Failure } from '../core/errors';
import type { BackendStatus } from '../core/ipc';

type BackendName = BackendStatus['name'];

/** A first rest is short, because a driver that was restarted works again at once; then each is four times as long. */
const firstRest = 10_000;
const restFactor = 4;
const longestRest = 600_000;

interface Rest {
  readonly failure: Failure;
  readonly until: number;
  readonly length: number;
}

export class RestingBackends {
  private readonly rests = new Map<BackendName, Rest>();

  /** `now`: a clock in milliseconds. `changed`: a backend failed that was sound, or is sound again. */
  constructor(
    private readonly changed: () => void = () => undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** It failed; from now on it rests. */
  failed(name: BackendName, failure: Failure): void {
    const before = this.rests.get(name);
    const length = before ? Math.min(before.length * restFactor, longestRest) : firstRest;
    this.rests.set(name, { failure, until: this.now() + length, length });
    if (!before) this.changed();
  }

  /** It did its work. */
  worked(name: BackendName): void {
    if (this.rests.delete(name)) this.changed();
  }

  /** Whether it should not be tried now. */
  isResting(name: BackendName): boolean {
    const rest = this.rests.get(name);
    return rest !== undefined && this.now() < rest.until;
  }

  /** Why it failed last; null for one that is sound. */
  failureOf(name: BackendName): Failure | null {
    return this.rests.get(name)?.failure ?? null;
  }
}
