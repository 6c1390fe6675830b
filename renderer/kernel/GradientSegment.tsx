// Which of the two kernels of a gradient a tab shows.

import { useWords } from '../i18n/useWords';
import { Segment } from '../ui/Segment';

export type GradientAxis = 'x' | 'y';

interface GradientSegmentProps {
  readonly value: GradientAxis;
  readonly onChoose: (axis: GradientAxis) => void;
}

export function GradientSegment({ value, onChoose }: GradientSegmentProps) {
  const { t } = useWords();
  return (
    <Segment
      label={t('kernel.which')}
      wide
      value={value}
      items={[
        { value: 'x', label: t('kernel.gradientX') },
        { value: 'y', label: t('kernel.gradientY') },
      ]}
      onChoose={onChoose}
    />
  );
}
