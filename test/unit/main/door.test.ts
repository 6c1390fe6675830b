// The door: every channel refuses what its parser does not know, names the field, and never throws.

import { describe, expect, it } from 'vitest';
import { standardExport } from '../../../core/exportOptions';
import { type Channel, channelArguments } from '../../../core/ipc';
import { answer } from '../../../main/door';
import type { Handlers } from '../../../main/handlers';
import { pageFile } from '../../../main/page';
import { gaussian } from './pictures';

const channels = Object.keys(channelArguments) as Channel[];

/** Handlers that only say they were reached. */
function recordingHandlers() {
  const reached: Channel[] = [];
  const handlers = Object.fromEntries(
    channels.map((channel) => [
      channel,
      async () => {
        reached.push(channel);
      },
    ]),
  ) as unknown as Handlers;
  return { handlers, reached };
}

const stack = [gaussian(2)];
const options = standardExport;
const batchRequest = { stack, options, format: 'same', pattern: '{name}', conflict: 'skip', scope: 'start' };
const kernel = {
  width: 3,
  height: 3,
  anchorX: 1,
  anchorY: 1,
  weights: Array(9).fill(1),
  divisor: 9,
  bias: 0,
  orientation: 'correlation',
};
const custom = { ...gaussian(1), kind: 'custom', name: 'mine', kernel };

const good: Readonly<Record<Channel, unknown>> = {
  'app:state': undefined,
  'image:openStartup': undefined,
  'settings:change': { theme: 'dark' },
  'image:openDialog': undefined,
  'image:openSample': { name: 'kitten' },
  'image:openRecent': { index: 0 },
  'image:openDropped': { path: '/photo.jpg' },
  'image:paste': undefined,
  'image:openPage': { imageId: 1, page: 2, stack },
  'image:pageThumbnails': { imageId: 1, first: 1, count: 12 },
  'image:close': { imageId: 1 },
  'text:copy': { text: '1 2 1' },
  'text:paste': undefined,
  'file:save': { name: 'kernel.csv', content: Uint8Array.of(1, 2) },
  'image:export': { imageId: 1, stack: [...stack, custom], options },
  'image:cancelExport': undefined,
  'project:findPicture': { id: 1 },
  'project:save': { imageId: 1, stack, mode: 'saveEmbedded' },
  'document:keep': { imageId: 1, stack: [...stack, custom], unsaved: true },
  'recovery:restore': undefined,
  'recovery:discard': undefined,
  'window:close': undefined,
  'image:previewExport': { imageId: 1, stack, options, view: { width: 300, height: 200 } },
  'batch:chooseFiles': undefined,
  'batch:chooseFolder': undefined,
  'batch:chooseTarget': undefined,
  'batch:start': batchRequest,
  'batch:pause': { paused: true },
  'batch:cancel': undefined,
  'pixel:inspect': { imageId: 1, stack, x: 0, y: 0 },
  'pixel:explain': { imageId: 1, stack, filterId: 'filter-1', x: 0, y: 0 },
  'histogram:count': { imageId: 1, stack, subject: 'result', quality: 'exact' },
  'histogram:cancel': undefined,
  'image:thumbnail': { imageId: 1, stack, edge: 200 },
  'plan:explain': { imageId: 1, stack },
  'paths:measure': { imageId: 1, filter: custom, path: { kind: 'rank', rank: 2 } },
  'result:extremes': { imageId: 1, stack },
  'paths:cancelMeasure': undefined,
  'kernel:openPicture': undefined,
  'kernel:readPicture': { name: 'star.png', bytes: new Uint8Array(4) },
  'library:read': undefined,
  'library:entries': { ids: ['00000000-0000-4000-8000-000000000000'] },
  'library:save': { id: null, content: { name: 'mine', tags: ['a'], kernel } },
  'library:remove': { id: '00000000-0000-4000-8000-000000000000' },
  'library:import': undefined,
  'library:export': { ids: null },
  'render:counts': undefined,
};

