// Which backend runs for a choice, with and without a device, and why.

import { expect, test } from 'vitest';
import { backendReason, chooseBackend, needsCpu } from '../../../core/backends';
import type { Filter } from '../../../core/document';
import { catalogueEntry } from '../../../core/filters';
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

test('a stack asks for the CPU where a device lacks what is switched on in it', () => {
  const unsharp = { ...catalogueEntry('unsharp').create('a', 'u8'), threshold: 3 } as Filter;
  const diffusion = { ...catalogueEntry('diffusion').create('b', 'u8'), stopping: 'exponential' } as Filter;
  const plain = (['unsharp', 'diffusion'] as const).map((kind) => catalogueEntry(kind).create(kind, 'u8'));
  expect(needsCpu(plain)).toBe(null);
  expect(needsCpu([...plain, unsharp])).toBe('threshold');
  expect(needsCpu([diffusion])).toBe('diffusion');
  expect(needsCpu([{ ...diffusion, enabled: false }])).toBe(null);
  expect(backendReason('auto', backends(true), 'cpu', 'diffusion')).toEqual({ kind: 'diffusion', wanted: 'cuda' });
});
