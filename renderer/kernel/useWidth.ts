// The width of an element, as it changes.

import { type RefObject, useLayoutEffect } from 'react';

/** Tells the content width in CSS pixels at once and after every change. */
export function useWidth(element: RefObject<HTMLElement | null>, changed: (width: number) => void): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    changed(current.clientWidth);
    const observer = new ResizeObserver(() => changed(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, changed]);
}
