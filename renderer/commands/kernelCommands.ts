// What is done with the selected kernel, and with several as one.

import { kernelOperationNames } from '../../core/kernelOperations';
import { translation } from '../i18n/translation';
import type { Translate } from '../i18n/useWords';
import { openAdjustment, openAlgebra, toggleFormula } from '../kernel/kernelDesk';
import { canEditAsKernel, editAsKernel, openKernelPicture, operateOnKernel } from '../kernelActions';
import { exportKernels, importKernels, openSaveDialog } from '../library/library';
import { filterName } from '../panels/filterWords';
import { canMerge, hasOneKernel, takeFromPicture } from '../stackAlgebra';
import { type PageState, pageStore, selectedFilter } from '../store';
import { type Command, command, hasFilter, hasPicture, show } from './record';

const isCustom = (state: PageState) => state.image !== null && selectedFilter(state)?.kind === 'custom';

function subtractSelected(): void {
  const filter = selectedFilter(pageStore.getState());
  const t = translation.t as unknown as Translate;
  if (filter !== null) takeFromPicture(t('algebra.subtractedName', { name: filterName(filter, t) }).slice(0, 200));
}

export const kernelCommands: readonly Command[] = [
  command(
    'kernel.editAs',
    'command.editAsKernel',
    () => {
      const filter = selectedFilter(pageStore.getState());
      if (filter !== null) editAsKernel(translation.t(`filter.${filter.kind}`));
    },
    { enabled: (state) => hasFilter(state) && canEditAsKernel(selectedFilter(state)) },
  ),
  command('kernel.paste', 'command.pasteKernel', show('pasteKernel'), {
    shortcuts: ['Mod+Shift+V'],
    enabled: hasPicture,
  }),
  ...kernelOperationNames.map((name) =>
    command(`kernel.${name}`, `operation.${name}`, () => operateOnKernel(name), { enabled: isCustom }),
  ),
  command('kernel.rotate', 'operation.rotate', () => openAdjustment('rotate'), { enabled: isCustom }),
  command('kernel.blend', 'operation.blend', () => openAdjustment('blend'), { enabled: isCustom }),
  command('kernel.formula', 'operation.formula', toggleFormula, { enabled: isCustom }),
  command('kernel.picture', 'operation.picture', () => void openKernelPicture(), { enabled: isCustom }),
  command('kernel.save', 'library.saveCommand', () => openSaveDialog(null), { enabled: isCustom }),
  command('kernel.import', 'library.importCommand', () => void importKernels()),
  command('kernel.export', 'library.exportCommand', () => void exportKernels(null)),
  command('filter.merge', 'algebra.mergeCommand', () => openAlgebra('merge'), { enabled: canMerge }),
  command('filter.repeat', 'algebra.repeatCommand', () => openAlgebra('repeat'), { enabled: hasOneKernel }),
  command('filter.split', 'algebra.splitCommand', () => openAlgebra('split'), { enabled: hasOneKernel }),
  command('filter.subtract', 'algebra.subtract', subtractSelected, { enabled: hasOneKernel }),
];
