// Which colours the screen of the window shows: Display P3 where the system says so, else sRGB. Windows move between screens.

import { useSyncExternalStore } from 'react';
import type { ScreenSpace } from '../../core/pixelPort';

const wide = () => matchMedia('(color-gamut: p3)');

function subscribe(changed: () => void): () => void {
  const query = wide();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

const now = (): ScreenSpace => (wide().matches ? 'displayP3' : 'srgb');

export const useScreenSpace = (): ScreenSpace => useSyncExternalStore(subscribe, now);
