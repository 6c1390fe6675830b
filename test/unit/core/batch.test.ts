// What a batch says at its end.

import { expect, it } from 'vitest';
import { linesOf } from '../../../core/batch';

it('a sentence about many pictures is one line, which names the first', () => {
  const said = Array.from({ length: 1000 }, (_, index) => ({ name: `${index + 1}.png`, text: 'This is lost.' }));
  expect(linesOf([{ name: 'a.gif', text: 'One page.' }, ...said], 'en')).toEqual([
    'a.gif: One page.',
    '1.png, 2.png, 3.png and 997 more: This is lost.',
  ]);
  expect(linesOf(said, 'zh-CN')).toEqual(['1.png, 2.png, 3.png 等 1000 张：This is lost.']);
  expect(linesOf(said.slice(0, 2), 'en')).toEqual(['1.png, 2.png: This is lost.']);
});
