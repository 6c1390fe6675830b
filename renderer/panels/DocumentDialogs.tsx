// Questions about whole documents: unsaved work before it goes, the missing picture of a project, and work that a crash left.

import { answerMissing, answerUnsaved, discardWork, restoreWork } from '../documentActions';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { Button } from '../ui/Button';
import { closeDialog, DialogShell } from './DialogShell';

export function UnsavedDialog() {
  const { t } = useWords();
  const name = usePage((state) => state.project ?? state.image?.name ?? '');
  const cancel = () => void answerUnsaved('cancel');
  return (
    <DialogShell title={t('unsaved.title')} testId="unsaved" onDismiss={cancel}>
      <p>{t('unsaved.text', { name })}</p>
      <footer className="dialog-actions">
        <Button look="quiet" onPress={() => void answerUnsaved('discard')} testId="unsaved-discard">
          {t('unsaved.discard')}
        </Button>
        <Button onPress={cancel} testId="unsaved-cancel">
          {t('unsaved.cancel')}
        </Button>
        <Button look="primary" autoFocus onPress={() => void answerUnsaved('save')} testId="unsaved-save">
          {t('unsaved.save')}
        </Button>
      </footer>
    </DialogShell>
  );
}

export function MissingPictureDialog() {
  const { t } = useWords();
  const missing = usePage((state) => state.missing[0]);
  const later = () => void answerMissing('later');
  return (
    <DialogShell title={t('missing.title')} testId="missing-picture" onDismiss={later}>
      <p>{t('missing.text', { picture: missing?.picture ?? '', project: missing?.project ?? '' })}</p>
      <footer className="dialog-actions">
        <Button onPress={later} testId="missing-cancel">
          {t('missing.later')}
        </Button>
        <Button look="primary" autoFocus onPress={() => void answerMissing('find')} testId="missing-find">
          {t('missing.find')}
        </Button>
      </footer>
    </DialogShell>
  );
}

export function RecoveryDialog() {
  const { t, language } = useWords();
  const works = usePage((state) => state.application?.recoverable ?? []);
  return (
    <DialogShell title={t('recovery.title')} testId="recovery" onDismiss={closeDialog}>
      <p>{t('recovery.text')}</p>
      <ul className="recovery-list">
        {works.map((work) => (
          <li key={`${work.name} ${work.savedAt}`} data-testid="recovery-item">
            <strong>{work.name}</strong>{' '}
            <span className="dialog-dim">
              {t('recovery.item', {
                filters: work.filters,
                time: new Date(work.savedAt).toLocaleString(language),
              })}
            </span>
          </li>
        ))}
      </ul>
      <footer className="dialog-actions">
        <Button look="quiet" onPress={() => void discardWork()} testId="recovery-discard">
          {t('recovery.discard')}
        </Button>
        <Button look="primary" autoFocus onPress={() => void restoreWork()} testId="recovery-restore">
          {t('recovery.restore')}
        </Button>
      </footer>
    </DialogShell>
  );
}
