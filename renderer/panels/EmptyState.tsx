// The empty canvas: what to do first. Open, the sample photos as pictures, recent files; dropping and pasting are named.

import { ImagePlus } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { openRecent, openSample } from '../actions';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { useKeyOf } from '../keys';
import { recentName, recentPlace } from '../recentPlace';
import { usePage } from '../store';
import { Button } from '../ui/Button';
import './emptyState.css';
import { sampleThumbnails } from './sampleThumbnails';

/** Recent files shown on the canvas; the File menu has all. */
const shownRecent = 5;

export function EmptyState() {
  const { t } = useWords();
  const paste = useKeyOf('file.paste') ?? t('command.paste');
  const samples = usePage((state) => state.application?.samples);
  const recent = usePage((state) => state.application?.recentFiles);
  return (
    <section className="empty" aria-labelledby="empty-title" data-testid="empty-state">
      <ImagePlus size={40} strokeWidth={1.25} aria-hidden="true" className="empty-icon" />
      <h1 id="empty-title">{t('empty.title')}</h1>
      <p>{t('empty.hint', { paste })}</p>
      <Button look="primary" onPress={() => runCommand('file.open')} testId="empty-open">
        {t('empty.open')}
      </Button>
      {samples !== undefined && samples.length > 0 && (
        <>
          <h2>{t('empty.samples')}</h2>
          <ul className="empty-row">
            {samples.map((name) => (
              <li key={name}>
                <AriaButton className="sample" onPress={() => void openSample(name)} data-testid={`sample-${name}`}>
                  <img src={sampleThumbnails[name]} alt="" width={148} height={99} className="sample-picture" />
                  <span className="sample-title">{t(`sample.${name}`)}</span>
                </AriaButton>
              </li>
            ))}
          </ul>
        </>
      )}
      {recent !== undefined && recent.length > 0 && (
        <>
          <h2>{t('empty.recent')}</h2>
          <ul className="empty-recent">
            {recent.slice(0, shownRecent).map((file, index) => {
              const { folder } = recentPlace(file.path);
              return (
                <li key={file.path} title={file.path}>
                  <Button look="quiet" onPress={() => void openRecent(index)} testId={`recent-${index}`}>
                    <span className="recent-name">{recentName(file, t)}</span>
                    <span className="recent-folder">{folder}</span>
                  </Button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}
