// The ways to run a kernel: multiply-adds, the predicted time and, once measured, the real one on this computer and this
// picture, and which of them the plan takes and why.

import { useEffect, useRef, useState } from 'react';
import type { Filter } from '../../core/document';
import type { PathMeasurement } from '../../core/ipc';
import { predictedText, reasonText } from '../../core/planText';
import { call } from '../bridge';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { Button } from '../ui/Button';
import { formatNumber } from '../ui/numberText';
import { isPlanned, type PathRow } from './rankFacts';
import { usePlannedPath } from './usePlannedPath';

interface PathTableProps {
  readonly filter: Filter;
  readonly rows: readonly PathRow[];
  /** How far the approximate row is off, in words. */
  readonly off: string;
}

type Measured = Readonly<Record<string, PathMeasurement | 'unsupported'>>;
const keyOf = (row: PathRow) => JSON.stringify(row.choice);

export function PathTable({ filter, rows, off }: PathTableProps) {
  const { t, language } = useWords();
  const image = usePage((state) => state.image);
  const planned = usePlannedPath(filter.id);
  const [measured, setMeasured] = useState<Measured>({});
  const [running, setRunning] = useState<string | null>(null);
  const turn = useRef(0);
  // Other weights, borders or pictures take other times.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured belongs to these
  useEffect(() => {
    setMeasured({});
    return stop;
  }, [filter, image]);

  function stop() {
    turn.current += 1;
    setRunning(null);
    void call('paths:cancelMeasure', undefined);
  }
  async function measure() {
    if (image === null) return;
    turn.current += 1;
    const mine = turn.current;
    for (const row of rows) {
      setRunning(keyOf(row));
      const result = await call('paths:measure', { imageId: image.id, filter, path: row.choice });
      if (turn.current !== mine) return;
      setMeasured((before) => ({ ...before, [keyOf(row)]: result.ok ? result.value : 'unsupported' }));
    }
    setRunning(null);
  }
  const path = planned?.path;
  const share = Object.values(measured).find((one) => one !== 'unsupported' && one.share < 1);
  return (
    <section className="paths" aria-label={t('rank.paths')}>
      <table className="path-table" data-testid="path-table">
        <thead>
          <tr>
            <th scope="col">{t('rank.path')}</th>
            <th scope="col">{t('rank.perPixel')}</th>
            <th scope="col">{t('rank.predicted')}</th>
            <th scope="col">{t('rank.measured')}</th>
            <th scope="col">{t('rank.exactColumn')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            const found = measured[key];
            const taken = path !== undefined && path.kind !== 'edges' && isPlanned(row, path);
            const pairs = row.path.kind === 'separable' ? row.path.pairs : 0;
            return (
              <tr key={key} className={taken ? 'path-taken' : undefined} aria-current={taken}>
                <th scope="row">
                  {pairs === 1 ? t('rank.separable') : t(`rankPath.${row.kind}`, { rank: pairs })}
                  {taken && <span className="visually-hidden"> {t('rank.taken')}</span>}
                </th>
                <td>{formatNumber(row.multiplyAdds, 6)}</td>
                <td>{row.predicted === null ? '—' : predictedText(row.predicted, language)}</td>
                <td data-testid="path-measured">
                  {running === key ? (
                    '…'
                  ) : found === undefined || found === 'unsupported' ? (
                    '—'
                  ) : (
                    <strong>{predictedText(found.milliseconds, language)}</strong>
                  )}
                </td>
                <td>{row.exact ? t('rank.yes') : off}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="path-actions">
        <span className="quiet">
          {share !== undefined && share !== 'unsupported'
            ? t('rank.measuredPart', { percent: formatNumber(100 * share.share, 2) })
            : t('rank.measureHint')}
        </span>
        {running === null ? (
          <Button onPress={() => void measure()} isDisabled={image === null} testId="path-measure">
            {t('rank.measure')}
          </Button>
        ) : (
          <Button onPress={stop} testId="path-stop">
            {t('rank.stop')}
          </Button>
        )}
      </div>
      {planned !== null && (
        <p className="quiet" data-testid="path-reason">
          {t('rank.because', { reason: reasonText(planned.reason, language, planned.path) })}
        </p>
      )}
    </section>
  );
}
