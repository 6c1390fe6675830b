// A number that is typed: `1.3` and `1,3`, Enter or leaving takes it, Esc puts the old one back, arrows step.

import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseNumber } from '../../core/numbers';
import './numberField.css';
import { formatNumber, limitNumber } from './numberText';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly whole?: boolean;
  readonly unit?: string;
  readonly digits?: number;
  readonly isDisabled?: boolean;
  readonly testId?: string | undefined;
  readonly onCommit: (value: number) => void;
  /** Arrow keys: `count` steps, `fine` with Shift. Without it arrows do nothing. */
  readonly onStep?: (count: number, fine: boolean) => void;
}

export function NumberField(props: NumberFieldProps) {
  const { label, value, minimum, maximum, whole = false, unit = '', digits = 6, isDisabled = false, onCommit } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const [refused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const messageId = useId();
  const written = formatNumber(value, digits);
  const meant = typed === null ? null : parseNumber(typed);
  // Said before typing ends, so that nobody meets the limit only by its effect.
  const isBeyond = meant !== null && (meant < minimum || meant > maximum);

  const take = (): boolean => {
    if (typed === null) return true;
    const parsed = parseNumber(typed);
    if (parsed === null) {
      setRefused(true);
      return false;
    }
    const held = limitNumber(parsed, minimum, maximum, whole);
    setTyped(null);
    setRefused(false);
    if (held !== value) onCommit(held);
    return true;
  };
  const forget = () => {
    setTyped(null);
    setRefused(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      // Selecting would take the focus back from where Tab has brought it meanwhile.
      const selectAgain = () => {
        if (document.activeElement === input.current) input.current?.select();
      };
      if (take()) requestAnimationFrame(selectAgain);
    } else if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      forget();
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && props.onStep !== undefined) {
      event.preventDefault();
      if (take()) props.onStep(event.key === 'ArrowUp' ? 1 : -1, event.shiftKey);
    }
  };

  return (
    <span
      className={refused ? 'number-field number-field-refused' : 'number-field'}
      data-disabled={isDisabled || undefined}
    >
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        spellCheck={false}
        autoComplete="off"
        aria-label={t('number.field', { name: label })}
        aria-invalid={refused}
        data-settled={typed === null}
        aria-describedby={refused || isBeyond ? messageId : undefined}
        data-testid={props.testId}
        disabled={isDisabled}
        value={typed ?? written}
        onChange={(event) => {
          setTyped(event.target.value);
          setRefused(false);
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          if (!take()) forget();
        }}
        onKeyDown={onKeyDown}
      />
      {unit !== '' && <span className="number-unit">{unit}</span>}
      {(refused || isBeyond) && (
        <span id={messageId} role="alert" className="number-message">
          {refused
            ? t('number.invalid', { text: typed ?? '' })
            : t('number.range', { minimum: String(minimum), maximum: String(maximum) })}
        </span>
      )}
    </span>
  );
}
