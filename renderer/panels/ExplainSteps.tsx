// The explain card's steps, one row each and one column a channel, from the weighted sum to the code value; and what is to
// be known beside them.

import { type ChannelSteps, type MixedResult, type SumExplanation, sampleSources } from '../../core/explain';
import { colourChannels } from '../../core/mix';
import { type Translate, useWords } from '../i18n/useWords';
import { selectedFilter, usePage } from '../store';
import { formatNumber } from '../ui/numberText';
import { channelNames } from './channelNames';

const digits = 7;
const written = (value: number) => formatNumber(value, digits);

const stoppingFormula = { exponential: 'exp(−(s / κ)²)', rational: '1 / (1 + (s / κ)²)' } as const;

interface Row {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly strong?: boolean;
}

/** The rows that say something for this filter. */
function stepRows(found: SumExplanation, t: Translate): readonly Row[] {
  const { arithmetic, kernels, steps } = found;
  const { epilogue, fullScale, range, sampleType } = arithmetic;
  const rows: Row[] = [];
  const row = (label: string, value: (step: ChannelSteps, channel: number) => number | null) =>
    rows.push({ label, values: steps.map(value) });
  const colour = (key: 'unweighted' | 'biased' | 'ranged' | 'encoded') => (step: ChannelSteps) =>
    step.kind === 'colour' ? step[key] : null;
  for (const [index, kernel] of kernels.entries()) {
    const which = kernels.length === 1 ? '' : ` ${t(index === 0 ? 'explain.acrossShort' : 'explain.downShort')}`;
    row(`${t('explain.sum')}${which}`, (_, channel) => kernel.sums[channel] ?? 0);
    if (kernel.divisor !== 1)
      row(
        `${t('explain.divided', { divisor: written(kernel.divisor) })}${which}`,
        (step) => step.quotients[index] ?? 0,
      );
  }
  if (kernels.length > 1) row(t('explain.length'), (step) => (step.kind === 'colour' ? step.magnitude : null));
  if (epilogue.result !== 1 || epilogue.input !== 0)
    row(
      t('explain.epilogue', { result: written(epilogue.result), input: written(epilogue.input) }),
      ({ combined }) => combined,
    );
  const alphaStep = steps.find((step) => step.kind === 'alpha');
  if (alphaStep?.rule === 'filtered' && arithmetic.gain !== 1)
    row(t('explain.gain', { gain: written(arithmetic.gain) }), (step) => (step.kind === 'alpha' ? step.value : null));
  if (alphaStep?.rule === 'own') row(t('explain.ownAlpha'), (step) => (step.kind === 'alpha' ? step.own : null));
  if (arithmetic.hasAlpha && arithmetic.alpha === 'weighted') row(t('explain.unweighted'), colour('unweighted'));
  if (epilogue.offset !== 0) row(t('explain.bias', { bias: written(epilogue.offset * fullScale) }), colour('biased'));
  const changes = steps.some((step) => step.kind === 'colour' && step.ranged !== step.biased);
  if (range.kind !== 'float' && (changes || range.kind !== 'clamp')) row(t(`range.${range.kind}`), colour('ranged'));
  if (arithmetic.light === 'linear') row(t('explain.encoded'), colour('encoded'));
  if (steps.some(({ kept }) => kept))
    row(t('explain.kept', { threshold: written(arithmetic.threshold) }), (step, channel) =>
      step.kept ? (found.own[channel] ?? null) : null,
    );
  const whole = sampleType === 'u8' || sampleType === 'u16';
  rows.push({
    label: whole && !found.isLast ? t('explain.handedOn') : t('explain.code'),
    values: steps.map((step) => (found.isLast ? step.code : step.value)),
    strong: true,
  });
  return rows;
}

