import { beforeEach, describe, expect, it } from 'vitest';
import { type ApplicationState, standardSettings } from '../../../core/ipc';
import { shippedCosts } from '../../../core/shippedCosts';
import { commandsFor, fullLabelOf, labelOf, runCommand } from '../../../renderer/commands';
import { editor } from '../../../renderer/editor';
import { startTranslation, translation } from '../../../renderer/i18n/translation';
import type { Translate } from '../../../renderer/i18n/useWords';
import { commandIdsOf, menusFor } from '../../../renderer/panels/menus';
import { sameShortcut } from '../../../renderer/shortcuts';
import { createPageStore, pageStore, selectedFilter, stackOf } from '../../../renderer/store';
import { picture } from './examplePicture';

const application: ApplicationState = {
  version: '0.1.0',
  platform: 'linux',
  systemLocale: 'en',
  settings: standardSettings,
  standardCacheMegabytes: 1024,
  settingsSetAside: null,
  backends: [
    { name: 'cpu', available: true, description: '' },
    { name: 'cuda', available: false, description: '' },
  ],
  costs: shippedCosts,
  samples: ['kitten'],
  recentFiles: [
    { path: 'First.jpg', page: 1 },
    { path: 'First.jpg', page: 1 },
  ],
  starting: false,
  opened: [],
  recoverable: [],
};

beforeEach(() => {
  pageStore.setState({ ...createPageStore().getInitialState(), application, image: picture }, true);
});

describe('the commands', () => {
  it('have one id each and no two claim a key', () => {
    const commands = commandsFor(pageStore.getState());
    const ids = commands.map((command) => command.id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = commands.flatMap((command) => command.shortcuts);
    expect(keys.length).toBeGreaterThan(15);
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(keys.length);
  });
  it.each(['linux', 'win32', 'darwin'] as const)(
    'have no key that another one has too, as presses are told apart, on %s',
    (platform) => {
      pageStore.setState({ application: { ...application, platform } });
      const claims = commandsFor(pageStore.getState()).flatMap(({ id, shortcuts }) =>
        shortcuts.map((key) => ({ id, key })),
      );
      const twice = claims.filter(({ key }, at) =>
        claims.some((other, index) => index < at && sameShortcut(other.key, key)),
      );
      expect(twice).toEqual([]);
    },
  );
  it('have labels that differ, where a list shows them all', () => {
    if (!translation.isInitialized) startTranslation('en');
    const state = pageStore.getState();
    pageStore.setState({
      application: { ...application, recentFiles: ['/a/First.jpg', '/b/First.jpg'].map((path) => ({ path, page: 1 })) },
    });
    const commands = commandsFor(pageStore.getState());
    const labels = commands.map((command) => fullLabelOf(command, translation.t as unknown as Translate));
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
    pageStore.setState(state);
  });
  it('have a label in both languages', () => {
    for (const language of ['en', 'zh-CN'] as const) {
      if (!translation.isInitialized) startTranslation(language);
      void translation.changeLanguage(language);
      const t = translation.t as unknown as Translate;
      for (const command of commandsFor(pageStore.getState())) {
        const { label } = command;
        if (label.kind === 'words') {
          expect(translation.exists(label.key, { fallbackLng: [] as unknown as string }), label.key).toBe(true);
        }
        expect(labelOf(label, t)).not.toMatch(/^$|\{\{|^[a-z]+\.[a-zA-Z.]+$/);
      }
    }
  });
  it('are all known to the menus that name them', () => {
    const state = pageStore.getState();
    const known = new Set(commandsFor(state).map((command) => command.id));
    const named = menusFor(state).flatMap((menu) => commandIdsOf(menu.entries));
    expect(named.filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter((id) => !named.includes(id))).toEqual([]);
  });
  it('do nothing while they cannot run', () => {
    pageStore.setState({ image: null });
    expect(runCommand('filter.add.gaussian')).toBe(false);
    expect(runCommand('edit.undo')).toBe(false);
    expect(runCommand('view.backend.cuda')).toBe(false);
    expect(runCommand('no.such.command')).toBe(false);
    expect(stackOf(pageStore.getState())).toEqual([]);
  });
});

describe('commands on the stack', () => {
  const kinds = () => stackOf(pageStore.getState()).map((filter) => filter.kind);
  it('add after the selected filter and select what they added', () => {
    runCommand('filter.add.gaussian');
    runCommand('filter.add.sobel');
    editor.select(stackOf(pageStore.getState())[0]?.id ?? null);
    runCommand('filter.add.box');
    expect(kinds()).toEqual(['gaussian', 'box', 'sobel']);
    expect(selectedFilter(pageStore.getState())?.kind).toBe('box');
  });
  it('move, duplicate, switch and delete the selected filter, and undo takes each back', () => {
    runCommand('filter.add.gaussian');
    runCommand('filter.add.sobel');
    expect(runCommand('filter.moveDown')).toBe(false);
    runCommand('filter.moveUp');
    expect(kinds()).toEqual(['sobel', 'gaussian']);
    runCommand('filter.duplicate');
    expect(kinds()).toEqual(['sobel', 'sobel', 'gaussian']);
    runCommand('filter.switch');
    expect(stackOf(pageStore.getState()).map((filter) => filter.enabled)).toEqual([true, false, true]);
    runCommand('filter.delete');
    expect(kinds()).toEqual(['sobel', 'gaussian']);
    for (let step = 0; step < 6; step++) runCommand('edit.undo');
    expect(kinds()).toEqual([]);
    expect(runCommand('edit.undo')).toBe(false);
    for (let step = 0; step < 6; step++) runCommand('edit.redo');
    expect(kinds()).toEqual(['sobel', 'gaussian']);
  });
  it('turn a filter into a kernel with the same numbers, but not a gradient magnitude', () => {
    runCommand('filter.add.sobel');
    expect(runCommand('kernel.editAs')).toBe(false);
    runCommand('filter.add.laplacian');
    expect(runCommand('kernel.editAs')).toBe(true);
    const filter = selectedFilter(pageStore.getState());
    expect(filter?.kind === 'custom' && filter.kernel.weights).toEqual([0, 1, 0, 1, -4, 1, 0, 1, 0]);
    expect(runCommand('kernel.peakOne')).toBe(true);
    const after = selectedFilter(pageStore.getState());
    expect(after?.kind === 'custom' && after.kernel.weights[4]).toBe(-1);
  });
});
