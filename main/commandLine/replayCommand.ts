// `convolve replay`: does again what a receipt says, to the picture that it names, and compares the file with the receipt's.

import path from 'node:path';
import type { Command } from 'commander';
import { ConvolveError } from '../../core/errors';
import { oneLine } from '../../core/errorText';
import { parseReceipt, type Receipt } from '../../core/receipt';
import { decodePicture } from '../codec/decode';
import { directCodec } from '../codec/directCodec';
import { defaultLimits } from '../codec/limits';
import { receiptInXmp } from '../codec/xmp';
import { startEngine } from '../engine';
import { exportPicture } from '../export';
import { OpenPictures } from '../images';
import { readPictureFile } from '../pictureFile';
import { bytesHash } from '../projects/fileHash';
import { Renderer } from '../render';
import { software } from '../version';
import { costsOf } from './apply';
import { type CommandContext, done, type Outcome } from './context';
import { exitCodes, inPhase } from './exitCodes';
import { usage } from './filterArguments';
import { isSameFile, outputFormat } from './pictures';
import { requireBackend } from './stackOptions';

/** As commander gives them. */
interface ReplayOptions {
  readonly output: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** A receipt from a file of its own, or from a picture that has it inside. */
async function readReceipt(file: string): Promise<Receipt> {
  const bytes = await readPictureFile(file);
  const name = path.basename(file);
  if (/^\s*\{/.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1')))
    return parseReceipt(new TextDecoder().decode(bytes), name);
  const { xmp } = (await decodePicture(bytes, name)).metadata;
  const text = xmp && receiptInXmp(xmp);
  if (!text) throw new ConvolveError({ code: 'fileDamaged', subject: name, actual: 'it holds no receipt' });
  return parseReceipt(text, name);
}

async function replay(
  receiptFile: string,
  picture: string,
  { output, force, json }: ReplayOptions,
  { signal }: CommandContext,
): Promise<Outcome> {
  const receipt = await inPhase('read', readReceipt(receiptFile));
  const { source, stack, engine: made, result } = receipt;
  // The settings write it in the receipt's form again; a receipt beside it is not made anew.
  const options = { ...receipt.options, receipt: receipt.options.receipt === 'inside' ? 'inside' : 'none' } as const;
  if (outputFormat(output) !== options.format) throw usage('--output', `a name for ${options.format}`, output);
  if (await isSameFile(picture, output)) throw usage('--output', 'another file than the picture', output);
  if (await isSameFile(receiptFile, output)) throw usage('--output', 'another file than the receipt', output);
  const bytes = await inPhase('read', readPictureFile(picture));
  const name = path.basename(picture);
  const sha256 = await bytesHash(bytes);
  if (sha256 !== source.sha256 && !force)
    throw new ConvolveError({
      code: 'invalidArgument',
      subject: name,
      expected: `the picture of the receipt, ${source.name}, byte for byte; --force takes another`,
      actual: 'other bytes',
    });
  const engine = await startEngine();
  requireBackend(engine, made.backend);
  const { tables } = await costsOf(engine);
  const renderer = new Renderer(engine, () => made.backend, tables);
  const pictures = new OpenPictures(engine);
  const fileBytes = bytes.length;
  const decoded = await inPhase('read', decodePicture(bytes, name, defaultLimits, source.page));
  const origin = { name: source.name, format: decoded.format, fileBytes, folder: null };
  const original = { source: { kind: 'file', path: path.resolve(picture) }, sha256: Promise.resolve(sha256) } as const;
  const info = await pictures.add(decoded, { ...origin, original });
  // The paths that it took: by another computer's costs they could be others, and a last digit with them.
  const again = Object.fromEntries((receipt.paths ?? []).map(({ filterId, kind }) => [filterId, kind]));
  const planned = { again };
  const exported = pictures.use(info.id, (open) =>
    exportPicture({ renderer, codec: directCodec, planned }, open, stack, path.resolve(output), options, { signal }),
  );
  await exported.finally(() => pictures.close(info.id));
  const written = await bytesHash(await readPictureFile(output));
  const compared = result.sha256 ?? (await hashOfPicture(receiptFile, options.receipt === 'inside'));
  const same = compared === null ? null : compared === written;
  const why = [
    ...(sha256 === source.sha256 ? [] : ['it is another picture']),
    ...(receipt.software === software ? [] : [`the receipt is of ${receipt.software}, this is ${software}`]),
    ...(renderer.backends().some(({ description }) => description === made.description)
      ? []
      : [`the engine was ${made.description}`]),
  ];
  const verdict = same === null ? 'nothing to compare with' : same ? 'the same bytes' : 'other bytes';
  const exitCode = same === false ? exitCodes.failed : exitCodes.done;
  const { check } = receipt;
  if (json) return { ...done([JSON.stringify({ ok: same !== false, output, same, why, check })]), exitCode };
  return { lines: [`${oneLine(output)}: ${verdict}`], notes: same === false ? why : [], exitCode };
}

/** A picture that has its receipt inside is what the replay is compared with. */
async function hashOfPicture(file: string, inside: boolean): Promise<string | null> {
  return inside ? bytesHash(await readPictureFile(file)) : null;
}

export function addReplay(program: Command, context: CommandContext): void {
  program
    .command('replay')
    .description('do again what a receipt says, and compare the file with the one that the receipt is of')
    .argument('<receipt>', 'receipt of an export: its JSON file, or a picture that has it inside')
    .argument('<image>', 'the picture that the export was made of')
    .requiredOption('-o, --output <file>', 'result; in the format of the receipt')
    .option('--force', 'take another picture than the one of the receipt')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nOther bytes than those of the receipt are a failure.')
    .action(async (receipt: string, image: string, options: ReplayOptions) =>
      context.finish(await replay(receipt, image, options, context)),
    );
}
