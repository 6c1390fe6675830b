// The Frequency tab: what the kernel does to every spatial frequency.

import { useMemo, useState } from 'react';
import type { Filter } from '../../core/document';
import { frequencyCuts, frequencyResponse, markLevels } from '../../core/frequency';
import type { Kernel } from '../../core/kernel';
import { stepResponses } from '../../core/stepResponse';
import { useWords } from '../i18n/useWords';
import { type GradientAxis, GradientSegment } from '../kernel/GradientSegment';
import { useFilterKernels } from '../kernel/useFilterKernels';
import { formatNumber } from '../ui/numberText';

export function FrequencyTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const { kernels, long } = useFilterKernels(filter);
  if (long !== null) return <p className="quiet">{t('frequency.long')}</p>;
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  if (kernel === undefined || !kernel.weights.every(Number.isFinite))
    return <p className="quiet">{t('kernel.notRunning')}</p>;
  return (
    <>
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      <FrequencyFacts kernel={kernel} />
    </>
  );
}

function FrequencyFacts({ kernel }: { readonly kernel: Kernel }) {
  const { t } = useWords();
  const { response, cuts, steps } = useMemo(() => {
    const found = frequencyResponse(kernel);
    return { response: found, cuts: frequencyCuts(kernel, found), steps: stepResponses(kernel) };
  }, [kernel]);
  const overshoot = Math.max(...steps.map((step) => Math.max(step.overshoot ?? 0, step.undershoot ?? 0)));
  return (
    <dl className="facts" data-testid="frequency-facts">
      <Fact name={t('frequency.gain')}>{formatNumber(response.gain, 4)}</Fact>
      <Fact name={t('frequency.peak')}>{formatNumber(response.peak, 4)}</Fact>
      <Fact name={t('frequency.phase')}>{t(`frequencyPhase.${response.phase}`)}</Fact>
      {cuts.flatMap((cut) =>
        markLevels.map((level) => {
          const mark = cut.marks.find((found) => found.level === level && found.falling);
          if (mark === undefined) return null;
          const name = t('frequency.cutOff', { direction: t(`frequencyDirection.${cut.direction}`), level: -level });
          return (
            <Fact key={`${cut.direction} ${level}`} name={name}>
              {t('frequency.cyclesPerPixel', { value: formatNumber(mark.frequency, 3) })}
            </Fact>
          );
        }),
      )}
      <Fact name={t('frequency.ringing')}>
        {steps.some((step) => step.rings)
          ? t('frequency.rings', { percent: formatNumber(overshoot, 3) })
          : t('frequency.ringsNot')}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
