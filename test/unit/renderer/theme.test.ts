import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrast, type Rgb } from '../../../renderer/kernel/heat';
import { chooseTheme } from '../../../renderer/ui/theme';

const css = readFileSync(path.resolve(import.meta.dirname, '../../../renderer/styles/tokens.css'), 'utf8');

function tokens(theme: 'dark' | 'light'): ReadonlyMap<string, Rgb> {
  const shared = css.slice(0, css.indexOf('}'));
  const start = css.indexOf(`data-theme="${theme}"`);
  const own = css.slice(start, css.indexOf('}', start));
  const found = new Map<string, Rgb>();
  for (const [, name, hex] of (shared + own).matchAll(/--([\w-]+): #([0-9a-f]{6})/g)) {
    const channel = (at: number) => Number.parseInt((hex ?? '').slice(at, at + 2), 16);
    found.set(name ?? '', [channel(0), channel(2), channel(4)]);
  }
  return found;
}

describe.each(['dark', 'light'] as const)('the %s theme', (theme) => {
  const colours = tokens(theme);
  const of = (name: string): Rgb => {
    const colour = colours.get(name);
    if (colour === undefined) throw new Error(`no token ${name}`);
    return colour;
  };
  it('has text that reads at 4.5 to 1 (WCAG AA) on every ground', () => {
    for (const text of ['text', 'dim', 'accent-text']) {
      for (const ground of ['panel', 'raised', 'field', 'hover']) {
        expect(contrast(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(of('text'), of('bg'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('dim'), of('bg'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('on-accent'), of('accent'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('accent-text'), of('accent-soft'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('text'), of('danger-soft'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('danger'), of('danger-soft'))).toBeGreaterThanOrEqual(4.5);
  });
  it('has marks and focus rings that are seen at 3 to 1', () => {
    for (const ground of ['panel', 'raised', 'field', 'bg']) {
      expect(contrast(of('accent-strong'), of(ground)), ground).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('the theme', () => {
  it('has the colours of the design in the dark', () => {
    const dark = tokens('dark');
    expect(dark.get('bg')).toEqual([0x1b, 0x1c, 0x1e]);
    expect(dark.get('panel')).toEqual([0x23, 0x24, 0x27]);
    expect(dark.get('raised')).toEqual([0x2a, 0x2b, 0x2f]);
    expect(dark.get('line')).toEqual([0x34, 0x36, 0x3b]);
    expect(dark.get('text')).toEqual([0xe7, 0xe8, 0xea]);
    expect(dark.get('dim')).toEqual([0x9a, 0x9d, 0xa4]);
    expect(dark.get('accent')).toEqual([0x58, 0xc4, 0xb6]);
  });
  it('has the same roles in the light', () => {
    expect([...tokens('light').keys()].sort()).toEqual([...tokens('dark').keys()].sort());
  });
  it('follows the system until told otherwise', () => {
    expect(chooseTheme('system', true)).toBe('light');
    expect(chooseTheme('system', false)).toBe('dark');
    expect(chooseTheme('dark', true)).toBe('dark');
  });
});
