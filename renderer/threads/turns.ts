// Keeps an order: what is ready sooner than what came before it waits. Pure.

export class Turns {
  private readonly line: { act: (() => void) | null }[] = [];

  /** Takes the next place; what is given for it later is done once all before it is. */
  next(): (act: () => void) => void {
    const place: { act: (() => void) | null } = { act: null };
    this.line.push(place);
    return (act) => {
      place.act = act;
      while (this.line[0]?.act) this.line.shift()?.act?.();
    };
  }
}
