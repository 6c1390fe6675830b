// Buttons: plain, primary and icon-only (with its name as a tooltip).

import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps, Tooltip, TooltipTrigger } from 'react-aria-components';
import './button.css';

interface PlainButtonProps extends Omit<ButtonProps, 'className' | 'children'> {
  readonly children: ReactNode;
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly testId?: string;
}

export function Button({ children, look = 'plain', testId, ...rest }: PlainButtonProps) {
  return (
    <AriaButton {...rest} className={`button button-${look}`} data-testid={testId}>
      {children}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'className' | 'children' | 'aria-label'> {
  readonly label: string;
  /** Written after the label in the tooltip. */
  readonly shortcut?: string | undefined;
  readonly children: ReactNode;
  readonly testId?: string;
  readonly framed?: boolean;
}

export function IconButton({ label, shortcut, children, testId, framed = false, ...rest }: IconButtonProps) {
  return (
    <TooltipTrigger delay={600} closeDelay={0}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={framed ? 'icon-button icon-button-framed' : 'icon-button'}
        data-testid={testId}
      >
        {children}
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
        {shortcut !== undefined && <span className="tooltip-key">{shortcut}</span>}
      </Tooltip>
    </TooltipTrigger>
  );
}
