// A box for kernels of other programs: text is typed or pasted into it, or a file opened, and is read as it comes.

import { useMemo, useRef, useState } from 'react';
import { ConvolveError, type Failure } from '../../core/errors';
import { errorText } from '../../core/errorText';
import { readKernelFile, readKernelText } from '../../core/interchange/read';
import type { KernelReading } from '../../core/interchange/reading';
import { useWords } from '../i18n/useWords';
import { isPictureFile, readKernelPicture } from '../kernelActions';
import { Button } from '../ui/Button';
import { KernelReadingView } from './KernelReadingView';

/** What is in the box. */
type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Uint8Array };

type Read =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reading'; readonly reading: KernelReading }
  | { readonly kind: 'failure'; readonly failure: Failure };

function readContent(content: Content): Read {
  if (content.kind === 'text' && content.text.trim() === '') return { kind: 'nothing' };
  try {
    const reading =
      content.kind === 'text'
        ? readKernelText(content.text, '', { divisor: 'auto' })
        : readKernelFile(content.bytes, content.name, { divisor: 'auto' });
    return { kind: 'reading', reading };
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return { kind: 'failure', failure: thrown.failure };
    throw thrown;
  }
}

interface PasteBoxProps {
  readonly autoFocus?: boolean;
  readonly onTaken: () => void;
}

export function PasteBox({ autoFocus = false, onTaken }: PasteBoxProps) {
  const { t, language } = useWords();
  const [content, setContent] = useState<Content>({ kind: 'text', text: '' });
  const input = useRef<HTMLInputElement>(null);
  const read = useMemo(() => readContent(content), [content]);
  const empty = () => setContent({ kind: 'text', text: '' });
  return (
    <div className="paste-box">
      <textarea
        className="paste-text"
        aria-label={t('kernel.pasteText')}
        placeholder={t('code.pastePlaceholder')}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the dialog exists for this one field
        autoFocus={autoFocus}
        value={content.kind === 'text' ? content.text : t('code.file', { name: content.name })}
        readOnly={content.kind === 'file'}
        onChange={(event) => setContent({ kind: 'text', text: event.target.value })}
        data-testid="paste-kernel-text"
      />
      <div className="paste-file">
        <input
          ref={input}
          type="file"
          hidden
          data-testid="kernel-file"
          onChange={async (event) => {
            const file = event.target.files?.[0];
            event.target.value = '';
            if (file === undefined) return;
            if (isPictureFile(file)) await readKernelPicture(file);
            else setContent({ kind: 'file', name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
          }}
        />
        <Button onPress={() => input.current?.click()}>{t('code.openFile')}</Button>
        {content.kind === 'file' && <Button onPress={empty}>{t('code.clear')}</Button>}
      </div>
      {read.kind === 'failure' && (
        <p role="alert" className="dialog-error">
          {errorText(read.failure, language)}
        </p>
      )}
      {read.kind === 'reading' && (
        <KernelReadingView
          // Answers belong to what was read.
          key={`${read.reading.format} ${read.reading.kernels.length} ${read.reading.kernels[0]?.kernel.width}`}
          reading={read.reading}
          onTaken={() => {
            empty();
            onTaken();
          }}
        />
      )}
    </div>
  );
}
