// Every product of the sum, one row a cell, for one channel at a time; of a large kernel the cells around the anchor, with
// the total of the rest.

import { useState } from 'react';
import { type SumExplanation, sampleSources, workingValue } from '../../core/explain';
import { useWords } from '../i18n/useWords';
import { formatNumber } from '../ui/numberText';
import { Segment } from '../ui/Segment';
import { channelNames } from './channelNames';

/** Small weights of wide kernels have exponents, which fit. */
const written = (value: number) =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(4) : formatNumber(value, 7);

export function ExplainProducts({ found, label }: { readonly found: SumExplanation; readonly label: string }) {
  const { t } = useWords();
  const { arithmetic, kernels } = found;
  const names = channelNames(arithmetic.channels, t);
  const [channel, setChannel] = useState(0);
  const [which, setWhich] = useState(0);
  const kernel = kernels[which] ?? kernels[0];
  if (kernel === undefined) return null;
  const { shown, weights, samples, sources, anchorX, anchorY, rest, sums } = kernel;
  const isColour = !arithmetic.hasAlpha || channel < arithmetic.channels - 1;
  const isLit = isColour && arithmetic.light === 'linear';
  const isWeighted = isColour && arithmetic.hasAlpha && arithmetic.alpha === 'weighted';
  const lead = 3 + (isLit ? 1 : 0) + (isWeighted ? 1 : 0);
  const rows = Array.from(weights, (weight, cell) => {
    const at = cell * arithmetic.channels;
    const worked = workingValue(samples, at, channel, arithmetic);
    const lit = workingValue(samples, at, channel, { ...arithmetic, alpha: 'straight' });
    const dx = shown.x + (cell % shown.width) - anchorX;
    const dy = shown.y + Math.floor(cell / shown.width) - anchorY;
    return {
      dx,
      dy,
      source: sampleSources[sources[cell] ?? 0] ?? 'inside',
      stored: samples[at + channel] ?? 0,
      lit,
      worked,
      weight,
    };
  });
  return (
    <div className="explain-products" data-testid="explain-products">
      <div className="explain-choices">
        {names.length > 1 && (
          <Segment
            label={t('explain.channel')}
            value={String(channel)}
            items={names.map((name, index) => ({ value: String(index), label: name }))}
            onChoose={(value) => setChannel(Number(value))}
          />
        )}
        {kernels.length > 1 && (
          <Segment
            label={t('explain.kernel')}
            value={String(which)}
            items={[
              { value: '0', label: t('explain.acrossShort') },
              { value: '1', label: t('explain.downShort') },
            ]}
            onChoose={(value) => setWhich(Number(value))}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="explain-scroll" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('explain.cell')}</th>
              <th scope="col">{t('explain.stored')}</th>
              {isLit && <th scope="col">{t('explain.lit')}</th>}
              {isWeighted && <th scope="col">{t('explain.timesAlpha')}</th>}
              <th scope="col">{t('explain.weight')}</th>
              <th scope="col">{t('explain.product')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ dx, dy, source, stored, lit, worked, weight }) => (
              <tr key={`${dx},${dy}`} className={source === 'inside' ? undefined : 'explain-border'}>
                <th scope="row">
                  {`${dx}, ${dy}`}
                  {source !== 'inside' && <span className="explain-from">{t(`explain.${source}`)}</span>}
                </th>
                <td>{written(stored)}</td>
                {isLit && <td>{written(lit)}</td>}
                {isWeighted && <td>{written(worked)}</td>}
                <td>{written(weight)}</td>
                <td>{written(weight * worked)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {rest.count > 0 && (
              <tr>
                <th scope="row" colSpan={lead}>
                  {t('explain.rest', { count: rest.count })}
                </th>
                <td>{written(rest.sums[channel] ?? 0)}</td>
              </tr>
            )}
            <tr>
              <th scope="row" colSpan={lead}>
                {t('explain.sum')}
              </th>
              <td data-testid="explain-total">{written(sums[channel] ?? 0)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </div>
  );
}
