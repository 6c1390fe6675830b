// What main answers about pixels that are looked at: their values, how a filter makes them, and how often each occurs.

import { explainPixel } from './explain';
import type { HandlerParts, Handlers } from './handlers';
import { countHistogram } from './histogram';
import { inspectPixel } from './inspect';
import { makeThumbnail } from './thumbnail';

type SeeingChannel = 'pixel:inspect' | 'pixel:explain' | 'image:thumbnail' | 'histogram:count' | 'histogram:cancel';

export function createSeeingHandlers({
  pictures,
  renderer,
  codec,
}: Pick<HandlerParts, 'pictures' | 'renderer' | 'codec'>): Pick<Handlers, SeeingChannel> {
  let thumbnail: AbortController | null = null;
  const counting: Record<'result' | 'original', AbortController | null> = { result: null, original: null };
  return {
    'pixel:inspect': ({ imageId, stack, x, y }) =>
      pictures.use(imageId, (picture) => inspectPixel(renderer, picture, stack, x, y)),

    'pixel:explain': ({ imageId, stack, filterId, x, y }) =>
      pictures.use(imageId, (picture) => explainPixel(renderer, picture, stack, filterId, { x, y })),

    'image:thumbnail': ({ imageId, stack, edge }) => {
      thumbnail?.abort();
      const controller = new AbortController();
      thumbnail = controller;
      return pictures.use(imageId, (picture) =>
        makeThumbnail(renderer, codec, picture, stack, edge, controller.signal),
      );
    },

    'histogram:count': ({ imageId, stack, subject, quality }) => {
      counting[subject]?.abort();
      const controller = new AbortController();
      counting[subject] = controller;
      return pictures.use(imageId, (picture) => countHistogram(renderer, picture, stack, quality, controller.signal));
    },

    async 'histogram:cancel'() {
      counting.result?.abort();
      return undefined;
    },
  };
}
