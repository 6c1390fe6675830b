// Puts the tests on a virtual screen where there is one to be had, so that no window opens on a person's own.

import { startVirtualScreen } from '../../scripts/virtualScreen';

export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.platform !== 'linux') return undefined;
  const screen = await startVirtualScreen();
  process.env.DISPLAY = screen.display;
  delete process.env.WAYLAND_DISPLAY;
  return () => screen.close();
}
