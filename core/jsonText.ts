// JSON with the place of every value in its text, so that a value that does not fit is refused where it stands. Grammar: RFC 8259.

import { unreadable } from './textPlace';

interface Place {
  /** Offsets in the text, in characters from 0. */
  readonly start: number;
  readonly end: number;
}
export type JsonValue = Place &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'word'; readonly value: boolean | null }
    | { readonly kind: 'list'; readonly items: readonly JsonValue[] }
    | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, JsonValue> }
  );

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const string = /"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*){0,10000}"/y;
const word = /true|false|null/y;
const blanks = /[ \t\r\n]*/y;
/** Lists and objects inside one another. */
const maximumDepth = 40;

class Reader {
  private place = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    this.take(blanks);
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.place += found.length;
    return found;
  }

  private sign(sign: string): boolean {
    if (this.text[this.place] !== sign) return false;
    this.place += 1;
    this.take(blanks);
    return true;
  }

  private refuse(expected: string): Error {
    return unreadable(this.text, this.place, expected);
  }

  whole(): JsonValue {
    const value = this.value();
    if (this.place < this.text.length) throw this.refuse('the end of the text');
    return value;
  }

  private value(): JsonValue {
    const start = this.place;
    const digits = this.take(number);
    if (digits !== null) return this.ended({ kind: 'number', value: Number(digits), start });
    const words = this.words();
    if (words !== null) return this.ended({ kind: 'text', value: words, start });
    const said = this.take(word);
    if (said !== null) return this.ended({ kind: 'word', value: said === 'null' ? null : said === 'true', start });
    if (this.text[start] !== '[' && this.text[start] !== '{') throw this.refuse('a value of JSON');
    this.depth += 1;
    if (this.depth > maximumDepth) throw this.refuse(`at most ${maximumDepth} brackets inside one another`);
    const found = this.sign('[') ? this.list(start) : this.object(start);
    this.depth -= 1;
    return found;
  }

  /** Passes the blanks behind what has just been taken. */
  private ended<Found extends { readonly start: number }>(found: Found): Found & Place {
    const end = this.place;
    this.take(blanks);
    return { ...found, end };
  }

  /** What stands in quotation marks; null where none do. */
  private words(): string | null {
    const start = this.place;
    const quotes = this.take(string);
    if (quotes === null) return null;
    try {
      return JSON.parse(quotes) as string;
    } catch {
      throw unreadable(this.text, start, 'a text as JSON writes it');
    }
  }

  private list(start: number): JsonValue {
    const items: JsonValue[] = [];
    if (this.sign(']')) return { kind: 'list', items, start, end: this.place };
    do items.push(this.value());
    while (this.sign(','));
    if (this.text[this.place] !== ']') throw this.refuse('“,” or “]”');
    this.place += 1;
    return this.ended({ kind: 'list', items, start });
  }

  private object(start: number): JsonValue {
    const fields = new Map<string, JsonValue>();
    this.sign('{');
    if (this.sign('}')) return { kind: 'object', fields, start, end: this.place };
    do {
      const key = this.words();
      if (key === null) throw this.refuse('a name in double quotation marks');
      this.take(blanks);
      if (!this.sign(':')) throw this.refuse('“:”');
      fields.set(key, this.value());
    } while (this.sign(','));
    if (this.text[this.place] !== '}') throw this.refuse('“,” or “}”');
    this.place += 1;
    return this.ended({ kind: 'object', fields, start });
  }
}

/** Reads JSON. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readJsonText(text: string): JsonValue {
  return new Reader(text).whole();
}
