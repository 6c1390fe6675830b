// Matrix literals as NumPy, MATLAB, JSON and C write them, with a scalar factor or divisor outside:
//   product := factor (('*' | '/') factor)*          exactly one factor is a matrix
//   factor  := sign* (number | list | name '(' … ')') ('.' astype | reshape '(' … ')')*
//   list    := '[' rows ']' | '{' rows '}' | '(' rows ')'   rows parted by ';' or line ends, cells by ',' or white space
//   cell    := number expression with + − * / and parentheses; as in MATLAB `1 -2` is two cells and `1 - 2` one
// It is read by recursive descent; nothing is ever evaluated as code.

import { readCell, type Scalar, scalar } from './cellExpression';
import { fspecial, fspecialNames } from './fspecial';
import { type PlacedNumber, valuesOf } from './placedNumbers';
import { TokenCursor } from './tokenCursor';

type Row = readonly PlacedNumber[];

/** Cells row by row, each with the factor that stood outside still apart: value = cell · numerator / denominator. */
export interface MatrixLiteral {
  readonly rows: readonly Row[];
  readonly numerator: number;
  readonly denominator: number;
  /** True where a flat list was cut into rows because its lines are equally long. */
  readonly rowsByLines: boolean;
}

interface Matrix {
  readonly kind: 'matrix';
  readonly rows: readonly Row[];
  readonly rowsByLines: boolean;
}
type Value = Scalar | Matrix;
type Break = 'none' | 'weak' | 'hard';
interface Item {
  readonly value: Value;
  readonly offset: number;
  readonly end: number;
  /** How the item is parted from the one before: `hard` begins a row, `weak` is a line end after a comma. */
  readonly before: Break;
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };
const wrappers = new Set(['array', 'asarray', 'matrix', 'mat', 'tensor', 'float32', 'float64', 'single', 'double']);
const maximumCells = 1024 * 1024;

class Reader extends TokenCursor {
  /** The whole text: one product, perhaps a ';' or ',' after it, and nothing else. */
  readAll(): MatrixLiteral {
    const start = this.token.offset;
    let matrix: Matrix | null = null;
    let numerator = 1;
    let denominator = 1;
    let divide = false;
    do {
      const offset = this.token.offset;
      const value = this.factor();
      if (value.kind === 'matrix') {
        if (matrix) throw this.refuse('one kernel, not two', offset);
        if (divide) throw this.refuse('a number to divide by', offset);
        matrix = value;
      } else if (divide) {
        if (value.value === 0) throw this.refuse('a divisor other than 0', offset);
        numerator *= value.denominator;
        denominator *= value.numerator;
      } else {
        numerator *= value.numerator;
        denominator *= value.denominator;
      }
      this.elementwise();
      divide = this.is('/');
    } while (this.take('*') || this.take('/'));
    while (this.take(';') || this.take(','));
    if (this.token.kind !== 'end') throw this.refuse('the end of the text');
    const found = matrix ?? this.single(1, start);
    if (!Number.isFinite(numerator / denominator)) throw this.refuse('a finite factor', start);
    return { rows: found.rows, numerator, denominator, rowsByLines: found.rowsByLines };
  }

  /** A matrix of one cell that ends where the next word begins. */
  private single(value: number, start: number): Matrix {
    return { kind: 'matrix', rows: [[{ value, start, end: this.passed }]], rowsByLines: false };
  }

  /** Numbers that a call at `start` makes, in rows of `width`. */
  private made(numbers: readonly number[], width: number, start: number): Matrix {
    const end = this.passed;
    const placed = numbers.map((value) => ({ value, start, end }));
    return { kind: 'matrix', rows: cut(placed, width), rowsByLines: false };
  }

  /** MATLAB's `.*` and `./` mean the same as `*` and `/` beside a scalar. */
  private elementwise(): void {
    const next = this.next;
    if (this.is('.') && (next?.text === '*' || next?.text === '/')) this.advance();
  }

