// The one door from the page: every call is checked for where it comes from before it is answered, and announcements leave
// through the same file.

import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { failureOf, type Result } from '../core/errors';
import { type Announcement, type Announcements, type Channel, channelArguments } from '../core/ipc';
import { answer } from './door';
import type { Handlers } from './handlers';
import { pageUrl } from './page';

/** Only the main frame of our own page may call; anything else that found the door is refused. */
function isOurPage(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.url.split(/[?#]/)[0] === pageUrl;
}

/** Opens at once; calls wait for the handlers, which wait for the engine. */
export function openDoor(handlers: Promise<Handlers>): void {
  for (const channel of Object.keys(channelArguments) as Channel[])
    ipcMain.handle(channel, async (event, argument: unknown): Promise<Result<unknown>> => {
      if (!isOurPage(event)) return { ok: false, failure: { code: 'invalidArgument', subject: 'sender' } };
      try {
        return await answer(await handlers, channel, argument);
      } catch (thrown) {
        return { ok: false, failure: failureOf(thrown) };
      }
    });
}

export function announceTo<A extends Announcement>(page: WebContents, announcement: A, value: Announcements[A]): void {
  if (!page.isDestroyed()) page.send(announcement, value);
}
