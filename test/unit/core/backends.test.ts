// Which backend runs for a choice, with and without a device, and why.

import { expect, test } from 'vitest';
import { backendReason, chooseBackend } from '../../../core/backends';
import type { BackendStatus } from '../../../core/ipc';

const backends = (cuda: boolean): readonly BackendStatus[] => [
  { name: 'reference', available: true, description: '' },
  { name: 'cpu', available: true, description: '' },
  { name: 'cuda', available: cuda, description: cuda ? 'RTX' : 'no NVIDIA driver' },
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

test('the reason says what the wanted backend lacks', () => {
  expect(backendReason('auto', backends(true), 'cuda')).toEqual({ kind: 'fastest' });
  const lacking = { kind: 'unavailable', wanted: 'cuda', why: 'no NVIDIA driver' };
  expect(backendReason('auto', backends(false), 'cpu')).toEqual(lacking);
  expect(backendReason('cuda', backends(false), 'cpu')).toEqual(lacking);
  expect(backendReason('reference', backends(false), 'reference')).toEqual({ kind: 'chosen' });
});

test('a backend that could run but did not has failed', () => {
  expect(backendReason('auto', backends(true), 'cpu')).toEqual({ kind: 'failed', wanted: 'cuda' });
});

test('a backend that failed is not chosen until it is sound again, and the reason says how it failed', () => {
  const failure = { code: 'deviceFailed', subject: 'cuda: launch' } as const;
  const failed = backends(true).map((status) => (status.name === 'cuda' ? { ...status, failure } : status));
  expect(chooseBackend('auto', failed)).toBe('cpu');
  expect(chooseBackend('cuda', failed)).toBe('cpu');
  expect(backendReason('auto', failed, 'cpu')).toEqual({ kind: 'failed', wanted: 'cuda', failure });
});
