// Pictures for the end-to-end tests: making small ones, reading files and the canvas as plain pixels, and comparing them.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { samplePhoto } from './editorTest';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Rows top to bottom, without padding. */
  readonly data: Uint8Array;
}

/** A piece of the sample photo as a PNG: real detail, small enough for the reference backend. */
export async function smallPhoto(folder: string, width = 300, height = 200): Promise<string> {
  const file = path.join(folder, 'small.png');
  await sharp(samplePhoto).extract({ left: 500, top: 300, width, height }).png().toFile(file);
  return file;
}

/** A PNG of one colour, large enough that Fit shows it without the grid of single pixels. */
export async function plainPicture(
  folder: string,
  name: string,
  colour: { readonly r: number; readonly g: number; readonly b: number },
  size = { width: 400, height: 300 },
): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(
    file,
    await sharp({ create: { ...size, channels: 3, background: colour } })
      .png()
      .toBuffer(),
  );
  return file;
}

export async function readPixels(file: string): Promise<Pixels> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}

export interface Difference {
  readonly largest: number;
  /** Share of the samples that are equal, 0…1. */
  readonly equalShare: number;
}

/** Compares sample by sample. Throws where the two do not have the same form. */
export function difference(a: Pixels, b: Pixels): Difference {
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) {
    throw new Error(`${a.width}×${a.height}×${a.channels} is not ${b.width}×${b.height}×${b.channels}`);
  }
  let largest = 0;
  let equal = 0;
  for (let index = 0; index < a.data.length; index++) {
    const distance = Math.abs((a.data[index] ?? 0) - (b.data[index] ?? 0));
    if (distance === 0) equal++;
    largest = Math.max(largest, distance);
  }
  return { largest, equalShare: equal / a.data.length };
}

/** What the picture's canvas shows now, RGBA, in device pixels. */
export async function canvasPixels(page: Page): Promise<Pixels> {
  const shown = await page.getByTestId('viewport').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the canvas has no 2-D context');
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    // As text: a typed array crosses to the test as an object with a million keys.
    const pieces: string[] = [];
    for (let start = 0; start < data.length; start += 0x8000) {
      pieces.push(String.fromCharCode(...data.subarray(start, start + 0x8000)));
    }
    return { width: canvas.width, height: canvas.height, text: btoa(pieces.join('')) };
  });
  return { width: shown.width, height: shown.height, channels: 4, data: Buffer.from(shown.text, 'base64') };
}

/** The colour in the middle of the canvas. */
export async function middleColour(page: Page): Promise<readonly number[]> {
  return page.getByTestId('viewport').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the canvas has no 2-D context');
    const { data } = context.getImageData(Math.floor(canvas.width / 2), Math.floor(canvas.height / 2), 1, 1);
    return [...data];
  });
}
