// The history as a list of named steps, the newest last; choosing one goes there, and the steps after it stay to be redone.

import { History } from 'lucide-react';
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components';
import { assertNever } from '../../core/errors';
import { type StepName, stepName } from '../../core/stepNames';
import { editor } from '../editor';
import { type Translate, useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { filterName, parameterText } from './filterWords';
import './historyList.css';

export function stepText(step: StepName, t: Translate): string {
  if (step.kind === 'several') return t('history.several');
  const filter = filterName(step.filter, t);
  switch (step.kind) {
    case 'parameter':
      return t('history.parameter', {
        filter,
        parameter: t(`parameter.${step.key}`),
        from: parameterText(step.key, step.from, t),
        to: parameterText(step.key, step.to, t),
      });
    case 'added':
    case 'removed':
    case 'moved':
    case 'on':
    case 'off':
    case 'renamed':
    case 'kernel':
    case 'mask':
    case 'settings':
      return t(`history.${step.kind}`, { filter });
    default:
      return assertNever(step);
  }
}

export function HistoryButton() {
  const { t } = useWords();
  const hasPicture = usePage((state) => state.image !== null);
  return (
    <DialogTrigger>
      <Button
        className="icon-button icon-button-framed"
        aria-label={t('history.title')}
        isDisabled={!hasPicture}
        data-testid="history"
      >
        <History size={14} aria-hidden="true" />
      </Button>
      <Popover className="popover" placement="bottom" offset={6}>
        <Dialog className="history" data-testid="history-list">
          <Heading slot="title" className="visually-hidden">
            {t('history.title')}
          </Heading>
          <HistoryList />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function HistoryList() {
  const { t } = useWords();
  const { past, present, future } = usePage((state) => state.history);
  const stacks = [...past, present, ...future];
  return (
    <ol className="history-steps">
      {stacks.map((stack, place) => {
        const before = stacks[place - 1];
        const isPresent = place === past.length;
        return (
          // A place in the history is a step's identity.
          // biome-ignore lint/suspicious/noArrayIndexKey: steps never change places
          <li key={place}>
            <button
              type="button"
              className={place > past.length ? 'history-step history-undone' : 'history-step'}
              aria-current={isPresent ? 'step' : undefined}
              ref={isPresent ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
              onClick={() => editor.goTo(place)}
              data-testid="history-step"
            >
              {before === undefined ? t('history.start') : stepText(stepName(before, stack), t)}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
