// What the explain card says of a search for edges: no sum gives an edge, so it shows the gradient, the thresholds and the
// neighbours that decide.

import type { EdgeExplanation } from '../../core/explain';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { ExplainFacts } from './ExplainFacts';

const percent = (value: number) => `${formatNumber(value, 5)} %`;

export function EdgeFacts({ found }: { readonly found: EdgeExplanation }) {
  const { t } = useWords();
  const facts: readonly (readonly [string, string])[] = [
    [t('explain.edge.across'), percent(found.across)],
    [t('explain.edge.down'), percent(found.down)],
    [t('explain.edge.length'), percent(found.length)],
    [t('explain.edge.neighbours'), found.neighbours.map(percent).join('   ')],
    [t('explain.edge.low'), percent(found.low)],
    [t('explain.edge.high'), percent(found.high)],
  ];
  return (
    <div data-testid="explain-edges">
      <p className="explain-note">{t('explain.edge.noSum', { size: found.kernelSize })}</p>
      <ExplainFacts facts={facts} />
      <p className="explain-verdict" data-testid="explain-verdict">
        {t(`explain.edge.${found.verdict}`)} {t(found.isEdge ? 'explain.edge.isEdge' : 'explain.edge.isNone')}
      </p>
    </div>
  );
}
