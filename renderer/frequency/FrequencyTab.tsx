// The Frequency tab: what the kernel does to every spatial frequency, as a map, as modulation transfer curves and in numbers.

import { type ReactNode, useState } from 'react';
import type { Filter } from '../../core/document';
import { markLevels } from '../../core/frequency';
import type { Kernel } from '../../core/kernel';
import { useWords } from '../i18n/useWords';
import { type GradientAxis, GradientSegment } from '../kernel/GradientSegment';
import { NoKernel } from '../kernel/NoKernel';
import { useFilterKernels } from '../kernel/useFilterKernels';
import { filterName } from '../panels/filterWords';
import { liveDecompositionSize } from '../separability/separabilityFacts';
import { NewestFirst } from '../threads/newestFirst';
import { useThreadAnswer } from '../threads/useThreadAnswer';
import { formatNumber } from '../ui/numberText';
import { type FrequencyAnalysis, largestSwing, peakFrequency } from './analysis';
import { CutView } from './CutView';
import { MapView } from './MapView';
import './frequencyTab.css';

const thread = new NewestFirst<Kernel, FrequencyAnalysis>(
  () => new Worker(new URL('./analysis.worker.ts', import.meta.url), { type: 'module' }),
  ({ width, height }) => Math.max(width, height) > liveDecompositionSize,
);

export function FrequencyTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const { kernels, long } = useFilterKernels(filter);
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  const usable = kernel?.weights.every(Number.isFinite) ? kernel : null;
  const found = useThreadAnswer(usable, thread);
  if (long !== null) return <p className="quiet">{t('frequency.long')}</p>;
  if (usable === null) return <NoKernel filter={filter} />;
  if (found === 'failed') return <p role="alert">{t('frequency.failed')}</p>;
  return (
    <div className="frequency-tab" data-testid="frequency-tab">
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      {found === null ? (
        <p className="quiet" role="status">
          {t('frequency.working')}
        </p>
      ) : (
        <>
          <MapView response={found.answer.response} name={filterName(filter, t)} />
          <CutView cuts={found.answer.cuts} response={found.answer.response} name={filterName(filter, t)} />
          <Facts {...found.answer} />
        </>
      )}
    </div>
  );
}

function Facts({ response, cuts, steps }: FrequencyAnalysis) {
  const { t } = useWords();
  const [x, y] = peakFrequency(response);
  const swing = largestSwing(steps);
  const marks = (level: (typeof markLevels)[number]) =>
    cuts.flatMap(({ direction, marks: all }) => {
      const found = all.filter((mark) => mark.level === level);
      const [first] = found;
      if (first === undefined) return [];
      const places = found.map(({ frequency }) => formatNumber(frequency, 3)).join(', ');
      return [t('frequency.mark', { direction: t(`frequencyDirection.${direction}`), value: places })];
    });
  return (
    <dl className="facts" data-testid="frequency-facts">
      <Fact name={t('frequency.gain')}>{formatNumber(response.gain, 4)}</Fact>
      <Fact name={t('frequency.peak')}>
        {t('frequency.peakAt', {
          value: formatNumber(response.peak, 4),
          x: formatNumber(x, 3),
          y: formatNumber(y, 3),
        })}
      </Fact>
      <Fact name={t('frequency.reference')}>
        {t(response.referenceIs === 'gain' ? 'frequency.ofGain' : 'frequency.ofPeak')}
      </Fact>
      {markLevels.map((level) => (
        <Fact key={level} name={t('frequency.cutOff', { level: -level })}>
          {marks(level).length > 0 ? marks(level).map((text) => <div key={text}>{text}</div>) : t('frequency.noMark')}
        </Fact>
      ))}
      <Fact name={t('frequency.phase')}>{t(`frequencyPhase.${response.phase}`)}</Fact>
      <Fact name={t('frequency.ringing')}>
        {swing === null
          ? t('frequency.ringsNoGain')
          : steps.some((step) => step.rings)
            ? t('frequency.rings', { percent: formatNumber(swing, 3) })
            : t('frequency.ringsNot')}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
