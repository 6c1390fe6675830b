// Numbers as people type them, whatever their locale.

import { describe, expect, it } from 'vitest';
import { parseNumber } from '../../../core/numbers';

describe('typed numbers', () => {
  it.each([
    ['1.3', 1.3],
    ['1,3', 1.3],
    [' 1,30 ', 1.3],
    ['-0,5', -0.5],
    ['\u22120.5', -0.5],
    ['+2', 2],
    ['.5', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['1e-3', 0.001],
    ['1,5E2', 150],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['1.234.567', 1234567],
    ['1,234,567', 1234567],
    ['1/16', 0.0625],
    ['-1 / 4', -0.25],
    ['1,5/3', 0.5],
    ['50 %', 0.5],
    ['0', 0],
    ['\uFF11\uFF0E\uFF15', 1.5],
    ['\uFF0D\uFF11\uFF0C\uFF15', -1.5],
    ['\uFF15\uFF10\uFF05', 0.5],
  ])('%j is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    'abc',
    '1.2.3',
    '1,2,3',
    '1.23,4.5',
    '12.34,5',
    '1/0',
    '0/0',
    '1/1e-320',
    '1/2/3',
    '--1',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    '1 2',
    '%',
    '9'.repeat(200),
  ])('%j is none', (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});
