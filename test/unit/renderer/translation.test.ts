import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, filterGroups } from '../../../core/filters';
import { alphaModes, borderKinds, lightModes, rangeModes, sizeModes } from '../../../core/pass';
import { chinese } from '../../../renderer/i18n/chinese';
import { english } from '../../../renderer/i18n/english';
import { chooseLanguage } from '../../../renderer/i18n/translation';

type Tree = { readonly [key: string]: string | Tree };

function leaves(tree: Tree, prefix = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [inner, text] of leaves(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

const words = leaves(english);
const otherWords = leaves(chinese as Tree);
const renderer = path.resolve(import.meta.dirname, '../../../renderer');
const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('i18n'))
  .map((file) => readFileSync(path.join(renderer, file), 'utf8'))
  .join('\n');

describe('the catalogue of words', () => {
  it('has the same keys in both languages', () => {
    expect([...otherWords.keys()].sort()).toEqual([...words.keys()].sort());
  });
  it('has no empty words but the unit of plain numbers, and the same places to fill', () => {
    const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();
    for (const [key, text] of words) {
      const other = otherWords.get(key) ?? '';
      if (key !== 'unit.none') expect([key, text.length > 0, other.length > 0]).toEqual([key, true, true]);
      // A language may leave a count out where its grammar has no use for it, never add a place.
      expect(places(text), key).toEqual(expect.arrayContaining(places(other)));
    }
  });
  it('really is in Chinese where it should be', () => {
    const names = /^[\w\s.,·×σ°%:…{}()+=–-]*$/;
    const same = [...words].filter(([key, text]) => otherWords.get(key) === text && !names.test(text));
    expect(same).toEqual([]);
  });
  it('keeps names apart from Chinese words around them, as most names are Latin', () => {
    const named = [...otherWords].filter(([, text]) => text.includes('{{filter}}'));
    expect(named.length).toBeGreaterThan(10);
    expect(
      named.filter(([, text]) => /[\u4e00-\u9fff]\{\{filter\}\}|\{\{filter\}\}[\u4e00-\u9fff]/.test(text)),
    ).toEqual([]);
  });
  it('has every key that the page uses', () => {
    const used = [...sources.matchAll(/'([a-z][A-Za-z]+\.[A-Za-z][A-Za-z0-9.]*)'/g)].map((match) => match[1] ?? '');
    const groups = new Set(Object.keys(english));
    const plural = (key: string) => words.has(`${key}_one`) && words.has(`${key}_other`);
    const isKey = (text: string) => groups.has(text.split('.')[0] ?? '');
    const isCommand = (text: string) => /^(file|edit|filter|view|help|kernel|mask)\./.test(text);
    const missing = used.filter((key) => isKey(key) && !isCommand(key) && !words.has(key) && !plural(key));
    expect(used.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });
  it('has no words that nothing uses', () => {
    const literal = (key: string) => sources.includes(`'${key}'`);
    const assembled = [...sources.matchAll(/`([a-z][A-Za-z]*\.[A-Za-z]*)\$\{/g)].map((match) => match[1] ?? '');
    const unused = [...words.keys()].filter((key) => {
      const plain = key.replace(/_(one|other)$/, '');
      return !literal(plain) && !assembled.some((prefix) => plain.startsWith(prefix));
    });
    // Names that settings and filters read from `options(group, …)`.
    const byGroup = /^(size|alpha|light|range)\./;
    expect(unused.filter((key) => !byGroup.test(key))).toEqual([]);
  });
  it('names every filter, parameter and choice of the core', () => {
    const needed = [
      ...catalogue.flatMap(({ kind }) => [`filter.${kind}`, `filterShort.${kind}`, `filterHint.${kind}`]),
      ...catalogue.flatMap(({ parameters }) =>
        parameters.flatMap(({ key, unit }) => [`parameter.${key}`, `unit.${unit}`]),
      ),
      ...filterGroups.map((group) => `group.${group}`),
      ...borderKinds.map((kind) => `border.${kind}`),
      ...alphaModes.map((mode) => `alpha.${mode}`),
      ...lightModes.map((mode) => `light.${mode}`),
      ...rangeModes.map((mode) => `range.${mode}`),
      ...sizeModes.map((mode) => `size.${mode}`),
    ];
    expect(needed.filter((key) => !words.has(key))).toEqual([]);
  });
  it('follows the system unless a language was chosen', () => {
    expect(chooseLanguage('system', 'zh-Hans-CN')).toBe('zh-CN');
    expect(chooseLanguage('system', 'de-DE')).toBe('en');
    expect(chooseLanguage('en', 'zh-CN')).toBe('en');
  });
});
