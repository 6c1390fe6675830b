// A place in a text that is read word by word: what stands there, and the refusal of it by line, column and token. The small
// grammars of this folder are written with it.

import { type PlacedNumber, refuseHuge } from '../placedNumbers';
import { unreadable } from '../textPlace';

const realNumber = /[+-]?(?:0x[0-9a-f]{1,12}|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;

/** A signed decimal or hexadecimal number as C reads it; NaN for anything else. */
export function cNumber(text: string): number {
  const digits = /^[+-]?0x/i.test(text) ? text.replace(/^[+-]/, '') : text;
  const value = Number(digits);
  return digits !== text && text.startsWith('-') ? -value : value;
}

export class Scanner {
  private place: number;
  /** Where the last word that was taken ends. */
  passed: number;

  /** `gap`: what parts words, as a sticky pattern. `end`: where the part of the text ends that is read. */
  constructor(
    readonly text: string,
    private readonly gap: RegExp,
    start = 0,
    private readonly end = text.length,
  ) {
    this.place = start;
    this.passed = start;
    this.skip();
  }

  /** Where the next word begins, in characters from 0. */
  get offset(): number {
    return this.place;
  }

  get atEnd(): boolean {
    return this.place >= this.end;
  }

  private skip(): void {
    this.gap.lastIndex = this.place;
    const found = this.gap.exec(this.text)?.[0].length ?? 0;
    this.place = Math.min(this.end, this.place + found);
  }

  /** The match of a sticky pattern at the place, without passing it; null where it does not match. */
  see(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text);
    return found && this.place + found[0].length <= this.end ? found : null;
  }

  /** As `see`, and passes it and the gap behind it. */
  take(pattern: RegExp): RegExpExecArray | null {
    const found = this.see(pattern);
    if (found) {
      this.place += found[0].length;
      this.passed = this.place;
      this.skip();
    }
    return found;
  }

  need(pattern: RegExp, expected: string): RegExpExecArray {
    const found = this.take(pattern);
    if (!found) throw this.refuse(expected);
    return found;
  }

  /** A finite number, which no letter or digit may follow directly. */
  number(expected = 'a number'): number {
    return this.placed(expected).value;
  }

  /** As `number`, with its place. */
  placed(expected = 'a number'): PlacedNumber {
    const { offset } = this;
    const found = this.see(realNumber);
    const value = found ? cNumber(found[0]) : Number.NaN;
    const after = this.text.charAt(offset + (found?.[0].length ?? 0));
    if (!found || !Number.isFinite(value) || (/[\w.]/.test(after) && offset + found[0].length < this.end))
      throw this.refuse(expected);
    const number = { value, start: offset, end: offset + found[0].length };
    refuseHuge(this.text, number);
    this.take(realNumber);
    return number;
  }

  /** All numbers up to the end. */
  rest(): readonly PlacedNumber[] {
    const numbers: PlacedNumber[] = [];
    while (!this.atEnd) numbers.push(this.placed());
    return numbers;
  }

  whole(minimum: number, maximum: number): number {
    const { offset } = this;
    const value = this.number(`a whole number of ${minimum}…${maximum}`);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    throw this.refuse(`a whole number of ${minimum}…${maximum}`, offset);
  }

  /** Exactly `count` numbers. */
  numbers(count: number): number[] {
    const values: number[] = [];
    while (values.length < count) values.push(this.number());
    return values;
  }

  /** The refusal of the word at `offset`, which is the next one unless said. */
  refuse(expected: string, offset = this.place): Error {
    return unreadable(this.text, offset, expected);
  }
}
