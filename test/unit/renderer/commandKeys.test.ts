// The keys that a person gives to commands: one command a key, whatever the settings say, and back again.

import { beforeEach, describe, expect, it } from 'vitest';
import { type ApplicationState, standardSettings } from '../../../core/ipc';
import { changeKeys, claimant, takeKey, withKeys } from '../../../renderer/commandKeys';
import { commandsFor, findCommand, shippedCommands } from '../../../renderer/commands';
import { editsText, isAllowed, sameShortcut, shortcutOf } from '../../../renderer/shortcuts';
import { createPageStore, pageStore } from '../../../renderer/store';

const commands = [
  { id: 'save', shortcuts: ['Mod+S'] },
  { id: 'solo', shortcuts: ['Alt+S', 'F7'] },
  { id: 'batch', shortcuts: [] },
];

const keysOf = (id: string, keys: Record<string, string[]>) =>
  withKeys(commands, keys).find((command) => command.id === id)?.shortcuts;

describe('keys of a person', () => {
  it('take the place of those that a command comes with', () => {
    expect(keysOf('save', { save: ['F8'] })).toEqual(['F8']);
    expect(keysOf('solo', { save: ['F8'] })).toEqual(['Alt+S', 'F7']);
    expect(keysOf('save', { save: [] })).toEqual([]);
  });

  it('go before the key of another command, and before a second choice of the same key', () => {
    expect(keysOf('save', { batch: ['Mod+S'] })).toEqual([]);
    expect(keysOf('solo', { batch: ['f7'] })).toEqual(['Alt+S']);
    expect(keysOf('batch', { save: ['F9'], batch: ['F9'] })).toEqual([]);
  });

  it('are no change where they are the ones that the command comes with', () => {
    const solo = commands[1]!;
    expect(changeKeys({ save: ['F8'] }, solo, ['F9'])).toEqual({ save: ['F8'], solo: ['F9'] });
    expect(changeKeys({ save: ['F8'], solo: ['F9'] }, solo, ['Alt+S', 'F7'])).toEqual({ save: ['F8'] });
  });

  it('name whose a key is', () => {
    expect(claimant(commands, 'Alt+s', 'save')?.id).toBe('solo');
    expect(claimant(commands, 'Alt+S', 'solo')).toBeNull();
    expect(claimant(commands, 'F1', 'save')).toBeNull();
  });
});

describe('a key that is taken', () => {
  const taken = (keys: Record<string, string[]>, id: string, shortcut: string) =>
    takeKey(keys, withKeys(commands, keys), commands, id, shortcut);

  it('leaves its owner the others, however the owner’s is spelled', () => {
    expect(taken({}, 'batch', 'F7')).toEqual({ solo: ['Alt+S'], batch: ['F7'] });
    expect(taken({ save: ['f9', 'F8'] }, 'batch', 'F9')).toEqual({ save: ['F8'], batch: ['F9'] });
    expect(taken({ solo: ['Alt+Shift+k'] }, 'save', 'Alt+Shift+K')).toEqual({ solo: [], save: ['Alt+Shift+K'] });
  });

  it('is no change once it is back with the command that it comes with', () => {
    expect(taken({ save: [], batch: ['Mod+S'] }, 'save', 'Mod+S')).toEqual({});
    expect(taken({}, 'batch', 'F2')).toEqual({ batch: ['F2'] });
  });
});

describe('the page’s commands', () => {
  const application = { settings: standardSettings, samples: [], recentFiles: [], backends: [] };
  beforeEach(() => {
    pageStore.setState({ ...createPageStore().getInitialState(), application: application as never }, true);
  });

  it('follow the settings, and no two claim a key whatever those say', () => {
    const shipped = shippedCommands(pageStore.getState());
    const keys = Object.fromEntries(shipped.map(({ id }) => [id, ['Mod+S', 'F6']]));
    pageStore.setState({ application: { ...application, settings: { ...standardSettings, keys } } as never });
    const claimed = commandsFor(pageStore.getState()).flatMap(({ shortcuts }) => shortcuts);
    expect(claimed).toEqual(['Mod+S', 'F6']);
  });

  it('come with keys that a person could give them too', () => {
    const shipped = shippedCommands(pageStore.getState());
    const refused = shipped.flatMap(({ id, shortcuts }) =>
      shortcuts.filter((shortcut) => !isAllowed(shortcut)).map((shortcut) => `${id} ${shortcut}`),
    );
    expect(refused).toEqual(['view.stop Escape']);
  });

  it('forget keys of commands that there are no more', () => {
    const settings = { ...standardSettings, keys: { 'no.such': ['Mod+S'] } };
    pageStore.setState({ application: { ...application, settings } as unknown as ApplicationState });
    expect(findCommand(pageStore.getState(), 'file.save')?.shortcuts).toEqual(['Mod+S']);
  });
});

describe('a key press', () => {
  const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

  it('is written as shortcuts are', () => {
    expect(shortcutOf({ ...none, key: 'z', ctrlKey: true, shiftKey: true }, false)).toBe('Mod+Shift+Z');
    expect(shortcutOf({ ...none, key: 'z', metaKey: true }, true)).toBe('Mod+Z');
    expect(shortcutOf({ ...none, key: '+', ctrlKey: true, shiftKey: true }, false)).toBe('Mod++');
    expect(shortcutOf({ ...none, key: 'F7' }, false)).toBe('F7');
    expect(shortcutOf({ ...none, key: ' ' }, false)).toBe('Space');
  });

  it('is the letter or digit where Alt or Shift make a sign of it', () => {
    expect(shortcutOf({ ...none, key: 'ß', code: 'KeyS', altKey: true }, true)).toBe('Alt+S');
    expect(shortcutOf({ ...none, key: '@', code: 'Digit2', altKey: true, shiftKey: true }, false)).toBe('Alt+Shift+2');
  });

  it('is none while only modifiers are held', () => {
    expect(shortcutOf({ ...none, key: 'Control', ctrlKey: true }, false)).toBeNull();
    expect(shortcutOf({ ...none, key: 's', metaKey: true }, false)).toBeNull();
  });

  it('is refused where it moves through the window, edits text or ends the program', () => {
    for (const key of ['Tab', 'Enter', 'Space', 'Escape', 'ArrowUp', 'Shift+ArrowUp', 'Alt+Enter', 'Mod+C', 'Alt+F4'])
      expect(isAllowed(key), key).toBe(false);
    for (const key of ['Mod+Enter', 'Alt+ArrowUp', 'Mod+Shift+C', 'F4', 'Q', '[', 'Delete'])
      expect(isAllowed(key), key).toBe(true);
  });

  it('is left to a text field where it writes', () => {
    for (const key of ['Q', 'Shift+Q', '[', 'Delete']) expect(editsText(key), key).toBe(true);
    for (const key of ['Mod+Q', 'Alt+Q', 'F5']) expect(editsText(key), key).toBe(false);
  });

  it('is the same key with or without the Shift that a sign needs', () => {
    expect(sameShortcut('Mod++', 'Mod+Shift++')).toBe(true);
    expect(sameShortcut('Mod+Z', 'Mod+Shift+Z')).toBe(false);
  });
});
