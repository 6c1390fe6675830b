// The one user of window.bridge and of the pixel port: typed calls that never throw, announcements, and pixel messages.

import type { Stack } from '../core/document';
import { failureOf, type Result } from '../core/errors';
import type { Announcement, Announcements, Bridge, Channel, ChannelArgument, ChannelResult, Opened } from '../core/ipc';
import { packStack } from '../core/packedStack';
import type { MainMessage, PageMessage } from '../core/pixelPort';

declare global {
  interface Window {
    readonly bridge?: Bridge;
  }
}

const missing: Result<never> = {
  ok: false,
  failure: { code: 'internal', actual: 'this page runs only inside Convolve' },
};

function find(): Bridge | undefined {
  return typeof window === 'undefined' ? undefined : window.bridge;
}

/** Large weights as buffers, once for all messages that they go out with. */
const buffers = new WeakMap<readonly number[], Float64Array<ArrayBuffer>>();

function bufferOf(weights: readonly number[]): Float64Array<ArrayBuffer> {
  const buffer = buffers.get(weights) ?? Float64Array.from(weights);
  buffers.set(weights, buffer);
  return buffer;
}

/** What goes to main, with the stack in it packed where it has one. */
function packed<Message>(message: Message): Message {
  if (typeof message !== 'object' || message === null || !('stack' in message)) return message;
  return { ...message, stack: packStack(message.stack as Stack, bufferOf) };
}

/** Calls a channel of main. A rejected promise — main went away — becomes a failure like any other. */
export async function call<C extends Channel>(
  channel: C,
  argument: ChannelArgument<C>,
): Promise<Result<ChannelResult<C>>> {
  const bridge = find();
  if (bridge === undefined) return missing;
  try {
    return await bridge.call(channel, packed(argument));
  } catch (thrown) {
    return { ok: false, failure: failureOf(thrown) };
  }
}

/** Opens a file that was dropped; only the preload learns its path. */
export async function openDropped(file: File): Promise<Result<Opened>> {
  const bridge = find();
  if (bridge === undefined) return missing;
  try {
    return await bridge.openDropped(file);
  } catch (thrown) {
    return { ok: false, failure: failureOf(thrown) };
  }
}

/** Listens to what main announces; answers how to stop. */
export function listen<A extends Announcement>(
  announcement: A,
  listener: (value: Announcements[A]) => void,
): () => void {
  return find()?.listen(announcement, listener) ?? (() => {});
}

const portMessage = 'convolve:port';
const waiting: PageMessage[] = [];
const listeners = new Set<(message: MainMessage) => void>();
let port: MessagePort | null = null;

/** Takes the port that the preload posts to this window; a new one replaces the old. Called once, before the page renders. */
export function awaitPort(): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const given = event.ports[0];
    if (event.source !== window || event.data !== portMessage || given === undefined) return;
    port?.close();
    port = given;
    given.onmessage = (message: MessageEvent<MainMessage>) => {
      for (const listener of listeners) listener(message.data);
    };
    for (const message of waiting.splice(0)) given.postMessage(packed(message));
  });
}

/** Sends to main over the pixel port; before the port has come, messages wait. */
export function sendPixelMessage(message: PageMessage): void {
  if (port === null) waiting.push(message);
  else port.postMessage(packed(message));
}

export function listenToPixels(listener: (message: MainMessage) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
