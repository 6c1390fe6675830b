// The keys that move the view: arrows pan, + and − zoom. Of the picture and of its navigator.

import type { KeyboardEvent } from 'react';
import type { Sight } from './sight';

/** Does what a key asks for, an arrow by so many CSS pixels; answers whether it was one of these keys. */
export function moveByKey(
  sight: Sight,
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { across, down }: { readonly across: number; readonly down: number },
): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  if (key === 'ArrowLeft') sight.panBy(across, 0);
  else if (key === 'ArrowRight') sight.panBy(-across, 0);
  else if (key === 'ArrowUp') sight.panBy(0, down);
  else if (key === 'ArrowDown') sight.panBy(0, -down);
  else if (key === '+' || key === '=') sight.zoomStep(1);
  else if (key === '-') sight.zoomStep(-1);
  else return false;
  return true;
}