const bad: Readonly<Record<Channel, readonly unknown[]>> = {
  'app:state': [{}, 'x'],
  'image:openStartup': [{}, 'photo.jpg'],
  'settings:change': [{ theme: 'purple' }, { backend: 1 }, 'dark', null],
  'image:openDialog': ['/etc/passwd', { path: '/etc/passwd' }],
  'image:openSample': [{}, { name: 5 }, { name: 'x'.repeat(101) }],
  'image:openRecent': [{ index: -1 }, { index: 0.5 }, { index: '0' }, { index: 51 }, {}],
  'image:openDropped': [{ path: '' }, { path: 7 }, { path: 'x'.repeat(32769) }, {}],
  'image:paste': [1],
  'image:openPage': [
    { imageId: 1, page: 0, stack },
    { imageId: 1, stack },
    { imageId: 1, page: 1, stack: 'all' },
  ],
  'image:pageThumbnails': [{ imageId: 1, first: 0, count: 1 }, { imageId: 1, first: 1, count: 13 }, {}],
  'image:close': [{ imageId: 0 }, { imageId: 1.5 }, { imageId: '1' }, {}],
  'file:save': [{ name: '', content: 'x' }, { name: 'a.csv', content: [1, 2] }, { name: 'a.csv' }],
  'text:paste': [{}],
  'text:copy': [{}, { text: 1 }, { text: 'x'.repeat(16 * 2 ** 20 + 1) }],
  'image:export': [
    { imageId: 1, stack, options: { ...options, format: 'gif' } },
    { imageId: 1, stack, options: { ...options, quality: 101 } },
    { imageId: 1, stack: 'all', options },
    { imageId: 1, stack: Array(65).fill(stack[0]), options },
  ],
  'image:cancelExport': [true],
  'project:findPicture': ['/photo.jpg', {}, { id: 0 }],
  'project:save': [
    { imageId: 1, stack, mode: '/etc/passwd' },
    { imageId: 1, stack, path: '/etc/passwd' },
  ],
  'document:keep': [
    { imageId: 1, stack, unsaved: 1 },
    { imageId: 0, stack, unsaved: true },
  ],
  'recovery:restore': [{ file: '/etc/passwd' }],
  'recovery:discard': [0],
  'window:close': [null],
  'image:previewExport': [
    { imageId: 1, stack, options },
    { imageId: 1, stack, options, view: { width: 0, height: 200 } },
    { imageId: 1, stack, options: { ...options, resize: { width: 0, height: 1 } }, view: { width: 1, height: 1 } },
  ],
  'batch:chooseFiles': ['/photos'],
  'batch:chooseFolder': [{ path: '/photos' }],
  'batch:chooseTarget': [{ folder: '/' }],
  'batch:start': [
    { ...batchRequest, conflict: 'ask' },
    { ...batchRequest, format: 'bmp' },
    { ...batchRequest, scope: 'again' },
    { ...batchRequest, pattern: 'x'.repeat(201) },
    { ...batchRequest, stack: 'all' },
  ],
  'batch:pause': [{}, { paused: 'yes' }],
  'batch:cancel': [{ now: true }],
  'kernel:openPicture': ['/etc/passwd', { path: '/etc/passwd' }],
  'library:read': [{}],
  'library:entries': [{ ids: [] }, { ids: ['../settings'] }, {}],
  'library:save': [
    { id: '../../etc/passwd', content: { name: 'mine', tags: [], kernel } },
    { id: null, content: { name: '', tags: [], kernel } },
    { id: null, content: { name: 'mine', tags: [], kernel: { ...kernel, weights: [] } } },
    { id: null, content: { name: 'mine', tags: [], kernel: { ...kernel, weights: Array(9).fill(1e200) } } },
  ],
  'library:remove': [{ id: '../settings' }, {}],
  'library:import': ['/etc/passwd'],
  'library:export': [{ ids: ['/etc/passwd'] }, { file: '/etc/passwd' }],
  'pixel:inspect': [
    { imageId: 1, stack, x: -1, y: 0 },
    { imageId: 1, stack, x: 0.5, y: 0 },
    { imageId: 1, stack, x: Number.NaN, y: 0 },
  ],
  'pixel:explain': [
    { imageId: 1, stack, x: 0, y: 0 },
    { imageId: 1, stack, filterId: 'x'.repeat(300), x: 0, y: 0 },
    { imageId: 1, stack, filterId: 'filter-1', x: -1, y: 0 },
  ],
  'histogram:count': [
    { imageId: 1, stack, subject: 'other', quality: 'exact' },
    { imageId: 1, stack, subject: 'result', quality: 'best' },
  ],
  'histogram:cancel': [{}],
  'image:thumbnail': [{ imageId: 1, stack, edge: 100_000 }],
  'paths:measure': [
    { imageId: 1, filter: custom, path: { kind: 'rank', rank: 0 } },
    { imageId: 1, filter: custom, path: { kind: 'variant', name: 'naive1d' } },
    { imageId: 1, filter: { ...custom, rank: 1.5 }, path: { kind: 'dense' } },
  ],
  'kernel:readPicture': [{ name: '', bytes: new Uint8Array(1) }, { name: 'a.png', bytes: [1] }, '/etc/passwd'],
  'result:extremes': [{ imageId: 1, stack: [] }],
  'paths:cancelMeasure': [1],
  'render:counts': [1],
  'plan:explain': [
    { imageId: 1, stack: [{ ...custom, kernel: { ...kernel, divisor: 0 } }] },
    { imageId: 1, stack: [{ ...custom, kernel: { ...kernel, weights: Array(8).fill(1) } }] },
    { imageId: 1, stack: [{ ...custom, kernel: { ...kernel, weights: Array(9).fill(Number.NaN) } }] },
    { imageId: 1, stack: [{ ...custom, kernel: { ...kernel, width: 512 } }] },
    { imageId: 1, stack: [{ ...gaussian(1), kind: 'sepia' }] },
  ],
};

