// The selected filter: its few parameters first, then how it treats edges, transparency, light and range, then its views
// as tabs.

import { RotateCcw } from 'lucide-react';
import { memo } from 'react';
import type { Filter } from '../../core/document';
import { maximumNameLength, renameFilter, setParameter } from '../../core/edits';
import { catalogueEntry, type ParameterSpec, type ParameterValue, parameterValue } from '../../core/filters';
import { runCommand } from '../commands';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { useKernelDesk } from '../kernel/kernelDesk';
import { MaskSection } from '../mask/MaskSection';
import { selectedFilter, usePage } from '../store';
import { IconButton } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { ParameterSlider } from '../ui/ParameterSlider';
import { Segment } from '../ui/Segment';
import { usePaced } from '../ui/usePaced';
import { FilterTabs } from './FilterTabs';
import { filterName, parameterText } from './filterWords';
import './filterPanel.css';
import { SeenFilter } from './seenFilter';

/** How long the tabs wait with a moving slider, in ms: drawing them takes as long as the picture does. */
const tabsPace = 100;
/** How long what tells of a kernel waits while it is painted, in ms: the grid and the picture come first. */
const paintingPace = 50;

export function FilterPanel() {
  const { t } = useWords();
  const filter = usePage(selectedFilter);
  const painting = useKernelDesk((desk) => desk.painting);
  // What the tabs tell of a kernel comes after the picture of a moving slider, or of a stroke; else one's own kernel is edited in
  // them.
  const isEdited = filter?.kind === 'custom' && !painting;
  const later = usePaced(filter, painting ? paintingPace : tabsPace, isEdited);
  if (filter === null) return null;
  const seen = later?.id === filter.id ? later : filter;
  const specs = catalogueEntry(filter.kind).parameters;
  return (
    <section className="filter-panel" aria-label={filterName(filter, t)} data-testid="filter-panel">
      <div className="filter-parameters">
        <Title key={filter.id} id={filter.id} kind={filter.kind} given={givenName(filter)} />
        {specs.map(
          (spec) =>
            (spec.matters?.(filter) ?? true) && (
              <Parameter key={`${filter.id}-${spec.key}`} filter={filter} spec={spec} />
            ),
        )}
      </div>
      <MaskSection filter={filter} />
      <SeenFilter value={seen}>
        <FilterTabs />
      </SeenFilter>
    </section>
  );
}

/** The name that a person gave the filter; empty where none did. */
const givenName = (filter: Filter) => (filter.kind === 'custom' ? filter.name : filter.label) ?? '';

interface TitleProps extends Pick<Filter, 'id' | 'kind'> {
  readonly given: string;
}

/** Drawn anew only for another name. */
const Title = memo(function Title({ id, kind, given }: TitleProps) {
  const { t } = useWords();
  const rename = (name: string) => {
    if (name.trim() !== given) editor.edit((stack) => renameFilter(stack, id, name));
  };
  return (
    <header className="panel-header">
      <h2 className="filter-title">
        <input
          className="title-field"
          type="text"
          maxLength={maximumNameLength}
          spellCheck={false}
          aria-label={t('parameter.name')}
          placeholder={t(`filter.${kind}`)}
          defaultValue={given}
          // A name changed elsewhere (undo) shows here too.
          key={given}
          data-testid="filter-name"
          onBlur={(event) => rename(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
        />
      </h2>
      {kind !== 'custom' && (
        <IconButton label={t('command.resetFilter')} onPress={() => runCommand('filter.reset')}>
          <RotateCcw size={13} aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
});

function Parameter({ filter, spec }: { readonly filter: Filter; readonly spec: ParameterSpec }) {
  const { t } = useWords();
  const value = parameterValue(filter, spec.key) ?? spec.default;
  const label = t(`parameter.${spec.key}`);
  const set = (next: ParameterValue) => {
    if (next !== value) editor.edit((stack) => setParameter(stack, filter.id, spec.key, next));
  };
  const choose = (word: string) => {
    const option = spec.kind === 'choice' ? spec.options.find((one) => String(one) === word) : undefined;
    if (option !== undefined) set(option);
  };
  if (spec.kind === 'choice' && spec.options.length === 2) {
    return (
      <div className="field-row">
        <span className="row-label">{label}</span>
        <div className="field-fill">
          <Segment
            label={label}
            wide
            value={String(value)}
            items={spec.options.map((option) => ({
              value: String(option),
              label: String(option),
              testId: `parameter-${spec.key}-${option}`,
            }))}
            onChoose={choose}
          />
        </div>
      </div>
    );
  }
  if (spec.kind === 'choice') {
    return (
      <Choice
        label={label}
        value={String(value)}
        options={spec.options.map((option) => ({
          value: String(option),
          label: parameterText(spec.key, option, t),
        }))}
        onChoose={choose}
        testId={`parameter-${spec.key}`}
      />
    );
  }
  return (
    <ParameterSlider
      label={label}
      value={Number(value)}
      standard={spec.default}
      scale={{
        minimum: spec.minimum,
        maximum: spec.maximum,
        step: spec.step,
        scale: spec.scale,
        whole: spec.kind === 'integer',
      }}
      unit={t(`unit.${spec.unit}`)}
      testId={`parameter-${spec.key}`}
      onChange={set}
      onGesture={editor.gesture}
    />
  );
}
