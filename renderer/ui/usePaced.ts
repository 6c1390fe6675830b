// A value that is followed at a slower pace, so that what is dear to draw does not keep waiting what comes first.

import { startTransition, useEffect, useRef, useState } from 'react';

/** The newest value of `milliseconds` ago or less; where `atOnce`, the newest. */
export function usePaced<T>(value: T, milliseconds: number, atOnce = false): T {
  const [shown, show] = useState(value);
  // What is shown from here on must not be older than what was.
  if (atOnce && shown !== value) show(value);
  const newest = useRef(value);
  newest.current = value;
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (value === shown || timer.current !== undefined) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      startTransition(() => show(newest.current));
    }, milliseconds);
  }, [value, shown, milliseconds]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return atOnce ? value : shown;
}
