// The command palette: every filter and command, found by typing, the best match first.

import { Search } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { FilterKind } from '../../core/document';
import { thumbnailKernel } from '../../core/filterForm';
import { type Command, commandsFor, fullLabelOf } from '../commands';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { isMac } from '../keys';
import { orderByMatch } from '../paletteOrder';
import { describeShortcut } from '../shortcuts';
import { pageStore } from '../store';
import { closeDialog, DialogShell } from './DialogShell';

const addPrefix = 'filter.add.';

export function PaletteDialog() {
  const { t } = useWords();
  const { contains } = useFilter({ sensitivity: 'base' });
  const state = pageStore.getState();
  const [text, setText] = useState('');
  const items = useMemo(() => {
    const known = commandsFor(state).filter((command) => command.id !== 'edit.palette');
    const isFilter = (id: string) => id.startsWith(addPrefix);
    const offered = [
      ...known.filter((command) => isFilter(command.id)),
      ...known.filter((command) => !isFilter(command.id) && command.enabled(state)),
    ];
    // A filter is looked for by its own name, not by the `Add` before it.
    const nameOf = (command: Command) => {
      const { label } = command;
      return label.kind === 'words' && label.filterKey !== undefined ? t(label.filterKey) : fullLabelOf(command, t);
    };
    return orderByMatch(offered, text, nameOf);
  }, [state, text, t]);
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // The field would keep Esc for emptying itself.
    event.stopPropagation();
    closeDialog();
  };
  return (
    <DialogShell title={t('dialog.palette')} testId="palette" width="wide" titleHidden>
      <div className="palette" onKeyDownCapture={onKeyDownCapture}>
        <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
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
              const label = fullLabelOf(command, t);
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
      </div>
    </DialogShell>
  );
}
