// The menu of the Kernel tab: what changes the whole kernel at once.

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button, Menu, MenuTrigger, Popover } from 'react-aria-components';
import { commandsFor } from '../commands';
import { useWords } from '../i18n/useWords';
import { renderEntry } from '../panels/MenuBar';
import { kernelMenu } from '../panels/menus';
import { usePage } from '../store';

export function KernelMenu() {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const state = usePage((now) => (isOpen ? now : null));
  const commands = new Map(state === null ? [] : commandsFor(state).map((command) => [command.id, command]));
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="button button-plain" data-testid="kernel-change">
        {t('operation.menu')} <ChevronDown size={13} aria-hidden="true" />
      </Button>
      <Popover className="popover menu-popover" placement="bottom end" offset={4}>
        <Menu className="menu" aria-label={t('operation.menu')}>
          {state !== null && kernelMenu.map((entry, place) => renderEntry(entry, place, commands, state, t))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
