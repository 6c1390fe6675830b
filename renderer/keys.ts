// Turns key presses on the window into commands. A text field keeps the keys that edit text.

import { commandsFor } from './commands';
import { matches } from './shortcuts';
import { pageStore } from './store';

export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type))
  );
}

/** Starts listening; answers how to stop. */
export function listenToKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const state = pageStore.getState();
    // A dialog has the keyboard to itself; Esc and Tab are its own.
    if (state.dialog !== null) return;
    const inText = isTextField(event.target);
    for (const command of commandsFor(state)) {
      if (!command.shortcuts.some((shortcut) => matches(event, shortcut, isMac))) continue;
      if (inText && command.yieldsToText) return;
      event.preventDefault();
      if (command.enabled(state)) command.run();
      return;
    }
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
