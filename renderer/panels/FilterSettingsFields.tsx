// What every filter has beside its own parameters: border (chosen by its picture), size, transparency, light and range.

import { memo } from 'react';
import { type Filter, type FilterSettings, maximumFilterRepeat } from '../../core/document';
import { changeSettings } from '../../core/edits';
import { isWholePicture } from '../../core/filterForm';
import { alphaModes, type Border, borderKinds, lightModes, rangeModes, sizeModes } from '../../core/pass';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { Choice } from '../ui/Choice';
import { ParameterSlider } from '../ui/ParameterSlider';
import { BorderPicture, borderLetters } from './BorderPicture';

/** Value that a constant border starts with: middle grey. */
const standardBorderValue = 0.5;

interface FilterSettingsFieldsProps {
  readonly filter: Filter;
}

const settingKeys = ['id', 'repeat', 'border', 'size', 'alpha', 'light', 'range'] as const;

/** Drawn anew only where a setting changed: a stroke over the kernel must not wait for it. */
export const FilterSettingsFields = memo(Fields, ({ filter: before }, { filter: after }) =>
  settingKeys.every((key) => before[key] === after[key]),
);

function Fields({ filter }: FilterSettingsFieldsProps) {
  const { t } = useWords();
  const hasAlpha = usePage((state) => state.image?.alpha ?? false);
  const curve = usePage((state) => state.image?.light ?? null);
  const profile = usePage((state) => state.image?.profile ?? '');
  const { border } = filter;
  const set = (settings: Partial<Omit<FilterSettings, 'id'>>) =>
    editor.edit((stack) => changeSettings(stack, filter.id, settings));
  const setBorder = (kind: Border['kind']) =>
    set({ border: kind === 'constant' ? { kind, value: standardBorderValue } : { kind } });
  const options = <Value extends string>(group: string, values: readonly Value[]) =>
    values.map((value) => ({ value, label: t(`${group}.${value}`) }));
  return (
    <section className="settings" aria-labelledby="settings-title">
      <h3 id="settings-title" className="section-title">
        {t('setting.title')}
      </h3>
      {!isWholePicture(filter) && filter.kind !== 'diffusion' && (
        <ParameterSlider
          label={t('setting.repeat')}
          value={filter.repeat ?? 1}
          standard={1}
          scale={{ minimum: 1, maximum: maximumFilterRepeat, step: 1, scale: 'log', whole: true }}
          unit="×"
          testId="setting-repeat"
          onChange={(repeat) => set({ repeat: repeat === 1 ? undefined : repeat })}
          onGesture={editor.gesture}
        />
      )}
      <Choice
        label={t('setting.border')}
        value={border.kind}
        options={borderKinds.map((kind) => ({
          value: kind,
          label: t(`border.${kind}`),
          picture: (
            <span title={t('border.picture', { samples: borderLetters(kind) })}>
              <BorderPicture kind={kind} value={border.kind === 'constant' ? border.value : standardBorderValue} />
            </span>
          ),
        }))}
        onChoose={setBorder}
        testId="setting-border"
      />
      {border.kind === 'constant' && (
        <ParameterSlider
          label={t('setting.borderValue')}
          value={border.value}
          standard={standardBorderValue}
          scale={{ minimum: 0, maximum: 1, step: 0.01, scale: 'linear', whole: false }}
          unit=""
          testId="setting-border-value"
          onChange={(value) => set({ border: { kind: 'constant', value } })}
          onGesture={editor.gesture}
        />
      )}
      <Choice
        label={t('setting.size')}
        value={filter.size}
        options={options('size', sizeModes)}
        onChoose={(size) => set({ size })}
        testId="setting-size"
      />
      <Choice
        label={t('setting.light')}
        value={filter.light}
        options={options('light', lightModes)}
        onChoose={(light) => set({ light })}
        testId="setting-light"
      />
      {filter.light === 'linear' && curve !== null && (
        <p className="setting-note" data-testid="light-curve">
          {t(`lightCurve.${curve}`, { profile })}
        </p>
      )}
      <Choice
        label={t('setting.range')}
        value={filter.range}
        options={options('range', rangeModes)}
        onChoose={(range) => set({ range })}
        testId="setting-range"
      />
      {hasAlpha && (
        <Choice
          label={t('setting.alpha')}
          value={filter.alpha}
          options={options('alpha', alphaModes)}
          onChoose={(alpha) => set({ alpha })}
          testId="setting-alpha"
        />
      )}
    </section>
  );
}
