// A change of the whole kernel by a slider, with the picture following it: any angle, or a share of the picture mixed in. All
// of it is one undo step; Cancel and Esc take it back.

import { useEffect, useRef, useState } from 'react';
import type { Kernel } from '../../core/kernel';
import { blendIdentity, rotateKernel } from '../../core/kernelAlgebra';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { Button } from '../ui/Button';
import { ParameterSlider } from '../ui/ParameterSlider';
import type { SliderScale } from '../ui/sliderScale';
import { type Adjustment, kernelDesk } from './kernelDesk';

interface AdjustmentForm {
  readonly scale: SliderScale;
  readonly unit: string;
  readonly apply: (kernel: Kernel, value: number) => Kernel;
}

const linear = { scale: 'linear', whole: false } as const;
const forms: Readonly<Record<Adjustment, AdjustmentForm>> = {
  rotate: {
    scale: { minimum: -180, maximum: 180, step: 1, ...linear },
    unit: '°',
    apply: (kernel, degrees) => rotateKernel(kernel, degrees).kernel,
  },
  blend: {
    scale: { minimum: 0, maximum: 100, step: 1, ...linear },
    unit: '%',
    apply: (kernel, percent) => blendIdentity(kernel, percent / 100),
  },
};

const close = () => kernelDesk.setState({ adjustment: null });

export function KernelAdjustment({ adjustment, kernel }: { readonly adjustment: Adjustment; readonly kernel: Kernel }) {
  const { t } = useWords();
  const [value, setValue] = useState(0);
  /** The kernel that the slider starts from, and what it made of it last. */
  const base = useRef(kernel);
  const made = useRef(kernel);
  const { scale, unit, apply } = forms[adjustment];
  // Whatever else changed the kernel meanwhile is kept: the slider starts anew from there.
  if (kernel !== made.current) {
    base.current = kernel;
    made.current = kernel;
    if (value !== 0) setValue(0);
  }
  useEffect(() => () => editor.gesture('end'), []);
  const set = (next: number) => {
    editor.gesture('begin');
    const changed = changeKernel(() => {
      made.current = next === 0 ? base.current : apply(base.current, next);
      return made.current;
    });
    if (changed) setValue(next);
  };
  const finish = (phase: 'end' | 'cancel') => {
    editor.gesture(phase);
    close();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own frame
    <div
      role="group"
      aria-label={t(`adjust.${adjustment}`)}
      className="kernel-adjustment"
      data-testid={`adjust-${adjustment}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.stopPropagation();
          finish('cancel');
        }
        if (event.key === 'Enter' && event.target instanceof HTMLDivElement) finish('end');
      }}
    >
      <ParameterSlider
        label={t(`adjust.${adjustment}`)}
        value={value}
        standard={0}
        scale={scale}
        unit={unit}
        testId="adjust-value"
        onChange={set}
        onGesture={() => {}}
      />
      <div className="kernel-adjustment-actions">
        <span className="kernel-field-note">{t(`adjust.${adjustment}Hint`)}</span>
        <Button look="quiet" onPress={() => finish('cancel')}>
          {t('export.cancel')}
        </Button>
        <Button onPress={() => finish('end')} testId="adjust-done">
          {t('adjust.done')}
        </Button>
      </div>
    </div>
  );
}
