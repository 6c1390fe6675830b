// The Kernel tab: the grid, and for a kernel of one's own its tools above and its size, anchor, divisor, bias, normalising and
// orientation below; then the live separability panel.

import { useEffect, useState } from 'react';
import type { Filter } from '../../core/document';
import { failureOf } from '../../core/errors';
import { isOneGrid } from '../../core/filterForm';
import { parseKernelText } from '../../core/formats';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { SeparabilityPanel } from '../separability/SeparabilityPanel';
import { editor } from '../store';
import { Button } from '../ui/Button';
import { FormulaPanel } from './FormulaPanel';
import { type GradientAxis, GradientSegment } from './GradientSegment';
import { GridToolbar } from './GridToolbar';
import { KernelAdjustment } from './KernelAdjustment';
import { KernelFields } from './KernelFields';
import { type GridEditing, KernelGrid } from './KernelGrid';
import { showFormula, useKernelDesk } from './kernelDesk';
import { LongKernel } from './LongKernel';
import { NoKernel } from './NoKernel';
import { OrientationChoice } from './OrientationChoice';
import { useFilterKernels } from './useFilterKernels';

export function KernelTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const { shown, kernels, long } = useFilterKernels(filter);
  const adjustment = useKernelDesk((desk) => desk.adjustment);
  const hasFormula = filter.kind === 'custom' && filter.formula !== undefined;
  const formulaIsOpen = useKernelDesk((desk) => desk.formulaIsOpen) ?? hasFormula;
  useEffect(() => {
    if (hasFormula) showFormula();
  }, [hasFormula]);
  if (long !== null)
    return (
      <div className="kernel-tab">
        <LongKernel weights={long} />
        <SeparabilityPanel filter={shown} size={long} kernel={null} />
      </div>
    );
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  if (filter.kind === 'custom') {
    const { width, height } = filter.kernel;
    return (
      <div className="kernel-tab">
        <GridToolbar width={width} height={height} />
        <KernelGrid kernel={filter.kernel} editing={gridEditing} />
        {adjustment !== null && <KernelAdjustment key={adjustment} adjustment={adjustment} kernel={filter.kernel} />}
        <KernelFields kernel={filter.kernel} formulaIsOpen={formulaIsOpen} />
        {formulaIsOpen && <FormulaPanel kernel={filter.kernel} formula={filter.formula ?? null} />}
        <OrientationChoice orientation={filter.kernel.orientation} />
        <SeparabilityPanel filter={shown} size={kernel ?? filter.kernel} kernel={kernel ?? null} />
      </div>
    );
  }
  if (kernel === undefined) return <NoKernel filter={filter} />;
  return (
    <div className="kernel-tab">
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      <KernelGrid kernel={kernel} />
      {kernels.length === 1 && (
        <div className="kernel-note">
          <span>{t(isOneGrid(shown) ? 'kernel.readOnly' : 'kernel.belowThreshold')}</span>
          {isOneGrid(shown) && (
            <Button look="plain" onPress={() => runCommand('kernel.editAs')} testId="kernel-edit-as">
              {t('kernel.editAs')}
            </Button>
          )}
        </div>
      )}
      <SeparabilityPanel filter={shown} size={kernel} kernel={kernel} />
    </div>
  );
}

/** Puts a kernel that was pasted as text in the place of the selected one; a text that is none becomes a message. */
function takeKernelText(text: string): boolean {
  try {
    const { kernel } = parseKernelText(text, { divisor: 'auto' });
    return changeKernel(() => kernel);
  } catch (thrown) {
    editor.notify({ kind: 'failure', failure: failureOf(thrown) });
    return false;
  }
}

const gridEditing: GridEditing = {
  change: (kernel) => changeKernel(() => kernel),
  gesture: editor.gesture,
  paste: takeKernelText,
};
