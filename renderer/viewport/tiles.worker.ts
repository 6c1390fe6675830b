// The thread on which tiles become bitmaps, so that the page draws them and does nothing else with their pixels.

import { answerWith } from '../threads/answering';
import { makeTile } from './tileBitmap';
import type { TilesQuestion } from './tileThread';

answerWith(
  ({ tiles, ...message }: TilesQuestion) => tiles.map((tile) => makeTile(message, tile)),
  (made) => made.map(({ bitmap }) => bitmap),
);
