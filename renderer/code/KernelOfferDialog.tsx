// Offers a kernel that came in by paste or drop, whatever the page was doing.

import { useWords } from '../i18n/useWords';
import { closeDialog, DialogShell } from '../panels/DialogShell';
import { usePage } from '../store';
import { KernelReadingView } from './KernelReadingView';
import './codeTab.css';

export function KernelOfferDialog() {
  const { t } = useWords();
  const offer = usePage((state) => state.kernelOffer);
  if (offer === null) return null;
  return (
    <DialogShell title={t('code.offer')} testId="kernel-offer">
      <div className="dialog-scroll">
        <KernelReadingView reading={offer} onTaken={closeDialog} />
      </div>
    </DialogShell>
  );
}
