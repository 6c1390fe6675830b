// Set-up as one function: the system's packages, the Electron runtime, the engine, main and the page, in the order in
// which they need each other. What is already there costs nothing but a look.

import { buildAddon, buildMain, buildPage } from './build';
import { duration, say } from './console';
import { describeRuntime, type ElectronRuntime, resolveRuntime } from './electronRuntime';
import { type Purpose, provideSystemRequirements } from './systemRequirements';

/** Makes everything ready that `purposes` need, beyond building and running the app itself. */
export async function prepare(purposes: readonly Purpose[] = []): Promise<ElectronRuntime> {
  const started = performance.now();
  await provideSystemRequirements(['build', 'run', ...purposes]);
  const runtime = await resolveRuntime();
  say('Electron', describeRuntime(runtime));
  await buildAddon();
  await buildMain();
  await buildPage();
  say('Set-up', `ready in ${duration(performance.now() - started)}`);
  return runtime;
}
