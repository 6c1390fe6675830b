// Which keys run which command: those that it comes with, or those that the person has given it. Pure.

import type { Settings } from '../core/ipc';
import { sameShortcut } from './shortcuts';

export type ChangedKeys = Settings['keys'];

interface Keyed {
  readonly id: string;
  readonly shortcuts: readonly string[];
}

/**
 * The commands with the person's keys. No key runs two of them: what the person chose goes before what a command comes with,
 * and of two choices (in a settings file that was written by hand) the first command's.
 */
export function withKeys<Command extends Keyed>(commands: readonly Command[], keys: ChangedKeys): readonly Command[] {
  if (Object.keys(keys).length === 0) return commands;
  const taken: string[] = [];
  const take = (shortcuts: readonly string[]) => {
    const free = shortcuts.filter((shortcut) => !taken.some((other) => sameShortcut(other, shortcut)));
    taken.push(...free);
    return free;
  };
  const chosen = new Map(
    commands.flatMap(({ id }) => {
      const own = keys[id];
      return own === undefined ? [] : [[id, take(own)] as const];
    }),
  );
  return commands.map((command) => ({ ...command, shortcuts: chosen.get(command.id) ?? take(command.shortcuts) }));
}

/** The other command that a key runs; null where it is free. */
export function claimant<Command extends Keyed>(
  commands: readonly Command[],
  shortcut: string,
  id: string,
): Command | null {
  const claims = ({ shortcuts }: Keyed) => shortcuts.some((other) => sameShortcut(other, shortcut));
  return commands.find((command) => command.id !== id && claims(command)) ?? null;
}

const sameKeys = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((key, index) => key === b[index]);

/** The person's keys with other ones for a command; those that it comes with are no change. */
export function changeKeys(keys: ChangedKeys, { id, shortcuts }: Keyed, next: readonly string[]): ChangedKeys {
  const { [id]: _before, ...others } = keys;
  return sameKeys(shortcuts, next) ? others : { ...others, [id]: [...next] };
}

/**
 * The person's keys with this one for a command, and no longer for the one that it was of. `shipped`: the commands with the keys
 * that they come with.
 */
export function takeKey(
  keys: ChangedKeys,
  commands: readonly Keyed[],
  shipped: readonly Keyed[],
  id: string,
  shortcut: string,
): ChangedKeys {
  const give = (from: ChangedKeys, to: string, next: readonly string[]) => {
    const command = [...shipped, ...commands].find((one) => one.id === to);
    return command === undefined ? from : changeKeys(from, command, next);
  };
  const owner = claimant(commands, shortcut, id);
  // Chosen keys of a settings file may be spelled in another way.
  const rest = owner?.shortcuts.filter((other) => !sameShortcut(other, shortcut)) ?? [];
  return give(owner === null ? keys : give(keys, owner.id, rest), id, [shortcut]);
}
