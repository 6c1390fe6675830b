// The scale of the grid's colours: from the largest negative to the largest positive weight, the same magnitude equally strong.

import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { useTheme } from '../ui/theme';
import { cssColour, heatColour, peakOf, signedPeaks } from './heat';

/** Pieces of the drawn scale. */
const pieces = 24;

export function HeatLegend({ weights }: { readonly weights: readonly number[] }) {
  const { t } = useWords();
  const theme = useTheme();
  const peak = peakOf(weights);
  const { negative } = signedPeaks(weights);
  if (peak === 0) return null;
  const low = negative > 0 ? -peak : 0;
  const colours = Array.from({ length: pieces + 1 }, (_, piece) =>
    cssColour(heatColour(low + ((peak - low) * piece) / pieces, peak, theme)),
  );
  const [from, to] = [formatNumber(low, 4), formatNumber(peak, 4)];
  return (
    <div className="heat-legend" role="img" aria-label={t('grid.legend', { from, to })} data-testid="heat-legend">
      <span>{from}</span>
      <span className="heat-legend-bar" style={{ background: `linear-gradient(90deg, ${colours.join(', ')})` }}>
        {low < 0 && <span className="heat-legend-zero" style={{ left: '50%' }} />}
      </span>
      <span>{to}</span>
    </div>
  );
}
