// What the commands print stays one line, whatever a file is called.

import { expect, it } from 'vitest';
import { applyLines, infoLine } from '../../../main/commandLine/report';

const hostile = 'a\nb\u001b[31m\u202egnp.png';
const picture = { width: 2, height: 1, channels: 3, alpha: false, sampleType: 'u8', fileBytes: 9 } as const;

it('prints no line break, terminal command or turned text of a name', () => {
  const info = infoLine({ ...picture, file: hostile, format: 'png', profile: 'sRGB', warnings: [] });
  expect(info).toBe('a b [31m gnp.png: 2 × 1, RGB, 8-bit, png, sRGB, 9 B');
  const report = {
    ...picture,
    input: 'in.png',
    output: hostile,
    backend: 'cpu',
    backendDescription: '',
    costs: 'shipped',
    notes: [],
  } as const;
  const lines = applyLines({ ...report, filterMilliseconds: 1, milliseconds: 2, passes: [] }, false);
  expect(lines).toEqual(['a b [31m gnp.png: 2 × 1, 8-bit, 9 B, 2.0 ms (filters 1.0 ms on cpu)']);
});