export function ExplainSteps({ found }: { readonly found: SumExplanation }) {
  const { t } = useWords();
  const names = channelNames(found.arithmetic.channels, t);
  return (
    <table className="explain-steps" data-testid="explain-steps">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('explain.step')}</span>
          </th>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stepRows(found, t).map(({ label, values, strong = false }) => (
          <tr
            key={label}
            className={strong ? 'explain-result' : undefined}
            data-testid={strong ? 'explain-result' : undefined}
          >
            <th scope="row">{label}</th>
            {names.map((name, channel) => {
              const value = values[channel];
              return <td key={name}>{value === null || value === undefined ? '' : written(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How the result enters the filter's input, and what comes of it. */
function mixedText({ mix, masked }: MixedResult, engine: readonly number[], t: Translate): string {
  const { opacity, blend, channels } = mix;
  const names = channelNames(3, t);
  const parts = [
    ...(opacity === 1 ? [] : [`${written(opacity * 100)} %`]),
    ...(blend === 'normal' ? [] : [t(`blend.${blend}`)]),
    ...(channels === 'all'
      ? []
      : [
          channels === 'luminance'
            ? t('explain.luminance')
            : channels.map((channel) => names[colourChannels.indexOf(channel)] ?? '').join(' '),
        ]),
    ...(masked ? [t('explain.masked')] : []),
  ];
  return t('explain.mixed', { how: parts.join(', '), values: engine.map(written).join('  ') });
}

/** What the engine holds where that is another number than these steps end with; null where it is the same. */
function engineNote(found: SumExplanation, t: Translate): string | null {
  const { engine, steps, isLast, arithmetic, mixed } = found;
  if (mixed !== null) return mixedText(mixed, engine, t);
  const far = steps.some((step, channel) => {
    const own = isLast ? step.code : step.value;
    return (
      Math.abs((engine[channel] ?? own) - own) >
      (isLast && arithmetic.fullScale > 1 ? 0 : 1e-5 * Math.max(arithmetic.fullScale, Math.abs(own)))
    );
  });
  return far ? t('explain.engine', { values: engine.map(written).join('  ') }) : null;
}

export function ExplainNotes({ found }: { readonly found: SumExplanation }) {
  const { t } = useWords();
  const isTurned = usePage((state) => {
    const filter = selectedFilter(state);
    return filter?.kind === 'custom' && filter.kernel.orientation === 'convolution';
  });
  const { arithmetic, kernels, times, diffusion, approximateRank, hidden } = found;
  const first = kernels[0];
  if (first === undefined) return null;
  const inside = sampleSources.indexOf('inside');
  const bordered = first.sources.reduce((count, source) => count + (source === inside ? 0 : 1), first.rest.bordered);
  const engine = engineNote(found, t);
  const notes = [
    ...(diffusion === null
      ? []
      : [
          t('explain.ownWeights', {
            rate: written(diffusion.rate),
            conductance: written(diffusion.conductance * arithmetic.fullScale),
            function: stoppingFormula[diffusion.stopping],
          }),
        ]),
    ...(isTurned ? [t('explain.turned')] : []),
    ...(bordered > 0
      ? [
          t('explain.bordered', {
            count: bordered,
            all: first.width * first.height,
            border: t(`border.${arithmetic.border.kind}`),
          }),
        ]
      : []),
    ...(arithmetic.light === 'linear' ? [t('explain.linear')] : []),
    ...(arithmetic.hasAlpha && arithmetic.alpha === 'weighted' ? [t('explain.weighted')] : []),
    ...(hidden ? [t('explain.hidden')] : []),
    ...(arithmetic.range.kind === 'rescale'
      ? [
          t('explain.rescale', {
            minimum: written(arithmetic.range.minimum * arithmetic.fullScale),
            maximum: written(arithmetic.range.maximum * arithmetic.fullScale),
          }),
        ]
      : []),
    ...(times > 1 ? [t('explain.times', { times })] : []),
    ...(approximateRank === null ? [] : [t('explain.rank', { rank: approximateRank })]),
    ...(first.rest.count > 0 ? [t('explain.middle', { width: first.shown.width, height: first.shown.height })] : []),
    ...(engine === null ? [] : [engine]),
  ];
  if (notes.length === 0) return null;
  return (
    <ul className="explain-notes" data-testid="explain-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