  private factor(): Value {
    return this.deeper(() => {
      if (this.take('+')) return this.factor();
      if (this.take('-')) return negated(this.factor());
      const { kind, value, text, offset } = this.token;
      if (kind === 'number') {
        this.advance();
        return scalar(value);
      }
      if (kind === 'name') return this.methods(this.call());
      if (!this.is('[') && !this.is('{') && !this.is('(')) throw this.refuse('a number or a bracket', offset);
      this.advance();
      return this.methods(this.list(closing[text] ?? ''));
    });
  }

  /** `np.array(…, dtype=…)` and its kin, or `ones(…)`. */
  private call(): Value {
    const { text, offset } = this.token;
    const name = text.split('.').at(-1) ?? '';
    this.advance();
    // GLSL: float[9](…)
    if ((name === 'float' || name === 'double') && this.take('[')) {
      if (this.token.kind === 'number') this.advance();
      this.need(']');
      this.need('(');
      return this.list(')');
    }
    if (!this.is('(')) throw this.refuse('a number or a bracket', offset);
    this.need('(');
    if (name === 'ones') {
      const sizes = this.sizes();
      return this.ones(sizes, offset);
    }
    if (name === 'fspecial') return this.fspecial(offset);
    if (!wrappers.has(name.toLowerCase()))
      throw this.refuse(`one of ${[...wrappers, 'ones', 'fspecial'].join(', ')}`, offset);
    const value = this.factor();
    this.skipArguments();
    return value.kind === 'matrix' ? value : this.single(value.value, offset);
  }

