// The walls round the page: no Node, one checked door to main, no way out of the window, a strict content policy.

import type { Editor } from '../../scripts/editor';
import { expect, samplePhoto, test } from './editorTest';

test('the page has no Node and no Electron', async ({ editor: { page } }) => {
  const kinds = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global', '__dirname', 'ipcRenderer'].map(
      (name) => typeof Reflect.get(window, name),
    ),
  );
  expect(new Set(kinds)).toEqual(new Set(['undefined']));
});

test('the window is sandboxed and isolated', async ({ editor }) => {
  const preferences = await editor.application.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test('the bridge holds three functions and no more', async ({ editor: { page } }) => {
  const bridge = await page.evaluate(() => Object.keys(window.bridge ?? {}).toSorted());
  expect(bridge).toEqual(['call', 'listen', 'openDropped']);
});

/** What a call from the page answers, whatever its types say. */
function callFromPage(editor: Editor, channel: string, argument: unknown): Promise<unknown> {
  return editor.page.evaluate(
    async ([name, value]) => {
      const call = window.bridge?.call as unknown as (channel: unknown, argument: unknown) => Promise<unknown>;
      return call(name, value).catch((thrown: unknown) => ({ ok: false, thrown: String(thrown) }));
    },
    [channel, argument] as const,
  );
}

test('the page cannot open a path of its own', async ({ editor }) => {
  expect(await callFromPage(editor, 'image:openDropped', { path: samplePhoto })).toMatchObject({ ok: false });
  const answer = await editor.page.evaluate(() =>
    window.bridge?.openDropped(new File(['not from the disk'], '/etc/passwd')).catch(() => ({ ok: false })),
  );
  expect(answer).toMatchObject({ ok: false });
  await expect(editor.page.getByTestId('empty-state')).toBeVisible();
});

test('main refuses what the contract does not know', async ({ editor }) => {
  expect(await callFromPage(editor, 'shell:run', { command: 'ls' })).toMatchObject({ ok: false });
  expect(await callFromPage(editor, 'image:openRecent', { index: -1 })).toMatchObject({ ok: false });
  expect(await callFromPage(editor, 'image:openSample', { name: '../../package.json' })).toMatchObject({ ok: false });
  expect(await callFromPage(editor, 'settings:change', { theme: 'pink' })).toMatchObject({ ok: false });
  expect(await callFromPage(editor, 'app:state', undefined)).toMatchObject({ ok: true });
});

test('navigation is refused', async ({ editor }) => {
  const { page, application } = editor;
  const address = page.url();
  const refused = application.evaluate(
    ({ BrowserWindow }) =>
      new Promise<boolean>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        contents?.once('will-navigate', (event) => resolve(event.defaultPrevented));
      }),
  );
  await page.evaluate(() => {
    location.href = 'https://example.com/';
  });
  expect(await refused).toBe(true);
  expect(page.url()).toBe(address);
});

test('no second window opens', async ({ editor }) => {
  const opened = await editor.page.evaluate(() => window.open('https://example.com/') === null);
  expect(opened).toBe(true);
  const windows = await editor.application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  expect(windows).toBe(1);
});

test('the content policy refuses text as code, and code that is not the page’s own', async ({ editor: { page } }) => {
  // From a file of the page's own, not from the driver, which is above the policy.
  const violations = await page.evaluate(async () => {
    const seen = new Set<string>();
    let sawBoth = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      sawBoth = resolve;
    });
    document.addEventListener('securitypolicyviolation', (event) => {
      seen.add(event.effectiveDirective);
      if (seen.has('script-src-elem') && seen.has('script-src-attr')) sawBoth();
    });
    const inline = document.createElement('script');
    inline.textContent = 'window.ranInline = true';
    document.head.append(inline);
    const foreign = document.createElement('script');
    foreign.src = 'https://example.com/code.js';
    const refused = new Promise((resolve) => foreign.addEventListener('error', resolve));
    document.head.append(foreign);
    const button = document.createElement('button');
    button.setAttribute('onclick', 'window.ranInline = true');
    document.body.append(button);
    button.click();
    button.remove();
    await Promise.all([refused, both]);
    return [...seen].toSorted();
  });
  expect(violations).toEqual(['script-src-attr', 'script-src-elem']);
  expect(await page.evaluate(() => Reflect.get(window, 'ranInline'))).toBeUndefined();
  const evaluated = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        // A timer with text is eval by another name, run by the page itself.
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI), { once: true });
        setTimeout('window.ranText = true' as unknown as () => void, 0);
      }),
  );
  expect(evaluated).toBe('eval');
  expect(await page.evaluate(() => Reflect.get(window, 'ranText'))).toBeUndefined();
});

test('the page reaches neither network nor disk', async ({ editor: { page } }) => {
  const outcomes = await page.evaluate(async () => {
    const tried = [
      'https://example.com/',
      'http://127.0.0.1:1/',
      'file:///etc/hostname',
      'app://convolve/../package.json',
    ];
    return Promise.all(
      tried.map((address) =>
        fetch(address).then(
          (response) => response.ok,
          () => false,
        ),
      ),
    );
  });
  expect(outcomes).toEqual([false, false, false, false]);
});

test('permissions are refused', async ({ editor: { page } }) => {
  const refused = await page.evaluate(() =>
    navigator.mediaDevices.getUserMedia({ video: true }).then(
      () => false,
      () => true,
    ),
  );
  expect(refused).toBe(true);
});
