// The kernel from a formula: read as it is typed, the grid and the picture following it, a slider for each free name, and every
// refusal with its place. Typing, until the field is left, is one undo step; Esc takes it back. The filter keeps the formula
// until a cell is changed otherwise.

import { useMemo, useRef, useState } from 'react';
import type { KernelFormula } from '../../core/document';
import { ConvolveError, type Failure } from '../../core/errors';
import { errorText } from '../../core/errorText';
import {
  type FormulaValues,
  fillFromFormula,
  formulaFunctions,
  parseFormula,
  startingValue,
  usedValues,
} from '../../core/formula';
import { shareBeyondGrid } from '../../core/formulaReach';
import type { Kernel } from '../../core/kernel';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { Choice } from '../ui/Choice';
import { formatNumber } from '../ui/numberText';
import { ParameterSlider } from '../ui/ParameterSlider';
import './formulaPanel.css';
import { type FormulaExample, formulaExamples, variableScale } from './formulaVariables';
import { useSettled } from './useSettled';

/** Share of a formula beyond its grid that is worth saying. */
const tellingShare = 0.01;

/** Where in a one-line text a failure points: `line 1, column C` as an offset; null where it names none. */
export function failureOffset({ subject = '' }: Failure): number | null {
  const column = /^line \d+, column (\d+)$/.exec(subject)?.[1];
  return column === undefined ? null : Number(column) - 1;
}

function attempt<T>(
  work: () => T,
): { readonly value: T; readonly failure: null } | { readonly value: null; readonly failure: Failure } {
  try {
    return { value: work(), failure: null };
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return { value: null, failure: thrown.failure };
    throw thrown;
  }
}

const noFormula: KernelFormula = { text: '', values: {} };

interface FormulaPanelProps {
  readonly kernel: Kernel;
  /** The one that the kernel's weights come from; null where they come from elsewhere. */
  readonly formula: KernelFormula | null;
}

export function FormulaPanel({ kernel, formula: kept }: FormulaPanelProps) {
  const { t, language } = useWords();
  /** What stands in the field and is not the kernel's: unfinished, refused, or of cells that were changed by hand since. */
  const [draft, setDraft] = useState<KernelFormula | null>(null);
  const [before, setBefore] = useState('');
  const { width, height, anchorX, anchorY } = kernel;
  const grid = useMemo(() => ({ width, height, anchorX, anchorY }), [width, height, anchorX, anchorY]);
  /** Why the cells are not those of the formula. */
  const [unusable, setUnusable] = useState<Failure | null>(null);
  const seen = useRef(kept);
  if (seen.current !== kept) {
    setDraft(kept === null ? seen.current : null);
    setUnusable(null);
    seen.current = kept;
  }
  const { text, values } = draft ?? kept ?? noFormula;
  const read = useMemo(() => (text.trim() === '' ? null : attempt(() => parseFormula(text))), [text]);
  /** Values of all names so far, so that one that is typed again has its value again. */
  const known = useRef<FormulaValues>({});
  /** Fills the kernel; what cannot be a weight leaves it as it is, and says so below the field. */
  const fill = (nextText: string, given: FormulaValues) => {
    known.current = { ...known.current, ...given };
    const nextValues = known.current;
    const parsed = nextText.trim() === '' ? null : attempt(() => parseFormula(nextText));
    const filled = parsed?.value && attempt(() => fillFromFormula(kernel, parsed.value, nextValues));
    if (parsed?.value && filled?.value) {
      const next = { text: nextText, values: usedValues(parsed.value, kernel, nextValues) };
      changeKernel(() => filled.value, next);
    } else {
      setDraft({ text: nextText, values: nextValues });
      setUnusable(filled?.failure ?? null);
    }
  };
  const failure = read?.failure ?? unusable;
  const isApart = draft !== null && text.trim() !== '' && failure === null;
  const offset = failure === null ? null : failureOffset(failure);
  const formula = read?.value ?? null;
  const settled = useSettled(
    useMemo(() => ({ formula, values, grid }), [formula, values, grid]),
    false,
    200,
  );
  const beyond = useMemo(
    () => (settled.formula === null ? null : shareBeyondGrid(settled.formula, settled.grid, settled.values)),
    [settled],
  );
  const size = Math.max(width, height);
  return (
    <section className="formula" aria-label={t('formula.title')} data-testid="formula">
      <Choice<FormulaExample | 'none'>
        label={t('formula.example')}
        value={
          (Object.keys(formulaExamples) as FormulaExample[]).find((key) => formulaExamples[key] === text) ?? 'none'
        }
        options={[
          { value: 'none', label: t('formula.choose') },
          ...(Object.keys(formulaExamples) as FormulaExample[]).map((key) => ({
            value: key,
            label: t(`formulaExample.${key}`),
          })),
        ]}
        onChoose={(key) => {
          if (key === 'none') return;
          known.current = {};
          fill(formulaExamples[key], {});
        }}
        testId="formula-example"
      />
      <input
        className="formula-field"
        type="text"
        spellCheck={false}
        autoComplete="off"
        maxLength={1000}
        aria-label={t('formula.field')}
        aria-invalid={failure !== null}
        aria-describedby="formula-help"
        placeholder={formulaExamples.gaussian}
        value={text}
        data-testid="formula-field"
        onFocus={() => {
          setBefore(text);
          editor.gesture('begin');
        }}
        onBlur={() => editor.gesture('end')}
        onChange={(event) => fill(event.target.value, values)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            if (isApart) fill(text, values);
            editor.gesture('end');
            setBefore(text);
            editor.gesture('begin');
          } else if (event.key === 'Escape' && text !== before) {
            event.stopPropagation();
            editor.gesture('cancel');
            setDraft(null);
            setUnusable(null);
            editor.gesture('begin');
          }
        }}
      />
      {failure !== null && (
        <div role="alert" className="formula-failure">
          {offset !== null && (
            <p aria-hidden="true" className="formula-place">
              {text.slice(Math.max(0, offset - 30), offset)}
              <mark>{text.slice(offset, offset + 1) || '␣'}</mark>
              {text.slice(offset + 1, offset + 12)}
            </p>
          )}
          <p>{errorText(failure, language)}</p>
        </div>
      )}
      {isApart && (
        <p className="formula-beyond" role="status" data-testid="formula-apart">
          {t('formula.apart')}
        </p>
      )}
      {formula?.variables.map((name) => (
        <ParameterSlider
          key={name}
          label={name}
          value={Object.hasOwn(values, name) ? (values[name] ?? 0) : startingValue(name, width, height)}
          standard={startingValue(name, width, height)}
          scale={variableScale(name, size)}
          unit=""
          testId={`formula-${name}`}
          onChange={(value) => fill(text, { ...values, [name]: value })}
          onGesture={editor.gesture}
        />
      ))}
      {beyond !== null && beyond > tellingShare && (
        <p className="formula-beyond" role="status">
          {t('formula.beyond', { percent: formatNumber(beyond * 100, 2) })}
        </p>
      )}
      <p id="formula-help" className="kernel-field-note">
        {t('formula.help', { functions: formulaFunctions.join(', ') })}
      </p>
    </section>
  );
}
