// Which theme is shown: the setting, or the system's while the setting says so. Applied to the document element.

import { useSyncExternalStore } from 'react';
import type { Settings } from '../../core/ipc';
import type { Theme } from '../kernel/heat';
import { type PageState, usePage } from '../store';

const lightSystem = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: light)') : null;

export function listenToSystemTheme(changed: () => void): () => void {
  lightSystem?.addEventListener('change', changed);
  return () => lightSystem?.removeEventListener('change', changed);
}

export function chooseTheme(setting: Settings['theme'], systemIsLight: boolean): Theme {
  if (setting === 'system') return systemIsLight ? 'light' : 'dark';
  return setting;
}

const systemIsLight = () => lightSystem?.matches ?? false;
const settingOf = (state: PageState) => state.application?.settings.theme ?? 'system';

export const themeOf = (state: PageState): Theme => chooseTheme(settingOf(state), systemIsLight());

export function useTheme(): Theme {
  return chooseTheme(usePage(settingOf), useSyncExternalStore(listenToSystemTheme, systemIsLight));
}
