// The menu bar: File, Edit, Filter, View, Help. Left and right arrows, and the pointer on another title, go from one open
// menu to the next.

import { Check, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  Button,
  Keyboard,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  Separator,
  SubmenuTrigger,
  Text,
  Toolbar,
} from 'react-aria-components';
import { commandsFor, labelOf } from '../commands';
import type { Command } from '../commands/record';
import { type Translate, useWords } from '../i18n/useWords';
import { isMac } from '../keys';
import { describeShortcut } from '../shortcuts';
import { type PageState, usePage } from '../store';
import './menuBar.css';
import { type MenuEntry, menuKeys, menusFor } from './menus';

export function MenuBar() {
  const { t } = useWords();
  const [openKey, setOpenKey] = useState<string | null>(null);
  // Closed menus show nothing of the state, and most changes come while they are closed.
  const state = usePage((now) => (openKey === null ? null : now));
  const bar = useRef<HTMLDivElement>(null);
  const menus = state === null ? [] : menusFor(state);
  const commands = new Map(state === null ? [] : commandsFor(state).map((command) => [command.id, command]));

  const isOpen = openKey !== null;
  useEffect(() => {
    if (!isOpen) return;
    // An open menu lies over the titles, so they get no events of their own: their places are asked instead.
    const onMove = (event: PointerEvent) => {
      const titles = bar.current?.querySelectorAll<HTMLElement>('[data-menu]') ?? [];
      for (const title of titles) {
        const { left, right, top, bottom } = title.getBoundingClientRect();
        const { clientX: x, clientY: y } = event;
        if (x >= left && x < right && y >= top && y < bottom) setOpenKey(title.dataset.menu ?? null);
      }
    };
    window.addEventListener('pointermove', onMove);
    return () => window.removeEventListener('pointermove', onMove);
  }, [isOpen]);

  const goSideways = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const item = event.target as HTMLElement;
    // On an item with a submenu, right opens it; within a submenu, left closes it.
    if (step === 0 || (step === 1 && item.getAttribute('aria-haspopup') !== null)) return;
    event.preventDefault();
    event.stopPropagation();
    setOpenKey(menuKeys[(index + step + menuKeys.length) % menuKeys.length] ?? null);
  };

  return (
    <Toolbar ref={bar} className="menu-bar" aria-label={t('menu.label')}>
      {menuKeys.map((key, index) => (
        <MenuTrigger key={key} isOpen={openKey === key} onOpenChange={(open) => setOpenKey(open ? key : null)}>
          <Button className="menu-title" data-menu={key} data-testid={`menu-${key}`}>
            {t(`menu.${key}`)}
          </Button>
          <Popover className="popover menu-popover" placement="bottom start" offset={4}>
            <div onKeyDownCapture={(event) => goSideways(event, index)}>
              <Menu className="menu" aria-label={t(`menu.${key}`)}>
                {state !== null &&
                  menus[index]?.entries.map((entry, place) => renderEntry(entry, place, commands, state, t))}
              </Menu>
            </div>
          </Popover>
        </MenuTrigger>
      ))}
    </Toolbar>
  );
}

/** One entry of a menu: a line, a submenu, or a command. */
export function renderEntry(
  entry: MenuEntry,
  place: number,
  commands: ReadonlyMap<string, Command>,
  state: PageState,
  t: Translate,
) {
  if (entry.kind === 'separator') return <Separator key={`separator-${place}`} className="menu-separator" />;
  if (entry.kind === 'submenu') {
    return (
      <SubmenuTrigger key={entry.key}>
        <MenuItem className="menu-item" textValue={t(entry.key)}>
          <span className="menu-check" />
          <Text slot="label" className="menu-label">
            {t(entry.key)}
          </Text>
          <ChevronRight size={13} aria-hidden="true" />
        </MenuItem>
        <Popover className="popover menu-popover" offset={-2}>
          <Menu className="menu" aria-label={t(entry.key)}>
            {entry.entries.map((inner, innerPlace) => renderEntry(inner, innerPlace, commands, state, t))}
          </Menu>
        </Popover>
      </SubmenuTrigger>
    );
  }
  const command = commands.get(entry.id);
  if (command === undefined) return null;
  const label = labelOf(command.label, t);
  const checked = command.checked?.(state) ?? false;
  const [shortcut] = command.shortcuts;
  return (
    <MenuItem
      key={command.id}
      id={command.id}
      className="menu-item"
      textValue={label}
      aria-label={checked ? `${label} ✓` : label}
      isDisabled={!command.enabled(state)}
      onAction={command.run}
      data-testid={`command-${command.id}`}
    >
      <span className="menu-check">{checked && <Check size={13} aria-hidden="true" />}</span>
      <Text slot="label" className="menu-label">
        {label}
      </Text>
      {shortcut !== undefined && <Keyboard className="menu-key">{describeShortcut(shortcut, isMac)}</Keyboard>}
    </MenuItem>
  );
}
