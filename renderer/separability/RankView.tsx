// A kernel at a chosen rank: the slider, the button that makes the filter run so, and everything that the rank means, which is
// found on another thread.

import { useMemo } from 'react';
import type { Filter } from '../../core/document';
import { setRank } from '../../core/edits';
import type { FilterSum } from '../../core/rank';
import type { Decomposition } from '../../core/separability';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { NewestFirst } from '../threads/newestFirst';
import { useThreadAnswer } from '../threads/useThreadAnswer';
import { Button } from '../ui/Button';
import { ParameterSlider } from '../ui/ParameterSlider';
import { RankDetails } from './RankDetails';
import { type RankFacts, type RankQuestion, shownRank } from './rankFacts';

const thread = new NewestFirst<RankQuestion, RankFacts>(
  () => new Worker(new URL('./rankFacts.worker.ts', import.meta.url), { type: 'module' }),
  () => false,
);

interface RankViewProps {
  readonly filter: Filter;
  readonly sum: FilterSum;
  readonly decomposition: Decomposition;
  readonly exact: number;
  readonly looked: number | null;
  readonly onLook: (rank: number | null) => void;
  /** False for gradients, which are always exact. */
  readonly canRun: boolean;
}

export function RankView({ filter, sum, decomposition, exact, looked, onLook, canRun }: RankViewProps) {
  const { t } = useWords();
  const rank = shownRank(exact, looked, filter.rank);
  const question = useMemo(() => ({ sum, decomposition, rank }), [sum, decomposition, rank]);
  const found = useThreadAnswer(question, thread);
  const isBelow = rank < exact;
  const stored = filter.rank !== undefined && filter.rank < exact ? filter.rank : undefined;
  return (
    <>
      {exact > 1 && (
        <ParameterSlider
          label={t(canRun ? 'rank.toRun' : 'rank.toSee')}
          value={rank}
          standard={exact}
          scale={{ minimum: 1, maximum: exact, step: 1, scale: 'linear', whole: true }}
          unit=""
          testId="rank-slider"
          onChange={(next) => onLook(next)}
          onGesture={() => undefined}
        />
      )}
      {canRun && exact > 1 && (
        <div className="rank-run">
          <span data-testid="rank-runs">
            {stored === undefined ? t('rank.runsExact', { rank: exact }) : t('rank.runsApproximate', { rank: stored })}
          </span>
          {stored !== undefined && (
            <Button
              testId="rank-run-exact"
              onPress={() => {
                editor.edit((stack) => setRank(stack, filter.id, null));
                onLook(null);
              }}
            >
              {t('rank.runExact')}
            </Button>
          )}
          {isBelow && rank !== stored && (
            <Button
              look="primary"
              testId="rank-run"
              onPress={() => {
                editor.edit((stack) => setRank(stack, filter.id, rank));
                onLook(null);
              }}
            >
              {t('rank.run', { rank })}
            </Button>
          )}
        </div>
      )}
      {found === 'failed' ? (
        <p role="alert">{t('rank.failed')}</p>
      ) : found === null ? (
        <p className="quiet" role="status">
          {t('rank.working')}
        </p>
      ) : (
        <RankDetails filter={filter} sum={found.question.sum} facts={found.answer} exact={exact} canRun={canRun} />
      )}
    </>
  );
}
