// Pausing a batch.

/** A switch that work waits at while it is off. */
export class Pause {
  private turn: Promise<void> | null = null;
  private open: () => void = () => undefined;
  private since = 0;
  private total = 0;

  get paused(): boolean {
    return this.turn !== null;
  }

  pause(): void {
    if (this.turn) return;
    this.since = performance.now();
    this.turn = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  resume(): void {
    if (!this.turn) return;
    this.total += performance.now() - this.since;
    this.turn = null;
    this.open();
  }

  /** Resolves once work may go on. */
  async passed(): Promise<void> {
    while (this.turn) await this.turn;
  }

  /** Time spent on pause, in ms. */
  milliseconds(): number {
    return this.total + (this.turn ? performance.now() - this.since : 0);
  }
}
