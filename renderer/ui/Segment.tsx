// One choice of a few, as joined buttons.

import type { ReactNode } from 'react';
import type { Key } from 'react-aria-components';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import './segment.css';

interface SegmentItem<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Shown in place of the label, which is then its name and its tooltip. */
  readonly icon?: ReactNode;
  readonly testId?: string;
}

interface SegmentProps<Value extends string> {
  readonly label: string;
  /** `null`: none of them. */
  readonly value: Value | null;
  readonly items: readonly SegmentItem<Value>[];
  readonly onChoose: (value: Value) => void;
  readonly isDisabled?: boolean;
  /** Fills the width it is given. */
  readonly wide?: boolean;
  /** A press on the chosen one chooses it again, as for Fit after a resize. */
}

export function Segment<Value extends string>(props: SegmentProps<Value>) {
  const { label, value, items, onChoose, isDisabled = false, wide = false } = props;
  const choose = (keys: Set<Key>) => {
    const chosen =
      items.find((item) => keys.has(item.value) && item.value !== value) ?? items.find((item) => item.value === value);
    if (chosen !== undefined) onChoose(chosen.value);
  };
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={wide ? 'segment segment-wide' : 'segment'}
      selectionMode="single"
      isDisabled={isDisabled}
      selectedKeys={value === null ? [] : [value]}
      onSelectionChange={choose}
    >
      {items.map((item) => (
        <ToggleButton
          key={item.value}
          id={item.value}
          className="segment-item"
          data-testid={item.testId}
          {...(item.icon === undefined ? {} : { 'aria-label': item.label })}
        >
          {item.icon === undefined ? item.label : <span title={item.label}>{item.icon}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
