// The open documents as tabs over the picture, shown as soon as there are two. A dot marks unsaved work.

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { closeDocument } from '../documentActions';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { documentsOf, isUnsaved, type PageDocument, pageStore, usePage } from '../store';
import { IconButton } from '../ui/Button';
import './documentTabs.css';

export function DocumentTabs() {
  const { t } = useWords();
  const state = usePage((now) => (now.tabs.length < 2 ? null : now));
  if (state === null) return null;
  const shown = state.image?.id ?? null;
  return (
    <nav className="document-tabs" aria-label={t('tabs.label')} data-testid="document-tabs">
      {documentsOf(state).map((document) => (
        <DocumentTab key={document.image.id} document={document} isShown={document.image.id === shown} />
      ))}
    </nav>
  );
}

function DocumentTab({ document, isShown }: { readonly document: PageDocument; readonly isShown: boolean }) {
  const { t } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const { id } = document.image;
  const name = document.project ?? document.image.name;
  const unsaved = isUnsaved(document);
  useEffect(() => {
    if (isShown) place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isShown]);
  return (
    <div ref={place} className={isShown ? 'document-tab document-tab-shown' : 'document-tab'}>
      <button
        type="button"
        className="document-tab-name"
        aria-current={isShown ? 'page' : undefined}
        aria-label={unsaved ? t('tabs.unsaved', { name }) : name}
        title={name}
        onClick={() => editor.switchTo(id)}
        data-testid="document-tab"
      >
        {unsaved && <span className="document-tab-dot" aria-hidden="true" />}
        <span className="document-tab-text">{name}</span>
      </button>
      <IconButton
        label={t('tabs.close', { name })}
        onPress={() => {
          editor.switchTo(id);
          if (pageStore.getState().image?.id === id) closeDocument();
        }}
      >
        <X size={12} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
