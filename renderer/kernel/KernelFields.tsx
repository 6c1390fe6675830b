// The fields of a kernel of one's own under its grid: size, anchor, divisor, bias, normalising, pasting.

import { memo, useState } from 'react';
import { Switch, ToggleButton } from 'react-aria-components';
import { type Kernel, maximumKernelSize, resizeKeepingAnchor, resolveDivisor, sumOf } from '../../core/kernel';
import { setAnchor } from '../../core/kernelEdits';
import { runCommand } from '../commands';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { changeKernel, resizeKernel } from '../kernelActions';
import { pageStore, selectedKernel } from '../store';
import { Button } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { formatNumber, limitNumber } from '../ui/numberText';
import { KernelMenu } from './KernelMenu';
import { toggleFormula } from './kernelDesk';
import './kernelFields.css';

/** Share of Σ|w| that a smaller grid may cut off without a word. */
const silentLoss = 1e-6;

/** Resizes the selected kernel; what does not fit is said, with how much it was. */
function resize(width: number, height: number): void {
  const now = selectedKernel(pageStore.getState());
  if (now === null || !resizeKernel(width, height)) return;
  const size = (weights: readonly number[]) => sumOf(weights.map(Math.abs));
  const before = size(now.weights);
  const lost = before === 0 ? 0 : 1 - size(resizeKeepingAnchor(now, width, height).weights) / before;
  if (lost > silentLoss)
    editor.notify({ kind: 'words', key: 'field.lost', values: { percent: formatNumber(lost * 100, 2) } });
}

function setDivisor(divisor: Kernel['divisor']): void {
  if (divisor === 0) {
    editor.notify({
      kind: 'failure',
      failure: { code: 'invalidKernel', subject: 'divisor', expected: 'a finite number other than 0', actual: '0' },
    });
    return;
  }
  changeKernel((now) => ({ ...now, divisor }));
}

interface KernelFieldsProps {
  readonly kernel: Kernel;
  readonly formulaIsOpen: boolean;
}

/** Each part is drawn anew only where what it shows changed: a stroke must not wait for fields. */
export function KernelFields({ kernel, formulaIsOpen }: KernelFieldsProps) {
  const { width, height, anchorX, anchorY, bias } = kernel;
  const { divisor, note } = resolveDivisor(kernel);
  return (
    <div className="kernel-fields">
      <SizeFields width={width} height={height} />
      <AnchorFields width={width} height={height} anchorX={anchorX} anchorY={anchorY} />
      <DivisorFields
        applied={divisor}
        automatic={kernel.divisor === 'auto'}
        isZeroSum={note === 'zeroSum'}
        bias={bias}
      />
      <KernelButtons formulaIsOpen={formulaIsOpen} />
    </div>
  );
}

interface PairSide {
  readonly label: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly testId: string;
  readonly onChoose: (value: number) => void;
}

interface PairFieldsProps {
  readonly sides: readonly [PairSide, PairSide];
  /** Between the two. */
  readonly sign: string;
  /** What an arrow key adds. */
  readonly step: number;
}

/** Two whole numbers that belong together, such as a width and a height. */
function PairFields({ sides: [first, second], sign, step }: PairFieldsProps) {
  const field = ({ onChoose, ...side }: PairSide) => (
    <NumberField
      {...side}
      whole
      onCommit={onChoose}
      onStep={(count) => onChoose(limitNumber(side.value + step * count, side.minimum, side.maximum, true))}
    />
  );
  return (
    <>
      {field(first)}
      <span aria-hidden="true" className="times">
        {sign}
      </span>
      {field(second)}
    </>
  );
}

const SizeFields = memo(function SizeFields({ width, height }: Pick<Kernel, 'width' | 'height'>) {
  const { t } = useWords();
  const [linked, setLinked] = useState(width === height);
  const limits = { minimum: 1, maximum: maximumKernelSize };
  return (
    <div className="kernel-field-line">
      <span className="kernel-field-name">{t('kernel.size')}</span>
      <PairFields
        sign="×"
        // Odd sizes follow each other, so that the anchor stays in the middle; even ones too.
        step={2}
        sides={[
          {
            ...limits,
            label: t('kernel.width'),
            value: width,
            testId: 'kernel-width',
            onChoose: (next) => resize(next, linked ? next : height),
          },
          {
            ...limits,
            label: t('kernel.height'),
            value: height,
            testId: 'kernel-height',
            onChoose: (next) => resize(linked ? next : width, next),
          },
        ]}
      />
      <Switch className="check" isSelected={linked} onChange={setLinked}>
        <span className="check-mark" />
        {t('kernel.square')}
      </Switch>
    </div>
  );
});

