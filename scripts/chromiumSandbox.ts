// Whether Chromium's sandbox can start for this person, and the switches where it cannot: Convolve's window never runs
// without it except for root, to whom Chromium refuses it.

import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { TaskError } from './console';
import type { ElectronRuntime } from './electronRuntime';

const isRoot = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

/** Switches that depend on who starts Electron. */
export function sandboxSwitches(): readonly string[] {
  return isRoot() ? ['--no-sandbox'] : [];
}

/** Kernel settings that keep programs of ordinary people from making namespaces, and the value that does. */
const namespaceSettings: readonly (readonly [file: string, forbids: string])[] = [
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/user/max_user_namespaces', '0'],
  // Ubuntu 23.10 and newer, unless AppArmor knows the program.
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'],
];

const forbidsNamespaces = (): boolean =>
  namespaceSettings.some(([file, forbids]) => existsSync(file) && readFileSync(file, 'utf8').trim() === forbids);

/** Throws a TaskError with the remedy where Electron would end at once because it has no sandbox to start in. */
export function checkSandbox(runtime: ElectronRuntime): void {
  if (process.platform !== 'linux' || isRoot() || !forbidsNamespaces()) return;
  const assistant = path.join(runtime.folder, 'chrome-sandbox');
  const { uid, mode } = statSync(assistant);
  if (uid === 0 && (mode & 0o4000) !== 0) return;
  throw new TaskError(
    'This system does not let programs make the namespaces that Chromium’s sandbox is built from.',
    `Let the sandbox’s own small program make them, then run this again:\nsudo chown root:root ${assistant} && sudo chmod 4755 ${assistant}`,
    3,
  );
}
