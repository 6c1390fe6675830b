// The Separability tab: the singular values of a filter's kernel and its rank; what it is at a lower rank, in pictures and
// numbers and on the photo; and running it so, which is an act of its own that the filter keeps.

import { useMemo, useState } from 'react';
import type { Filter } from '../../core/document';
import { denseOfKernel, kernelsOf } from '../../core/filterForm';
import { maximumKernelSize } from '../../core/kernel';
import { type FilterSum, filterSum } from '../../core/rank';
import { type Decomposition, defaultRankTolerance } from '../../core/separability';
import { useWords } from '../i18n/useWords';
import { type GradientAxis, GradientSegment } from '../kernel/GradientSegment';
import { NoKernel } from '../kernel/NoKernel';
import { useFilterKernels } from '../kernel/useFilterKernels';
import { filterName } from '../panels/filterWords';
import { pageStore, usePage } from '../store';
import { NewestFirst } from '../threads/newestFirst';
import { useThreadAnswer } from '../threads/useThreadAnswer';
import { NumberField } from '../ui/NumberField';
import { RankView } from './RankView';
import { rankAt, toleranceRange } from './rankFacts';
import { SeparabilityPanel } from './SeparabilityPanel';
import { SingularValueBars } from './SingularValueBars';
import { liveDecompositionSize } from './separabilityFacts';
import './separabilityTab.css';

const thread = new NewestFirst<FilterSum, Decomposition>(
  () => new Worker(new URL('./decomposition.worker.ts', import.meta.url), { type: 'module' }),
  ({ grid }) => Math.max(grid.width, grid.height) > liveDecompositionSize,
);

const plain = { result: 1, input: 0, offset: 0 };

/** The sum that is decomposed: the filter's own, or one of a gradient's two. */
function sumOf(filter: Filter, which: GradientAxis): FilterSum | null {
  try {
    const kernels = kernelsOf(filter);
    const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
    if (kernel === undefined) return null;
    return filterSum(filter) ?? { grid: denseOfKernel(kernel), epilogue: plain };
  } catch {
    return null;
  }
}

export function SeparabilityTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const { shown, kernels, long } = useFilterKernels(filter);
  const asked = useMemo(() => sumOf(shown, which), [shown, which]);
  const answered = useThreadAnswer(asked, thread);
  const tolerance = usePage((state) => state.rankTolerance);
  const [looked, setLooked] = useState<number | null>(null);
  if (long !== null) return <SeparabilityPanel filter={shown} size={long} kernel={null} />;
  if (asked === null) return <NoKernel filter={filter} />;
  if (answered === 'failed') return <p role="alert">{t('rank.failed')}</p>;
  // For a moment the sum before: what is shown of it belongs together.
  const { question: sum, answer: found } = answered ?? { question: asked, answer: null };
  const { width, height } = sum.grid;
  const isGradient = kernels.length > 1;
  const rank = found === null ? null : rankAt(found, tolerance);
  const exact = found === null ? 0 : rankAt(found, defaultRankTolerance);
  const kept = looked ?? filter.rank ?? exact;
  return (
    <div className="separability-tab" data-testid="separability-tab">
      {isGradient && <GradientSegment value={which} onChoose={setWhich} />}
      <header className="rank-header">
        <strong>
          {filterName(filter, t)} · {width} × {height}
        </strong>
        <span className="fact-accent" data-testid="rank-found">
          {rank === null ? t('rank.working') : t('rank.found', { rank, full: Math.min(width, height) })}
        </span>
      </header>
      {found !== null && (
        <>
          <SingularValueBars values={found.singularValues} tolerance={tolerance} kept={Math.min(exact, kept)} />
          <div className="field-row">
            <span className="row-label rank-tolerance">{t('rank.tolerance')}</span>
            <NumberField
              label={t('rank.tolerance')}
              value={tolerance}
              minimum={toleranceRange.minimum}
              maximum={toleranceRange.maximum}
              digits={3}
              unit="σ₁"
              testId="rank-tolerance"
              onCommit={(rankTolerance) => pageStore.setState({ rankTolerance })}
            />
          </div>
          {sum.epilogue.input !== 0 && <p className="quiet">{t('rank.withPicture')}</p>}
          {exact === 0 ? (
            <p className="quiet">{t('rank.zero', { size: maximumKernelSize })}</p>
          ) : (
            <RankView
              filter={filter}
              sum={sum}
              decomposition={found}
              exact={exact}
              looked={looked}
              onLook={setLooked}
              canRun={!isGradient}
            />
          )}
        </>
      )}
    </div>
  );
}
