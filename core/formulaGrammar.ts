// The grammar of formulas such as `exp(-(x^2+y^2)/(2*s^2))`: text to a typed tree in which every node knows its place. jsep
// (MIT, no eval, no Function) reads numbers, names and the order of operators; powers, signs, brackets and calls are taken
// here, because −x² must be −(x²) and every refusal must name its place.

import jsep from 'jsep';
import { unreadable } from './textPlace';

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^' | '<' | '>' | '<=' | '>=' | '==' | '!=';

/** `offset`: where the node begins in the text, in characters from 0. */
export type FormulaNode =
  | { readonly kind: 'number'; readonly offset: number; readonly value: number }
  | { readonly kind: 'name'; readonly offset: number; readonly name: string }
  | { readonly kind: 'negate'; readonly offset: number; readonly operand: FormulaNode }
  | {
      readonly kind: 'binary';
      readonly offset: number;
      readonly operator: BinaryOperator;
      readonly left: FormulaNode;
      readonly right: FormulaNode;
    }
  | {
      readonly kind: 'call';
      readonly offset: number;
      readonly name: string;
      readonly parameters: readonly FormulaNode[];
    };

/** Longest formula, in characters: it bounds the work of one cell. */
export const maximumFormulaLength = 1000;
/** Brackets, signs, powers and calls inside one another. */
const maximumDepth = 64;

/** Precedences as in every programming language; ^ binds tighter than all and is taken with its operand. */
const precedences: Readonly<Record<Exclude<BinaryOperator, '^'>, number>> = {
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};

/** Signs that keyboards and books produce, each one character for one, so that places stay what they are. */
const plainSigns: Readonly<Record<string, string>> = {
  '\u2212': '-',
  '\uFE63': '-',
  '\uFF0D': '-',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '（': '(',
  '）': ')',
  '，': ',',
  '\u00A0': ' ',
};
const namePattern = /^[A-Za-z_\u0370-\u03FF][A-Za-z0-9_\u0370-\u03FF]*$/;
const closingBracket = 41;

