// What this program is.

import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { DialogShell } from './DialogShell';

export function AboutDialog() {
  const { t } = useWords();
  const version = usePage((state) => state.application?.version ?? '');
  return (
    <DialogShell title={t('dialog.about')} testId="about">
      <p>{t('dialog.aboutText')}</p>
      <p className="dialog-dim">{t('dialog.version', { version })}</p>
    </DialogShell>
  );
}