type AnchorProps = Pick<Kernel, 'width' | 'height' | 'anchorX' | 'anchorY'>;

const AnchorFields = memo(function AnchorFields({ width, height, anchorX, anchorY }: AnchorProps) {
  const { t } = useWords();
  return (
    <div className="kernel-field-line">
      <span className="kernel-field-name">{t('kernel.anchor')}</span>
      <PairFields
        sign=","
        step={1}
        sides={[
          {
            label: t('kernel.anchorX'),
            value: anchorX,
            minimum: 0,
            maximum: width - 1,
            testId: 'kernel-anchor-x',
            onChoose: (x) => changeKernel((now) => setAnchor(now, x, now.anchorY)),
          },
          {
            label: t('kernel.anchorY'),
            value: anchorY,
            minimum: 0,
            maximum: height - 1,
            testId: 'kernel-anchor-y',
            onChoose: (y) => changeKernel((now) => setAnchor(now, now.anchorX, y)),
          },
        ]}
      />
    </div>
  );
});

interface DivisorProps {
  /** The number that the sum is divided by. */
  readonly applied: number;
  readonly automatic: boolean;
  readonly isZeroSum: boolean;
  readonly bias: number;
}

const DivisorFields = memo(function DivisorFields({ applied, automatic, isZeroSum, bias }: DivisorProps) {
  const { t } = useWords();
  return (
    <>
      <div className="kernel-field-line">
        <span className="kernel-field-name">{t('kernel.divisor')}</span>
        <NumberField
          label={t('kernel.divisor')}
          value={applied}
          minimum={-1e12}
          maximum={1e12}
          digits={5}
          testId="kernel-divisor"
          onCommit={setDivisor}
        />
        <Switch
          className="check"
          isSelected={automatic}
          onChange={(auto) => setDivisor(auto ? 'auto' : applied)}
          data-testid="kernel-divisor-auto"
        >
          <span className="check-mark" />
          <span title={t('kernel.divisorAutomatic')}>{t('kernel.divisorAuto')}</span>
        </Switch>
        <span className="kernel-field-name kernel-field-second" title={t('kernel.biasHint')}>
          {t('kernel.bias')}
        </span>
        <NumberField
          label={t('kernel.bias')}
          value={bias}
          minimum={-1e6}
          maximum={1e6}
          testId="kernel-bias"
          onCommit={(next) => changeKernel((now) => ({ ...now, bias: next }))}
          onStep={(count, fine) =>
            changeKernel((now) => ({
              ...now,
              bias: Number(formatNumber(now.bias + count * (fine ? 0.01 : 0.1), 9)),
            }))
          }
        />
      </div>
      {automatic && isZeroSum && <p className="kernel-field-note">{t('field.zeroSum')}</p>}
    </>
  );
});

const KernelButtons = memo(function KernelButtons({ formulaIsOpen }: Pick<KernelFieldsProps, 'formulaIsOpen'>) {
  const { t } = useWords();
  return (
    <>
      <div className="kernel-field-line">
        <span className="kernel-field-name">{t('kernel.normalise')}</span>
        <Button onPress={() => runCommand('kernel.sumOne')} testId="kernel-sum-one">
          {t('kernel.sumOne')}
        </Button>
        <Button onPress={() => runCommand('kernel.sumZero')} testId="kernel-sum-zero">
          {t('kernel.sumZero')}
        </Button>
        <Button onPress={() => runCommand('kernel.peakOne')} testId="kernel-peak-one">
          {t('kernel.peakOne')}
        </Button>
        <KernelMenu />
      </div>
      <div className="kernel-field-line">
        <span className="kernel-field-name">{t('field.fill')}</span>
        <ToggleButton
          className="button button-plain"
          isSelected={formulaIsOpen}
          onChange={toggleFormula}
          data-testid="kernel-formula"
        >
          {t('formula.button')}
        </ToggleButton>
        <Button onPress={() => runCommand('kernel.picture')} testId="kernel-picture">
          {t('pictureKernel.button')}
        </Button>
        <Button onPress={() => runCommand('kernel.save')} testId="kernel-save">
          {t('library.saveButton')}
        </Button>
        <Button onPress={() => runCommand('kernel.paste')} testId="kernel-paste">
          {t('kernel.paste')}
        </Button>
      </div>
    </>
  );
});
