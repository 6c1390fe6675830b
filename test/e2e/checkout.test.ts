// What a person types in the checkout.

import { command } from '../../scripts/command';
import { expect, test } from './editorTest';

test('npx convolve is the command line', async () => {
  const { stdout, code } = await command('npx', ['convolve', '--version']);
  expect({ code, version: stdout.trim() }).toMatchObject({
    code: 0,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
});
