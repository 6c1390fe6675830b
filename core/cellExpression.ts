// One cell of a matrix literal as a number expression: + − * / with their usual order, signs, parentheses and sqrt. As in
// MATLAB, a sign with a blank before it and none after it begins the next cell.

import type { TokenCursor } from './tokenCursor';

/** A number as a fraction: value = numerator / denominator, kept apart so that (1/9) outside becomes a divisor of 9. */
export interface Scalar {
  readonly kind: 'scalar';
  readonly value: number;
  readonly numerator: number;
  readonly denominator: number;
}

export function scalar(numerator: number, denominator = 1): Scalar {
  return { kind: 'scalar', value: numerator / denominator, numerator, denominator };
}

/** True at a + or − that goes on with the cell, and not at one that begins the next cell (`1 -2`). */
function goesOn(cursor: TokenCursor): boolean {
  if (!cursor.is('+') && !cursor.is('-')) return false;
  const { spaceBefore, spaceAfter, newLineBefore } = cursor.token;
  return !newLineBefore && (!spaceBefore || spaceAfter);
}

/** The next cell. `first` is its first operand where that has been read already. */
export function readCell(cursor: TokenCursor, first?: Scalar): Scalar {
  return cursor.deeper(() => {
    let total = product(cursor, first);
    while (goesOn(cursor)) {
      const minus = cursor.is('-');
      cursor.advance();
      const next = product(cursor);
      total = scalar(minus ? total.value - next.value : total.value + next.value);
    }
    return total;
  });
}

function product(cursor: TokenCursor, first?: Scalar): Scalar {
  let total = first ?? operand(cursor);
  while ((cursor.is('*') || cursor.is('/')) && !cursor.token.newLineBefore) {
    const divide = cursor.is('/');
    cursor.advance();
    const { offset } = cursor.token;
    const next = operand(cursor);
    if (divide && next.value === 0) throw cursor.refuse('a divisor other than 0', offset);
    total = divide
      ? scalar(total.numerator * next.denominator, total.denominator * next.numerator)
      : scalar(total.numerator * next.numerator, total.denominator * next.denominator);
  }
  return total;
}

function operand(cursor: TokenCursor): Scalar {
  return cursor.deeper(() => {
    if (cursor.take('+')) return operand(cursor);
    if (cursor.take('-')) {
      const { numerator, denominator } = operand(cursor);
      return scalar(numerator === 0 ? 0 : -numerator, denominator);
    }
    const { kind, value, text } = cursor.token;
    if (kind === 'number') {
      cursor.advance();
      return scalar(value);
    }
    const root = kind === 'name' && /^(np\.|numpy\.|math\.)?sqrt$/.test(text);
    if (root) cursor.advance();
    if (!cursor.is('(')) throw cursor.refuse('a number');
    cursor.advance();
    const inner = readCell(cursor);
    cursor.need(')');
    return root ? scalar(Math.sqrt(inner.value)) : inner;
  });
}
