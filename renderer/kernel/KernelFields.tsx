// The fields of a kernel of one's own under its grid: size, anchor, divisor, bias, normalising, orientation, pasting.

import { useState } from 'react';
import { Switch } from 'react-aria-components';
import { type Kernel, type Orientation, resizeKeepingAnchor, resolveDivisor } from '../../core/kernel';
import { setAnchor } from '../../core/kernelEdits';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { editor } from '../store';
import { Button } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { formatNumber } from '../ui/numberText';
import { Segment } from '../ui/Segment';
import './kernelFields.css';

/** Sizes that the grid offers by its fields, in cells. */
const maximumTypedSize = 15;

export function KernelFields({ kernel }: { readonly kernel: Kernel }) {
  const { t } = useWords();
  const [linked, setLinked] = useState(kernel.width === kernel.height);
  const resize = (width: number, height: number) => changeKernel((now) => resizeKeepingAnchor(now, width, height));
  const largest = Math.max(maximumTypedSize, kernel.width, kernel.height);
  const automatic = kernel.divisor === 'auto';
  const applied = resolveDivisor(kernel).divisor;
  const setDivisor = (divisor: Kernel['divisor']) => {
    if (divisor === 0) {
      editor.notify({
        kind: 'failure',
        failure: { code: 'invalidKernel', subject: 'divisor', expected: 'a finite number other than 0', actual: '0' },
      });
      return;
    }
    changeKernel((now) => ({ ...now, divisor }));
  };
  return (
    <div className="kernel-fields">
      <div className="kernel-field-line">
        <span className="kernel-field-name">{t('kernel.size')}</span>
        <NumberField
          label={t('kernel.width')}
          value={kernel.width}
          minimum={1}
          maximum={largest}
          whole
          testId="kernel-width"
          onCommit={(width) => resize(width, linked ? width : kernel.height)}
          onStep={(count) => {
            const width = stepSize(kernel.width, count, largest);
            resize(width, linked ? width : kernel.height);
          }}
        />
        <span aria-hidden="true" className="times">
          ×
        </span>
        <NumberField
          label={t('kernel.height')}
          value={kernel.height}
          minimum={1}
          maximum={largest}
          whole
          testId="kernel-height"
          onCommit={(height) => resize(linked ? height : kernel.width, height)}
          onStep={(count) => {
            const height = stepSize(kernel.height, count, largest);
            resize(linked ? height : kernel.width, height);
          }}
        />
        <Switch className="check" isSelected={linked} onChange={setLinked}>
          <span className="check-mark" />
          {t('kernel.square')}
        </Switch>
      </div>
      <div className="kernel-field-line">
        <span className="kernel-field-name">{t('kernel.anchor')}</span>
        <NumberField
          label={t('kernel.anchorX')}
          value={kernel.anchorX}
          minimum={0}
          maximum={kernel.width - 1}
          whole
          testId="kernel-anchor-x"
          onCommit={(x) => changeKernel((now) => setAnchor(now, x, now.anchorY))}
          onStep={(count) => changeKernel((now) => setAnchor(now, now.anchorX + count, now.anchorY))}
        />
        <span aria-hidden="true" className="times">
          ,
        </span>
        <NumberField
          label={t('kernel.anchorY')}
          value={kernel.anchorY}
          minimum={0}
          maximum={kernel.height - 1}
          whole
          testId="kernel-anchor-y"
          onCommit={(y) => changeKernel((now) => setAnchor(now, now.anchorX, y))}
          onStep={(count) => changeKernel((now) => setAnchor(now, now.anchorX, now.anchorY + count))}
        />
        <span className="kernel-field-hint">{t('kernel.anchorHint')}</span>
      </div>
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
          value={kernel.bias}
          minimum={-1e6}
          maximum={1e6}
          testId="kernel-bias"
          onCommit={(bias) => changeKernel((now) => ({ ...now, bias }))}
          onStep={(count, fine) =>
            changeKernel((now) => ({
              ...now,
              bias: Number(formatNumber(now.bias + count * (fine ? 0.01 : 0.1), 9)),
            }))
          }
        />
      </div>
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
        <Button onPress={() => runCommand('kernel.paste')} testId="kernel-paste">
          {t('kernel.paste')}
        </Button>
      </div>
      <div className="kernel-field-line">
        <span className="kernel-field-name">{t('kernel.orientation')}</span>
        <Segment<Orientation>
          label={t('kernel.orientation')}
          value={kernel.orientation}
          wide
          items={[
            { value: 'correlation', label: t('kernel.correlation'), testId: 'kernel-correlation' },
            { value: 'convolution', label: t('kernel.convolution'), testId: 'kernel-convolution' },
          ]}
          onChoose={(orientation) => {
            if (orientation !== kernel.orientation) changeKernel((now) => ({ ...now, orientation }));
          }}
        />
      </div>
      <p className="kernel-field-note">{t(`kernel.${kernel.orientation}Hint`)}</p>
    </div>
  );
}

/** Odd sizes follow each other by 2, so that the anchor stays in the middle; even ones too. */
function stepSize(size: number, count: number, largest: number): number {
  return Math.min(largest, Math.max(1, size + 2 * count));
}
