// The Separability tab: singular values, rank and what they mean for the work, of each kernel of the filter.

import { useState } from 'react';
import type { Filter } from '../../core/document';
import { useWords } from '../i18n/useWords';
import { type GradientAxis, GradientSegment } from '../kernel/GradientSegment';
import { SeparabilityPanel } from '../kernel/SeparabilityPanel';
import { useFilterKernels } from '../kernel/useFilterKernels';

export function SeparabilityTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const { shown, kernels, long } = useFilterKernels(filter);
  if (long !== null) return <SeparabilityPanel filter={shown} size={long} kernel={null} />;
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  if (kernel === undefined) return <p className="quiet">{t('kernel.notRunning')}</p>;
  return (
    <>
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      <SeparabilityPanel filter={shown} size={kernel} kernel={kernel} />
    </>
  );
}
