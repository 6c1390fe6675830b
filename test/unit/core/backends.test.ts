// Which backend runs for a choice, with and without a device.

import { expect, test } from 'vitest';
import { chooseBackend } from '../../../core/backends';
import type { BackendStatus } from '../../../core/ipc';

const backends = (cuda: boolean): readonly BackendStatus[] => [
  { name: 'reference', available: true, description: '' },
  { name: 'cpu', available: true, description: '' },
  { name: 'cuda', available: cuda, description: '' },
];

test('auto is CUDA where there is a device, else the CPU, never the reference', () => {
  expect(chooseBackend('auto', backends(true))).toBe('cuda');
  expect(chooseBackend('auto', backends(false))).toBe('cpu');
});

test('a chosen backend runs where it works, and the CPU stands in where it does not', () => {
  expect(chooseBackend('reference', backends(false))).toBe('reference');
  expect(chooseBackend('cuda', backends(true))).toBe('cuda');
  expect(chooseBackend('cuda', backends(false))).toBe('cpu');
});
