// What a kernel is at a rank: its reconstruction and what that leaves out, the vectors of its pairs, the errors, the ways to run
// it, and the difference on the photo.

import { useEffect, useMemo, useState } from 'react';
import { Switch } from 'react-aria-components';
import type { PictureKind } from '../../core/costs';
import type { Filter, Stack } from '../../core/document';
import { createKernel } from '../../core/kernel';
import type { FilterSum } from '../../core/rank';
import { shippedCosts } from '../../core/shippedCosts';
import { call } from '../bridge';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { pageStore, stackOf, usePage } from '../store';
import { formatEnergy, formatNumber } from '../ui/numberText';
import { workingStack } from '../viewport/subject';
import { PairCurves } from './PairCurves';
import { PathTable } from './PathTable';
import { amplification, pathRows, pictureInStack, type RankFacts } from './rankFacts';

/** What is planned for while no picture is open. */
const usualPicture = { width: 4000, height: 3000, channels: 4, sampleType: 'u8' } as const;

interface RankDetailsProps {
  readonly filter: Filter;
  readonly sum: FilterSum;
  readonly facts: RankFacts;
  readonly exact: number;
  readonly canRun: boolean;
}

export function RankDetails({ filter, sum, facts, exact, canRun }: RankDetailsProps) {
  const { t } = useWords();
  const { rank } = facts;
  const backend = usePage((state) => state.lastRender?.backend ?? 'cpu');
  const costs = usePage((state) => state.application?.costs ?? shippedCosts)[backend];
  const image = usePage((state) => state.image);
  const stack = usePage(stackOf);
  const rows = useMemo(
    () =>
      pathRows(sum, exact, rank, costs, pictureInStack<PictureKind>(image ?? usualPicture, stack, filter.id, costs)),
    [sum, exact, rank, costs, image, stack, filter.id],
  );
  const { width, height } = sum.grid;
  const levels = (share: number) => t('rank.levels', { value: formatNumber(share * 255, 3) });
  const isBelow = rank < exact;
  // At its own rank it is the kernel itself, without the rounding of a sum.
  const rebuilt = useMemo(
    () => (isBelow ? sum.grid.weights.map((weight, index) => weight - (facts.weights[index] ?? 0)) : sum.grid.weights),
    [isBelow, facts, sum],
  );
  return (
    <>
      <div className="rank-pictures">
        <figure>
          <figcaption className="kernel-caption">{t('rank.kernelAt', { rank })}</figcaption>
          <KernelPicture width={width} height={height} weights={rebuilt} label={t('rank.kernelAt', { rank })} />
        </figure>
        <figure>
          <figcaption className="kernel-caption">{t('rank.difference')}</figcaption>
          {isBelow ? (
            <KernelPicture width={width} height={height} weights={facts.weights} label={t('rank.difference')} />
          ) : (
            <p className="rank-none">{t('rank.noDifference')}</p>
          )}
        </figure>
      </div>
      <PairCurves pairs={facts.pairs} />
      <dl className="facts">
        <Fact name={t('rank.largest')} value={formatNumber(isBelow ? facts.largest : 0, 3)} testId="rank-largest" />
        <Fact name={t('rank.rms')} value={formatNumber(isBelow ? facts.rootMeanSquare : 0, 3)} />
        <Fact name={t('rank.bound')} value={levels(isBelow ? facts.bound : 0)} testId="rank-bound" />
        <Fact name={t('rank.energy')} value={formatEnergy(facts.energy)} />
        {canRun && isBelow && <OnThePicture filter={filter} sum={sum} facts={facts} levels={levels} />}
      </dl>
      {canRun && (
        <PathTable filter={filter} rows={rows} off={t('rank.offBy', { value: formatNumber(facts.bound * 255, 3) })} />
      )}
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly testId?: string;
}

function Fact({ name, value, testId }: FactProps) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd data-testid={testId}>{value}</dd>
    </div>
  );
}

interface OnThePictureProps {
  readonly filter: Filter;
  readonly sum: FilterSum;
  readonly facts: RankFacts;
  readonly levels: (share: number) => string;
}

/**
 * The stack up to the filter with, in its place, what its approximation leaves out: K − K_r times `factor`, round middle
 * grey. It is one kernel, so that the photo shows the very difference of the two results before they are cut.
 */
function differenceStack(stack: Stack, filter: Filter, sum: FilterSum, facts: RankFacts, factor: number): Stack {
  const index = stack.findIndex(({ id }) => id === filter.id);
  const { width, height, anchorX, anchorY, divisor } = sum.grid;
  const scale = (factor * sum.epilogue.result) / divisor;
  const weights = Array.from(facts.weights, (weight) => weight * scale);
  const { id, border, size, light } = filter;
  const kernel = createKernel(width, height, weights, { anchorX, anchorY, divisor: 1, bias: 0.5 });
  const shown: Filter = {
    ...{ id, border, size, light, enabled: true, alpha: 'colourOnly', range: 'clamp' },
    ...{ kind: 'custom', name: '', kernel },
  };
  return [...stack.slice(0, Math.max(0, index)), shown];
}

/** The difference on the photo: shown in its place while the switch is on, and its largest value. */
function OnThePicture({ filter, sum, facts, levels }: OnThePictureProps) {
  const { t } = useWords();
  const stack = usePage(stackOf);
  const image = usePage((state) => state.image);
  const [showing, setShowing] = useState(false);
  const [largest, setLargest] = useState<number | null>(null);
  // The largest that any picture could have is cut off nowhere; few pictures come near it, so that it shows of most of them grey
  // alone. Once the largest of this one is known, that fills the greys.
  const safe = amplification(facts.bound);
  const factor = largest === null ? safe : Math.max(safe, amplification(largest));
  const measured = useMemo(
    () => workingStack(differenceStack(stack, filter, sum, facts, safe)),
    [stack, filter, sum, facts, safe],
  );
  useEffect(() => {
    if (!showing) return;
    pageStore.setState({ look: { stack: workingStack(differenceStack(stack, filter, sum, facts, factor)), factor } });
    return () => pageStore.setState({ look: null });
  }, [showing, stack, filter, sum, facts, factor]);
  useEffect(() => {
    setLargest(null);
    if (!showing || image === null) return;
    let current = true;
    void call('result:extremes', { imageId: image.id, stack: [...measured] }).then((result) => {
      if (!current || !result.ok) return;
      const { minimum, maximum } = result.value;
      setLargest(Math.max(Math.abs(minimum - 0.5), Math.abs(maximum - 0.5)) / safe);
    });
    return () => {
      current = false;
    };
  }, [showing, measured, safe, image]);
  return (
    <div className="fact">
      <dt>
        <Switch
          className="look-switch"
          isSelected={showing}
          isDisabled={image === null}
          onChange={setShowing}
          data-testid="rank-look"
        >
          <span className="look-mark" />
          {t('rank.look', { factor: formatNumber(factor, 6) })}
        </Switch>
      </dt>
      <dd data-testid="rank-on-picture">{largest === null ? '' : t('rank.onPicture', { levels: levels(largest) })}</dd>
    </div>
  );
}
