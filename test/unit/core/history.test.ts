// Undo and redo, gestures as one step, and the bound.

import { describe, expect, it } from 'vitest';
import {
  beginGesture,
  cancelGesture,
  canRedo,
  canUndo,
  commitGesture,
  createHistory,
  goTo,
  type History,
  maximumSteps,
  record,
  redo,
  undo,
} from '../../../core/history';

const recorded = (...values: readonly number[]): History<number> =>
  values.reduce<History<number>>(record, createHistory(0));

describe('history', () => {
  it('goes back and forth one step at a time', () => {
    const history = recorded(1, 2, 3);
    expect(undo(history).present).toBe(2);
    expect(undo(undo(undo(history))).present).toBe(0);
    expect(redo(undo(undo(history))).present).toBe(2);
    expect(redo(redo(undo(undo(history))))).toEqual(history);
  });

  it('stops at both ends', () => {
    const start = createHistory(0);
    expect([canUndo(start), canRedo(start)]).toEqual([false, false]);
    expect(undo(start)).toEqual(start);
    expect(redo(recorded(1))).toEqual(recorded(1));
  });

  it('forgets what was undone when something new is done', () => {
    const history = record(undo(recorded(1, 2)), 5);
    expect(canRedo(history)).toBe(false);
    expect(undo(history).present).toBe(1);
  });

  it('takes the same value for no step', () => {
    expect(record(recorded(1), 1)).toEqual(recorded(1));
  });

  it('makes one step of a gesture, however often the value changed', () => {
    let history = beginGesture(recorded(1));
    for (let value = 2; value <= 200; value++) history = record(history, value);
    expect(history.present).toBe(200);
    history = commitGesture(history);
    expect(undo(history).present).toBe(1);
    expect(history.past).toHaveLength(2);
  });

  it('makes no step of a gesture that ends where it began, and keeps what could be redone', () => {
    const undone = undo(recorded(1, 2));
    const history = commitGesture(record(record(beginGesture(undone), 9), 1));
    expect(history).toEqual(undone);
    expect(canRedo(history)).toBe(true);
  });

  it('goes back to where a cancelled gesture began', () => {
    expect(cancelGesture(record(beginGesture(recorded(1)), 9))).toEqual(recorded(1));
    expect(cancelGesture(recorded(1))).toEqual(recorded(1));
    expect(commitGesture(recorded(1))).toEqual(recorded(1));
  });

  it('undoes a running gesture as a whole', () => {
    const running = record(beginGesture(recorded(1)), 9);
    expect(canUndo(running)).toBe(true);
    expect(undo(running).present).toBe(1);
    expect(redo(undo(running)).present).toBe(9);
    expect(canUndo(beginGesture(createHistory(0)))).toBe(false);
  });

  it('goes on with a gesture in which one goes back or forth: what follows is one step', () => {
    const running = record(beginGesture(recorded(1)), 9);
    for (const step of [undo, redo, (history: History<number>) => goTo(history, 0)]) {
      const went = step(running);
      const ended = commitGesture([11, 12, 13].reduce<History<number>>(record, went));
      expect(ended.present).toBe(13);
      expect(undo(ended).present).toBe(went.present);
    }
    expect(canRedo(undo(running))).toBe(true);
    expect(canRedo(record(undo(running), 11))).toBe(false);
  });

  it('keeps a bounded number of steps, the newest ones', () => {
    let history = createHistory(0);
    for (let value = 1; value <= maximumSteps + 10; value++) history = record(history, value);
    expect(history.past).toHaveLength(maximumSteps);
    for (let step = 0; step < maximumSteps + 5; step++) history = undo(history);
    expect(history.present).toBe(10);
  });
});
