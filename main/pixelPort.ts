// One page's pixel port: parses what the page posts, drops and counts what is not a message, and hands the rest to that
// page's render queue.

import { assertNever } from '../core/errors';
import { unpackMessage } from '../core/packedStack';
import { type Layer, type MainMessage, pageMessageSchema, type RenderRequest } from '../core/pixelPort';
import type { OpenPictures } from './images';
import type { Renderer } from './render';
import { RenderQueue } from './renderQueue';
import { OrderedPosting, type ScreenColours } from './screenColours';

/** The part of Electron's MessagePortMain that is needed; Node's MessagePort fits too. */
export interface PixelPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: MainMessage): void;
  start(): void;
}

export interface ServedPort {
  readonly queue: RenderQueue;
  /** How many posted values were not messages of the contract. */
  ignored(): number;
}

/** Requests of a layer whose picture is remembered: one running, one waiting, and some that are about to end. */
const keptRequests = 8;

/** `colours` makes tiles fit for the screen. `shown` is called each time that a request is answered as a whole. */
export function servePixelPort(
  port: PixelPort,
  pictures: OpenPictures,
  renderer: Renderer,
  colours: ScreenColours,
  shown: () => void = () => undefined,
): ServedPort {
  const posting = new OrderedPosting(colours, (message) => {
    port.postMessage(message);
    if (message.kind === 'done') shown();
  });
  // Each layer's newest requests: a tile may still come of the one before.
  type Shown = Pick<RenderRequest, 'imageId' | 'screen' | 'numbers'>;
  const requests: Readonly<Record<Layer, Map<number, Shown>>> = {
    ...{ result: new Map(), original: new Map(), mask: new Map() },
  };
  const queue = new RenderQueue(pictures, renderer, (message) => {
    const request = requests[message.layer].get(message.sequence);
    // A mask is no colour of the picture, nor are numbers.
    const coloured = message.layer !== 'mask' && request !== undefined && request.numbers !== true;
    return posting.send(message, coloured ? pictures.profileOf(request.imageId) : null, request?.screen);
  });
  let ignored = 0;
  port.on('message', ({ data }) => {
    const parsed = pageMessageSchema.safeParse(unpackMessage(data));
    if (!parsed.success) {
      ignored += 1;
      return;
    }
    const message = parsed.data;
    switch (message.kind) {
      case 'render': {
        const { layer, sequence, imageId, screen, numbers } = message;
        const known = requests[layer];
        known.set(sequence, { imageId, screen, numbers });
        for (const older of known.keys()) if (known.size > keptRequests) known.delete(older);
        return queue.request(message);
      }
      case 'tilesReceived':
        return queue.tilesReceived(message.sequence);
      case 'cancel':
        return queue.cancel(message.layer, message.sequence);
      default:
        return assertNever(message);
    }
  });
  port.on('close', () => queue.close());
  port.start();
  return { queue, ignored: () => ignored };
}
