// One action of the page as a record, which menus, keys, the palette and buttons run.

import { type DialogName, type PageState, pageStore, selectedFilter } from '../store';

/** Words of the catalogue by key, or a text that is no word of it, such as a file name. */
export type CommandLabel =
  | { readonly kind: 'words'; readonly key: string; readonly filterKey?: string }
  | { readonly kind: 'text'; readonly text: string };

export interface Command {
  readonly id: string;
  readonly label: CommandLabel;
  /** Words of the submenu it stands in, where its label alone would not say enough. */
  readonly group?: string;
  /** Key combinations as in shortcuts.ts; the first is the one that menus show. */
  readonly shortcuts: readonly string[];
  /**
   * Whether the shortcut is left to a text field that has the focus. always: it edits text (paste, Delete). whileTyping:
   * only while something typed has not been taken over yet (undo, redo).
   */
  readonly yieldsToText: 'never' | 'whileTyping' | 'always';
  readonly enabled: (state: PageState) => boolean;
  /** For commands that choose one of several: whether it is the chosen one. */
  readonly checked?: (state: PageState) => boolean;
  readonly run: () => void;
}

const always = () => true;
export const hasPicture = (state: PageState) => state.image !== null;
export const hasFilter = (state: PageState) => state.image !== null && selectedFilter(state) !== null;

interface CommandOptions {
  readonly shortcuts?: readonly string[];
  readonly enabled?: (state: PageState) => boolean;
  readonly checked?: (state: PageState) => boolean;
  readonly yieldsToText?: Command['yieldsToText'];
  readonly group?: string;
}

/** A record whose label is words of the catalogue. */
export function command(id: string, key: string, run: () => void, options: CommandOptions = {}): Command {
  const { shortcuts = [], enabled = always, yieldsToText = 'never', checked, group } = options;
  return {
    id,
    label: { kind: 'words', key },
    shortcuts,
    enabled,
    yieldsToText,
    run,
    ...(checked === undefined ? {} : { checked }),
    ...(group === undefined ? {} : { group }),
  };
}

export const show = (dialog: DialogName) => () => pageStore.setState({ dialog });