  /** `fspecial('gaussian', [5 7], 1)` after its opening bracket. */
  private fspecial(offset: number): Matrix {
    const word = this.token.text.replace(/^['"]|['"]$/g, '');
    const name = this.isName() ? fspecialNames.find((known) => known === word.toLowerCase()) : undefined;
    if (name === undefined) throw this.refuse(`one of ${fspecialNames.join(', ')}`);
    this.advance();
    const given: (readonly number[])[] = [];
    while (this.take(',')) {
      const value = this.take('[') ? this.list(']') : readCell(this);
      given.push(value.kind === 'matrix' ? valuesOf(value.rows.flat()) : [value.value]);
    }
    this.need(')');
    const kernel = fspecial(name, given);
    if (!kernel) throw this.refuse(`sizes and numbers that ${name} takes`, offset);
    const scale = kernel.divisor === 'auto' ? 1 : kernel.divisor;
    const cells = scale === 1 ? kernel.weights : kernel.weights.map((weight) => weight / scale);
    return this.made(cells, kernel.width, offset);
  }

  private ones(sizes: readonly number[], offset: number): Matrix {
    const [height = 0, width = height] = sizes;
    const fits = sizes.length <= 2 && height >= 1 && width >= 1 && height * width <= maximumCells;
    if (!fits) throw this.refuse('one or two sizes', offset);
    return this.made(new Array<number>(height * width).fill(1), width, offset);
  }

  /** Whole numbers up to the closing bracket, perhaps in brackets of their own; the bracket is taken. */
  private sizes(): readonly number[] {
    const inner = this.is('(') || this.is('[') ? this.token.text : '';
    if (inner) this.advance();
    const sizes: number[] = [];
    for (;;) {
      if (this.token.kind !== 'number' || !Number.isInteger(this.token.value)) throw this.refuse('a whole number');
      sizes.push(this.token.value);
      this.advance();
      if (!this.take(',')) break;
      if (this.is(')') || this.isName()) break;
    }
    if (inner) this.need(closing[inner] ?? '');
    this.skipArguments();
    return sizes;
  }

  /** What may stand after the first argument, such as `, dtype=np.float32`, up to and with the closing bracket. */
  private skipArguments(): void {
    while (!this.take(')')) {
      const { kind } = this.token;
      const skipped = kind === 'name' || this.is(',') || this.is('=');
      if (!skipped) throw this.refuse('“)”');
      this.advance();
    }
  }

  /** `.astype(…)` is left out, `.reshape(h, w)` done. */
  private methods(value: Value): Value {
    let result = value;
    while (this.is('.') && this.next?.kind === 'name') {
      this.advance();
      const { text, offset } = this.token;
      this.advance();
      this.need('(');
      if (text === 'astype') this.skipArguments();
      else if (text === 'reshape' && result.kind === 'matrix') {
        const [height = 0, width = 0, ...more] = this.sizes();
        const cells = result.rows.flat();
        if (more.length > 0 || height < 1 || height * width !== cells.length)
          throw this.refuse(`height × width = ${cells.length}`, offset);
        result = { kind: 'matrix', rows: cut(cells, width), rowsByLines: false };
      } else throw this.refuse('astype or reshape', offset);
    }
    return result;
  }

  /** A list after its opening bracket, up to and with the closing one. `(x)` alone is x. */
  private list(close: string): Value {
    return this.deeper(() => {
      const start = this.token.offset;
      const items: Item[] = [];
      let before: Break = 'none';
      let comma = false;
      for (;;) {
        if (this.token.newLineBefore && items.length > 0 && before === 'none') before = comma ? 'weak' : 'hard';
        if (this.take(close)) break;
        const { offset } = this.token;
        if (this.take(';')) {
          before = 'hard';
          comma = false;
          continue;
        }
        if (this.is(',')) {
          if (comma || items.length === 0 || before === 'hard') throw this.refuse('a number');
          comma = true;
          this.advance();
          continue;
        }
        if (this.token.kind === 'end') throw this.refuse(`“${close}”`);
        const value = this.element();
        items.push({ value, offset, end: this.passed, before });
        if (items.length > maximumCells) throw this.refuse('fewer cells', offset);
        before = 'none';
        comma = false;
      }
      const [only] = items;
      if (close === ')' && items.length === 1 && only?.value.kind === 'scalar' && !comma) return only.value;
      return this.rowsOf(items, start);
    });
  }

  private element(): Value {
    if (this.is('[') || this.is('{')) {
      const { text } = this.token;
      this.advance();
      return this.list(closing[text] ?? '');
    }
    if (!this.take('(')) return readCell(this);
    const inner = this.list(')');
    return inner.kind === 'matrix' ? inner : readCell(this, inner);
  }

  private rowsOf(items: readonly Item[], start: number): Matrix {
    const [first] = items;
    if (!first) throw this.refuse('a number', start);
    const nested = items.flatMap(({ value, offset }) => {
      if (value.kind === 'scalar') return [];
      if (value.rows.length !== 1 && items.length > 1) throw this.refuse('one row in each bracket', offset);
      return [value];
    });
    if (nested.length > 0) {
      const stray = items.find(({ value }) => value.kind === 'scalar');
      if (stray) throw this.refuse('a row in brackets', stray.offset);
      return {
        kind: 'matrix',
        rows: nested.flatMap(({ rows }) => rows),
        rowsByLines: nested.some((m) => m.rowsByLines),
      };
    }
    const hard = items.some(({ before }) => before === 'hard');
    const rows: PlacedNumber[][] = [];
    for (const { value, before, offset, end } of items) {
      const breaks = hard ? before === 'hard' : before === 'weak';
      if (rows.length === 0 || breaks) rows.push([]);
      if (value.kind === 'scalar') rows.at(-1)?.push({ value: value.value, start: offset, end });
    }
    const even = rows.every((row) => row.length === rows[0]?.length);
    if (hard || even) return { kind: 'matrix', rows, rowsByLines: !hard && rows.length > 1 };
    return { kind: 'matrix', rows: [rows.flat()], rowsByLines: false };
  }
}

function negated(value: Value): Value {
  if (value.kind === 'scalar') return scalar(-value.numerator, value.denominator);
  return {
    ...value,
    rows: value.rows.map((row) => row.map((cell) => ({ ...cell, value: cell.value === 0 ? 0 : -cell.value }))),
  };
}

/** A flat list in rows of `width` cells. */
export function cut<Cell>(cells: readonly Cell[], width: number): readonly (readonly Cell[])[] {
  return Array.from({ length: Math.ceil(cells.length / width) }, (_, row) =>
    cells.slice(row * width, (row + 1) * width),
  );
}

/** Reads a matrix literal from `start` on. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readMatrix(text: string, start: number): MatrixLiteral {
  return new Reader(text, start).readAll();
}
