// Every action of the page: all records of commands/, and those for samples, recent files and engines; found by id and run.

import type { RecentFile } from '../core/ipc';
import { changeSettings, openRecent, openSample } from './actions';
import { withKeys } from './commandKeys';
import { documentCommands } from './commands/documentCommands';
import { addCommands, filterCommands, mixCommands } from './commands/filterCommands';
import { kernelCommands } from './commands/kernelCommands';
import { maskCommands } from './commands/maskCommands';
import { type Command, type CommandLabel, command } from './commands/record';
import { settingsCommands } from './commands/settingsCommands';
import { viewCommands } from './commands/viewCommands';
import { translation } from './i18n/translation';
import type { Translate } from './i18n/useWords';
import { recentName, recentPlace } from './recentPlace';
import { type PageState, pageStore } from './store';

/** The commands that do not depend on what main offers; those of the mix last, so that the palette finds themes and commands of
 * the same words first. */
const fixedCommands: readonly Command[] = [
  ...documentCommands,
  ...filterCommands,
  ...kernelCommands,
  ...maskCommands,
  ...viewCommands,
  ...settingsCommands,
  ...mixCommands,
];

/** All commands for a state, with the keys that the person has given them. */
export function commandsFor(state: PageState): readonly Command[] {
  return withKeys(shippedCommands(state), state.application?.settings.keys ?? {});
}

/** The same with the keys that they come with: the fixed ones, one to add each filter, and those for samples, recent files
 * and engines. */
export function shippedCommands(state: PageState): readonly Command[] {
  const { application } = state;
  if (application === null) return [...fixedCommands, ...addCommands];
  const samples = application.samples.map(
    (name): Command =>
      command(`file.sample.${name}`, `sample.${name}`, () => void openSample(name), { group: 'command.samples' }),
  );
  const recent = application.recentFiles.map(
    (file, index): Command => ({
      ...command(`file.recent.${index}`, '', () => void openRecent(index), { group: 'command.recent' }),
      label: { kind: 'text', text: recentLabel(file, translation.t as unknown as Translate) },
    }),
  );
  const engines = application.backends.map(
    ({ name, available }): Command => ({
      ...command(`view.backend.${name}`, `engine.${name}`, () => void changeSettings({ backend: name }), {
        group: 'command.backend',
        enabled: () => available,
        checked: (now) => now.application?.settings.backend === name,
      }),
    }),
  );
  const automatic = command(
    'view.backend.auto',
    'command.backendAuto',
    () => void changeSettings({ backend: 'auto' }),
    {
      group: 'command.backend',
      checked: (now) => now.application?.settings.backend === 'auto',
    },
  );
  return [...fixedCommands, ...addCommands, ...samples, ...recent, automatic, ...engines];
}

/** A recent file for a list: its name first, so that a long folder hides only itself. */
function recentLabel(file: RecentFile, t: Translate): string {
  const { folder } = recentPlace(file.path);
  const name = recentName(file, t);
  return folder === '' ? name : `${name} — ${folder}`;
}

export function findCommand(state: PageState, id: string): Command | undefined {
  return commandsFor(state).find((known) => known.id === id);
}

/** Runs a command by its id if it can run now; answers whether it did. */
export function runCommand(id: string): boolean {
  const state = pageStore.getState();
  const found = findCommand(state, id);
  if (found === undefined || !found.enabled(state)) return false;
  found.run();
  return true;
}

/** The label with the submenu before it, for lists that have no submenus. */
export function fullLabelOf({ label, group }: Command, translate: Translate): string {
  const words = labelOf(label, translate);
  return group === undefined ? words : translate('command.grouped', { group: translate(group), label: words });
}

/** The label in the present language. */
export function labelOf(label: CommandLabel, translate: Translate): string {
  if (label.kind === 'text') return label.text;
  return label.filterKey === undefined
    ? translate(label.key)
    : translate(label.key, { filter: translate(label.filterKey) });
}
