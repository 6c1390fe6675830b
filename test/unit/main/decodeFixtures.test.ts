// Every fixture picture does what its row of the manifest says: opens with the right size and the right pixels, or is
// refused by name. One test a file, so that a failure names it.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConvolveError, type ErrorCode } from '../../../core/errors';
import { type DecodedPicture, decodePicture } from '../../../main/codec/decode';
import { readPictureFile } from '../../../main/pictureFile';
import { type Fixture, fixturePath, fixtures } from './fixtures';

type Outcome = DecodedPicture | ConvolveError;

async function open(file: string): Promise<Outcome> {
  try {
    return await decodePicture(await readPictureFile(fixturePath(file)), path.basename(file));
  } catch (thrown) {
    if (thrown instanceof ConvolveError) return thrown;
    throw thrown;
  }
}

const fullScale = { u8: 255, u16: 65535, f32: 1 } as const;
const refusals: readonly ErrorCode[] = [
  'fileEmpty',
  'fileNotAnImage',
  'formatUnsupported',
  'imageTooLarge',
  'decodeTimeout',
  'fileDamaged',
];

function expectRefusal(outcome: Outcome, file: string): void {
  if (!(outcome instanceof ConvolveError)) throw new Error(`${file} opened as ${outcome.width} × ${outcome.height}`);
  expect(refusals).toContain(outcome.failure.code);
  expect(outcome.failure.subject).toBe(path.basename(file));
}

function expectPicture(outcome: Outcome, fixture: Fixture): void {
  if (outcome instanceof ConvolveError) throw outcome;
  expect(outcome.samples.length).toBe(outcome.width * outcome.height * outcome.channels);
  expect(outcome.alpha).toBe(outcome.channels === 2 || outcome.channels === 4);
  const size = [outcome.width, outcome.height];
  if (fixture.display) {
    const sizes = fixture.orientation_optional ? [fixture.display, fixture.stored] : [fixture.display];
    expect(sizes).toContainEqual(size);
  }
  if (fixture.pixels) expectProbes(outcome, fixture.pixels);
}

/** A pixel as the manifest counts channels: grey expanded to three, an opaque alpha added, or either left out. */
function pixelAs(picture: DecodedPicture, x: number, y: number, channels: number): readonly number[] {
  const start = (y * picture.width + x) * picture.channels;
  const own = [...picture.samples.subarray(start, start + picture.channels)];
  const colour = picture.alpha ? own.slice(0, -1) : own;
  const alpha = picture.alpha ? own.at(-1)! : fullScale[picture.sampleType];
  const wanted = channels >= 3 && colour.length === 1 ? [colour[0]!, colour[0]!, colour[0]!] : colour;
  return channels === 2 || channels === 4 ? [...wanted, alpha] : wanted;
}

function expectProbes(picture: DecodedPicture, pixels: NonNullable<Fixture['pixels']>): void {
  expect(fullScale[picture.sampleType]).toBe(pixels.max);
  for (const [x, y, ...values] of pixels.probes ?? []) {
    const own = pixelAs(picture, x!, y!, values.length);
    own.forEach((value, index) => {
      const wanted = values[index];
      if (wanted !== null && wanted !== undefined) expect(value).toBeCloseTo(wanted, pixels.max === 1 ? 6 : 9);
    });
  }
  if (pixels.rgba8_sha256 === undefined || pixels.max !== 255) return;
  const bytes = Buffer.alloc(picture.width * picture.height * 4);
  for (let y = 0; y < picture.height; y += 1)
    for (let x = 0; x < picture.width; x += 1) bytes.set(pixelAs(picture, x, y, 4), (y * picture.width + x) * 4);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(pixels.rgba8_sha256);
}

const withExpectation = (...kinds: readonly Fixture['expect'][]) =>
  fixtures.filter((fixture) => kinds.includes(fixture.expect));

describe('pictures that must open', () => {
  for (const fixture of withExpectation('open'))
    it(`${fixture.file}: ${fixture.what}`, async () => expectPicture(await open(fixture.file), fixture));
});

describe('files that must be refused, by name', () => {
  for (const fixture of withExpectation('error'))
    it(`${fixture.file}: ${fixture.what}`, async () => expectRefusal(await open(fixture.file), fixture.file));
});

describe('damaged or extreme files, shown or refused', () => {
  for (const fixture of withExpectation('either'))
    it(`${fixture.file}: ${fixture.what}`, async () => {
      const outcome = await open(fixture.file);
      if (outcome instanceof ConvolveError) expectRefusal(outcome, fixture.file);
      else expectPicture(outcome, fixture);
    });
});

describe('rare formats, opened right or refused by name', () => {
  for (const fixture of withExpectation('optional'))
    it(`${fixture.file}: ${fixture.what}`, async () => {
      const outcome = await open(fixture.file);
      if (outcome instanceof ConvolveError) expectRefusal(outcome, fixture.file);
      else expectPicture(outcome, fixture);
    });
});
