// The live SVD panel of the Kernel tab: bars of the singular values, the rank, and what it means for the work. All of it is
// found on another thread, the newest kernel first.

import { useMemo } from 'react';
import type { Filter } from '../../core/document';
import type { Size } from '../../core/geometry';
import { type Kernel, maximumKernelSize } from '../../core/kernel';
import { shippedCosts } from '../../core/shippedCosts';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { NewestFirst } from '../threads/newestFirst';
import { useThreadAnswer } from '../threads/useThreadAnswer';
import { formatEnergy, formatNumber } from '../ui/numberText';
import { type FactsAnswer, type FactsQuestion, liveDecompositionSize, type Running } from './separabilityFacts';
import './separabilityPanel.css';

/** Bars that are drawn; a kernel rarely has more singular values that matter. */
const maximumBars = 15;
/** Decades of the logarithmic bar height. */
const decades = 6;

const runsAs = {
  dense: 'separability.runsDense',
  sparse: 'separability.runsSparse',
  fft: 'separability.runsFft',
  box: 'separability.runsBox',
  magnitude: 'separability.runsBoth',
  diffusion: 'separability.runsOwn',
} as const;

const isLarge = (size: Size) => Math.max(size.width, size.height) > liveDecompositionSize;

const thread = new NewestFirst<FactsQuestion, FactsAnswer>(
  () => new Worker(new URL('./facts.worker.ts', import.meta.url), { type: 'module' }),
  ({ kernel }) => kernel === null || isLarge(kernel),
);

interface SeparabilityPanelProps {
  readonly filter: Filter;
  readonly size: Size;
  /** null for a kernel too large for a grid. */
  readonly kernel: Kernel | null;
}

export function SeparabilityPanel({ filter, size, kernel }: SeparabilityPanelProps) {
  const { t } = useWords();
  const backend = usePage((state) => state.lastRender?.backend ?? 'cpu');
  const costs = usePage((state) => state.application?.costs ?? shippedCosts)[backend];
  const picture = usePage((state) => state.image) ?? undefined;
  const question = useMemo(() => ({ filter, kernel, costs, picture }), [filter, kernel, costs, picture]);
  const found = useThreadAnswer(question, thread);
  const isFound = found !== null && found !== 'failed';
  const { facts, running } = isFound ? found.answer : { facts: null, running: null };
  const runs = (how: Running | null, rank: number): string => {
    if (how === null) return t('kernel.notRunning');
    if (rank === 0) return t('separability.runsZero');
    if (how.kind === 'pairs' && how.withPicture && how.count === 1) return t('separability.runsWithPicture');
    if (how.kind === 'pairs') return t('separability.runsSeparable', { count: how.count });
    return t(runsAs[how.kind]);
  };
  return (
    <section
      className="separability"
      aria-labelledby="separability-title"
      aria-busy={!isFound || found.question !== question}
      data-testid="separability"
    >
      <h3 id="separability-title" className="section-title">
        {t('separability.title')}
      </h3>
      {!isFound ? (
        <p className="quiet" role={found === 'failed' ? 'alert' : 'status'}>
          {t(found === 'failed' ? 'rank.failed' : 'rank.working')}
        </p>
      ) : facts === null ? (
        <>
          <p className="quiet">
            {kernel === null
              ? t('separability.long', { size: maximumKernelSize })
              : isLarge(size)
                ? t('separability.tooLarge', { size: liveDecompositionSize })
                : t('separability.notYet')}
          </p>
          {running?.kind === 'pairs' && (
            // The plan knows the pairs of large kernels that it could find by other means.
            <dl className="facts">
              <div className="fact">
                <dt>{t('separability.rank')}</dt>
                <dd data-testid="separability-rank">
                  {t('separability.rankRow', {
                    rank: running.count + (running.withPicture ? 1 : 0),
                    full: Math.min(size.width, size.height),
                    runs: runs(running, running.count),
                  })}
                </dd>
              </div>
              <div className="fact">
                <dt>{t('separability.work')}</dt>
                <dd>
                  {t('separability.workRow', {
                    dense: size.width * size.height,
                    separable: running.count * (size.width + size.height),
                  })}
                </dd>
              </div>
            </dl>
          )}
        </>
      ) : (
        <>
          <Bars values={facts.singularValues} rank={facts.rank} />
          <dl className="facts">
            <div className="fact">
              <dt>{t('separability.rank')}</dt>
              <dd data-testid="separability-rank">
                {t('separability.rankRow', {
                  rank: facts.rank,
                  full: facts.fullRank,
                  runs: runs(running, facts.rank),
                })}
              </dd>
            </div>
            <div className="fact">
              <dt>{t('separability.energy', { count: facts.energyTerms })}</dt>
              <dd className="fact-accent">{formatEnergy(facts.energy)}</dd>
            </div>
            <div className="fact">
              <dt>{t('separability.work')}</dt>
              <dd>{t('separability.workRow', { dense: facts.dense, separable: facts.separable })}</dd>
            </div>
            <div className="fact">
              <dt>{t('separability.tolerance')}</dt>
              <dd>σ ≤ {formatNumber(facts.threshold, 3)}</dd>
            </div>
          </dl>
        </>
      )}
    </section>
  );
}

function Bars({ values, rank }: { readonly values: readonly number[]; readonly rank: number }) {
  const { t } = useWords();
  const shown = values.slice(0, maximumBars);
  const largest = values[0] ?? 0;
  const height = (value: number) =>
    value <= 0 || largest <= 0 ? 0 : Math.max(0, 1 + Math.log10(value / largest) / decades);
  return (
    <div
      className="bars"
      role="img"
      aria-label={t('separability.bars', { values: shown.map((v) => formatNumber(v, 4)).join(', ') })}
    >
      {shown.map((value, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the k-th value is the k-th bar
          key={index}
          className="bar-slot"
          title={t('separability.bar', { index: index + 1, value: formatNumber(value, 6) })}
        >
          <div className="bar-room">
            <div
              className={index < rank ? 'bar' : 'bar bar-zero'}
              style={{ height: index < rank ? `max(3px, ${height(value) * 100}%)` : '1px' }}
            />
          </div>
          {shown.length <= 7 && <span className="bar-value">{index < rank ? formatNumber(value, 3) : '0'}</span>}
        </div>
      ))}
    </div>
  );
}
