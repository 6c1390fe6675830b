// The left panel: every filter of the catalogue in its group, each with its kernel as a small picture, and a search.

import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import type { FilterKind } from '../../core/document';
import { thumbnailKernel } from '../../core/filterForm';
import { catalogue, filterGroups } from '../../core/filters';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { isMac } from '../keys';
import { describeShortcut } from '../shortcuts';
import { selectedFilter, usePage } from '../store';
import './filterList.css';

const thumbnails = new Map(catalogue.map(({ kind }) => [kind, thumbnailKernel(kind)]));

export function FilterList() {
  const { t } = useWords();
  const [text, setText] = useState('');
  const list = useRef<HTMLDivElement>(null);
  /** The tile that Tab comes to; arrows lead to the others. */
  const [lastFocused, setLastFocused] = useState<FilterKind | null>(null);
  const selectedKind = usePage((state) => selectedFilter(state)?.kind ?? null);
  const hasPicture = usePage((state) => state.image !== null);
  const found = useMemo(() => {
    const wanted = text.trim().toLocaleLowerCase();
    return (kind: FilterKind) =>
      wanted === '' ||
      [t(`filter.${kind}`), t(`filterShort.${kind}`), t(`filterHint.${kind}`), kind].some((word) =>
        word.toLocaleLowerCase().includes(wanted),
      );
  }, [text, t]);
  const groups = filterGroups
    .map((group) => ({ group, kinds: catalogue.filter((entry) => entry.group === group && found(entry.kind)) }))
    .filter(({ kinds }) => kinds.length > 0);
  const shown = groups.flatMap(({ kinds }) => kinds.map(({ kind }) => kind));
  const tabStop = lastFocused !== null && shown.includes(lastFocused) ? lastFocused : shown[0];

  /** Arrow keys move among the tiles, two a row, as they are drawn. */
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 2, ArrowUp: -2 };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const tiles = [...(list.current?.querySelectorAll<HTMLButtonElement>('.tile') ?? [])];
    const at = tiles.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    event.preventDefault();
    tiles[Math.min(tiles.length - 1, Math.max(0, at + step))]?.focus();
  };

  return (
    <nav className="filter-list" aria-label={t('list.label')}>
      <SearchField
        className="search"
        aria-label={t('list.search')}
        value={text}
        onChange={setText}
        onSubmit={() => {
          const first = groups[0]?.kinds[0];
          if (text !== '' && first !== undefined) runCommand(`filter.add.${first.kind}`);
        }}
      >
        <Search size={13} aria-hidden="true" className="search-icon" />
        <Input placeholder={t('list.search')} data-testid="filter-search" />
        {text === '' ? (
          <kbd className="search-key">{describeShortcut('Mod+K', isMac)}</kbd>
        ) : (
          <Button className="icon-button search-clear">
            <X size={13} aria-hidden="true" />
          </Button>
        )}
      </SearchField>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tiles in it are the controls; arrows move among them */}
      <div ref={list} className="filter-groups" onKeyDown={onKeyDown}>
        {groups.map(({ group, kinds }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be a landmark
          <div key={group} role="group" aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`} className="group-title">
              {t(`group.${group}`)}
            </h2>
            <ul className="tiles">
              {kinds.map(({ kind }) => {
                const kernel = thumbnails.get(kind);
                return (
                  <li key={kind}>
                    <button
                      type="button"
                      className={selectedKind === kind ? 'tile tile-selected' : 'tile'}
                      title={hasPicture ? t(`filter.${kind}`) : t('list.needPicture')}
                      aria-label={t('command.addFilter', { filter: t(`filter.${kind}`) })}
                      data-testid={`add-${kind}`}
                      disabled={!hasPicture}
                      tabIndex={kind === tabStop ? 0 : -1}
                      onFocus={() => setLastFocused(kind)}
                      onClick={() => runCommand(`filter.add.${kind}`)}
                    >
                      {kernel !== undefined && <KernelPicture {...kernel} className="tile-picture" />}
                      <span className="tile-words">
                        <span className="tile-name">{t(`filterShort.${kind}`)}</span>
                        <span className="tile-hint">{t(`filterHint.${kind}`)}</span>
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
        {groups.length === 0 && <p className="quiet">{t('list.noneFound', { text })}</p>}
      </div>
    </nav>
  );
}
