// How the numbers are to be read, correlation or convolution, shown by what each makes of one bright point.

import { memo, useMemo } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { type Kernel, type Orientation, toCorrelation, turn } from '../../core/kernel';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { useSeenFilter } from '../panels/seenFilter';
import { KernelPicture } from './KernelPicture';
import './orientationChoice.css';
import { useSettled } from './useSettled';

/** Kernels up to this size are drawn as they change. */
const liveSize = 31;
const orientations: readonly Orientation[] = ['correlation', 'convolution'];

/** What the kernel, read in an orientation, makes of a single bright point: its weights turned by 180° for a correlation. */
export function pointResponse(kernel: Kernel, orientation: Orientation): Kernel {
  return turn(toCorrelation({ ...kernel, orientation }));
}

/** What the kernel makes of a bright point; it alone is drawn anew while one paints. */
function PointPicture({ orientation }: Pick<Kernel, 'orientation'>) {
  const { t } = useWords();
  const filter = useSeenFilter();
  const kernel = filter?.kind === 'custom' ? filter.kernel : null;
  const drawn = useSettled(kernel, kernel === null || Math.max(kernel.width, kernel.height) <= liveSize);
  const response = useMemo(() => (drawn === null ? null : pointResponse(drawn, orientation)), [drawn, orientation]);
  if (response === null) return null;
  return (
    <KernelPicture
      {...response}
      label={t('orientation.pointPicture', { orientation: t(`kernel.${orientation}`) })}
      className="orientation-picture"
    />
  );
}

export const OrientationChoice = memo(function OrientationChoice({ orientation: chosen }: Pick<Kernel, 'orientation'>) {
  const { t } = useWords();
  return (
    <RadioGroup
      className="orientation"
      aria-label={t('kernel.orientation')}
      orientation="horizontal"
      value={chosen}
      onChange={(value) => {
        const orientation = orientations.find((known) => known === value);
        if (orientation !== undefined && orientation !== chosen) changeKernel((now) => ({ ...now, orientation }));
      }}
    >
      <p className="orientation-title">{t('orientation.point')}</p>
      <div className="orientation-cards">
        {orientations.map((orientation) => (
          <Radio
            key={orientation}
            value={orientation}
            className="orientation-card"
            data-testid={`kernel-${orientation}`}
            aria-describedby="orientation-note"
          >
            <PointPicture orientation={orientation} />
            <span>{t(`kernel.${orientation}`)}</span>
          </Radio>
        ))}
      </div>
      <p id="orientation-note" className="kernel-field-note">
        {t(`kernel.${chosen}Hint`)}
      </p>
    </RadioGroup>
  );
});
