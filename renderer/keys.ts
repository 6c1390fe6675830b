// Turns key presses on the window into commands. A text field keeps the keys that edit text.

import { commandsFor, findCommand } from './commands';
import { explainKey, peekCommand } from './commands/viewCommands';
import { describeShortcut, editsText, matches } from './shortcuts';
import { pageStore, usePage } from './store';
import { currentViewport } from './viewport/current';

export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

/** none: no text field. settled: one whose text is what the document holds (`data-settled`). typing: any other. */
export function textIn(target: EventTarget | null): 'none' | 'settled' | 'typing' {
  const isText =
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type));
  if (!isText) return 'none';
  return target.dataset.settled === 'true' ? 'settled' : 'typing';
}

/** Starts listening; answers how to stop. */
export function listenToKeys(): () => void {
  /** The place of the key that holds the original in the view. */
  let held: string | null = null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const state = pageStore.getState();
    // A dialog has the keyboard to itself; Esc and Tab are its own.
    if (state.dialog !== null) return;
    const text = textIn(event.target);
    // Held, it explains the pixel under the pointer, unless a tool of the canvas has the key; alone it does nothing else.
    if (event.key === explainKey && text === 'none' && !currentViewport()?.activeTool)
      pageStore.setState({ explainHeld: true });
    for (const command of commandsFor(state)) {
      const pressed = command.shortcuts.find((shortcut) => matches(event, shortcut, isMac));
      if (pressed === undefined) continue;
      if (text !== 'none' && (command.yieldsToText === 'always' || editsText(pressed))) return;
      if (text === 'typing' && command.yieldsToText === 'whileTyping') return;
      event.preventDefault();
      if (command.id === peekCommand) held = event.code;
      if (command.enabled(state)) command.run();
      return;
    }
  };
  const letGo = () => {
    const { peeking, explainHeld } = pageStore.getState();
    if (peeking || explainHeld) pageStore.setState({ peeking: false, explainHeld: false });
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.code === held || event.key === explainKey) letGo();
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

/** The key of a command, for people; undefined for one without. */
export function useKeyOf(id: string): string | undefined {
  usePage((state) => state.application?.settings.keys);
  const [shortcut] = findCommand(pageStore.getState(), id)?.shortcuts ?? [];
  return shortcut === undefined ? undefined : describeShortcut(shortcut, isMac);
}
