// A share of 0…1 as a slider in percent, to a tenth.

import { ParameterSlider } from './ParameterSlider';

interface PercentSliderProps {
  readonly label: string;
  /** 0…1. */
  readonly value: number;
  readonly standard: number;
  readonly minimum?: number;
  readonly testId: string;
  readonly onChange: (value: number) => void;
  readonly onGesture?: (phase: 'begin' | 'end') => void;
}

export function PercentSlider(props: PercentSliderProps) {
  const { label, value, standard, minimum = 0, testId, onChange, onGesture = () => undefined } = props;
  return (
    <ParameterSlider
      label={label}
      value={Math.round(value * 1000) / 10}
      standard={standard * 100}
      scale={{ minimum: minimum * 100, maximum: 100, step: 1, scale: 'linear', whole: false }}
      unit="%"
      testId={testId}
      onChange={(percent) => onChange(Math.round(percent * 10) / 1000)}
      onGesture={onGesture}
    />
  );
}
