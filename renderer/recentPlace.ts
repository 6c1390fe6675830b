// A recent file as its name and its folder, for lists that show the name first. Paths of any system. Pure.

import type { RecentFile } from '../core/ipc';
import type { Translate } from './i18n/useWords';

export interface RecentPlace {
  readonly name: string;
  /** '' where the path is only a name. */
  readonly folder: string;
}

export function recentPlace(file: string): RecentPlace {
  const cut = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  return cut < 0 ? { name: file, folder: '' } : { name: file.slice(cut + 1), folder: file.slice(0, Math.max(cut, 1)) };
}

/** The name, with the page of a file of several. */
export function recentName({ path, page }: RecentFile, t: Translate): string {
  const { name } = recentPlace(path);
  return page === 1 ? name : t('pages.recent', { name, page });
}
