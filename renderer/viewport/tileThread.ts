// Tiles made on another thread, in the order in which they are asked for. Pure but for the thread that it is given.

import type { Rectangle } from '../../core/geometry';
import type { TilesMessage } from '../../core/pixelPort';
import type { TilePixels } from './tileBitmap';
import type { MadeTile, TakeTiles } from './tileMaking';

export interface TilesQuestion extends TilePixels {
  readonly tiles: readonly Rectangle[];
}

/** What of a worker is used. */
type Thread = Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>;

export class TileThread<Bitmap> {
  private thread: Thread | null = null;
  /** Who waits for an answer, the oldest first. */
  private waiting: TakeTiles<Bitmap>[] = [];

  /** `start`: a thread that answers each question with its tiles. */
  constructor(private readonly start: () => Thread) {}

  /** Asks for tiles of a message, whose pixels go with it. */
  readonly make = (
    { pixels, channels, rectangle, space }: TilesMessage,
    tiles: readonly Rectangle[],
    take: TakeTiles<Bitmap>,
  ): void => {
    this.waiting.push(take);
    const question: TilesQuestion = { pixels, channels, rectangle, tiles, ...(space && { space }) };
    this.started().postMessage(question, [pixels.buffer]);
  };

  /** Ends the thread; nobody gets an answer any more. */
  dispose(): void {
    this.thread?.terminate();
    this.thread = null;
    this.waiting = [];
  }

  private started(): Thread {
    if (this.thread !== null) return this.thread;
    const thread = this.start();
    this.thread = thread;
    thread.onmessage = ({ data }: MessageEvent<readonly MadeTile<Bitmap>[]>) => this.waiting.shift()?.(data);
    thread.onerror = () => {
      // It works on the oldest question.
      const [failed, ...lost] = this.waiting;
      this.dispose();
      failed?.('failed');
      for (const take of lost) take('lost');
    };
    return thread;
  }
}
