// The one viewport on the page, for commands that zoom; null while none is mounted.

import type { Viewport } from './viewport';

let viewport: Viewport | null = null;

export function currentViewport(): Viewport | null {
  return viewport;
}

export function setCurrentViewport(next: Viewport | null): void {
  viewport = next;
}
