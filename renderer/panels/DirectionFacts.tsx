// What the explain card says of the direction of a gradient: of each colour its two slopes, the angle between them, and the
// value that the angle is.

import type { DirectionExplanation } from '../../core/explain';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { ExplainFacts } from './ExplainFacts';

/** Slopes are whole steps of 1/65535 of full scale. */
const percent = (steps: number) => `${formatNumber((steps / 65535) * 100, 5)} %`;

export function DirectionFacts({ found }: { readonly found: DirectionExplanation }) {
  const { t } = useWords();
  const facts: readonly (readonly [string, string])[] = [
    [t('explain.edge.across'), found.across.map(percent).join('   ')],
    [t('explain.edge.down'), found.down.map(percent).join('   ')],
    [t('explain.angle'), found.angles.map((angle) => `${formatNumber(angle, 6)}°`).join('   ')],
    [t('explain.angleValue'), found.values.map((value) => formatNumber(value, 7)).join('   ')],
  ];
  return (
    <div data-testid="explain-direction">
      <p className="explain-note">{t('explain.angleNote')}</p>
      <ExplainFacts facts={facts} />
      <p className="explain-verdict" data-testid="explain-direction-result">
        {t('explain.angleResult', { values: found.engine.map((value) => formatNumber(value, 7)).join('   ') })}
      </p>
    </div>
  );
}
