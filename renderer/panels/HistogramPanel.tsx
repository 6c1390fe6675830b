// The histogram of the result and the original: collapsible, linear or logarithmic, with the shares of clipped values.

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Histogram } from '../../core/histogram';
import { runCommand } from '../commands';
import { histogramDesk, listenForHistogram, useHistogramDesk } from '../histogramActions';
import { useWords } from '../i18n/useWords';
import { cssVariable, usePlotCanvas } from '../plots/usePlotCanvas';
import { seenStack, usePage } from '../store';
import { formatNumber, formatShare } from '../ui/numberText';
import { Segment } from '../ui/Segment';
import { useTheme } from '../ui/theme';
import { channelNames } from './channelNames';
import { axisOf, drawHistogram, type HistogramColours } from './histogramPlot';
import './histogramPanel.css';

const layout = { width: 340, height: 84 };

export function HistogramPanel() {
  const { t } = useWords();
  const isOpen = useHistogramDesk((desk) => desk.isOpen);
  const hasPicture = usePage((state) => state.image !== null);
  useEffect(listenForHistogram, []);
  if (!hasPicture) return null;
  return (
    <section className="histogram" aria-label={t('histogram.title')} data-testid="histogram">
      <header className="histogram-header">
        <Button
          className="histogram-toggle"
          aria-expanded={isOpen}
          onPress={() => runCommand('view.histogram')}
          data-testid="histogram-toggle"
        >
          {isOpen ? <ChevronDown size={12} aria-hidden="true" /> : <ChevronRight size={12} aria-hidden="true" />}
          <span>{t('histogram.title')}</span>
        </Button>
        {isOpen && <Quality />}
      </header>
      {isOpen && <Plot />}
    </section>
  );
}

/** What the counts are of: exact pixels, a draft, or filters as they were. */
function Quality() {
  const { t } = useWords();
  const result = useHistogramDesk((desk) => desk.result);
  const imageId = usePage((state) => state.image?.id);
  const stack = usePage(seenStack);
  const quality =
    result === null || result.imageId !== imageId ? 'counting' : result.stack === stack ? result.quality : 'old';
  return (
    <span className="histogram-quality" role="status" data-testid="histogram-quality" data-quality={quality}>
      {t(`histogram.${quality}`)}
    </span>
  );
}

function Plot() {
  const { t } = useWords();
  const imageId = usePage((state) => state.image?.id);
  const channelCount = usePage((state) => state.image?.channels ?? 3);
  const counted = useHistogramDesk((desk) => desk.result);
  const countedOriginal = useHistogramDesk((desk) => desk.original);
  const isLog = useHistogramDesk((desk) => desk.isLog);
  const [chosen, setChosen] = useState('all');
  const theme = useTheme();
  const result = counted !== null && counted.imageId === imageId ? counted.histogram : null;
  const original = countedOriginal !== null && countedOriginal.imageId === imageId ? countedOriginal.histogram : null;
  const names = channelNames(channelCount, t).slice(0, channelCount <= 2 ? 1 : 3);
  const channels = names.length > 1 && chosen !== 'all' ? [Number(chosen)] : names.map((_, channel) => channel);
  const known = [result, original].filter((histogram) => histogram !== null);
  const axis = axisOf(known);
  const canvas = usePlotCanvas(
    layout,
    (context) => {
      const colours: HistogramColours = {
        channels: names.length === 1 ? [cssVariable('--dim')] : ['#e05a52', '#4fae62', '#4c8dd6'],
        line: cssVariable('--line'),
        text: cssVariable('--text'),
        blend: theme === 'dark' ? 'screen' : 'multiply',
      };
      if (known.length > 0) drawHistogram(context, result, original, { ...layout, axis, isLog, colours, channels });
    },
    [result, original, isLog, chosen, theme],
  );
  const label = t('histogram.label', { from: formatNumber(axis.from, 5), to: formatNumber(axis.to, 5) });
  return (
    <>
      <canvas ref={canvas} className="histogram-plot" role="img" aria-label={label} />
      <div className="histogram-axis" aria-hidden="true">
        <span>{known.length > 0 && formatNumber(axis.from, 4)}</span>
        <span>{known.length > 0 && formatNumber(axis.to - (wholeNumbers(known[0]) ? 1 : 0), 5)}</span>
      </div>
      <div className="histogram-choices">
        {names.length > 1 && (
          <Segment
            label={t('explain.channel')}
            value={chosen}
            items={[
              { value: 'all', label: t('histogram.all') },
              ...names.map((name, channel) => ({ value: String(channel), label: name })),
            ]}
            onChoose={setChosen}
          />
        )}
        <Segment
          label={t('histogram.scale')}
          value={isLog ? 'log' : 'linear'}
          items={[
            { value: 'linear', label: t('histogram.linear'), testId: 'histogram-linear' },
            { value: 'log', label: t('histogram.log'), testId: 'histogram-log' },
          ]}
          onChoose={(scale) => histogramDesk.setState({ isLog: scale === 'log' })}
        />
      </div>
      <Clipped names={names} result={result} original={original} />
    </>
  );
}

const wholeNumbers = (histogram: Histogram | undefined) =>
  histogram?.sampleType === 'u8' || histogram?.sampleType === 'u16';

function Clipped(props: {
  readonly names: readonly string[];
  readonly result: Histogram | null;
  readonly original: Histogram | null;
}) {
  const { t } = useWords();
  const { names, result, original } = props;
  const ends = ['low', 'high'] as const;
  const isFloat = result !== null && !wholeNumbers(result);
  const share = (histogram: Histogram | null, channel: number, end: 'low' | 'high') =>
    histogram === null || histogram.pixels === 0
      ? '–'
      : formatShare((histogram.channels[channel]?.[end] ?? 0) / histogram.pixels);
  return (
    <table className="histogram-clipped" data-testid="histogram-clipped">
      <thead>
        <tr>
          <th scope="col">{t(isFloat ? 'histogram.beyond' : 'histogram.clipped')}</th>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ends.map((end) => (
          <tr key={end}>
            <th scope="row">{t(isFloat ? `histogram.${end}Beyond` : `histogram.${end}`)}</th>
            {names.map((name, channel) => (
              <td key={name}>
                <span className="histogram-before">{share(original, channel, end)} → </span>
                {share(result, channel, end)}
              </td>
            ))}
          </tr>
        ))}
        {result !== null && result.notFinite > 0 && (
          <tr>
            <th scope="row" colSpan={names.length + 1}>
              {t('histogram.notFinite', { count: result.notFinite })}
            </th>
          </tr>
        )}
      </tbody>
    </table>
  );
}
