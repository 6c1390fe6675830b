// Turns: what was begun earlier never takes effect after what was begun later.

import { expect, it } from 'vitest';
import { Turns } from '../../../core/turns';

it('lets work take effect in the order in which it began, leaving out what comes too late', () => {
  const turns = new Turns();
  const [first, second, third] = [turns.begin(), turns.begin(), turns.begin()];
  expect(turns.take(first)).toBe(true);
  expect(turns.take(third)).toBe(true);
  expect(turns.take(second)).toBe(false);
  expect(turns.take(turns.begin())).toBe(true);
});
