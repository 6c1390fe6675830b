// What an export would come to, on request: the size of the file, and the middle of the encoded picture at 100 %.

import { useEffect, useRef, useState } from 'react';
import type { ExportOptions } from '../../core/exportOptions';
import { fail, previewExport } from '../actions';
import { useWords } from '../i18n/useWords';
import { Button } from '../ui/Button';
import { formatBytes } from '../ui/numberText';

/** The part that is shown, in CSS pixels. */
const view = { width: 368, height: 180 };

type Shown =
  | { readonly kind: 'nothing' | 'encoding' }
  | { readonly kind: 'preview'; readonly fileBytes: number; readonly url: string | null };

export function ExportPreview({ options, isDisabled }: { options: ExportOptions; isDisabled: boolean }) {
  const { t } = useWords();
  const [shown, setShown] = useState<Shown>({ kind: 'nothing' });
  const wanted = useRef(options);
  // What was encoded with other settings says nothing about these.
  useEffect(() => {
    wanted.current = options;
    setShown({ kind: 'nothing' });
  }, [options]);
  const url = shown.kind === 'preview' ? shown.url : null;
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);

  const encode = async () => {
    // Not disabled meanwhile: the button would lose the focus, and Esc with it.
    if (shown.kind === 'encoding') return;
    setShown({ kind: 'encoding' });
    const result = await previewExport(options, view);
    if (wanted.current !== options) return;
    if (result === null || !result.ok) {
      setShown({ kind: 'nothing' });
      if (result !== null) fail(result.failure);
      return;
    }
    const { fileBytes, png } = result.value;
    const picture = png === null ? null : URL.createObjectURL(new Blob([new Uint8Array(png)], { type: 'image/png' }));
    setShown({ kind: 'preview', fileBytes, url: picture });
  };

  return (
    <div className="export-preview">
      <div className="export-preview-line">
        <Button onPress={() => void encode()} isDisabled={isDisabled} testId="export-preview">
          {t('export.preview')}
        </Button>
        <span role="status" className="dialog-dim" data-testid="export-preview-size">
          {shown.kind === 'encoding' && t('export.previewing')}
          {shown.kind === 'preview' && t('export.previewSize', { size: formatBytes(shown.fileBytes) })}
        </span>
      </div>
      {url !== null && <img src={url} alt={t('export.previewPicture')} data-testid="export-preview-picture" />}
    </div>
  );
}
