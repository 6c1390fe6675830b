// How a filter's result enters the picture: its opacity, its blend mode, and the channels that it changes.

import { memo } from 'react';
import type { Filter } from '../../core/document';
import { setMix } from '../../core/edits';
import { blendModes, type Mix, plainMix } from '../../core/mix';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { Choice } from '../ui/Choice';
import { PercentSlider } from '../ui/PercentSlider';
import { channelChoiceOf, channelChoices } from './channelChoices';

interface FilterMixFieldsProps {
  readonly filter: Filter;
}

/** Drawn anew only where the mix changed. */
export const FilterMixFields = memo(
  Fields,
  ({ filter: before }, { filter: after }) => before.id === after.id && before.mix === after.mix,
);

function Fields({ filter }: FilterMixFieldsProps) {
  const { t } = useWords();
  const colours = usePage(({ image }) => (image === null ? 0 : image.channels - (image.alpha ? 1 : 0)));
  const hasAlpha = usePage((state) => state.image?.alpha ?? false);
  const { opacity, blend, channels } = filter.mix ?? plainMix;
  const set = (change: Partial<Mix>) => editor.edit((stack) => setMix(stack, filter.id, change));
  return (
    <section className="settings" aria-labelledby="mix-title">
      <h3 id="mix-title" className="section-title">
        {t('mix.title')}
      </h3>
      <PercentSlider
        label={t('mix.opacity')}
        value={opacity}
        standard={1}
        testId="mix-opacity"
        onChange={(next) => set({ opacity: next })}
        onGesture={editor.gesture}
      />
      <Choice
        label={t('mix.blend')}
        value={blend}
        options={blendModes.map((mode) => ({ value: mode, label: t(`blend.${mode}`) }))}
        onChoose={(mode) => set({ blend: mode })}
        testId="mix-blend"
      />
      {colours === 3 && (
        <Choice
          label={t('mix.channels')}
          value={channelChoiceOf(channels)}
          options={channelChoices
            .filter(({ name }) => hasAlpha || name !== 'colours')
            .map(({ name }) => ({ value: name, label: t(`channels.${name}`) }))}
          onChoose={(name) =>
            set({ channels: channelChoices.find((choice) => choice.name === name)?.channels ?? 'all' })
          }
          testId="mix-channels"
        />
      )}
    </section>
  );
}
