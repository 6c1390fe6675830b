import { describe, expect, it } from 'vitest';
import { ariaShortcut, describeShortcut, type KeyPress, matches } from '../../../renderer/shortcuts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('shortcuts', () => {
  it('match Ctrl elsewhere and Command on macOS', () => {
    expect(matches(press('z', { ctrlKey: true }), 'Mod+Z', false)).toBe(true);
    expect(matches(press('z', { metaKey: true }), 'Mod+Z', true)).toBe(true);
    expect(matches(press('z', { metaKey: true }), 'Mod+Z', false)).toBe(false);
    expect(matches(press('z', { ctrlKey: true }), 'Mod+Z', true)).toBe(false);
  });
  it('tell Shift apart for letters and ignore it for signs that may need it', () => {
    expect(matches(press('Z', { ctrlKey: true, shiftKey: true }), 'Mod+Z', false)).toBe(false);
    expect(matches(press('Z', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+Z', false)).toBe(true);
    expect(matches(press('+', { ctrlKey: true, shiftKey: true }), 'Mod++', false)).toBe(true);
    expect(matches(press('+', { ctrlKey: true }), 'Mod++', false)).toBe(true);
  });
  it('do not match with further keys held', () => {
    expect(matches(press('ArrowUp', { altKey: true }), 'Alt+ArrowUp', false)).toBe(true);
    expect(matches(press('ArrowUp', { altKey: true, ctrlKey: true }), 'Alt+ArrowUp', false)).toBe(false);
    expect(matches(press('Delete', { shiftKey: true }), 'Delete', false)).toBe(false);
  });
  it('are written as people know them', () => {
    expect(describeShortcut('Mod+Shift+Z', false)).toBe('Ctrl Shift Z');
    expect(describeShortcut('Mod+Shift+Z', true)).toBe('⇧⌘Z');
    expect(describeShortcut('Mod++', false)).toBe('Ctrl +');
    expect(describeShortcut('Alt+ArrowUp', false)).toBe('Alt ↑');
    expect(ariaShortcut('Mod+K', false)).toBe('Control+K');
  });
});
