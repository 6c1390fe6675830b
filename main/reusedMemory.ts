// Memory for pixels that are copied as soon as they are sent: given again for the next ones of the same length, since fresh
// memory is slow to touch and the garbage that it leaves stops the event loop.

/** Bytes that are kept for the next ones: a few views of a large screen. */
const keptBytes = 2 ** 25;

export class ReusedMemory {
  /** What was given back last comes last. */
  private free: readonly Uint8Array<ArrayBuffer>[] = [];

  /** Memory of exactly this length, with whatever was in it. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const found = this.free.findLast(({ length }) => length === bytes);
    if (found === undefined) return new Uint8Array(bytes);
    this.free = this.free.filter((other) => other !== found);
    return found;
  }

  /** Nobody reads it any more. */
  giveBack(memory: Uint8Array<ArrayBuffer>): void {
    const all = [...this.free, memory];
    let bytes = all.reduce((sum, { length }) => sum + length, 0);
    this.free = all.filter(({ length }) => {
      const fits = bytes <= keptBytes;
      if (!fits) bytes -= length;
      return fits;
    });
  }
}
