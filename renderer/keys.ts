// Turns key presses on the window into commands. A text field keeps the keys that edit text.

import { commandsFor, explainKey, peekKey } from './commands';
import { matches } from './shortcuts';
import { pageStore } from './store';

export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

/** none: no text field. settled: one whose text is what the document holds (`data-settled`). typing: any other. */
function textIn(target: EventTarget | null): 'none' | 'settled' | 'typing' {
  const isText =
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type));
  if (!isText) return 'none';
  return target.dataset.settled === 'true' ? 'settled' : 'typing';
}

/** Starts listening; answers how to stop. */
export function listenToKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const state = pageStore.getState();
    // A dialog has the keyboard to itself; Esc and Tab are its own.
    if (state.dialog !== null) return;
    const text = textIn(event.target);
    // Held, it explains the pixel under the pointer; alone it does nothing else.
    if (event.key === explainKey && text === 'none') pageStore.setState({ explainHeld: true });
    for (const command of commandsFor(state)) {
      if (!command.shortcuts.some((shortcut) => matches(event, shortcut, isMac))) continue;
      if (text !== 'none' && command.yieldsToText === 'always') return;
      if (text === 'typing' && command.yieldsToText === 'whileTyping') return;
      event.preventDefault();
      if (command.enabled(state)) command.run();
      return;
    }
  };
  const letGo = () => {
    const { peeking, explainHeld } = pageStore.getState();
    if (peeking || explainHeld) pageStore.setState({ peeking: false, explainHeld: false });
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key === peekKey || event.key === explainKey) letGo();
  };
  window.addEventListener('keydown', onKeyDown);
  window.addEventListener('keyup', onKeyUp);
  window.addEventListener('blur', letGo);
  return () => {
    window.removeEventListener('keydown', onKeyDown);
    window.removeEventListener('keyup', onKeyUp);
    window.removeEventListener('blur', letGo);
  };
}
