// What travels over the pixel port between the page and main: requests one way, tiles the other. The channels beside it are
// core/ipc.ts.

import { z } from 'zod';
import type { Failure } from './errors';
import { stackSchema } from './filterSchema';
import type { Rectangle, Size } from './geometry';
import type { BackendStatus } from './ipc';

/** Edge of a tile in pixels of its level; tiles lie on a grid from (0, 0) and are cut at the picture's edge. */
export const tileSize = 256;
export const maximumLevel = 12;

/**
 * result: the picture through the stack. original: the picture alone. mask: where the last filter of the stack works, in one
 * channel, 255 for all of it; over the whole picture.
 */
export const layers = ['result', 'original', 'mask'] as const;
export type Layer = (typeof layers)[number];

/** Colour spaces in which tiles are shown. */
export const screenSpaces = ['srgb', 'displayP3'] as const;
export type ScreenSpace = (typeof screenSpaces)[number];

/**
 * Page to main: show this. A newer request (higher sequence) of the same layer replaces an older one, running or waiting.
 * Main answers with tiles (draft ones first when `draft`), then `done` or `failed` with the same sequence. Tiles listed
 * in `have` are already exact on the page for this stack and level and are not sent again.
 */
export const renderRequestSchema = z.object({
  kind: z.literal('render'),
  sequence: z.int().min(0),
  layer: z.enum(layers),
  imageId: z.int().min(1),
  stack: stackSchema,
  level: z.int().min(0).max(maximumLevel),
  /** The visible part, in pixels of `level`. */
  visible: z.object({ x: z.int(), y: z.int(), width: z.int().min(0), height: z.int().min(0) }),
  /** True while a gesture runs or the stack just changed: a draft may come first. */
  draft: z.boolean(),
  /** The colours that the screen can show; sRGB where absent. */
  screen: z.enum(screenSpaces).optional(),
  /** True where pixels are numbers to be read, not colours: no profile changes them. */
  numbers: z.boolean().optional(),
  /** True where tiles at the rim may end with what is visible: a stack that has just changed appears sooner. */
  crop: z.boolean().optional(),
  /** Indices `row * columns + column` of tiles the page already holds. */
  have: z.array(z.int().min(0)).max(100000),
});
export type RenderRequest = z.infer<typeof renderRequestSchema>;

/** Page to main: a message of tiles was taken in; main keeps only a few unacknowledged. */
export const tilesReceivedSchema = z.object({ kind: z.literal('tilesReceived'), sequence: z.int().min(0) });

/** Page to main: the person stopped this request; it and older ones of the layer end with `failed`, code cancelled. */
export const cancelRenderSchema = z.object({
  kind: z.literal('cancel'),
  sequence: z.int().min(0),
  layer: z.enum(layers),
});
export const pageMessageSchema = z.discriminatedUnion('kind', [
  renderRequestSchema,
  tilesReceivedSchema,
  cancelRenderSchema,
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/**
 * Main to page: one or more tiles of the level's grid, as one rectangle. Pixels are 8-bit, rows top to bottom without
 * padding, 1 to 4 channels (the last of 2 or 4 is straight alpha).
 */
export interface TilesMessage {
  readonly kind: 'tiles';
  readonly sequence: number;
  readonly layer: Layer;
  /** exact: at the requested level. draft: `level` may be coarser than requested. */
  readonly quality: 'exact' | 'draft';
  readonly level: number;
  readonly rectangle: Rectangle;
  readonly channels: number;
  /** Colour space of the pixels; sRGB where absent. */
  readonly space?: ScreenSpace;
  readonly pixels: Uint8Array;
}
export interface RenderDoneMessage {
  readonly kind: 'done';
  readonly sequence: number;
  readonly layer: Layer;
  readonly backend: BackendStatus['name'];
  /** Engine time of the exact tiles of this request, and of what they need of the whole picture: extremes, edges. */
  readonly milliseconds: number;
  /** Size of the result at the requested level (it is smaller than the picture after a `valid` filter). */
  readonly resultSize: Size;
}
export interface RenderFailedMessage {
  readonly kind: 'failed';
  readonly sequence: number;
  readonly layer: Layer;
  readonly failure: Failure;
}
export type MainMessage = TilesMessage | RenderDoneMessage | RenderFailedMessage;
