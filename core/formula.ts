// A kernel from a formula of its cells: which names it leaves free (the page gives each a slider), and the weights that it
// gives on a grid. The text is read by core/formulaGrammar.ts and computed by closures; nothing is evaluated as code.
//
// Names: x and y are cells right of and below the anchor; r = √(x² + y²); theta is the angle counter-clockwise from the
// right in radians, −π…π, as all angles of the program turn; w and h are the grid's width and height; pi, e. All others
// are free. sigma and σ are free too, and start at the σ whose Gaussian fills the grid.

import { assertNever, ConvolveError } from './errors';
import { type BinaryOperator, type FormulaNode, readFormula } from './formulaGrammar';
import type { Kernel } from './kernel';
import { gaussianReach } from './kernelShapes';
import { unreadable } from './textPlace';

/** What a cell is to a formula; `values` are the free variables in the order of `Formula.variables`. */
interface CellScope {
  x: number;
  y: number;
  width: number;
  height: number;
  values: readonly number[];
}
type Evaluate = (cell: CellScope) => number;

/** A formula that has been read. */
export interface Formula {
  readonly text: string;
  /** Names that it leaves free, in the order in which they appear. */
  readonly variables: readonly string[];
  readonly evaluate: Evaluate;
}

interface FormulaFunction {
  readonly minimum: number;
  readonly maximum: number;
  readonly apply: (...values: number[]) => number;
}

const one = (apply: (value: number) => number): FormulaFunction => ({ minimum: 1, maximum: 1, apply });
const two = (apply: (a: number, b: number) => number): FormulaFunction => ({
  minimum: 2,
  maximum: 2,
  apply: (a = 0, b = 0) => apply(a, b),
});
const three = (apply: (a: number, b: number, c: number) => number): FormulaFunction => ({
  minimum: 3,
  maximum: 3,
  apply: (a = 0, b = 0, c = 0) => apply(a, b, c),
});
/** min, max and hypot take as many values as the longest formula holds. */
const many = (apply: (...values: number[]) => number): FormulaFunction => ({ minimum: 1, maximum: 500, apply });

/** The remainder with the sign of the divisor, so that patterns go on evenly left of 0. */
const remainder = (a: number, b: number) => a - b * Math.floor(a / b);

/** Every function; angles in radians, log is the natural one, sinc(x) = sin(πx)/(πx), step(x) is 1 from 0 on. */
const functions: Readonly<Record<string, FormulaFunction>> = {
  abs: one(Math.abs),
  sign: one(Math.sign),
  sqrt: one(Math.sqrt),
  cbrt: one(Math.cbrt),
  exp: one(Math.exp),
  ln: one(Math.log),
  log: one(Math.log),
  log2: one(Math.log2),
  log10: one(Math.log10),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  asin: one(Math.asin),
  acos: one(Math.acos),
  atan: one(Math.atan),
  sinh: one(Math.sinh),
  cosh: one(Math.cosh),
  tanh: one(Math.tanh),
  floor: one(Math.floor),
  ceil: one(Math.ceil),
  round: one(Math.round),
  step: one((value) => (value >= 0 ? 1 : 0)),
  sinc: one((value) => (value === 0 ? 1 : Math.sin(Math.PI * value) / (Math.PI * value))),
  atan2: two(Math.atan2),
  pow: two((a, b) => a ** b),
  mod: two(remainder),
  clamp: three((value, low, high) => Math.min(Math.max(value, low), high)),
  if: three((condition, yes, no) => (condition !== 0 ? yes : no)),
  min: many(Math.min),
  max: many(Math.max),
  hypot: many(Math.hypot),
};

/** Names of all functions, for a list beside the field. */
export const formulaFunctions: readonly string[] = Object.keys(functions);

const cellNames: Readonly<Record<string, Evaluate>> = {
  x: ({ x }) => x,
  y: ({ y }) => y,
  r: ({ x, y }) => Math.hypot(x, y),
  // + 0 turns −0 into 0, so that the axis left of the anchor is at +π.
  theta: ({ x, y }) => Math.atan2(0 - y, x),
  θ: ({ x, y }) => Math.atan2(0 - y, x),
  w: ({ width }) => width,
  h: ({ height }) => height,
  pi: () => Math.PI,
  π: () => Math.PI,
  e: () => Math.E,
};
const sigmaNames = ['sigma', 'σ'];

const binary: Readonly<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': remainder,
  '^': (a, b) => a ** b,
  '<': (a, b) => (a < b ? 1 : 0),
  '>': (a, b) => (a > b ? 1 : 0),
  '<=': (a, b) => (a <= b ? 1 : 0),
  '>=': (a, b) => (a >= b ? 1 : 0),
  '==': (a, b) => (a === b ? 1 : 0),
  '!=': (a, b) => (a !== b ? 1 : 0),
};

