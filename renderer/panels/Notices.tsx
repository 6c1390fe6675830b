// Messages over the picture: errors and cautions stay until they are dismissed, good news leaves by itself.

import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { errorText } from '../../core/errorText';
import type { Language } from '../../core/language';
import { warningText } from '../../core/warningText';
import { editor } from '../editor';
import { type Translate, useWords } from '../i18n/useWords';
import { type Notice, usePage } from '../store';
import { IconButton } from '../ui/Button';
import './notices.css';

/** How long good news stays, in ms: long enough to read two lines twice. */
const stay = 10_000;

export function Notices() {
  const { t } = useWords();
  const notices = usePage((state) => state.notices);
  return (
    <section className="notices" aria-label={t('notice.region')} data-testid="notices">
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function textOf({ content }: Notice, t: Translate, language: Language): string {
  switch (content.kind) {
    case 'failure':
      return errorText(content.failure, language);
    case 'words':
      return t(content.key, content.values);
    case 'engine':
      return t('notice.engine', {
        engine: t(`engine.${content.engine}`),
        text: errorText(content.failure, language),
      });
    case 'warning':
      return t('notice.warning', { file: content.file, text: warningText(content.warning, language) });
  }
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const { t, language } = useWords();
  const { id, content } = notice;
  const leaves = content.kind === 'words' && !content.stays;
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(() => editor.dismiss(id), stay);
    return () => clearTimeout(timer);
  }, [id, leaves]);
  const Icon = content.kind === 'failure' ? CircleAlert : leaves ? CircleCheck : Info;
  return (
    <div
      className={`notice notice-${leaves || content.kind !== 'words' ? content.kind : 'warning'}`}
      role={content.kind === 'failure' ? 'alert' : 'status'}
      data-testid={`notice-${content.kind}`}
    >
      <Icon size={16} aria-hidden="true" className="notice-icon" />
      <p className="notice-text">{textOf(notice, t, language)}</p>
      <IconButton label={t('notice.dismiss')} onPress={() => editor.dismiss(id)}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
