// Numbers as people type them: 1.3 and 1,3, a Unicode minus, fractions and percent. Files and the command line always use
// a point; this is for fields of the page.

/** Minus signs that keyboards, web pages and office programs produce. */
const minusSigns = /[\u2212\uFE63\uFF0D]/g;
/** Digits and signs as Chinese and Japanese keyboards produce them: each lies at the same distance from its plain form. */
const fullWidth = /[\uFF01-\uFF5E]/g;
const toPlain = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0);
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * One separator, comma or point, is the decimal one (1,3 = 1.3, also 1,300). Where both occur the later one is, and the
 * other groups digits (1.234,5 and 1,234.5). The same one several times groups thousands (1.234.567).
 */
function withDecimalPoint(text: string): string {
  const lastComma = text.lastIndexOf(',');
  const lastPoint = text.lastIndexOf('.');
  if (lastComma < 0 && lastPoint < 0) return text;
  if (lastComma >= 0 && lastPoint >= 0) {
    const [grouping, point] = lastComma > lastPoint ? ['.', ','] : [',', '.'];
    const [whole = '', ...rest] = text.split(point);
    if (rest.length !== 1 || !/^[+-]?\d{1,3}([.,]\d{3})+$/.test(whole)) return 'not a number';
    return `${whole.replaceAll(grouping, '')}.${rest[0]}`;
  }
  const separator = lastComma >= 0 ? ',' : '.';
  if (text.indexOf(separator) === text.lastIndexOf(separator)) return text.replace(',', '.');
  return /^[+-]?\d{1,3}([.,]\d{3})+$/.test(text) ? text.replaceAll(separator, '') : 'not a number';
}

function parseDecimal(text: string): number | null {
  const plain = withDecimalPoint(text.trim());
  if (!decimal.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** The number a person typed, such as `1,3`, `1.3`, `−0.5`, `１２`, `1/16`, `50 %`, `1e-3`; null where it is none. */
export function parseNumber(text: string): number | null {
  if (text.length > 100) return null;
  const typed = text.trim().replace(minusSigns, '-').replace(fullWidth, toPlain);
  if (typed.endsWith('%')) {
    const value = parseDecimal(typed.slice(0, -1));
    return value === null ? null : value / 100;
  }
  const [numerator = '', denominator, ...more] = typed.split('/');
  if (more.length > 0) return null;
  const value = parseDecimal(numerator);
  if (value === null || denominator === undefined) return value;
  const divisor = parseDecimal(denominator);
  if (divisor === null) return null;
  const quotient = value / divisor;
  return Number.isFinite(quotient) ? quotient : null;
}
