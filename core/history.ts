// Undo and redo: snapshots of an immutable value. A gesture (a drag, a scrub) changes the present as often as it likes and
// becomes one step when it is committed.

/** Snapshots before and after the present one. `gestureStart` is the value before the gesture that runs, if one does. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  readonly gestureStart: { readonly value: T } | null;
}

/** Most steps that can be undone; the oldest are forgotten. Snapshots share what did not change, so they are small. */
export const maximumSteps = 500;

export function createHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], gestureStart: null };
}

/** Shows `next`. Outside a gesture this is one step; inside it belongs to the gesture. The same value is no step. */
export function record<T>(history: History<T>, next: T): History<T> {
  if (Object.is(next, history.present)) return history;
  if (history.gestureStart) return { ...history, present: next };
  const past = [...history.past, history.present].slice(-maximumSteps);
  return { past, present: next, future: [], gestureStart: null };
}

/** Starts a gesture; one that already runs goes on. */
export function beginGesture<T>(history: History<T>): History<T> {
  return history.gestureStart ? history : { ...history, gestureStart: { value: history.present } };
}

/** Ends the gesture as one step, or as none where the value is the one it started with. */
export function commitGesture<T>(history: History<T>): History<T> {
  const { gestureStart: start, present } = history;
  if (!start) return history;
  return record({ ...history, present: start.value, gestureStart: null }, present);
}

/** Ends the gesture and goes back to the value it started with. */
export function cancelGesture<T>(history: History<T>): History<T> {
  return history.gestureStart ? { ...history, present: history.gestureStart.value, gestureStart: null } : history;
}

export function canUndo<T>(history: History<T>): boolean {
  return history.past.length > 0 || (history.gestureStart !== null && history.gestureStart.value !== history.present);
}

export function canRedo<T>(history: History<T>): boolean {
  const { gestureStart: start, present, future } = history;
  return future.length > 0 && (start === null || Object.is(start.value, present));
}

/** A gesture that runs goes on from where the step led: whoever began it, a drag say, will end it. */
const goingOn = <T>(before: History<T>, after: History<T>): History<T> =>
  before.gestureStart ? beginGesture(after) : after;

/** One step back. A gesture that runs is committed first, so that undo takes it back. */
export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = commitGesture(history);
  const previous = past.at(-1);
  if (past.length === 0) return goingOn(history, { past, present, future, gestureStart: null });
  const undone = { past: past.slice(0, -1), present: previous as T, future: [present, ...future], gestureStart: null };
  return goingOn(history, undone);
}

/** One step forward again. A gesture that runs is committed first, and then there is nothing to redo. */
export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = commitGesture(history);
  if (future.length === 0) return goingOn(history, { past, present, future, gestureStart: null });
  const redone = { past: [...past, present], present: future[0] as T, future: future.slice(1), gestureStart: null };
  return goingOn(history, redone);
}

/** Goes to a step by its place among all of them: 0 is the oldest that is known. A place beyond either end changes nothing. */
export function goTo<T>(history: History<T>, place: number): History<T> {
  const { past, present, future } = commitGesture(history);
  const all = [...past, present, ...future];
  if (!Number.isInteger(place) || place < 0 || place >= all.length)
    return goingOn(history, { past, present, future, gestureStart: null });
  const gone = {
    past: all.slice(0, place),
    present: all[place] as T,
    future: all.slice(place + 1),
    gestureStart: null,
  };
  return goingOn(history, gone);
}
