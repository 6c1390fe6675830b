// The Kernel tab: the grid (or, for large kernels, a picture), and for a kernel of one's own its size, anchor, divisor,
// bias, normalising and orientation; below it the live separability panel.

import { useState } from 'react';
import type { Filter } from '../../core/document';
import { failureOf } from '../../core/errors';
import { parseKernelText } from '../../core/formats';
import type { Kernel } from '../../core/kernel';
import { editKernelCell, setAnchor } from '../../core/kernelEdits';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { editor } from '../store';
import { Button } from '../ui/Button';
import { formatNumber } from '../ui/numberText';
import { type GradientAxis, GradientSegment } from './GradientSegment';
import { signedPeaks } from './heat';
import { KernelFields } from './KernelFields';
import { KernelGrid } from './KernelGrid';
import { KernelPicture } from './KernelPicture';
import { LongKernel } from './LongKernel';
import { SeparabilityPanel } from './SeparabilityPanel';
import { useFilterKernels } from './useFilterKernels';

/** Widest and highest kernel that is shown as typed cells; larger ones are a picture. */
export const maximumGridSize = 15;

export function KernelTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const { shown, kernels, long } = useFilterKernels(filter);
  if (long !== null)
    return (
      <div className="kernel-tab">
        <LongKernel weights={long} />
        <SeparabilityPanel filter={shown} size={long} kernel={null} />
      </div>
    );
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  if (kernel === undefined) return <p className="quiet">{t('kernel.notRunning')}</p>;
  const editable = filter.kind === 'custom';
  return (
    <div className="kernel-tab">
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      <Weights kernel={kernel} editable={editable} />
      {filter.kind === 'custom' ? (
        <KernelFields kernel={filter.kernel} />
      ) : (
        kernels.length === 1 &&
        kernel.width <= maximumGridSize &&
        kernel.height <= maximumGridSize && (
          <div className="kernel-note">
            <span>{t('kernel.readOnly')}</span>
            <Button look="plain" onPress={() => runCommand('kernel.editAs')} testId="kernel-edit-as">
              {t('kernel.editAs')}
            </Button>
          </div>
        )
      )}
      <SeparabilityPanel filter={shown} size={kernel} kernel={kernel} />
    </div>
  );
}

function Weights({ kernel, editable }: { readonly kernel: Kernel; readonly editable: boolean }) {
  const { t } = useWords();
  const { width, height } = kernel;
  if (width > maximumGridSize || height > maximumGridSize) {
    const { negative, positive } = signedPeaks(kernel.weights);
    const smallest = kernel.weights.reduce((least, weight) => Math.min(least, weight), Number.POSITIVE_INFINITY);
    const label = t(negative > 0 && positive > 0 ? 'kernel.largeSigned' : 'kernel.large', {
      width,
      height,
      smallest: formatNumber(smallest, 3),
      largest: formatNumber(positive, 3),
    });
    return (
      <figure className="kernel-figure">
        <KernelPicture {...kernel} label={label} className="kernel-picture-large" />
        <figcaption className="kernel-caption">{label}</figcaption>
      </figure>
    );
  }
  if (!editable) return <KernelGrid kernel={kernel} />;
  return (
    <KernelGrid
      kernel={kernel}
      onCell={(x, y, weight) => changeKernel((now) => editKernelCell(now, x, y, weight))}
      onAnchor={(x, y) => changeKernel((now) => setAnchor(now, x, y))}
      onPaste={takeKernelText}
    />
  );
}

/** Puts a kernel that was pasted as text in the place of the selected one; a text that is none becomes a message. */
export function takeKernelText(text: string): boolean {
  try {
    const { kernel } = parseKernelText(text, { divisor: 'auto' });
    return changeKernel(() => kernel);
  } catch (thrown) {
    editor.notify({ kind: 'failure', failure: failureOf(thrown) });
    return false;
  }
}