/** A refusal while jsep reads: the place and what was expected there. */
class Unexpected extends Error {
  constructor(
    readonly offset: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

/** Nesting of the formula being read. jsep is synchronous and one formula is read at a time. */
let depth = 0;

type Scope = jsep.HookScope;

function operand(scope: Scope): jsep.Expression {
  scope.gobbleSpaces();
  const node = scope.gobbleToken();
  if (!node) throw new Unexpected(scope.index, 'a number, a name or a bracket');
  return node;
}

function inside(scope: Scope): jsep.Expression {
  scope.gobbleSpaces();
  const node = scope.gobbleExpression();
  if (!node) throw new Unexpected(scope.index, 'a number, a name or a bracket');
  scope.gobbleSpaces();
  return node;
}

function parametersOf(scope: Scope): readonly jsep.Expression[] {
  const parameters: jsep.Expression[] = [];
  for (;;) {
    scope.index += 1;
    parameters.push(inside(scope));
    if (scope.code === closingBracket) break;
    if (scope.char !== ',') throw new Unexpected(scope.index, '“,” or “)”');
  }
  scope.index += 1;
  return parameters;
}

/** A number, a bracket, a name or a call; null where none begins. */
function primary(scope: Scope): jsep.Expression | null {
  const { char } = scope;
  if (/^\.?[0-9]/.test(scope.expr.slice(scope.index, scope.index + 2))) return scope.gobbleNumericLiteral() ?? null;
  if (char === '(') {
    scope.index += 1;
    const node = inside(scope);
    if (scope.code !== closingBracket) throw new Unexpected(scope.index, 'a sign such as + or “)”');
    scope.index += 1;
    return { type: 'Group', inner: node };
  }
  if (!/[A-Za-z_\u0080-\uFFFF]/.test(char)) return null;
  const start = scope.index;
  const name = String(scope.gobbleIdentifier()?.name);
  if (!namePattern.test(name)) throw new Unexpected(start, 'a name of letters, digits and _');
  scope.gobbleSpaces();
  if (scope.char !== '(') return { type: 'Identifier', name };
  return { type: 'CallExpression', name, arguments: [...parametersOf(scope)] };
}

/** One operand with its signs and its power: ^ binds tighter than a sign before it and groups to the right. */
function token(scope: Scope): jsep.Expression | undefined {
  const offset = scope.index;
  if (scope.char === '-' || scope.char === '+') {
    const minus = scope.char === '-';
    scope.index += 1;
    const argument = operand(scope);
    return { type: minus ? 'Negation' : 'Group', inner: argument, offset };
  }
  const base = primary(scope);
  if (!base) {
    if (scope.index < scope.expr.length && scope.code !== closingBracket)
      throw new Unexpected(scope.index, 'a number, a name or a bracket');
    return undefined;
  }
  base.offset = offset;
  scope.gobbleSpaces();
  const double = scope.expr.startsWith('**', scope.index);
  if (scope.char !== '^' && !double) return base;
  scope.index += double ? 2 : 1;
  return { type: 'BinaryExpression', operator: '^', left: base, right: operand(scope), offset };
}

// jsep keeps its settings in one place for all; nothing else of the program uses it.
jsep.removeAllBinaryOps();
jsep.removeAllUnaryOps();
jsep.removeAllLiterals();
for (const [operator, precedence] of Object.entries(precedences)) jsep.addBinaryOp(operator, precedence);
jsep.addIdentifierChar('_');
jsep.hooks.add('gobble-token', function takeToken(env) {
  depth += 1;
  if (depth > maximumDepth) throw new Unexpected(this.index, `at most ${maximumDepth} brackets inside one another`);
  const node = token(this);
  if (node) env.node = node;
  depth -= 1;
});

const isExpression = (value: unknown): value is jsep.Expression =>
  typeof value === 'object' && value !== null && 'type' in value;

function childOf(node: jsep.Expression, key: string): jsep.Expression {
  const child = node[key];
  if (!isExpression(child)) throw new Unexpected(0, 'a formula');
  return child;
}

/** jsep's tree as ours. Binary nodes begin where their left side does. */
function typed(node: jsep.Expression): FormulaNode {
  const offset = typeof node.offset === 'number' ? node.offset : -1;
  switch (node.type) {
    case 'Literal':
      if (typeof node.value !== 'number' || !Number.isFinite(node.value))
        throw new Unexpected(offset, 'a finite number');
      return { kind: 'number', offset, value: node.value };
    case 'Identifier':
      return { kind: 'name', offset, name: String(node.name) };
    case 'Group':
      return { ...typed(childOf(node, 'inner')), offset };
    case 'Negation':
      return { kind: 'negate', offset, operand: typed(childOf(node, 'inner')) };
    case 'CallExpression': {
      const parameters = Array.isArray(node.arguments) ? node.arguments.filter(isExpression) : [];
      return { kind: 'call', offset, name: String(node.name), parameters: parameters.map(typed) };
    }
    case 'ConditionalExpression': {
      // `condition ? yes : no`, by jsep's own extension, is the function if.
      const parameters = ['test', 'consequent', 'alternate'].map((key) => typed(childOf(node, key)));
      return { kind: 'call', offset: parameters[0]?.offset ?? 0, name: 'if', parameters };
    }
    case 'BinaryExpression': {
      const left = typed(childOf(node, 'left'));
      const right = typed(childOf(node, 'right'));
      const operator = node.operator as BinaryOperator;
      return { kind: 'binary', offset: offset < 0 ? left.offset : offset, operator, left, right };
    }
    case 'Compound': {
      const body = Array.isArray(node.body) ? node.body.filter(isExpression) : [];
      const second = body[1];
      throw second ? new Unexpected(typed(second).offset, 'a sign such as * or +') : new Unexpected(0, 'a formula');
    }
    default:
      throw new Unexpected(Math.max(0, offset), 'a formula');
  }
}

/** jsep's own refusals, which carry `index` and an English description. */
function refusalOf(thrown: unknown, text: string): Unexpected | null {
  if (thrown instanceof Unexpected) return thrown;
  if (!(thrown instanceof Error) || !('index' in thrown) || typeof thrown.index !== 'number') return null;
  const place = Math.min(thrown.index, text.length);
  if (thrown.message.startsWith('Variable names')) return new Unexpected(place, 'a sign such as * or +');
  if (thrown.message.startsWith('Expected :')) return new Unexpected(place, 'a sign such as + or “:”');
  if (thrown.message.startsWith('Expected exponent')) return new Unexpected(place, 'an exponent');
  if (thrown.message.startsWith('Unexpected "')) return new Unexpected(place, 'a sign such as + or the end');
  return new Unexpected(place, 'a number, a name or a bracket');
}

/**
 * Reads a formula. Throws ConvolveError `invalidKernel` whose subject is `line L, column C` and whose actual value is the
 * word there: anything that is not a formula, more than 1000 characters, more than 64 brackets inside one another.
 */
export function readFormula(source: string): FormulaNode {
  if (source.length > maximumFormulaLength)
    throw unreadable(
      source,
      maximumFormulaLength,
      `at most ${maximumFormulaLength} characters`,
      `${source.length} characters`,
    );
  const text = source.replace(/[^\x20-\x7E]/g, (sign) => plainSigns[sign] ?? sign);
  if (text.trim() === '') throw unreadable(text, text.length, 'a formula', 'an empty text');
  // jsep skips commas and semicolons between expressions; here they only part the parameters of a function.
  const unbracketed = topLevelSeparator(text);
  depth = 0;
  try {
    if (unbracketed >= 0) throw new Unexpected(unbracketed, 'a sign such as + or the end');
    return typed(jsep(text));
  } catch (thrown) {
    const refusal = refusalOf(thrown, text);
    if (!refusal) throw thrown;
    throw unreadable(text, refusal.offset, refusal.expected);
  }
}

/** Where a comma outside all brackets or a semicolon anywhere stands; −1 where none does. */
function topLevelSeparator(text: string): number {
  let level = 0;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === '(') level += 1;
    if (sign === ')') level -= 1;
    if (sign === ';' || (sign === ',' && level <= 0)) return index;
  }
  return -1;
}
