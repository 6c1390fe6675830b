// Words of a matrix literal in NumPy, MATLAB, JSON or C: numbers, names and signs with the white space around them, which
// decides in MATLAB whether `1 -2` is one cell or two. Comments (#, %, //, /* */) and MATLAB's `...` count as white space.

import { unreadable } from './textPlace';

export interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  /** Value of a number; NaN for the others. */
  readonly value: number;
  readonly offset: number;
  readonly end: number;
  readonly spaceBefore: boolean;
  readonly spaceAfter: boolean;
  /** True where a line ends between the token before and this one. */
  readonly newLineBefore: boolean;
}

const whiteSpace = /\s+|(?:#|%|\/\/)[^\r\n]*/y;
const continuation = /\.\.\.[^\r\n]*(?:\r\n|\r|\n|$)/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const name = /[A-Za-z_][\w.]*/y;
const quoted = /"[^"\r\n]*"|'[^'\r\n]*'/y;
const signs = '[](){},;*/+-=.:';

function match(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? '';
}

/** Length and line break of the white space at an offset. */
function space(text: string, offset: number): { length: number; newLine: boolean } {
  let end = offset;
  let newLine = false;
  for (;;) {
    const blank = match(whiteSpace, text, end);
    newLine ||= /[\r\n]/.test(blank);
    end += blank.length;
    let joined = match(continuation, text, end).length;
    if (text.startsWith('/*', end)) {
      const close = text.indexOf('*/', end + 2);
      if (close < 0) throw unreadable(text, end, '“*/” at the end of the comment');
      joined = close + 2 - end;
    }
    if (blank === '' && joined === 0) return { length: end - offset, newLine };
    end += joined;
  }
}

/** Twice the cells of the largest kernel, for cells and commas, and as much again for brackets and signs. */
const maximumTokens = 4 * 511 * 511;

/** The words of a text from `start` on; the last is an `end`. Throws `invalidKernel` at a character that fits nowhere. */
export function tokenize(text: string, start: number): readonly Token[] {
  const tokens: Token[] = [];
  let { length, newLine } = space(text, start);
  let offset = start + length;
  while (offset < text.length) {
    const digits = match(number, text, offset);
    const word = digits === '' ? match(name, text, offset) : '';
    const string = digits === '' && word === '' ? match(quoted, text, offset) : '';
    const found = digits || word || string || text.charAt(offset);
    if (found.length === 1 && digits === '' && word === '' && !signs.includes(found))
      throw unreadable(text, offset, 'a number');
    let end = offset + found.length;
    // C's float suffix belongs to the number and not to a name after it.
    if (digits !== '' && /[fFlL]/.test(text.charAt(end)) && !/\w/.test(text.charAt(end + 1))) end += 1;
    if (digits !== '' && /\w/.test(text.charAt(end))) throw unreadable(text, offset, 'a number');
    if (tokens.length === maximumTokens) throw unreadable(text, offset, 'fewer cells');
    const after = space(text, end);
    tokens.push({
      kind: digits ? 'number' : word || string ? 'name' : 'sign',
      text: found,
      value: digits ? Number(digits) : Number.NaN,
      offset,
      end,
      spaceBefore: length > 0,
      spaceAfter: after.length > 0,
      newLineBefore: newLine,
    });
    offset = end + after.length;
    ({ length, newLine } = after);
  }
  tokens.push({
    ...{ kind: 'end', text: '', value: Number.NaN, offset: text.length, end: text.length },
    ...{ spaceBefore: length > 0, spaceAfter: false, newLineBefore: newLine },
  });
  return tokens;
}
