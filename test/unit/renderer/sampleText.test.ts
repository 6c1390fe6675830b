import { expect, it } from 'vitest';
import { formatSample } from '../../../renderer/ui/sampleText';

it('writes a byte in every format', () => {
  const formats = ['stored', 'byte', 'word', 'percent', 'float'] as const;
  expect(formats.map((format) => formatSample(51, 'u8', format))).toEqual(['51', '51', '13107', '20 %', '0.2']);
});

it('tells neighbours of 16 bits apart, and floats beyond the range', () => {
  expect(formatSample(65535, 'u16', 'byte')).toBe('255');
  expect(formatSample(1000, 'u16', 'byte')).toBe('3.8911');
  expect(formatSample(1000, 'u16', 'float')).not.toBe(formatSample(1001, 'u16', 'float'));
  expect(formatSample(-0.25, 'f32', 'percent')).toBe('-25 %');
  expect(formatSample(1.5, 'f32', 'byte')).toBe('382.5');
  expect(formatSample(0.123456789, 'f32', 'stored')).toBe('0.12346');
});
