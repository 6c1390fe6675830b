// `convolve batch` as people and scripts use it: results as `apply` gives them, lines of JSON, a stop by Ctrl-C, and a run that
// was killed and goes on.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodePicture } from '../../../main/codec/decode';
import { buildStack } from '../../../main/commandLine/stackOptions';
import { writeProjectFile } from '../../../main/projects/projectFile';
import { bundleCommandLine, fixtures, runCommand, startCommand } from './commandLine';

let bundle = '';
let folder = '';
beforeAll(async () => {
  bundle = await bundleCommandLine();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'convolve-batch-'));
  mkdirSync(path.join(folder, 'in'));
  const start = process.cwd();
  process.chdir(folder);
  return () => {
    process.chdir(start);
    rmSync(folder, { recursive: true });
  };
});

const put = (count: number, file = 'photos/chelsea_451x300.png') => {
  for (let index = 1; index <= count; index += 1)
    copyFileSync(path.join(fixtures, file), path.join(folder, 'in', `${index}${path.extname(file)}`));
};
const records = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const results = () => readdirSync('out').sort();

describe('convolve batch', () => {
  it('gives for each picture the bytes that apply gives', async () => {
    for (const file of ['png/rgba16.png', 'jpeg/gray.jpg', 'tiff/rgb32f_tiled.tif', 'webp/lossless_alpha_exact.webp'])
      copyFileSync(path.join(fixtures, file), path.join('in', path.basename(file)));
    const words = ['--filter', 'unsharp:2', '--kernel', '0 1 0; 1 4 1; 0 1 0 / 8', '--border', 'mirror'];
    const end = await runCommand(['batch', 'in', ...words, '--lossless', '--name', '{number} {name}', '-o', 'out']);
    expect(end, end.errors).toMatchObject({ code: 0, errors: '' });
    expect(end.output).toMatch(/^4 done, 0 failed, /m);
    for (const [index, name] of readdirSync('in').sort().entries()) {
      const single = `single${path.extname(name)}`;
      const own = name.endsWith('.webp') ? [...words, '--lossless'] : words;
      expect(await runCommand(['apply', path.join('in', name), ...own, '-o', single])).toMatchObject({ code: 0 });
      const result = readFileSync(path.join('out', `${index + 1} ${name}`));
      expect(result.equals(readFileSync(single)), name).toBe(true);
    }
  });

  it('takes the filters of a project as they were saved', async () => {
    put(1);
    const { stack } = await buildStack(
      {
        stack: [{ kind: 'filter', text: 'unsharp:2,border=mirror,light=linear' }],
        settings: {},
        kernel: {},
        decimalComma: false,
        backend: 'auto',
      },
      'u8',
    );
    await writeProjectFile('look.convolve', { picture: null, stack });
    expect(await runCommand(['batch', 'in', '--project', 'look.convolve', '-o', 'out'])).toMatchObject({ code: 0 });
    const words = ['apply', 'in/1.png', '--filter', 'unsharp:2,border=mirror,light=linear', '-o', 'single.png'];
    expect(await runCommand(words)).toMatchObject({ code: 0 });
    expect(readFileSync('out/1.png').equals(readFileSync('single.png'))).toBe(true);
    expect(await runCommand(['batch', 'in', '--project', 'none.convolve', '-o', 'out'])).toMatchObject({ code: 3 });
  });

  it('lists what failed at the end, by name, and says so to scripts', async () => {
    put(2);
    writeFileSync('in/3.png', 'no picture');
    const end = await runCommand(['batch', 'in/*.png', 'missing.png', '--filter', 'box', '-o', 'out']);
    expect(end.code).toBe(1);
    expect(end.output).toContain('2 done, 2 failed');
    expect(end.errors).toMatch(/in.3\.png: 3\.png is not a picture.*\n.*missing\.png was not found/);
    const json = await runCommand(['batch', 'in/*.png', '--filter', 'box', '-o', 'out', '--retry', '--json']);
    expect(json).toMatchObject({ code: 1, errors: '' });
    const events = records(json.output);
    expect(events[0]).toMatchObject({ event: 'start', total: 3 });
    expect(events.at(-1)).toMatchObject({ event: 'end', ok: false, exitCode: 1, done: 0, skipped: 2, failed: 1 });
    expect(events.find(({ kind }) => kind === 'failed')).toMatchObject({
      event: 'file',
      failure: { code: 'fileNotAnImage' },
      message: expect.stringContaining('3.png'),
      progress: { total: 3 },
    });
  });

  it('tells of pictures that are not whole, at the end and to scripts', async () => {
    put(1);
    copyFileSync(path.join(fixtures, 'corrupt', 'truncated_50.png'), 'in/half.png');
    const end = await runCommand(['batch', 'in/*.png', '-o', 'out']);
    expect(end).toMatchObject({ code: 0, output: expect.stringContaining('2 done, 0 failed') });
    expect(end.errors).toMatch(/in.half\.png: The file is damaged or cut short/);
    const json = await runCommand(['batch', 'in/*.png', '-o', 'out', '--conflict', 'overwrite', '--json']);
    expect(records(json.output).filter(({ event }) => event === 'file')).toContainEqual(
      expect.objectContaining({ kind: 'done', warnings: [{ kind: 'notWhole' }] }),
    );
  });

  it('says which results were left, that their pictures have changed since, and what does them again', async () => {
    put(2);
    const words = ['batch', 'in', '--filter', 'box', '-o', 'out'];
    expect(await runCommand(words)).toMatchObject({ code: 0 });
    const later = new Date(Date.now() + 60_000);
    utimesSync('in/2.png', later, later);
    const again = await runCommand([...words, '--filter', 'sobel']);
    expect(again.output).toMatch(/^in.1\.png: skipped, out.1\.png is there already$/m);
    expect(again.output).toMatch(/^in.2\.png: skipped, out.2\.png is there already, and is older than the picture$/m);
    expect(again.errors).toContain('2 left as they were');
    expect(again.errors).toContain('of 1 the picture has changed since. `--conflict overwrite` does them again.');
    const json = records((await runCommand([...words, '--jobs', '1', '--json'])).output);
    expect(json.filter(({ event }) => event === 'file').map(({ reason, changed }) => [reason, changed])).toEqual([
      ['taken', false],
      ['taken', true],
    ]);
    expect(json.at(-1)).toMatchObject({ event: 'end', left: { taken: 2, changed: 1 } });
  });

  it('says what the files do not have of their pictures, as apply does', async () => {
    put(1, 'png/rgba16.png');
    const words = ['--format', 'jpeg', '-o', 'out'];
    const said = ['No transparency: what is transparent becomes white.', '16 bits become 8 bits.'];
    const end = await runCommand(['batch', 'in', ...words]);
    for (const sentence of said) expect(end.errors).toContain(`${path.join('in', '1.png')}: ${sentence}`);
    const single = await runCommand(['apply', 'in/1.png', '-o', 'a.jpg']);
    for (const sentence of said) expect(single.errors).toContain(sentence);
    expect((await runCommand(['apply', 'in/1.png', '-o', 'a.png'])).errors).toBe('');
  });

  it('refuses words that it cannot follow, before any work', async () => {
    put(1);
    const refusals: readonly (readonly [readonly string[], number, string])[] = [
      [['in/*.gif', '-o', 'out'], 2, 'images'],
      [['in', '-o', 'out', '--jobs', '0'], 2, '--jobs'],
      [['in', '-o', 'out', '--memory', '1'], 2, '--memory'],
      [['in', '-o', 'out', '--format', 'bmp'], 2, '--format'],
      [['in', '-o', 'out', '--conflict', 'ask'], 2, '--conflict'],
      [['in', '-o', 'out', '--filter', 'nonsense'], 2, '--filter'],
      [['in', '-o', 'out', '--resume', '--retry'], 2, '--resume'],
      [['in', '-o', 'out', '--name', '../{name}'], 2, 'name pattern'],
      [['in', '-o', 'out', '--retry'], 2, 'retry'],
      [['in', '-o', 'in/1.png/out'], 4, 'out'],
    ];
    for (const [words, code, said] of refusals) {
      const end = await runCommand(['batch', ...words]);
      expect(end.errors, words.join(' ')).toContain(said);
      expect(end.code, words.join(' ')).toBe(code);
    }
    expect(readdirSync('.')).toEqual(expect.not.arrayContaining(['1.png']));
  });
});

