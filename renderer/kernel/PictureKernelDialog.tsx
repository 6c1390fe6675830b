// Fill from a picture: its grey values become weights, such as a star's photo a blur. The zero level, the light and what lies
// below zero are chosen with the kernel in sight.

import { useMemo, useState } from 'react';
import { kernelFromPicture, type PictureKernelOptions } from '../../core/pictureKernel';
import { useWords } from '../i18n/useWords';
import { addKernel, changeKernel } from '../kernelActions';
import { closeDialog, DialogShell } from '../panels/DialogShell';
import { selectedKernel, usePage } from '../store';
import { Button } from '../ui/Button';
import { formatNumber } from '../ui/numberText';
import { ParameterSlider } from '../ui/ParameterSlider';
import { Segment } from '../ui/Segment';
import { KernelPicture } from './KernelPicture';
import { useKernelDesk } from './kernelDesk';
import './pictureKernelDialog.css';

export function PictureKernelDialog() {
  const { t } = useWords();
  const picture = useKernelDesk((desk) => desk.picture);
  const isCustom = usePage((state) => selectedKernel(state) !== null);
  const hasPicture = usePage((state) => state.image !== null);
  const isFloat = picture?.sampleType === 'f32';
  const [zero, setZero] = useState(0);
  const [light, setLight] = useState<PictureKernelOptions['light']>('linear');
  const [below, setBelow] = useState<PictureKernelOptions['below']>('cut');
  const kernel = useMemo(
    () => (picture === null ? null : kernelFromPicture(picture, { zero, light, below })),
    [picture, zero, light, below],
  );
  if (picture === null || kernel === null) return null;
  const largest = kernel.weights.reduce((most, weight) => Math.max(most, weight), 0);
  const smallest = kernel.weights.reduce((least, weight) => Math.min(least, weight), 0);
  const isEmpty = largest === 0 && smallest === 0;
  return (
    <DialogShell title={t('pictureKernel.title')} testId="picture-kernel">
      <p className="dialog-dim">
        {t('pictureKernel.hint', { name: picture.name, width: kernel.width, height: kernel.height })}
      </p>
      <KernelPicture
        {...kernel}
        label={t('grid.legend', { from: formatNumber(smallest, 3), to: formatNumber(largest, 3) })}
        className="picture-kernel-preview"
      />
      <ParameterSlider
        label={t('pictureKernel.zero')}
        value={zero}
        standard={0}
        scale={{ minimum: 0, maximum: 1, step: 0.005, scale: 'linear', whole: false }}
        unit=""
        testId="picture-kernel-zero"
        onChange={setZero}
        onGesture={() => {}}
      />
      <Segment<PictureKernelOptions['below']>
        label={t('pictureKernel.below')}
        wide
        value={below}
        items={[
          { value: 'cut', label: t('pictureKernel.cut'), testId: 'picture-kernel-cut' },
          { value: 'negative', label: t('pictureKernel.negative'), testId: 'picture-kernel-negative' },
        ]}
        onChoose={setBelow}
      />
      {!isFloat && (
        <Segment<PictureKernelOptions['light']>
          label={t('setting.light')}
          wide
          value={light}
          items={[
            { value: 'linear', label: t('light.linear'), testId: 'picture-kernel-linear' },
            { value: 'encoded', label: t('light.encoded'), testId: 'picture-kernel-encoded' },
          ]}
          onChoose={setLight}
        />
      )}
      <p className="dialog-dim">{t(isFloat ? 'pictureKernel.float' : 'pictureKernel.convolution')}</p>
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{t('export.cancel')}</Button>
        <Button
          look={isCustom ? 'plain' : 'primary'}
          isDisabled={isEmpty || !hasPicture}
          testId="picture-kernel-add"
          onPress={() => {
            if (addKernel(picture.name.replace(/\.[^.]{1,8}$/, ''), kernel)) closeDialog();
          }}
        >
          {t('code.add')}
        </Button>
        {isCustom && (
          <Button
            look="primary"
            isDisabled={isEmpty}
            testId="picture-kernel-use"
            onPress={() => {
              if (changeKernel(({ bias }) => ({ ...kernel, bias }))) closeDialog();
            }}
          >
            {t('kernel.pasteUse')}
          </Button>
        )}
      </div>
    </DialogShell>
  );
}
