// Key combinations as text such as `Mod+Shift+Z`: matching an event, and writing them for people. Pure.
// `Mod` is the Command key on macOS and Ctrl elsewhere.

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

interface Combination {
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

function parse(shortcut: string): Combination {
  const parts = shortcut.split('+');
  // `Mod++` ends in an empty part: the key is the plus sign itself.
  const key = parts.at(-1) === '' ? '+' : (parts.at(-1) ?? '');
  return {
    key: key.toLowerCase(),
    mod: parts.includes('Mod'),
    shift: parts.includes('Shift'),
    alt: parts.includes('Alt'),
  };
}

/** Whether a key press is the shortcut. Shift is ignored for signs that need it on some keyboards, such as `+`. */
export function matches(press: KeyPress, shortcut: string, mac: boolean): boolean {
  const wanted = parse(shortcut);
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  const sign = wanted.key.length === 1 && !/[a-z0-9]/.test(wanted.key);
  return (
    press.key.toLowerCase() === wanted.key &&
    mod === wanted.mod &&
    !other &&
    press.altKey === wanted.alt &&
    (sign || press.shiftKey === wanted.shift)
  );
}

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };
const keySigns: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Delete: 'Del',
  Escape: 'Esc',
  '-': '−',
};

/** A shortcut for people: `Ctrl Shift Z`, or `⇧⌘Z` on macOS. */
export function describeShortcut(shortcut: string, mac: boolean): string {
  const parts = shortcut.endsWith('++') ? [...shortcut.slice(0, -2).split('+'), '+'] : shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const sign = keySigns[key] ?? key;
  const modifiers = parts.slice(0, -1);
  if (!mac) return [...modifiers.map((part) => (part === 'Mod' ? 'Ctrl' : part)), sign].join(' ');
  const order = ['Alt', 'Shift', 'Mod'].filter((part) => modifiers.includes(part));
  return order.map((part) => macSigns[part]).join('') + sign;
}

/** A shortcut as ARIA writes it, `Control+Shift+Z`. */
export function ariaShortcut(shortcut: string, mac: boolean): string {
  return shortcut.replace('Mod', mac ? 'Meta' : 'Control').replace(/\+\+$/, '+Plus');
}
