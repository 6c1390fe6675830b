// In the place of a filter's kernel where there is none: it cannot run, or every pixel has weights of its own.

import type { Filter } from '../../core/document';
import { hasOwnWeights } from '../../core/filterForm';
import { useWords } from '../i18n/useWords';

export function NoKernel({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  return (
    <p className="quiet" data-testid="no-kernel">
      {t(hasOwnWeights(filter) ? 'kernel.ownWeights' : 'kernel.notRunning')}
    </p>
  );
}
