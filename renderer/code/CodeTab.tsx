// The Code tab: the kernel as a program or in the format of another one, with what that does not keep listed before it, to
// copy or save; below it a box that takes any of them back.

import { useMemo, useState } from 'react';
import type { Filter } from '../../core/document';
import { failureOf } from '../../core/errors';
import { errorText } from '../../core/errorText';
import type { Kernel } from '../../core/kernel';
import { copyText, saveFile } from '../actions';
import { useWords } from '../i18n/useWords';
import { type GradientAxis, GradientSegment } from '../kernel/GradientSegment';
import { NoKernel } from '../kernel/NoKernel';
import { useFilterKernels } from '../kernel/useFilterKernels';
import { filterName } from '../panels/filterWords';
import { Button } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { lossWords } from './codeLossText';
import { hexDump, kernelOutput, type OutputKey, outputKeys } from './kernelOutput';
import { PasteBox } from './PasteBox';
import './codeTab.css';

/** The last choice, for the next filter too. */
let lastKey: OutputKey = 'code imageMagick';

export function CodeTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const [key, setKey] = useState<OutputKey>(lastKey);
  const { shown, kernels, long } = useFilterKernels(filter);
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  const words = (one: OutputKey) => {
    const [kind, name] = one.split(' ');
    return t(kind === 'code' ? `codeTarget.${name}` : `writtenFormat.${name}`);
  };
  const choose = (one: OutputKey) => {
    lastKey = one;
    setKey(one);
  };
  return (
    <div className="code-tab" data-testid="code-tab">
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      {long !== null ? (
        <p className="quiet">{t('code.long')}</p>
      ) : kernel === undefined ? (
        <NoKernel filter={filter} />
      ) : (
        <>
          <Choice
            label={t('code.format')}
            value={key}
            options={outputKeys.map((value) => ({ value, label: words(value) }))}
            onChoose={choose}
            testId="code-format"
          />
          <Output outputKey={key} kernel={kernel} filter={shown} />
        </>
      )}
      <h3 className="section-title">{t('code.pasteTitle')}</h3>
      <PasteBox onTaken={() => undefined} />
    </div>
  );
}

interface OutputProps {
  readonly outputKey: OutputKey;
  readonly kernel: Kernel;
  readonly filter: Filter;
}

/** Characters of a text that are shown; the whole is copied and saved. */
const shownCharacters = 100_000;

function Output({ outputKey, kernel, filter }: OutputProps) {
  const { t, language } = useWords();
  const name = filterName(filter, t);
  const made = useMemo(() => {
    try {
      return { output: kernelOutput(outputKey, kernel, filter, name, t), failure: null };
    } catch (thrown) {
      return { output: null, failure: failureOf(thrown) };
    }
  }, [outputKey, kernel, filter, name, t]);
  if (made.output === null)
    return (
      <p role="alert" className="dialog-error">
        {errorText(made.failure, language)}
      </p>
    );
  const { content, losses, ending } = made.output;
  const text = typeof content === 'string' ? content : hexDump(content);
  return (
    <>
      {losses.length > 0 && (
        <ul className="losses" aria-label={t('code.losses')} data-testid="code-losses">
          {losses.map((loss) => (
            <li key={loss.kind}>{lossWords(loss, t)}</li>
          ))}
        </ul>
      )}
      <textarea
        className="code-text"
        readOnly
        aria-label={t('code.text')}
        spellCheck={false}
        wrap="off"
        value={text.length > shownCharacters ? `${text.slice(0, shownCharacters)}\n…` : text}
        data-testid="code-text"
      />
      <div className="code-actions">
        {typeof content === 'string' && (
          <Button onPress={() => void copyText(content)} testId="code-copy">
            {t('code.copy')}
          </Button>
        )}
        <Button onPress={() => void saveFile(`${name}${ending}`, content)} testId="code-save">
          {t('code.save')}
        </Button>
      </div>
    </>
  );
}