/** Waits for the first file to be done. */
async function untilFirst(stdout: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface({ input: stdout })) if (line.includes('"kind":"done"')) return;
}

describe('a batch that is interrupted', () => {
  // By the reference, so that it is still at work when the first picture is done.
  const filters = ['--filter', 'gaussian:3', '--backend', 'reference'];
  const words = ['batch', 'in', ...filters, '--jobs', '1', '-o', 'out', '--json'];

  it('by Ctrl-C leaves whole results and goes on with --resume', async () => {
    put(8);
    const running = startCommand(bundle, words, folder);
    await untilFirst(running.process.stdout!);
    running.process.kill('SIGINT');
    expect((await running.end).code).toBe(130);
    const after = results().filter((name) => !name.startsWith('.'));
    expect(after.length).toBeLessThan(8);
    expect(results().filter((name) => name.endsWith('.tmp'))).toEqual([]);
    for (const name of after)
      expect((await decodePicture(readFileSync(path.join('out', name)), name)).warnings).toEqual([]);
    const end = await runCommand([...words, '--resume']);
    expect(end.code, end.output).toBe(0);
    expect(records(end.output).at(-1)).toMatchObject({ ok: true, total: 8, failed: 0 });
    expect(results()).toHaveLength(8);
  });

  it('by a kill leaves whole results and goes on too', async () => {
    put(8);
    const running = startCommand(bundle, words, folder);
    await untilFirst(running.process.stdout!);
    running.process.kill('SIGKILL');
    await running.end;
    for (const name of results().filter((file) => file.endsWith('.png')))
      expect((await decodePicture(readFileSync(path.join('out', name)), name)).warnings).toEqual([]);
    const end = await runCommand([...words, '--resume']);
    expect(end.code, end.output).toBe(0);
    expect(results().filter((name) => name.endsWith('.png'))).toHaveLength(8);
  });
});
