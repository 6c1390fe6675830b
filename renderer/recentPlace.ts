// A recent file's path as its name and its folder, for lists that show the name first. Paths of any system. Pure.

export interface RecentPlace {
  readonly name: string;
  /** '' where the path is only a name. */
  readonly folder: string;
}

export function recentPlace(file: string): RecentPlace {
  const cut = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  return cut < 0 ? { name: file, folder: '' } : { name: file.slice(cut + 1), folder: file.slice(0, Math.max(cut, 1)) };
}
