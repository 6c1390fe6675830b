// The left panel: every filter of the catalogue in its group, each with its kernel as a small picture, and a search.

import { ChevronDown, ChevronRight, Search, X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import type { FilterKind } from '../../core/document';
import { thumbnailKernel } from '../../core/filterForm';
import { catalogue, filterGroups } from '../../core/filters';
import { matchesSearch } from '../../core/kernelLibrary';
import { kernelPresets, presetGroups } from '../../core/kernelPresets';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { useKeyOf } from '../keys';
import { KernelTile } from '../library/KernelTile';
import { useLibrary } from '../library/library';
import { presetName, presetTags } from '../library/presetWords';
import { selectedFilter, usePage } from '../store';
import './filterList.css';

const thumbnails = new Map(catalogue.map(({ kind }) => [kind, thumbnailKernel(kind)]));

/** A filter's name with the words that its tile shows in it, so that whoever says these reaches it (WCAG 2.2, 2.5.3). */
const spokenName = (name: string, shown: string): string =>
  name.toLowerCase().includes(shown.toLowerCase()) ? name : `${name}, ${shown}`;

export function FilterList() {
  const { t } = useWords();
  const [text, setText] = useState('');
  const list = useRef<HTMLDivElement>(null);
  /** The tile that Tab comes to; arrows lead to the others. */
  const [lastFocused, setLastFocused] = useState<string | null>(null);
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
  const paletteKey = useKeyOf('edit.palette');
  const wanted = text.trim();
  const own = useLibrary((state) => state.entries).filter((entry) => matchesSearch(entry, wanted));
  const [presetsOpen, setPresetsOpen] = useState(false);
  // A search looks into the shipped kernels too, whether they are in sight or not.
  const presets =
    presetsOpen || wanted !== ''
      ? presetGroups
          .map((group) => ({
            group,
            shown: kernelPresets
              .map((preset) => ({ ...preset, name: presetName(preset.id, t) }))
              .filter(
                (preset) =>
                  preset.group === group &&
                  matchesSearch({ name: preset.name, tags: [group, ...presetTags(preset.id, t)] }, wanted),
              ),
          }))
          .filter(({ shown }) => shown.length > 0)
      : [];
  const groups = filterGroups
    .map((group) => ({ group, kinds: catalogue.filter((entry) => entry.group === group && found(entry.kind)) }))
    .filter(({ group, kinds }) => kinds.length > 0 || (group === 'custom' && own.length > 0));
  const shown = [
    ...groups.flatMap(({ kinds }) => kinds.map(({ kind }): string => kind)),
    ...own.map(({ id }) => id),
    ...presets.flatMap((group) => group.shown.map(({ id }) => id)),
  ];
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
          <kbd className="search-key">{paletteKey}</kbd>
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
                      aria-label={t('command.addFilter', {
                        filter: spokenName(t(`filter.${kind}`), t(`filterShort.${kind}`)),
                      })}
                      data-testid={`add-${kind}`}
                      disabled={!hasPicture}
                      tabIndex={kind === tabStop ? 0 : -1}
                      onFocus={() => setLastFocused(kind)}
                      onClick={() => runCommand(`filter.add.${kind}`)}
                    >
                      {kernel !== undefined && <KernelPicture {...kernel} className="tile-picture" />}
                      <span className="tile-words">
                        <span className="tile-name">{t(`filterShort.${kind}`)}</span>
                        <span className="tile-hint" data-hint={t(`filterHint.${kind}`)} />
                      </span>
                    </button>
                  </li>
                );
              })}
              {group === 'custom' &&
                own.map((entry) => (
                  <KernelTile
                    key={entry.id}
                    id={entry.id}
                    name={entry.name}
                    kernel={entry.kernel}
                    entry={entry}
                    tabIndex={entry.id === tabStop ? 0 : -1}
                    onFocus={() => setLastFocused(entry.id)}
                  />
                ))}
            </ul>
            {group === 'custom' && <ImportProgress />}
          </div>
        ))}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="group" aria-labelledby="group-presets">
          <h2 id="group-presets" className="group-title">
            <button
              type="button"
              className="group-toggle"
              aria-expanded={presets.length > 0}
              onClick={() => setPresetsOpen(!presetsOpen)}
              data-testid="presets-toggle"
            >
              {presets.length > 0 ? (
                <ChevronDown size={12} aria-hidden="true" />
              ) : (
                <ChevronRight size={12} aria-hidden="true" />
              )}
              {t('library.presets')}
            </button>
          </h2>
          {presets.map((group) => (
            <div key={group.group}>
              <h3 className="group-title">{t(`presetGroup.${group.group}`)}</h3>
              <ul className="tiles">
                {group.shown.map(({ id, name, kernel }) => (
                  <KernelTile
                    key={id}
                    id={id}
                    name={name}
                    kernel={kernel}
                    tabIndex={id === tabStop ? 0 : -1}
                    onFocus={() => setLastFocused(id)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </div>
        {groups.length === 0 && presets.length === 0 && <p className="quiet">{t('list.noneFound', { text })}</p>}
      </div>
    </nav>
  );
}

/** How far an import of kernels is, while one goes on. */
function ImportProgress() {
  const { t } = useWords();
  const progress = useLibrary((state) => state.progress);
  return progress === null ? null : (
    <p className="quiet" role="status">
      {t('library.progress', progress)}
    </p>
  );
}
