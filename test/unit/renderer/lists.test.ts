// What lists show: sample photos with title and thumbnail, recent files by name, and the palette's best match first.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { kernelPresets } from '../../../core/kernelPresets';
import { samples } from '../../../main/samples';
import { chinese } from '../../../renderer/i18n/chinese';
import { english } from '../../../renderer/i18n/english';
import { startTranslation, translation } from '../../../renderer/i18n/translation';
import type { Translate } from '../../../renderer/i18n/useWords';
import { presetName } from '../../../renderer/library/presetWords';
import { orderByMatch } from '../../../renderer/paletteOrder';
import { recentPlace } from '../../../renderer/recentPlace';

describe('a sample photo', () => {
  it.each(samples.map(({ name }) => name))('%s has a title in both languages and a thumbnail', (name) => {
    expect(english.sample).toHaveProperty(name);
    expect(chinese.sample).toHaveProperty(name);
    expect(existsSync(path.join('renderer', 'samples', `${name}.webp`))).toBe(true);
  });
});

describe('a shipped kernel', () => {
  it('has a name of its own in both languages', () => {
    if (!translation.isInitialized) startTranslation('en');
    for (const language of ['en', 'zh-CN'] as const) {
      void translation.changeLanguage(language);
      const names = kernelPresets.map(({ id }) => presetName(id, translation.t as unknown as Translate));
      expect(names.filter((name) => /preset\.|\{\{/.test(name))).toEqual([]);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('a recent file', () => {
  it('is shown by its name, on any system', () => {
    expect(recentPlace('/photos/a b.jpg')).toEqual({ name: 'a b.jpg', folder: '/photos' });
    expect(recentPlace('C:\\Photos\\a.jpg')).toEqual({ name: 'a.jpg', folder: 'C:\\Photos' });
    expect(recentPlace('/a.jpg')).toEqual({ name: 'a.jpg', folder: '/' });
    expect(recentPlace('a.jpg')).toEqual({ name: 'a.jpg', folder: '' });
  });
});

describe('the palette', () => {
  const order = (names: readonly string[], text: string) => orderByMatch(names, text, (name) => name);
  it('puts names that begin with the text first, then words that do, and keeps the order among equals', () => {
    expect(order(['Gaussian blur', 'Unsharp mask', 'Sobel', 'Laplacian of Sand', 'Sharpen'], 'S')).toEqual([
      'Sobel',
      'Sharpen',
      'Laplacian of Sand',
      'Gaussian blur',
      'Unsharp mask',
    ]);
    expect(order(['High-pass', 'Pass'], 'pass')).toEqual(['Pass', 'High-pass']);
  });
  it('leaves everything in place for an empty text', () => {
    expect(order(['b', 'a'], ' ')).toEqual(['b', 'a']);
  });
});
