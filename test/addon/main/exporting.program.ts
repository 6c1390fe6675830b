// Exports one picture again and again to the same file, with two stacks in turn, until it is killed: the body of
// killedExports.test.ts. Says a line after the first export. Arguments: picture, target.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { standardExport } from '../../../core/exportOptions';
import { catalogueEntry } from '../../../core/filters';
import { decodePicture } from '../../../main/codec/decode';
import { directCodec } from '../../../main/codec/directCodec';
import { startEngine } from '../../../main/engine';
import { exportPicture } from '../../../main/export';
import { OpenPictures } from '../../../main/images';
import { Renderer } from '../../../main/render';

async function run(file: string, target: string): Promise<void> {
  const engine = await startEngine(path.join(process.cwd(), 'build', 'addon', 'Release', 'convolve.node'));
  const renderer = new Renderer(engine, () => 'cpu');
  const pictures = new OpenPictures(engine);
  const decoded = await decodePicture(new Uint8Array(readFileSync(file)), 'picture');
  const info = await pictures.add(decoded, { name: 'picture', format: 'png', fileBytes: 0, folder: null });
  const stacks = (['box', 'sharpen'] as const).map((kind) => [catalogueEntry(kind).create('filter', 'u8')]);
  for (let count = 0; ; count += 1) {
    await pictures.use(info.id, (picture) =>
      exportPicture({ renderer, codec: directCodec }, picture, stacks[count % 2] ?? [], target, standardExport),
    );
    if (count === 0) process.stdout.write('written\n');
  }
}

const [file = '', target = ''] = process.argv.slice(2);
void run(file, target);
