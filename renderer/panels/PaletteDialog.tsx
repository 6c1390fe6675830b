// The command palette: every filter and command, found by typing, the best match first.

import { Search } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { FilterKind } from '../../core/document';
import { thumbnailKernel } from '../../core/filterForm';
import { commandsFor, fullLabelOf } from '../commands';
import type { Command } from '../commands/record';
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
    // Found and put in order in one step: the list focuses the first of what it is given, once.
    const found = offered.filter((command) => contains(fullLabelOf(command, t), text));
    return orderByMatch(found, text, nameOf);
  }, [state, text, t, contains]);
  const run = (command: Command | undefined) => {
    if (command === undefined || !command.enabled(state)) return;
    closeDialog();
    command.run();
  };
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      // The field would keep Esc for emptying itself.
      event.stopPropagation();
      closeDialog();
    } else if (event.key === 'Enter') {
      // Who types fast is ahead of the list, which focuses its first item a moment later.
      event.preventDefault();
      event.stopPropagation();
      const focused = event.currentTarget.querySelector<HTMLElement>('[role="option"][data-focused]')?.dataset.key;
      run(items.find((item) => item.id === focused) ?? items[0]);
    }
  };
  return (
    <DialogShell title={t('dialog.palette')} testId="palette" width="wide" titleHidden>
      <div className="palette" onKeyDownCapture={onKeyDownCapture}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField className="palette-field" aria-label={t('dialog.paletteInput')} autoFocus>
            <Search size={15} aria-hidden="true" />
            <Input placeholder={t('dialog.paletteInput')} data-testid="palette-input" />
          </SearchField>
          <ListBox
            className="palette-list"
            aria-label={t('dialog.palette')}
            items={items}
            renderEmptyState={() => <p className="quiet palette-item">{t('dialog.paletteEmpty')}</p>}
            onAction={(id) => run(items.find((item) => item.id === id))}
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
