// A labelled choice from a list that opens. Options may show a picture before their words.

import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import './choice.css';

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly picture?: ReactNode;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly ChoiceOption<Value>[];
  readonly onChoose: (value: Value) => void;
  readonly isDisabled?: boolean;
  readonly testId?: string;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChoose, isDisabled = false, testId } = props;
  return (
    <Select
      className="choice"
      value={value}
      isDisabled={isDisabled}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined && chosen.value !== value) onChoose(chosen.value);
      }}
    >
      <Label className="row-label">{label}</Label>
      <Button className="choice-button" data-testid={testId}>
        <SelectValue className="choice-value" />
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Popover className="popover choice-popover" offset={4} maxHeight={420}>
        <ListBox className="choice-list">
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} textValue={option.label} className="choice-option">
              <Check size={13} aria-hidden="true" className="choice-check" />
              {option.picture !== undefined && <span className="choice-picture">{option.picture}</span>}
              <span className="choice-text">{option.label}</span>
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
