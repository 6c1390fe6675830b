// Steps of the history by name, found from the two stacks alone.

import { describe, expect, it } from 'vitest';
import {
  addFilter,
  changeSettings,
  moveFilter,
  removeFilter,
  renameFilter,
  setParameter,
  toggleFilter,
} from '../../../core/edits';
import { catalogueEntry } from '../../../core/filters';
import { createHistory, goTo, record, undo } from '../../../core/history';
import { stepName } from '../../../core/stepNames';

const a = catalogueEntry('gaussian').create('a', 'u8');
const b = catalogueEntry('sobel').create('b', 'u8');
const c = catalogueEntry('box').create('c', 'u8');
const stack = [a, b, c];

describe('the name of a step', () => {
  it('says what was done and to which filter', () => {
    expect(stepName([a], addFilter([a], b))).toEqual({ kind: 'added', filter: b });
    expect(stepName(stack, removeFilter(stack, 'b'))).toEqual({ kind: 'removed', filter: b });
    expect(stepName(stack, setParameter(stack, 'a', 'sigma', 7))).toMatchObject({
      kind: 'parameter',
      key: 'sigma',
      from: 3,
      to: 7,
    });
    expect(stepName(stack, toggleFilter(stack, 'b'))).toMatchObject({ kind: 'off', filter: { id: 'b' } });
    expect(stepName(stack, renameFilter(stack, 'b', 'lines'))).toMatchObject({ kind: 'renamed' });
    expect(stepName(stack, changeSettings(stack, 'c', { light: 'linear' }))).toMatchObject({ kind: 'settings' });
    expect(stepName(stack, moveFilter(stack, 'c', 0))).toEqual({ kind: 'moved', filter: c });
    expect(stepName(stack, [])).toEqual({ kind: 'several' });
  });
});

describe('going to a step', () => {
  it('keeps those after it to be redone, and ignores places that are none', () => {
    const history = [1, 2, 3].reduce(record, createHistory(0));
    expect(goTo(history, 1)).toMatchObject({ past: [0], present: 1, future: [2, 3] });
    expect(goTo(undo(history), 3)).toMatchObject({ past: [0, 1, 2], present: 3, future: [] });
    for (const place of [-1, 4, 0.5]) expect(goTo(history, place)).toEqual(history);
  });
});
