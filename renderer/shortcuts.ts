// Key combinations as text such as `Mod+Shift+Z`: matching an event, and writing them for people. Pure.
// `Mod` is the Command key on macOS and Ctrl elsewhere.

export interface KeyPress {
  readonly key: string;
  /** The place of the key on the keyboard, as `Digit2`; '' where it is not known. */
  readonly code: string;
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

/**
 * The key of a press as shortcuts write it. Where Alt or Shift make another sign of a letter or a digit (`@` of Shift 2, `ß`
 * of Alt S on macOS), it is that letter or digit.
 */
function keyOf({ key, code, altKey, shiftKey }: KeyPress): string {
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined && (altKey || shiftKey) && !/^[a-z0-9]$/i.test(key)) return digit;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined && altKey && key.length === 1 && !/[a-z]/i.test(key)) return letter;
  return key.length === 1 ? key.toUpperCase() : key;
}

const modifierKeys = ['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Dead', 'Process', 'Unidentified'];

/** The shortcut that a key press is; null while only modifiers are held, or with modifiers that shortcuts do not have. */
export function shortcutOf(press: KeyPress, mac: boolean): string | null {
  if (modifierKeys.includes(press.key) || (mac ? press.ctrlKey : press.metaKey)) return null;
  const key = keyOf(press);
  const sign = key.length === 1 && !/[A-Z0-9]/.test(key);
  const parts = [
    (mac ? press.metaKey : press.ctrlKey) ? ['Mod'] : [],
    press.altKey ? ['Alt'] : [],
    press.shiftKey && !sign ? ['Shift'] : [],
    [key === ' ' ? 'Space' : key],
  ];
  return parts.flat().join('+');
}

/** Whether both are the same keys. */
export function sameShortcut(a: string, b: string): boolean {
  const one = parse(a);
  const other = parse(b);
  const shift = isSign(one.key) || one.shift === other.shift;
  return one.key === other.key && one.mod === other.mod && one.alt === other.alt && shift;
}

/** By these alone (or with Shift) people move through a window, press its buttons and leave its dialogs. */
const movingKeys = ['tab', 'enter', 'space', 'escape', 'arrowup', 'arrowdown', 'arrowleft', 'arrowright'];
/** With Mod these edit text, and with these the system ends programs. */
const systemKeys = ['c', 'x', 'a', 'q'];

/** Whether a command may be given the shortcut. */
export function isAllowed(shortcut: string): boolean {
  const { key, mod, alt, shift } = parse(shortcut);
  if (movingKeys.includes(key)) return mod || (alt && key.startsWith('arrow'));
  if (alt && key === 'f4') return false;
  return !(mod && !alt && !shift && systemKeys.includes(key));
}

/** Whether the shortcut alone writes or edits text, so that it is left to a text field that has the focus. */
export function editsText(shortcut: string): boolean {
  const { key, mod, alt } = parse(shortcut);
  return !mod && !alt && !/^f\d+$/.test(key) && key !== 'escape';
}

const isSign = (key: string) => key.length === 1 && !/[a-z0-9]/.test(key);

/** Whether a key press is the shortcut. Shift is ignored for signs that need it on some keyboards, such as `+`. */
export function matches(press: KeyPress, shortcut: string, mac: boolean): boolean {
  const wanted = parse(shortcut);
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  return (
    keyOf(press).toLowerCase() === wanted.key &&
    mod === wanted.mod &&
    !other &&
    press.altKey === wanted.alt &&
    (isSign(wanted.key) || press.shiftKey === wanted.shift)
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
  Backspace: '⌫',
  PageUp: 'Page up',
  PageDown: 'Page down',
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
