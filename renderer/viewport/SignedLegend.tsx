// The legend of signed colours: blue below zero, orange above, with the code values at its ends.

import { fullScale } from '../../core/pass';
import { useWords } from '../i18n/useWords';
import { cssColour, heatColour, type Theme } from '../kernel/heat';
import { seesSigned, usePage } from '../store';
import { useTheme } from '../ui/theme';

const stops = 17;

function gradient(theme: Theme): string {
  const colours = Array.from({ length: stops }, (_, index) => heatColour((index / (stops - 1)) * 2 - 1, 1, theme));
  return `linear-gradient(to right, ${colours.map(cssColour).join(', ')})`;
}

export function SignedLegend() {
  const { t } = useWords();
  const theme = useTheme();
  const shown = usePage(seesSigned);
  const full = usePage(({ image }) => fullScale[image?.sampleType ?? 'u8']);
  if (!shown) return null;
  return (
    <figure className="signed-legend" data-testid="signed-legend" aria-label={t('seeing.legend', { full })}>
      <span className="signed-bar" style={{ background: gradient(theme) }} aria-hidden="true" />
      <span className="signed-ends" aria-hidden="true">
        <span>{`−${full}`}</span>
        <span>0</span>
        <span>{`+${full}`}</span>
      </span>
      <figcaption>{t('seeing.farthest')}</figcaption>
    </figure>
  );
}
