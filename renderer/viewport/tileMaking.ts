// How tiles of a message become what is drawn: at once, or on a thread (tileThread.ts).

import type { Rectangle } from '../../core/geometry';
import type { TilesMessage } from '../../core/pixelPort';

export interface MadeTile<Bitmap> {
  readonly bitmap: Bitmap;
  readonly bytes: number;
  readonly alpha: boolean;
}

/** failed: they cannot be made. lost: they went with a thread that failed at tiles asked for before; asked anew, they may be. */
export type NotMade = 'failed' | 'lost';

/** Takes made tiles, in the order in which they were asked for. */
export type TakeTiles<Bitmap> = (tiles: readonly MadeTile<Bitmap>[] | NotMade) => void;

/** Makes what is drawn of tiles that a message holds, at once or later. */
export type MakeTiles<Bitmap> = (message: TilesMessage, tiles: readonly Rectangle[], take: TakeTiles<Bitmap>) => void;

/** Makes each tile when it is asked for. */
export const atOnce =
  <Bitmap>(makeTile: (message: TilesMessage, tile: Rectangle) => MadeTile<Bitmap>): MakeTiles<Bitmap> =>
  (message, tiles, take) =>
    take(tiles.map((tile) => makeTile(message, tile)));