/** An own property only: `constructor` and `toString` are free variables like any other name. */
function known<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Builds the closure of a node; `variables` collects the free names. */
function compile(node: FormulaNode, text: string, variables: string[]): Evaluate {
  switch (node.kind) {
    case 'number': {
      const { value } = node;
      return () => value;
    }
    case 'name': {
      const cell = known(cellNames, node.name);
      if (cell) return cell;
      if (known(functions, node.name))
        throw unreadable(text, node.offset + node.name.length, `“(” after the function ${node.name}`);
      if (!variables.includes(node.name)) variables.push(node.name);
      const index = variables.indexOf(node.name);
      return ({ values }) => values[index] ?? Number.NaN;
    }
    case 'negate': {
      const operand = compile(node.operand, text, variables);
      return (cell) => 0 - operand(cell);
    }
    case 'binary': {
      const left = compile(node.left, text, variables);
      const right = compile(node.right, text, variables);
      const apply = binary[node.operator];
      return (cell) => apply(left(cell), right(cell));
    }
    case 'call': {
      const called = known(functions, node.name);
      if (!called) throw unreadable(text, node.offset, 'a function such as exp');
      const { minimum, maximum, apply } = called;
      const count = node.parameters.length;
      if (count < minimum || count > maximum)
        throw unreadable(
          text,
          node.offset,
          `${minimum} ${minimum === 1 ? 'value' : 'values'} in the brackets of ${node.name}`,
          String(count),
        );
      const parameters = node.parameters.map((parameter) => compile(parameter, text, variables));
      return (cell) => apply(...parameters.map((parameter) => parameter(cell)));
    }
    default:
      return assertNever(node);
  }
}

/**
 * Reads a formula of at most 1000 characters. Throws ConvolveError `invalidKernel` whose subject is `line L, column C` and
 * whose actual value is the word there.
 */
export function parseFormula(text: string): Formula {
  const variables: string[] = [];
  const evaluate = compile(readFormula(text), text, variables);
  return { text, variables, evaluate };
}

/** Where a slider of a free variable starts on a grid of this size: for sigma the σ whose Gaussian fills it, else 1. */
export function startingValue(variable: string, width: number, height: number): number {
  if (!sigmaNames.includes(variable)) return 1;
  return Math.max(0.1, Math.min(width, height) / 2 / gaussianReach);
}

/** A cell whose result is NaN or infinite. */
export interface UnusableCell {
  /** Column and row, from 0. */
  readonly x: number;
  readonly y: number;
  readonly value: number;
}

/** The formula's results on a grid, row-major, and the cells that cannot be weights. */
export interface FormulaGrid {
  readonly weights: readonly number[];
  readonly unusable: readonly UnusableCell[];
}

export type FormulaValues = Readonly<Record<string, number>>;

/**
 * Computes every cell of a grid with this size and anchor. A free variable that `values` does not name has its starting
 * value. The work is bounded: at most 1000 operations a cell.
 */
export function sampleFormula(
  formula: Formula,
  grid: Pick<Kernel, 'width' | 'height' | 'anchorX' | 'anchorY'>,
  values: FormulaValues = {},
): FormulaGrid {
  const { width, height, anchorX, anchorY } = grid;
  const used = usedValues(formula, grid, values);
  const given = formula.variables.map((name) => used[name] ?? Number.NaN);
  const cell: CellScope = { x: 0, y: 0, width, height, values: given };
  const weights = new Array<number>(width * height).fill(0);
  const unusable: UnusableCell[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      cell.x = x - anchorX;
      cell.y = y - anchorY;
      // + 0: no −0 among the weights.
      const value = formula.evaluate(cell) + 0;
      weights[y * width + x] = value;
      if (!Number.isFinite(value)) unusable.push({ x, y, value });
    }
  return { weights, unusable };
}

/** Every free variable with the value that a grid is computed with: `values`, or where they name none its starting value. */
export function usedValues(
  formula: Formula,
  { width, height }: Pick<Kernel, 'width' | 'height'>,
  values: FormulaValues = {},
): FormulaValues {
  return Object.fromEntries(
    formula.variables.map((name) => [
      name,
      Object.hasOwn(values, name) ? (values[name] ?? Number.NaN) : startingValue(name, width, height),
    ]),
  );
}

/**
 * The kernel with its weights from a formula; size, anchor, divisor, bias and orientation are kept. Throws ConvolveError
 * `invalidKernel` that names the first cell whose result is not finite (0/0 in `sin(r)/r` at the anchor).
 */
export function fillFromFormula(kernel: Kernel, formula: Formula, values: FormulaValues = {}): Kernel {
  const { weights, unusable } = sampleFormula(formula, kernel, values);
  const [first] = unusable;
  if (first)
    throw new ConvolveError({
      code: 'invalidKernel',
      subject: 'weights',
      expected: 'a finite number',
      actual: `${first.value} (row ${first.y + 1}, column ${first.x + 1})`,
    });
  const { absent: _, ...rest } = kernel;
  return { ...rest, weights };
}
