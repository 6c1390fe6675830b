// The menus as lists of command ids, with submenus for what there is much of. Pure data; labels come from the commands.

import { catalogue, filterGroups } from '../../core/filters';
import { languages, themes, valueFormats } from '../../core/ipc';
import { maskShapeKinds } from '../../core/mask';
import { blendModes } from '../../core/mix';
import { opacityPercents } from '../mixActions';
import type { PageState } from '../store';

export type MenuEntry =
  | { readonly kind: 'command'; readonly id: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'submenu'; readonly key: string; readonly entries: readonly MenuEntry[] };

/** The menus of the bar, left to right. */
export const menuKeys = ['file', 'edit', 'filter', 'kernel', 'view', 'help'] as const;

export interface MenuOfBar {
  readonly key: (typeof menuKeys)[number];
  readonly entries: readonly MenuEntry[];
}

const separator: MenuEntry = { kind: 'separator' };
const one = (id: string): MenuEntry => ({ kind: 'command', id });
const all = (...ids: readonly string[]): readonly MenuEntry[] => ids.map(one);

/** What changes a whole kernel: also the menu of the Kernel tab. */
export const kernelMenu: readonly MenuEntry[] = [
  ...all('kernel.rotateLeft', 'kernel.rotateRight', 'kernel.rotateHalf', 'kernel.rotateEighth', 'kernel.rotate'),
  separator,
  ...all('kernel.mirrorHorizontally', 'kernel.mirrorVertically', 'kernel.transpose', 'kernel.negate', 'kernel.rewrite'),
  separator,
  ...all('kernel.addIdentity', 'kernel.blend'),
  separator,
  ...all('kernel.sumOne', 'kernel.positiveOne', 'kernel.sumZero', 'kernel.peakOne'),
];

const maskMenu: readonly MenuEntry[] = [
  ...maskShapeKinds.map((kind) => one(`mask.${kind}`)),
  one('mask.luminance'),
  separator,
  ...all('mask.invert', 'mask.overlay', 'mask.copy', 'mask.paste', 'mask.remove'),
  separator,
  ...all('mask.brushSmaller', 'mask.brushLarger'),
];

/** The menu bar for a state: recent files, samples and engines come from main. */
export function menusFor(state: PageState): readonly MenuOfBar[] {
  const { application } = state;
  const recent = (application?.recentFiles ?? []).map((_, index) => one(`file.recent.${index}`));
  const samples = (application?.samples ?? []).map((name) => one(`file.sample.${name}`));
  const engines = (application?.backends ?? []).map(({ name }) => one(`view.backend.${name}`));
  return [
    {
      key: 'file',
      entries: [
        one('file.open'),
        ...(recent.length > 0 ? [{ kind: 'submenu', key: 'command.recent', entries: recent } as const] : []),
        ...(samples.length > 0 ? [{ kind: 'submenu', key: 'command.samples', entries: samples } as const] : []),
        one('file.paste'),
        one('file.page'),
        separator,
        ...all('file.save', 'file.saveAs', 'file.saveEmbedded'),
        separator,
        one('file.export'),
        one('file.batch'),
        separator,
        one('file.settings'),
        separator,
        one('file.close'),
      ],
    },
    {
      key: 'edit',
      entries: [
        ...all('edit.undo', 'edit.redo'),
        separator,
        ...all(
          'filter.switch',
          'filter.duplicate',
          'filter.delete',
          'filter.moveUp',
          'filter.moveDown',
          'filter.rename',
          'filter.solo',
          'filter.reset',
        ),
        separator,
        {
          kind: 'submenu',
          key: 'mix.opacity',
          entries: opacityPercents.map((percent) => one(`filter.opacity.${percent}`)),
        },
        { kind: 'submenu', key: 'mix.blend', entries: blendModes.map((blend) => one(`filter.blend.${blend}`)) },
      ],
    },
    {
      key: 'filter',
      entries: [
        one('edit.palette'),
        separator,
        ...filterGroups.map(
          (group): MenuEntry => ({
            kind: 'submenu',
            key: `group.${group}`,
            entries: catalogue.filter((entry) => entry.group === group).map(({ kind }) => one(`filter.add.${kind}`)),
          }),
        ),
        separator,
        { kind: 'submenu', key: 'maskCommand.menu', entries: maskMenu },
      ],
    },
    {
      key: 'kernel',
      entries: [
        ...all('kernel.editAs', 'kernel.paste', 'kernel.formula', 'kernel.picture'),
        separator,
        ...kernelMenu,
        separator,
        ...all('kernel.save', 'kernel.import', 'kernel.export'),
        separator,
        ...all('filter.merge', 'filter.repeat', 'filter.split', 'filter.subtract'),
      ],
    },
    {
      key: 'view',
      entries: [
        ...all('view.fit', 'view.actualSize', 'view.doubleSize', 'view.zoomIn', 'view.zoomOut'),
        ...all('view.turnRight', 'view.turnLeft'),
        separator,
        ...all('view.result', 'view.split', 'view.original', 'view.difference'),
        ...all('view.splitDirection', 'view.differenceMore', 'view.differenceLess', 'view.peek', 'view.clipping'),
        one('view.signed'),
        separator,
        ...all('view.explain', 'view.histogram', 'view.navigator'),
        {
          kind: 'submenu',
          key: 'seeing.values',
          entries: valueFormats.map((format) => one(`view.values.${format}`)),
        },
        separator,
        ...all('view.stop', 'view.resume'),
        separator,
        ...all('view.nextTab', 'view.previousTab'),
        separator,
        { kind: 'submenu', key: 'command.theme', entries: themes.map((theme) => one(`view.theme.${theme}`)) },
        {
          kind: 'submenu',
          key: 'command.languageMenu',
          entries: languages.map((language) => one(`view.language.${language}`)),
        },
        ...(engines.length > 0
          ? [{ kind: 'submenu', key: 'command.backend', entries: [one('view.backend.auto'), ...engines] } as const]
          : []),
      ],
    },
    { key: 'help', entries: all('help.shortcuts', 'help.about') },
  ];
}

/** Every command id in some menus, submenus included. */
export function commandIdsOf(entries: readonly MenuEntry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'command') return [entry.id];
    return entry.kind === 'submenu' ? commandIdsOf(entry.entries) : [];
  });
}
