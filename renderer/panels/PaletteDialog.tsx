// The command palette: every filter and command, found by typing.

import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { FilterKind } from '../../core/document';
import { thumbnailKernel } from '../../core/filterForm';
import { commandsFor, labelOf } from '../commands';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { isMac } from '../keys';
import { describeShortcut } from '../shortcuts';
import { pageStore } from '../store';
import { closeDialog, DialogShell } from './DialogShell';

const addPrefix = 'filter.add.';

export function PaletteDialog() {
  const { t } = useWords();
  const { contains } = useFilter({ sensitivity: 'base' });
  const state = pageStore.getState();
  const items = useMemo(() => {
    const known = commandsFor(state).filter((command) => command.id !== 'edit.palette');
    const isFilter = (id: string) => id.startsWith(addPrefix);
    return [
      ...known.filter((command) => isFilter(command.id)),
      ...known.filter((command) => !isFilter(command.id) && command.enabled(state)),
    ];
  }, [state]);
  return (
    <DialogShell title={t('dialog.palette')} testId="palette" width="wide" titleHidden>
      <Autocomplete filter={contains}>
        <SearchField className="palette-field" aria-label={t('dialog.paletteInput')} autoFocus>
          <Search size={15} aria-hidden="true" />
          <Input placeholder={t('dialog.paletteInput')} data-testid="palette-input" />
        </SearchField>
        <ListBox
          className="palette-list"
          aria-label={t('dialog.palette')}
          items={items}
          renderEmptyState={() => <p className="quiet palette-item">{t('dialog.paletteEmpty')}</p>}
          onAction={(id) => {
            const command = items.find((item) => item.id === id);
            closeDialog();
            command?.run();
          }}
          disabledKeys={items.filter((item) => !item.enabled(state)).map((item) => item.id)}
        >
          {(command) => {
            const label = labelOf(command.label, t);
            const kind = command.id.startsWith(addPrefix) ? (command.id.slice(addPrefix.length) as FilterKind) : null;
            const [shortcut] = command.shortcuts;
            return (
              <ListBoxItem id={command.id} textValue={label} className="palette-item">
                {kind !== null && <KernelPicture {...thumbnailKernel(kind)} className="palette-picture" />}
                <span className="palette-label">{label}</span>
                {shortcut !== undefined && <kbd className="menu-key">{describeShortcut(shortcut, isMac)}</kbd>}
              </ListBoxItem>
            );
          }}
        </ListBox>
      </Autocomplete>
    </DialogShell>
  );
}
