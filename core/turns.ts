// Which of several pieces of work, begun one after another and ended in any order, may still take effect: what was begun
// before something that has already taken effect comes too late.

export class Turns {
  private begun = 0;
  private taken = 0;

  /** The turn of a piece of work that begins now. */
  begin(): number {
    this.begun += 1;
    return this.begun;
  }

  /** Whether the work of this turn takes effect; once it does, no earlier one will. */
  take(turn: number): boolean {
    if (turn < this.taken) return false;
    this.taken = turn;
    return true;
  }
}
