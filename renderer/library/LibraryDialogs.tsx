// Naming a kernel of the library, with tags, and asking before one is deleted.

import { useState } from 'react';
import { maximumNameLength, readTags } from '../../core/kernelLibrary';
import { useWords } from '../i18n/useWords';
import { closeDialog, DialogShell } from '../panels/DialogShell';
import { filterName } from '../panels/filterWords';
import { selectedFilter, usePage } from '../store';
import { Button } from '../ui/Button';
import { removeFromLibrary, saveToLibrary, useLibrary } from './library';
import './libraryDialogs.css';

export function SaveKernelDialog() {
  const { t } = useWords();
  const chosen = useLibrary((state) => state.chosen);
  const entries = useLibrary((state) => state.entries);
  const filter = usePage(selectedFilter);
  const [name, setName] = useState(() => chosen?.name ?? (filter === null ? '' : filterName(filter, t)));
  const [tags, setTags] = useState(() => (chosen?.tags ?? []).join(', '));
  const kernel = chosen?.kernel ?? (filter?.kind === 'custom' ? filter.kernel : null);
  if (kernel === null) return null;
  const trimmed = name.trim().slice(0, maximumNameLength);
  const same = entries.find((entry) => entry.name === trimmed && entry.id !== chosen?.id);
  const save = async (id: string | null) => {
    if (trimmed !== '' && (await saveToLibrary({ name: trimmed, tags: readTags(tags), kernel }, id))) closeDialog();
  };
  return (
    <DialogShell title={t(chosen === null ? 'library.saveTitle' : 'library.renameTitle')} testId="save-kernel">
      <form
        className="library-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(chosen?.id ?? null);
        }}
      >
        <label>
          <span>{t('parameter.name')}</span>
          <input
            type="text"
            maxLength={maximumNameLength}
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the dialog exists for this field
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
            data-testid="library-name"
          />
        </label>
        <label>
          <span>{t('library.tags')}</span>
          <input
            type="text"
            spellCheck={false}
            placeholder={t('library.tagsHint')}
            value={tags}
            onChange={(event) => setTags(event.target.value)}
            data-testid="library-tags"
          />
        </label>
        {same !== undefined && (
          <p role="status" className="dialog-dim">
            {t('library.sameName', { name: trimmed })}
          </p>
        )}
        <div className="dialog-actions">
          <Button onPress={closeDialog}>{t('export.cancel')}</Button>
          {same !== undefined && chosen === null && (
            <Button onPress={() => void save(same.id)} testId="library-replace">
              {t('library.replace')}
            </Button>
          )}
          <Button look="primary" type="submit" isDisabled={trimmed === ''} testId="library-save">
            {t('library.save')}
          </Button>
        </div>
      </form>
    </DialogShell>
  );
}

export function DeleteKernelDialog() {
  const { t } = useWords();
  const chosen = useLibrary((state) => state.chosen);
  if (chosen === null) return null;
  return (
    <DialogShell title={t('library.deleteTitle', { name: chosen.name })} testId="delete-kernel">
      <p className="dialog-dim">{t('library.deleteHint')}</p>
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{t('export.cancel')}</Button>
        <Button
          look="danger"
          testId="library-delete"
          onPress={() => {
            void removeFromLibrary(chosen.id);
            closeDialog();
          }}
        >
          {t('library.delete')}
        </Button>
      </div>
    </DialogShell>
  );
}
