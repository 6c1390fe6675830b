// Values of samples as people want to read them: as the picture stores them, or in 8 bits, 16 bits, percent or as a share of
// full scale. Pure.

import type { ValueFormat } from '../../core/ipc';
import { fullScale, type SampleType } from '../../core/pass';
import { formatNumber } from './numberText';

/** A stored code value in a format: whole where it is, else with as many digits as tell neighbours of the depth apart. */
export function formatSample(value: number, sampleType: SampleType, format: ValueFormat): string {
  const share = value / fullScale[sampleType];
  switch (format) {
    case 'stored':
      return sampleType === 'u8' || sampleType === 'u16' ? String(value) : formatNumber(value, 5);
    case 'byte':
      return formatNumber(share * 255, sampleType === 'u8' ? 6 : 5);
    case 'word':
      return formatNumber(share * 65535, 7);
    case 'percent':
      return `${formatNumber(share * 100, 4)} %`;
    case 'float':
      return formatNumber(share, sampleType === 'u8' ? 4 : 6);
  }
}
