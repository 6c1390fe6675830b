// One call through the door: its argument parsed, its handler run, its outcome a Result in the single catch. No Electron, so
// that tests and the real door (ipc.ts) use the same.

import { type Failure, failureOf, type Result } from '../core/errors';
import { type Channel, channelArguments } from '../core/ipc';
import { unpackMessage } from '../core/packedStack';
import type { Handlers } from './handlers';

/** What of a bad argument to tell: the first field that did not fit and what it should be, never the value itself. */
function describe(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): Failure {
  const issue = issues[0];
  const subject = issue?.path.map(String).join('.') || 'argument';
  return { code: 'invalidArgument', subject, ...(issue ? { expected: issue.message } : {}) };
}

/** Never rejects. */
export async function answer(handlers: Handlers, channel: Channel, argument: unknown): Promise<Result<unknown>> {
  try {
    const parsed = channelArguments[channel].safeParse(unpackMessage(argument));
    if (!parsed.success) return { ok: false, failure: describe(parsed.error.issues) };
    // The parser and the handler are of the same channel; TypeScript cannot follow that through the lookup.
    const handler = handlers[channel] as (argument: unknown) => Promise<unknown>;
    return { ok: true, value: await handler(parsed.data) };
  } catch (thrown) {
    return { ok: false, failure: failureOf(thrown) };
  }
}
