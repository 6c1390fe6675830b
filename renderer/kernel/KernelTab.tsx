// The Kernel tab: the grid, and for a kernel of one's own its tools above and its size, anchor, divisor, bias, normalising and
// orientation below; then the live separability panel.

import { useEffect, useState } from 'react';
import type { Filter } from '../../core/document';
import { failureOf } from '../../core/errors';
import { isOneGrid } from '../../core/filterForm';
import { readKernelText } from '../../core/interchange/read';
import { runCommand } from '../commands';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { offerKernelText } from '../kernelFiles';
import { SeparabilityPanel } from '../separability/SeparabilityPanel';
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

/**
 * Takes a text pasted over the grid. Rows of numbers, as of a spreadsheet, come into it as they stand and keep its reading; every
 * other kernel is offered, as it is wherever else it is pasted; a text that is none becomes a message.
 */
function takeKernelText(text: string): boolean {
  try {
    const reading = readKernelText(text, '', { divisor: 'auto' });
    const read = reading.kernels[0];
    if (reading.format !== 'rows' || reading.other !== null || read === undefined) return offerKernelText(text);
    return changeKernel(({ orientation }) => ({ ...read.kernel, orientation }));
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
