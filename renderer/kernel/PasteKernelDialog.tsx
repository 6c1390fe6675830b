// A kernel as text or from a file, in a dialog of its own; what is wrong with it is said at once.

import { PasteBox } from '../code/PasteBox';
import { useWords } from '../i18n/useWords';
import { closeDialog, DialogShell } from '../panels/DialogShell';
import '../code/codeTab.css';

export function PasteKernelDialog() {
  const { t } = useWords();
  return (
    <DialogShell title={t('kernel.pasteTitle')} testId="paste-kernel">
      <p className="dialog-dim">{t('kernel.pasteHint')}</p>
      <div className="dialog-scroll">
        <PasteBox autoFocus onTaken={closeDialog} />
      </div>
    </DialogShell>
  );
}
