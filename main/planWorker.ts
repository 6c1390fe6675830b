// The thread on which large kernels are planned. Each message is answered with one. Bundled to dist/main/planWorker.cjs.

import { parentPort } from 'node:worker_threads';
import { failureOf } from '../core/errors';
import { unpackStack } from '../core/packedStack';
import { planNow } from './planning';
import type { PackedJob, PlanAnswer } from './planThread';

const port = parentPort;
if (!port) throw new Error('planWorker runs only as a worker thread');
port.on('message', ({ stack, ...rest }: PackedJob) => {
  let answer: PlanAnswer;
  try {
    answer = { ok: true, planned: planNow({ ...rest, stack: unpackStack(stack) }) };
  } catch (thrown) {
    answer = { ok: false, failure: failureOf(thrown) };
  }
  port.postMessage(answer);
});
