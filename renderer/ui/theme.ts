// Which theme is shown: the setting, or the system's while the setting says so. Applied to the document element.

import { useSyncExternalStore } from 'react';
import type { Settings } from '../../core/ipc';
import type { Theme } from '../kernel/heat';
import { usePage } from '../store';

const lightSystem = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: light)') : null;

function subscribe(changed: () => void): () => void {
  lightSystem?.addEventListener('change', changed);
  return () => lightSystem?.removeEventListener('change', changed);
}

export function chooseTheme(setting: Settings['theme'], systemIsLight: boolean): Theme {
  if (setting === 'system') return systemIsLight ? 'light' : 'dark';
  return setting;
}

export function useTheme(): Theme {
  const setting = usePage((state) => state.application?.settings.theme ?? 'system');
  const systemIsLight = useSyncExternalStore(subscribe, () => lightSystem?.matches ?? false);
  return chooseTheme(setting, systemIsLight);
}
