// A place in the words of a matrix literal: looking at the next word, taking it, and refusing it by its place in the text.

import { type Token, tokenize } from './matrixTokens';
import { unreadable } from './textPlace';

/** Brackets, signs and functions inside one another; more is no kernel and would only use up the stack. */
const maximumDepth = 40;

export class TokenCursor {
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.tokens = tokenize(text, start);
  }

  get token(): Token {
    return this.tokens[Math.min(this.position, this.tokens.length - 1)] as Token;
  }

  /** The word after the next one. */
  get next(): Token | undefined {
    return this.tokens[this.position + 1];
  }

  /** Where the word before the next one ends. */
  get passed(): number {
    const before = this.tokens[this.position - 1];
    return before === undefined ? this.token.offset : before.end;
  }

  is(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.text === sign;
  }

  isName(): boolean {
    return this.token.kind === 'name';
  }

  advance(): void {
    this.position += 1;
  }

  take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.advance();
    return true;
  }

  need(sign: string): void {
    if (!this.take(sign)) throw this.refuse(`“${sign}”`);
  }

  /** The refusal of the word at `offset`, which is the next one unless said. */
  refuse(expected: string, offset = this.token.offset): Error {
    return unreadable(this.text, offset, expected);
  }

  /** Reads something that may hold more of its own kind. */
  deeper<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > maximumDepth) throw this.refuse(`at most ${maximumDepth} brackets inside one another`);
    const result = read();
    this.depth -= 1;
    return result;
  }
}
