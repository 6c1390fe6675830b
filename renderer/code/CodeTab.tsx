// The Code tab: the kernel as code to run elsewhere; what the code does not do as the filter does is listed before it.

import { useMemo, useState } from 'react';
import type { Filter } from '../../core/document';
import { failureOf } from '../../core/errors';
import { errorText } from '../../core/errorText';
import type { Kernel } from '../../core/kernel';
import { type CodeTarget, codeTargets, kernelCode } from '../../core/kernelCode';
import { copyText } from '../actions';
import { useWords } from '../i18n/useWords';
import { type GradientAxis, GradientSegment } from '../kernel/GradientSegment';
import { useFilterKernels } from '../kernel/useFilterKernels';
import { Button } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { codeLossText } from './codeLossText';
import './codeTab.css';

export function CodeTab({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const [which, setWhich] = useState<GradientAxis>('x');
  const [target, setTarget] = useState<CodeTarget>('numpy');
  const { shown, kernels, long } = useFilterKernels(filter);
  if (long !== null) return <p className="quiet">{t('code.long')}</p>;
  const kernel = kernels[which === 'y' && kernels.length > 1 ? 1 : 0];
  if (kernel === undefined) return <p className="quiet">{t('kernel.notRunning')}</p>;
  return (
    <>
      {kernels.length > 1 && <GradientSegment value={which} onChoose={setWhich} />}
      <Choice
        label={t('code.format')}
        value={target}
        options={codeTargets.map((value) => ({ value, label: t(`codeTarget.${value}`) }))}
        onChoose={setTarget}
        testId="code-format"
      />
      <Text target={target} kernel={kernel} filter={shown} />
    </>
  );
}

interface TextProps {
  readonly target: CodeTarget;
  readonly kernel: Kernel;
  readonly filter: Filter;
}

function Text({ target, kernel, filter }: TextProps) {
  const { t, language } = useWords();
  const code = useMemo(() => {
    try {
      return { ...kernelCode(target, kernel, filter), failure: null };
    } catch (thrown) {
      return { text: '', losses: [], failure: failureOf(thrown) };
    }
  }, [target, kernel, filter]);
  if (code.failure !== null) return <p className="quiet">{errorText(code.failure, language)}</p>;
  return (
    <>
      {code.losses.length > 0 && (
        <ul className="losses" aria-label={t('code.losses')} data-testid="code-losses">
          {code.losses.map((loss) => (
            <li key={loss.kind}>{codeLossText(loss, t)}</li>
          ))}
        </ul>
      )}
      <textarea
        className="code-text"
        readOnly
        aria-label={t('code.text')}
        spellCheck={false}
        wrap="off"
        value={code.text}
        data-testid="code-text"
      />
      <div className="code-actions">
        <Button onPress={() => void copyText(code.text)} testId="code-copy">
          {t('code.copy')}
        </Button>
      </div>
    </>
  );
}
