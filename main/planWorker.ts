// The thread on which large kernels are planned. Each message is answered with one. Bundled to dist/main/planWorker.cjs.

import { parentPort } from 'node:worker_threads';
import { failureOf } from '../core/errors';
import { type PlanJob, planNow } from './planning';
import type { PlanAnswer } from './planThread';

const port = parentPort;
if (!port) throw new Error('planWorker runs only as a worker thread');
port.on('message', (job: PlanJob) => {
  let answer: PlanAnswer;
  try {
    answer = { ok: true, planned: planNow(job) };
  } catch (thrown) {
    answer = { ok: false, failure: failureOf(thrown) };
  }
  port.postMessage(answer);
});
