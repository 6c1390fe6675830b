// Help: the keyboard shortcuts, read from the commands themselves, and what this program is.

import { commandsFor, labelOf } from '../commands';
import { useWords } from '../i18n/useWords';
import { isMac } from '../keys';
import { describeShortcut } from '../shortcuts';
import { pageStore, usePage } from '../store';
import { DialogShell } from './DialogShell';

export function ShortcutsDialog() {
  const { t } = useWords();
  const commands = commandsFor(pageStore.getState()).filter((command) => command.shortcuts.length > 0);
  return (
    <DialogShell title={t('dialog.shortcuts')} testId="shortcuts" width="wide">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a focus of its own a keyboard could not scroll it */}
      <section className="dialog-scroll" tabIndex={0} aria-label={t('dialog.shortcuts')}>
        <table className="key-table">
          <tbody>
            {commands.map((command) => (
              <tr key={command.id}>
                <td>{labelOf(command.label, t)}</td>
                <td>{command.shortcuts.map((shortcut) => describeShortcut(shortcut, isMac)).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <h3 className="section-title">{t('dialog.pointer')}</h3>
        <ul className="dialog-dim">
          <li>{t('dialog.wheel')}</li>
          <li>{t('dialog.drag')}</li>
          <li>{t('dialog.doubleClick')}</li>
          <li>{t('dialog.scrub')}</li>
        </ul>
      </section>
    </DialogShell>
  );
}

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