/** Values that fit no channel, whatever it asks for. */
const junk: readonly unknown[] = [null, 42, 'text', [], [[]], () => 1, Symbol('x'), 10n];

describe('every channel', () => {
  for (const channel of channels) {
    it(`${channel} lets a right argument through`, async () => {
      const { handlers, reached } = recordingHandlers();
      expect(await answer(handlers, channel, good[channel])).toEqual({ ok: true, value: undefined });
      expect(reached).toEqual([channel]);
    });

    it(`${channel} refuses junk and wrong fields without reaching the handler`, async () => {
      const { handlers, reached } = recordingHandlers();
      for (const argument of [...junk, ...bad[channel]]) {
        const outcome = await answer(handlers, channel, argument);
        expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalidArgument' } });
      }
      expect(reached).toEqual([]);
    });
  }

  it('turns whatever a handler throws into a failure', async () => {
    const { handlers } = recordingHandlers();
    const throwing = { ...handlers, 'image:paste': () => Promise.reject(new TypeError('no such thing')) };
    expect(await answer(throwing, 'image:paste', undefined)).toEqual({
      ok: false,
      failure: { code: 'internal', actual: 'no such thing' },
    });
  });

  it('names the field that did not fit', async () => {
    const { handlers } = recordingHandlers();
    const outcome = await answer(handlers, 'image:export', bad['image:export'][1]);
    expect(outcome).toMatchObject({ ok: false, failure: { subject: 'options.quality' } });
  });
});

describe('the page’s own files', () => {
  const folder = '/opt/convolve/dist/renderer';
  it('are found inside their folder', () => {
    expect(pageFile('app://convolve/', folder)).toBe(`${folder}/index.html`);
    expect(pageFile('app://convolve/assets/page%20one.js?v=1#x', folder)).toBe(`${folder}/assets/page one.js`);
  });

  it('and dots that a URL folds away stay inside it', () => {
    expect(pageFile('app://convolve/../secret', folder)).toBe(`${folder}/secret`);
    expect(pageFile('app://convolve/%2e%2e/%2e%2e/etc/passwd', folder)).toBe(`${folder}/etc/passwd`);
  });

  for (const url of [
    'app://convolve/..%2f..%2f..%2fetc%2fpasswd',
    'app://convolve/%00',
    'app://convolve/%E0%A4%A',
    'app://elsewhere/index.html',
    'file:///etc/passwd',
    'https://convolve/index.html',
    'nonsense',
  ])
    it(`are not found at ${url}`, () => expect(pageFile(url, folder)).toBeNull());
});
