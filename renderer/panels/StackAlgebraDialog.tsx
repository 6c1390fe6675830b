// Before filters of the stack become others: what they become, how large, and every reason for which the picture would not be
// exactly the same, and where.

import { useMemo, useState } from 'react';
import type { Filter } from '../../core/document';
import { ConvolveError, type Failure } from '../../core/errors';
import { errorText } from '../../core/errorText';
import type { Kernel } from '../../core/kernel';
import { type MergeReason, mergeFilters, repeatFilter } from '../../core/mergeFilters';
import { type Translate, useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { type StackAlgebra, useKernelDesk } from '../kernel/kernelDesk';
import { applyMerge, applyRepeat, applySplit, mergePair, splitFilter } from '../stackAlgebra';
import { selectedFilter, usePage } from '../store';
import { Button } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { formatNumber } from '../ui/numberText';
import { closeDialog, DialogShell } from './DialogShell';
import { filterName } from './filterWords';
import './stackAlgebraDialog.css';

/** Most repetitions that the dialog offers. */
const maximumTimes = 255;

/** What is about to happen: filters to show, what is said of it, and the edit. */
interface Proposal {
  readonly filters: readonly Filter[];
  readonly reasons: readonly MergeReason[];
  readonly note: string;
  readonly apply: () => void;
}

/** A reason in words, with where in the picture it holds. */
export function reasonText(reason: MergeReason, t: Translate): string {
  switch (reason.kind) {
    case 'border': {
      const { left, right, top, bottom } = reason;
      return t('algebra.border', { left, right, top, bottom });
    }
    case 'range':
    case 'alpha':
      return t(`algebra.${reason.kind}${reason.everywhere ? 'Everywhere' : ''}`);
    case 'light':
    case 'size':
      return t(`algebra.${reason.kind}`);
  }
}

const kernelOf = (filter: Filter): Kernel | null => (filter.kind === 'custom' ? filter.kernel : null);

export function StackAlgebraDialog() {
  const { t, language } = useWords();
  const algebra = useKernelDesk((desk) => desk.algebra);
  const image = usePage((state) => state.image);
  const first = usePage(selectedFilter);
  const second = usePage((state) => mergePair(state)?.[1] ?? null);
  const [times, setTimes] = useState(2);
  const outcome = useMemo((): { readonly proposal: Proposal | null; readonly failure: Failure | null } => {
    if (image === null || first === null) return { proposal: null, failure: null };
    try {
      return { proposal: propose(algebra, first, second, image, times, t), failure: null };
    } catch (thrown) {
      if (thrown instanceof ConvolveError) return { proposal: null, failure: thrown.failure };
      throw thrown;
    }
  }, [algebra, image, first, second, times, t]);
  const { proposal, failure } = outcome;
  return (
    <DialogShell title={t(`algebra.${algebra}Title`)} testId="stack-algebra">
      {algebra === 'repeat' && (
        <div className="field-row">
          <span className="row-label">{t('algebra.times')}</span>
          <NumberField
            label={t('algebra.times')}
            value={times}
            minimum={1}
            maximum={maximumTimes}
            whole
            testId="algebra-times"
            onCommit={setTimes}
            onStep={(count) => setTimes(Math.min(maximumTimes, Math.max(1, times + count)))}
          />
        </div>
      )}
      {failure !== null && (
        <p role="alert" className="dialog-error">
          {errorText(failure, language)}
        </p>
      )}
      {proposal !== null && (
        <>
          <div className="algebra-results">
            {proposal.filters.map((filter) => {
              const kernel = kernelOf(filter);
              return (
                <figure key={filter.id} className="algebra-result">
                  {kernel !== null && <KernelPicture {...kernel} className="algebra-picture" />}
                  <figcaption>
                    {filterName(filter, t)}
                    {kernel !== null && (
                      <span className="dialog-dim">
                        {` · ${t('stack.kernelSize', { width: kernel.width, height: kernel.height })}`}
                        {filter.enabled ? '' : ` · ${t('stack.off')}`}
                      </span>
                    )}
                  </figcaption>
                </figure>
              );
            })}
          </div>
          <p>{proposal.note}</p>
          {proposal.reasons.length > 0 && (
            <ul className="algebra-reasons" data-testid="algebra-reasons">
              {proposal.reasons.map((reason) => (
                <li key={reason.kind}>{reasonText(reason, t)}</li>
              ))}
            </ul>
          )}
        </>
      )}
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{t('export.cancel')}</Button>
        <Button
          look="primary"
          isDisabled={proposal === null}
          testId="algebra-apply"
          onPress={() => {
            proposal?.apply();
            closeDialog();
          }}
        >
          {t(`algebra.${algebra}`)}
        </Button>
      </div>
    </DialogShell>
  );
}

/** Throws ConvolveError where it cannot be. */
function propose(
  algebra: StackAlgebra,
  first: Filter,
  second: Filter | null,
  picture: Parameters<typeof repeatFilter>[2],
  times: number,
  t: Translate,
): Proposal | null {
  const name = filterName(first, t);
  const exactness = (reasons: readonly MergeReason[]) => t(reasons.length === 0 ? 'algebra.exact' : 'algebra.differs');
  switch (algebra) {
    case 'merge': {
      if (second === null) return null;
      const words = t('algebra.mergedName', { first: name, second: filterName(second, t) });
      const { filter, reasons } = mergeFilters(first, second, picture, words.slice(0, 200));
      return { filters: [filter], reasons, note: exactness(reasons), apply: () => applyMerge([first, second], filter) };
    }
    case 'repeat': {
      const words = t('algebra.repeatedName', { name, times });
      const { filter, reasons } = repeatFilter(first, times, picture, words.slice(0, 200));
      return { filters: [filter], reasons, note: exactness(reasons), apply: () => applyRepeat(filter) };
    }
    case 'split': {
      const split = splitFilter(first, (kind) => ({
        first: t(kind === 'rowAndColumn' ? 'algebra.rowName' : 'algebra.partName', { name }).slice(0, 200),
        second: t(kind === 'rowAndColumn' ? 'algebra.columnName' : 'algebra.restName', { name }).slice(0, 200),
      }));
      if (split === null) return null;
      const note =
        split.kind === 'rowAndColumn'
          ? t('algebra.rowAndColumn')
          : t('algebra.partAndRest', { percent: formatNumber(split.energy * 100, 5) });
      return { filters: split.filters, reasons: [], note, apply: () => applySplit(split) };
    }
  }
}
