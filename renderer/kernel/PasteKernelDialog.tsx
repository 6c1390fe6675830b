// A kernel as text, read as it is typed or pasted; what is wrong with it is said at once, and only a good one can be used.

import { useMemo, useState } from 'react';
import { ConvolveError } from '../../core/errors';
import { errorText } from '../../core/errorText';
import { parseKernelText } from '../../core/formats';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { closeDialog, DialogShell } from '../panels/DialogShell';
import { Button } from '../ui/Button';

export function PasteKernelDialog() {
  const { t, language } = useWords();
  const [text, setText] = useState('');
  const read = useMemo(() => {
    if (text.trim() === '') return { kernel: null, failure: null };
    try {
      return { kernel: parseKernelText(text, { divisor: 'auto' }).kernel, failure: null };
    } catch (thrown) {
      if (thrown instanceof ConvolveError) return { kernel: null, failure: thrown.failure };
      throw thrown;
    }
  }, [text]);
  const { kernel, failure } = read;
  return (
    <DialogShell title={t('kernel.pasteTitle')} testId="paste-kernel">
      <p className="dialog-dim">{t('kernel.pasteHint')}</p>
      <textarea
        className="paste-text"
        aria-label={t('kernel.pasteText')}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the dialog exists for this one field
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        data-testid="paste-kernel-text"
      />
      {failure !== null && (
        <p role="alert" className="dialog-error">
          {errorText(failure, language)}
        </p>
      )}
      {kernel !== null && (
        <p role="status" className="dialog-dim">
          {t('kernel.pasted', { width: kernel.width, height: kernel.height })}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{t('export.cancel')}</Button>
        <Button
          look="primary"
          isDisabled={kernel === null}
          testId="paste-kernel-use"
          onPress={() => {
            if (kernel !== null && changeKernel(() => kernel)) closeDialog();
          }}
        >
          {t('kernel.pasteUse')}
        </Button>
      </div>
    </DialogShell>
  );
}
